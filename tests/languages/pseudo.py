"""A pseudo-language, whose every message stands in brackets, and what bypasses it: text that no message made."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType
from typing import Any, Final
from unittest.mock import patch

from captains_table.games.crowns.designs import roster
from captains_table.phrases import Language, Phrase
from captains_table.phrases.phrase import FIELD, SHORT
from captains_table.runtime.tape_player import TapePlayer
from captains_table.table.tapes.tape_reader import TapeLine

OPEN, CLOSE = "⟦", "⟧"
LONGER: Final = 0.35
ELEMENT: Final = re.compile(r"(<[^>]*>)")
FILLING: Final = " ößé ñçà öüä œéß çñ" * 40
WORD: Final = re.compile(r"[^\W\d_]{2,}")
"""What counts as a word: two letters in a row, as neither squares nor most moves have."""
NOTATION: Final = re.compile(r"[KQRBNPCGIVX]+|[KQRBNPCG]?x?[a-p]")
"""What is left of moves, arrays and dice without their digits; it is the same in every language."""


class PseudoLanguage(Language):
    """A language with a translation of every message: the English text in brackets, and longer by a third."""

    def find(self, text: str, context: str = "", number: int | None = None) -> str:  # noqa: ARG002 - no plural forms
        """Return the text in brackets, with words behind it that no English text has."""
        usual = text.partition(SHORT)[0]
        if context == "list":
            return usual
        return f"{OPEN}{''.join(map(_longer, ELEMENT.split(usual)))}{CLOSE}"


def _longer(text: str) -> str:
    """Return a text between two elements with words behind it that no English text has; elements stay."""
    seen = len(FIELD.sub("xxxx", text.strip()))
    return text if ELEMENT.fullmatch(text) or not seen else f"{text}{FILLING[: round(seen * LONGER)].rstrip()}"


PSEUDO: Final = PseudoLanguage("qps")
PLAIN: Final = {bool, int, float, NoneType}
KEYS: Final = frozenset(
    f"{kind}.{name}"
    for kind, names in {
        "Choice": "value",
        "Die": "kind",
        "GameEvent": "kind rule",
        "GameOption": "name default proposed detail_of moot_at collection",
        "Hint": "id",
        "Language": "code",
        "Meaning": "rule",
        "MenuEntry": "id name",
        "Option": "id rule",
        "PickAsk": "default",
        "Prospect": "id",
        "RollOffer": "option",
        "SeatView": "name title computer",
        "SheetRow": "key kind",
        "Slot": "kind",
        "View": "commitment details digest earlier_log game joining language marks movements pace phase pieces shape "
        "shining switches things wrong",
    }.items()
    for name in names.split()
)
"""The fields that hold ids, keys, names of players, and values of enumerations."""


COMPUTERS: Final = ("Aether", "Boreas", "Zephyr", "Eurus", "Notus")
PROPER: Final = frozenset({"Captain's Table", *COMPUTERS, *(design.name for design in roster())})
"""Names of the program, of computers, and of the pieces of Crowns, which are the same in every language."""


def leaks_of(
    value: object, names: frozenset[str], where: str = "", known: set[str] | None = None
) -> Iterator[tuple[str, str]]:
    """Yield each text in a value that no message made: where it is (`Class.field`), and the text.

    Args:
        value: the value, such as a view.
        names: the names of players, which are no messages.
        where: the class and field that hold the value.
        known: the texts that were looked at before, to which new ones are added.
    """
    known = set() if known is None else known
    left: list[tuple[str, object]] = [] if where in KEYS else [(where, value)]
    while left:
        where, value = left.pop()
        if not isinstance(value, str) or isinstance(value, Enum):
            left += _items(value, where)
        elif value not in known:
            known.add(value)
            if isinstance(value, Phrase):
                inside = where if value.compute else f"{where} {{}}"
                left += ((inside, part) for part in value.parts.values())
            elif has_words(value, names):
                yield where, value


def _items(value: object, where: str) -> Iterable[tuple[str, object]]:
    """Return the values within a value that may hold messages, and where each of them is."""
    kind: Any = type(value)
    if kind in PLAIN:
        return ()
    if (fields_of_it := _fields(kind)) is not None:
        return [(inside, getattr(value, name)) for inside, name in fields_of_it]
    items = value.values() if isinstance(value, Mapping) else value if isinstance(value, tuple | list) else ()
    return [(where, item) for item in items]


@cache
def _fields(kind: Any) -> Sequence[tuple[str, str]] | None:  # noqa: ANN401 - a class
    """Return the fields of a class that may hold messages: `Class.field`, and the name; `None` if it has no fields."""
    named = [each.name for each in fields(kind)] if is_dataclass(kind) else getattr(kind, "_fields", None)
    if named is None:
        return None
    return [(f"{kind.__name__}.{name}", name) for name in named if f"{kind.__name__}.{name}" not in KEYS]


def has_words(text: str, names: frozenset[str]) -> bool:
    """Return whether a text has words that are neither names nor notation."""
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, "")
    return any(not NOTATION.fullmatch(word) for word in WORD.findall(text))


@contextmanager
def watched_tapes() -> Iterator[set[str]]:
    """Yield the texts that no message made in the views of all tapes that are played meanwhile."""
    found, known, play = set[str](), set[str](), TapePlayer.play

    def watched(player: TapePlayer, line: TapeLine) -> str | None:
        try:
            return play(player, line)
        finally:
            view = player.view()
            names = PROPER | {name for seat in view.seats for name in (seat.name, seat.title, seat.called) if name}
            found.update(text for _, text in leaks_of(view, names, known=known))

    with patch.object(TapePlayer, "play", watched):
        yield found
