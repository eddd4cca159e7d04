"""What the switches said, in order, since the board last stood as a search for stories begins; what a hand touched."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from captains_table.games.contract import Square
from captains_table.table.recognition.footprint import Footprint

OVERLAP_MS = 160
"""A magnet between two squares closes both: a slid piece may reach the next switch before it leaves the last one."""
ROCK_MS = 160
"""A piece touches down again so soon after its switch opened; no hand takes it off and sets another there so fast."""


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


@dataclass(slots=True)
class Touches:
    """When each switch changed since the board last was as something began; times are table milliseconds.

    Attributes:
        opened_ms: when each opened first.
        closed_ms: when each closed last.
    """

    opened_ms: dict[Square, int] = field(default_factory=dict)
    closed_ms: dict[Square, int] = field(default_factory=dict)

    def note(self, square: Square, *, closed: bool, at_ms: int) -> None:
        """Know of a change that settled."""
        if closed:
            self.closed_ms[square] = at_ms
        else:
            self.opened_ms.setdefault(square, at_ms)

    def clear(self) -> None:
        """Forget everything."""
        self.opened_ms.clear()
        self.closed_ms.clear()

    def fills(self, put: Square, move: Footprint) -> bool:
        """Return whether a piece was seen to come from a square to another one as a move has it."""
        return any(self.goes(square, put) for square in move.origins[put])

    def goes(self, start: Square, end: Square) -> bool:
        """Return whether what was lifted from one square can be what closed another: lifted before put, or slid."""
        opened_ms, closed_ms = self.opened_ms.get(start), self.closed_ms.get(end)
        if opened_ms is None or closed_ms is None:
            return False
        return closed_ms >= opened_ms - (OVERLAP_MS if are_neighbours(start, end) else 0)

    def is_rocking(self, square: Square) -> bool:
        """Return whether what closed a switch may only be the piece that opened it, touching down again."""
        if square not in self.opened_ms or square not in self.closed_ms:
            return False
        return 0 <= self.closed_ms[square] - self.opened_ms[square] <= ROCK_MS
