"""What the switches said, in order, since the board last stood as a search for stories begins."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from captains_table.games.contract import Square


class Change(NamedTuple):
    """A switch that settled; the time is table milliseconds."""

    at_ms: int
    square: Square
    closed: bool


class SwitchHistory:
    """The changes that count, and when those happened that do not because their switch chatters."""

    def __init__(self) -> None:
        self.changes: list[Change] = []
        self._voided: dict[Square, list[Change]] = {}

    def begin(self, changes: Iterable[Change] = ()) -> None:
        """Begin with some changes that count on; a switch whose word was void keeps its times."""
        self.changes = list(changes)

    def note(self, change: Change) -> None:
        """Know of a change, after those that are known."""
        self.changes.append(change)

    def void(self, squares: Collection[Square]) -> None:
        """Know that what some switches said is worth nothing."""
        for change in self.changes:
            if change.square in squares:
                self._voided.setdefault(change.square, []).append(change)
        self.changes = [change for change in self.changes if change.square not in squares]

    def trust(self, square: Square, *, closed: bool, was_closed: bool) -> None:
        """Know that a switch is worth listening to again.

        Where it says something else than at first, that happened while it chattered: a piece that is gone left when
        it first opened, one that came was there when it last closed.
        """
        voided = [change for change in self._voided.pop(square, []) if change.closed == closed]
        if closed == was_closed or not voided:
            return
        change = voided[-1] if closed else voided[0]
        self.changes = sorted([*self.changes, change], key=lambda each: each.at_ms)


def are_neighbours(square: Square, other: Square) -> bool:
    """Return whether a strong magnet on one square may close the switch of the other."""
    return max(abs(square.file - other.file), abs(square.rank - other.rank)) == 1
