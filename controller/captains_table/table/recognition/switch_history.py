"""The settled changes of the board's switches, and the squares that these changes show as touched.

The times of the changes show whether a piece may have gone from one square to another, or may only have rocked.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from captains_table.games.contract import Square
from captains_table.table.recognition.footprint import Footprint

OVERLAP_MS = 160
"""A slid piece closes the next switch at most this long before it opens the last: a magnet between two closes both."""
ROCK_MS = 160
"""A piece that lands this soon after its switch opened is the same one, rocking: no hand swaps pieces so fast."""


class SwitchChange(NamedTuple):
    """A settled change of one switch; `at_ms` is table time in milliseconds."""

    at_ms: int
    square: Square
    closed: bool


def are_neighbours(square: Square, other: Square) -> bool:
    """Return whether two squares are adjacent, also diagonally.

    A strong magnet may also close the switch of an adjacent square.
    """
    return max(abs(square.file - other.file), abs(square.rank - other.rank)) == 1


@dataclass(slots=True)
class Touches:
    """When each switch first opened and last closed since a starting point, in table milliseconds.

    Attributes:
        opened_ms: when each switch first opened.
        closed_ms: when each switch last closed.
    """

    opened_ms: dict[Square, int] = field(default_factory=dict)
    closed_ms: dict[Square, int] = field(default_factory=dict)

    def note(self, square: Square, *, closed: bool, at_ms: int) -> None:
        """Record a switch change; for each square, the time of the latest closing and of the first opening is kept."""
        if closed:
            self.closed_ms[square] = at_ms
        else:
            self.opened_ms.setdefault(square, at_ms)

    def clear(self) -> None:
        self.opened_ms.clear()
        self.closed_ms.clear()

    def fills(self, put: Square, move: Footprint) -> bool:
        """Return whether, by the touches, the piece on `put` may have come from one of its origins in `move`."""
        return any(self.goes(square, put) for square in move.origins[put])

    def goes(self, start: Square, end: Square) -> bool:
        """Return whether the piece lifted from `start` may now be on `end`.

        This is so if the piece was lifted before the switch of `end` last closed, or if it may have been slid to `end`
        from a neighbouring square.
        """
        opened_ms, closed_ms = self.opened_ms.get(start), self.closed_ms.get(end)
        if opened_ms is None or closed_ms is None:
            return False
        return closed_ms >= opened_ms - (OVERLAP_MS if are_neighbours(start, end) else 0)

    def is_rocking(self, square: Square) -> bool:
        """Return whether the piece on a square may only have rocked, without being lifted.

        A piece may have rocked if the square's switch last closed at most `ROCK_MS` after the switch first opened.
        """
        if square not in self.opened_ms or square not in self.closed_ms:
            return False
        return 0 <= self.closed_ms[square] - self.opened_ms[square] <= ROCK_MS
