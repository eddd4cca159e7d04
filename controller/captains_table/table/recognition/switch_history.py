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
    """A settled change of one switch.

    Attributes:
        at_ms: the table time in milliseconds.
        square: the square of the switch.
        closed: whether a piece came; if not, a piece left.
        reading: what the board reads of the piece that came or left; empty if it reads only that a piece is there.
    """

    at_ms: int
    square: Square
    closed: bool
    reading: str = ""


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
        read: the squares on which the board reads the piece that came last.
        left: what the board read on each square when its switch first opened.
    """

    opened_ms: dict[Square, int] = field(default_factory=dict)
    closed_ms: dict[Square, int] = field(default_factory=dict)
    read: set[Square] = field(default_factory=set)
    left: dict[Square, str] = field(default_factory=dict)

    def note(self, change: SwitchChange) -> None:
        """Record a switch change; for each square, the time of the latest closing and of the first opening is kept."""
        if not change.closed:
            self.opened_ms.setdefault(change.square, change.at_ms)
            self.left.setdefault(change.square, change.reading)
            return
        self.closed_ms[change.square] = change.at_ms
        if change.reading:
            self.read.add(change.square)
        else:
            self.read.discard(change.square)

    def clear(self) -> None:
        self.opened_ms.clear()
        self.closed_ms.clear()
        self.read.clear()
        self.left.clear()

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
