"""What `verify` says of an export that does not prove itself."""

from collections.abc import Sequence
from dataclasses import dataclass

from captains_table.table.model.entries import Acted, Entry, TakenBack


@dataclass(eq=False)
class NotProven(ValueError):
    """An export does not prove what it says: the first difference.

    Attributes:
        words: what is wrong, where, and what was expected.
        seq: the number of the action that is wrong, where one is.
        expected: what would have been right.
        found: what is there.
        entry: the number of the entry that is wrong, counted from 0; where an action is wrong it follows from that.
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


def place_of(entries: Sequence[Entry], seq: int) -> int | None:
    """Return which entry has an action's number, counted from 0."""
    return next((place for place, entry in enumerate(entries) if seq_of(entry) == seq), None)


def actor(seat: int | None) -> str:
    """Return in words whose action it is."""
    return "nobody" if seat is None else f"seat {seat}"
