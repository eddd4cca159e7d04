"""Sends the messages of a table's texts beside its English view, so that a club can translate the view.

What comes is foreign: of a phrase, only messages that the club's own catalogue has are translated; all else stays the
English that came. A text of the view is replaced only if the phrase, in English, is that text.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct

from captains_table.phrases import Language, Phrase, PhrasePart, as_english, pack_phrase, unpack_phrases
from captains_table.phrases.packing import PACKED, UNREADABLE
from captains_table.reporting.table_view import BadView, TableView, decoded_view
from captains_table.table.model.view import View

MOST: Final = 256  # phrases
LARGEST: Final = 1 << 15
"""The maximum size in bytes of all phrases of a view: half of what a club takes of a table's view."""
DEEPEST: Final = 6  # phrases in phrases
LONGEST_PART: Final = 200
TEXTS: Final = frozenset(
    {
        *("prompt", "title", "heading", "told", "goal", "then", "bell_then", "faults", "words", "aloud", "why"),
        *("name", "place", "level", "honours"),
    }
)
"""The fields of a view, and of what it holds, that have texts; other strings are names of things for programs."""


class _Shown(Struct):
    """What is read of a message again to translate its view."""

    view: dict[str, Any]
    said: Raw = Raw(b"[]")


_SHOWN: Final = msgspec.json.Decoder(_Shown)
_ITEMS: Final = msgspec.json.Decoder(list[Raw])


def said_of(view: TableView) -> Raw:
    """Return the messages of a view's texts as JSON; those beyond MOST and LARGEST are left out."""
    found: dict[str, bytes] = {}

    def note(value: object) -> str:
        if isinstance(value, Phrase) and value not in found:
            found[str(value)] = _item(value)
        return as_english(value)

    msgspec.json.encode(view, enc_hook=note)
    items, room = [], LARGEST - 2
    for item in list(found.values())[:MOST]:
        room -= len(item) + 1
        if room >= 0:
            items.append(item)
    return Raw(b"[" + b",".join(items) + b"]")


@lru_cache(maxsize=512)  # most texts of a view stay
def _item(phrase: Phrase) -> bytes:
    return pack_phrase(phrase).removeprefix(PACKED).encode()


def phrases_in(payload: bytes) -> Mapping[str, str]:
    """Return the phrases that came with a view, packed, by their English texts; they are not checked yet."""
    return {str(unpack_phrases(item)): item for item in _items(_SHOWN.decode(payload).said)}


def translated(item: str, language: Language) -> str:
    """Return a packed phrase in a language; its plain English if its message is unknown; empty if misshapen."""
    return _pair(item, language)[1]


def view_in_language(payload: bytes, language: Language) -> View:
    """Return the view of a message, which was found to be in order, in a language, as far as its catalogue goes."""
    shown = _SHOWN.decode(payload)
    texts = dict(_pair(item, language) for item in _items(shown.said))
    for seat in shown.view.get("seats", ()):
        texts.pop(seat["name"], None)
        texts.pop(seat.get("title"), None)
    with suppress(msgspec.ValidationError, BadView):
        return decoded_view(msgspec.convert(_replaced(shown.view, "", texts), TableView))
    return decoded_view(msgspec.convert(shown.view, TableView))


def _items(said: Raw) -> Iterator[str]:
    with suppress(msgspec.DecodeError, UnicodeError):
        if len(said) <= LARGEST:
            yield from (f"{PACKED}{bytes(item).decode()}" for item in _ITEMS.decode(said)[:MOST])


@lru_cache(maxsize=2048)
def _pair(item: str, language: Language) -> tuple[str, str]:
    """Return a packed phrase in English and in a language; the English twice if its message is unknown."""
    phrase = unpack_phrases(item)
    if not isinstance(phrase, Phrase):
        return "", ""
    with suppress(*UNREADABLE):  # a function may not take the parts
        known = _known(phrase, language, DEEPEST)
        return str(phrase), known.render(language) if isinstance(known, Phrase) else str(phrase)
    return str(phrase), str(phrase)


def _known(part: PhrasePart, language: Language, deep: int) -> PhrasePart:
    """Return what is known of a phrase: what is not is plain English; raises ValueError if a part is too long."""
    if isinstance(part, Phrase) and deep and (part.compute or language.find(part.text, part.context)):
        parts = {name: _known(each, language, deep - 1) for name, each in part.parts.items()}
        return Phrase(part.text, parts, part.context, part.plural_text, part.number, part.compute)
    if len(str(part)) > LONGEST_PART:
        raise ValueError(part)
    return part if isinstance(part, int) else str(part)


def _replaced(value: Any, field: str, texts: Mapping[str, str]) -> Any:  # noqa: ANN401 - any JSON value
    match value:
        case str():
            return texts.get(value, value) if field in TEXTS else value
        case list():
            return [_replaced(each, field, texts) for each in value]
        case dict():
            return {name: _replaced(each, name, texts) for name, each in value.items()}
    return value
