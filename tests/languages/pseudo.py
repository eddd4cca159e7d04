"""A pseudo-language, whose every message stands in brackets, and what bypasses it: text that no message made."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Final

from captains_table.phrases import Language, Phrase
from captains_table.phrases.phrase import FIELD, SHORT

OPEN, CLOSE = "⟦", "⟧"
LONGER: Final = 0.35
FILLING: Final = " ößé ñçà öüä œéß çñ" * 40
WORD: Final = re.compile(r"[^\W\d_]{2,}")
"""What counts as a word: two letters in a row, as neither squares nor most moves have."""
NOT_WORDS: Final = re.compile(
    r"^(?:[KQRBNPCGTkqrbnpcg+]?[a-p]?\d{0,2}[x-]?[a-p]\d{1,2}(?:=?[A-Z])?[+#]?|O-O(?:-O)?|[IVX]+|[\W\d_]+)$"
)
"""Notation and dice, which are the same in every language."""


class PseudoLanguage(Language):
    """A language with a translation of every message: the English text in brackets, and longer by a third."""

    def find(self, text: str, context: str = "", number: int | None = None) -> str:  # noqa: ARG002 - no plural forms
        """Return the text in brackets, with words behind it that no English text has."""
        usual = text.partition(SHORT)[0]
        if context == "list":
            return usual
        return f"{OPEN}{usual}{FILLING[: round(len(FIELD.sub('xxxx', usual)) * LONGER)].rstrip()}{CLOSE}"


PSEUDO: Final = PseudoLanguage("qps")
KEYS: Final = frozenset(
    {
        *("View.phase", "View.game", "View.pace", "View.commitment", "View.digest", "View.details", "View.joining"),
        *("SeatView.name", "SeatView.title", "SeatView.computer", "Option.id", "Option.rule", "MenuEntry.id"),
        *("RollOffer.option", "Hint.id", "PickAsk.default", "GameOption.name", "Choice.value", "GameOption.default"),
        *("Die.kind", "GameEvent.kind", "SheetRow.key", "SheetRow.kind", "Slot.kind", "Meaning.rule", "Meaning.title"),
        *("GameEvent.rule", "MenuEntry.name", "Prospect.id", "Language.code", "View.language"),
    }
)
"""The fields that hold ids, keys, names of players, and values of enumerations."""


def leaks_of(value: object, names: frozenset[str], where: str = "") -> Iterator[tuple[str, str]]:
    """Yield each text in a value that no message made: where it is (`Class.field`), and the text.

    Args:
        value: the value, such as a view.
        names: the names of players, which are no messages.
        where: the class and field that hold the value.
    """
    if where in KEYS or isinstance(value, Enum):
        return
    if isinstance(value, Phrase):
        for part in value.parts.values():
            yield from leaks_of(part, names, where if value.compute else f"{where} {{}}")
    elif isinstance(value, str):
        if _has_words(value, names):
            yield where, value
    else:
        for inside, item in _items(value, where):
            yield from leaks_of(item, names, inside)


def _items(value: object, where: str) -> Iterator[tuple[str, object]]:
    if isinstance(value, Mapping):
        yield from ((where, item) for item in value.values())
    elif isinstance(value, tuple | list | frozenset):
        yield from ((where, item) for item in value)
    elif is_dataclass(value):
        for each in fields(value):
            yield f"{type(value).__name__}.{each.name}", getattr(value, each.name)


def _has_words(text: str, names: frozenset[str]) -> bool:
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, "")
    return bool(WORD.search(text)) and not NOT_WORDS.match(text.strip())


def rendered_leaks(text: str, names: frozenset[str]) -> str:
    """Return what of a rendered text stands outside brackets and has words; empty if nothing has."""
    depth, outside = 0, []
    for sign in text:
        depth += (sign == OPEN) - (sign == CLOSE)
        if depth == 0 and sign != CLOSE:
            outside.append(sign)
    left = "".join(outside).strip()
    return left if _has_words(left, names) else ""
