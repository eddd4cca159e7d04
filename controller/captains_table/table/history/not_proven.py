"""The error that `verify` raises for the first difference in an export, and helpers that name its action and seat."""

from dataclasses import dataclass

from captains_table.table.model.entries import Acted, Entry, TakenBack


@dataclass(eq=False)
class NotProven(ValueError):
    """An export fails verification; the attributes describe the first difference.

    Attributes:
        words: what is wrong, where, and what was expected.
        seq: the number of the wrong action; `None` if the difference is not in an action.
        expected: the right value.
        found: the value in the export.
        entry: the number of the wrong entry, counted from 0; `None` if no single entry is known to be wrong.
    """

    words: str
    seq: int | None = None
    expected: object = None
    found: object = None
    entry: int | None = None

    def __str__(self) -> str:
        return self.words


def seq_of(entry: Entry) -> int | None:
    """Return the number of an action or take-back; `None` for any other entry."""
    return entry.seq if isinstance(entry, Acted | TakenBack) else None


def actor_words(seat: int | None) -> str:
    """Return the words for the seat that acted; "nobody" if no seat did."""
    return "nobody" if seat is None else f"seat {seat}"
