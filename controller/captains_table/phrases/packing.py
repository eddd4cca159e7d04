"""Packs phrases for the way to another process, in whose JSON they would be plain English.

A packed phrase is a text: the sign PACKED, and behind it, as JSON, the English text and what the phrase is made of.
"""

import json
from typing import Any, Final, TypeVar

from captains_table.phrases.phrase import COMPUTES, FIELD, Phrase, PhrasePart, as_english
from captains_table.phrases.translating import with_texts

V = TypeVar("V")
PACKED: Final = "\ue000"
LONGEST: Final = 4_000
MOST_PARTS: Final = 20_000
"""Bounds the work for parts in parts: the numbers of parts, each plus 1, multiplied from a phrase to its innermost."""
UNREADABLE: Final = (ValueError, TypeError, LookupError, AttributeError, RecursionError)
"""The errors that reading or rendering may raise when what came is no packed phrase of ours."""


def pack_phrase(value: object) -> str:
    """Return a phrase as a text for `unpack_phrases`; the `enc_hook` of msgspec for what goes to another process."""
    if not isinstance(value, Phrase):
        return as_english(value)
    return f"{PACKED}{json.dumps([str(value), _written(value)], default=str)}"


def _written(part: PhrasePart) -> Any:  # noqa: ANN401 - JSON
    if not isinstance(part, Phrase):
        return part
    name = next((name for name, each in COMPUTES.items() if each is part.compute), part.compute and "")
    parts = {name: _written(each) for name, each in part.parts.items()}
    return [part.text, parts, part.context, part.plural_text, part.number, name]


def unpack_phrases(value: V) -> V:
    """Return a value from another process with the phrases that were packed in it; unreadable ones stay English."""
    return with_texts(value, _unpacked)


def _unpacked(text: str) -> str:
    if not text.startswith(PACKED):
        return text
    try:
        english, written = json.loads(text[1:])
        english = str(english)
    except UNREADABLE:
        return text
    try:
        found = _read(written, MOST_PARTS if len(text) <= LONGEST else 0)
    except UNREADABLE:
        return english
    return found if isinstance(found, Phrase) and found == english else english


def _read(written: Any, room: int) -> PhrasePart:  # noqa: ANN401 - anything that JSON may hold
    """Return what was written; raises one of UNREADABLE if it is nothing that `_written` makes, or too large.

    Args:
        written: a text, a number, or what a phrase is made of.
        room: how many parts it may have.
    """
    if isinstance(written, str | int):
        return written
    text, parts, context, plural_text, number, name = written
    room //= 1 + max(len(parts), len(FIELD.findall(text + plural_text)))
    if not room or not isinstance(context, str) or not isinstance(number, int | None):
        raise ValueError(room)
    compute = None if name is None else COMPUTES[name]
    return Phrase(text, {key: _read(each, room) for key, each in parts.items()}, context, plural_text, number, compute)
