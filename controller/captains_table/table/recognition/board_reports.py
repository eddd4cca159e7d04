"""What the board reports: settled changes of its switches, the squares touched, and what it reads of the pieces.

The times of the changes show whether a piece may have gone from one square to another, or may only have rocked.

A reading is a text that the board chooses, such as `N` or the number of a chip. Nothing is known about it in advance:
what it means is learnt while the board shows the match's position, for example at set-up. A reading that was seen on
two different pieces of the match means nothing, and neither does one that was never learnt.
"""

from collections.abc import Mapping
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


ALIKE = ""


class PieceReadings:
    """The readings of the board's squares, and the piece of the match that each reading means.

    A board that reads only whether a square is occupied gives no readings: all of them are empty.

    Attributes:
        on: the reading of each occupied square that has one.
    """

    def __init__(self) -> None:
        self.on: dict[Square, str] = {}
        self._meanings: dict[str, str] = {}

    def learn(self, pieces: Mapping[Square, str]) -> None:
        """Learn what the present readings mean, given the pieces of the match on their squares.

        A reading that is known already keeps its meaning, unless it now stands for another piece too.
        """
        found: dict[str, str] = {}
        for square, reading in self.on.items():
            if square in pieces and reading not in self._meanings:
                piece = pieces[square]
                found[reading] = piece if found.get(reading, piece) == piece else ALIKE
        self._meanings |= found

    def forget(self) -> None:
        """Forget what the readings mean, because another match begins."""
        self._meanings.clear()

    def differ(self, reading: str, other: str) -> bool:
        """Return whether two readings cannot be of the same piece; false if one of them is empty."""
        if not reading or not other or reading == other:
            return False
        return not (self._meanings.get(reading) and self._meanings.get(reading) == self._meanings.get(other))

    def denied(self, pieces: Mapping[Square, str]) -> int:
        """Return on how many squares the board reads another piece than the one given there."""
        return sum(self.deny(self.on[square], pieces[square]) for square in self.on.keys() & pieces.keys())

    def confirm(self, pieces: Mapping[Square, str]) -> bool:
        """Return whether the readings of these squares mean the given pieces."""
        return all(self._meanings.get(self.on.get(square, "")) == piece for square, piece in pieces.items())

    def deny(self, reading: str, piece: str) -> bool:
        """Return whether a reading is known to mean another piece of the match than this one."""
        meant = self._meanings.get(reading)
        return bool(meant) and meant != piece
