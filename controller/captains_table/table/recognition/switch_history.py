"""What the switches say, change by change, and what a hand has touched by that."""

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
