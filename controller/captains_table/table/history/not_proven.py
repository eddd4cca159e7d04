"""The error of `verify`: an export does not prove itself, with the place of the first difference."""

from collections.abc import Sequence
from dataclasses import dataclass

from captains_table.table.model.entries import Acted, Entry, TakenBack


@dataclass(eq=False)
class NotProven(ValueError):
    """The first difference because of which an export does not prove itself.

    Attributes:
        words: what is wrong, where, and what was expected.
        seq: the number of the wrong action, if it is one.
        expected: the right value.
        found: the value in the export.
        entry: the number of the wrong entry, counted from 0; if `seq` is set, it is derived from that.
    """

    words: str
    seq: int | None = None
    expected: object = None
    found: object = None
    entry: int | None = None

    def __str__(self) -> str:
        return self.words


def seq_of(entry: Entry) -> int | None:
    """Return the number of an action or take-back, `None` for any other entry."""
    return entry.seq if isinstance(entry, Acted | TakenBack) else None


def index_of_seq(entries: Sequence[Entry], seq: int) -> int | None:
    """Return the index of the entry with an action's number."""
    return next((place for place, entry in enumerate(entries) if seq_of(entry) == seq), None)


def actor_words(seat: int | None) -> str:
    """Return a seat in words, as the one that acted."""
    return "nobody" if seat is None else f"seat {seat}"
