"""What a hand touched, and in what order."""

from dataclasses import dataclass, field

from captains_table.games.contract import Square
from captains_table.table.recognition.footprint import Footprint

OVERLAP_MS = 160
"""A magnet between two squares closes both: a slid piece may reach the next switch before it leaves the last one."""

ROCK_MS = 160
"""A piece touches down again so soon after its switch opened; no hand takes it off and sets another there so fast."""

ECHO_MS = 30
"""A strong magnet set down closes a neighbour's switch in the same moment; no hand sets two pieces down so fast."""


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

    def copy(self) -> "Touches":
        """Return what is known as a value of its own."""
        return Touches(dict(self.opened_ms), dict(self.closed_ms))

    def squares(self) -> frozenset[Square]:
        """Return the squares that were touched."""
        return frozenset(self.opened_ms.keys() | self.closed_ms.keys())

    def explain(self, move: Footprint) -> bool:
        """Return whether a hand that did just this can have made a move.

        Each square was touched, and each filled one closed after one opened that its piece may have come from; where no
        such square was seen to open nothing is known of the order, and none matters to a piece from beside the board.
        """
        return move.changed <= self.squares() and all(self._may_fill(put, move) for put in move.filled)

    def _may_fill(self, put: Square, move: Footprint) -> bool:
        lifted = move.origins[put] & self.opened_ms.keys()
        return not lifted or self.fills(put, move)

    def fills(self, put: Square, move: Footprint) -> bool:
        """Return whether a piece was seen to come from a square to another one as a move has it."""
        return any(self.goes(square, put) for square in move.origins[put])

    def goes(self, start: Square, end: Square, since: "Touches | None" = None) -> bool:
        """Return whether what was lifted from one square can be what closed another: lifted before put, or slid.

        Args:
            start: the square that opened.
            end: the square that closed.
            since: touches of a shorter while to take the opening from.
        """
        opened_ms, closed_ms = (since or self).opened_ms.get(start), self.closed_ms.get(end)
        if opened_ms is None or closed_ms is None:
            return False
        return closed_ms >= opened_ms - (OVERLAP_MS if _are_neighbours(start, end) else 0)

    def is_rocking(self, square: Square) -> bool:
        """Return whether what closed a switch may only be the piece that opened it, touching down again."""
        if square not in self.opened_ms or square not in self.closed_ms:
            return False
        return 0 <= self.closed_ms[square] - self.opened_ms[square] <= ROCK_MS

    def is_echo(self, square: Square, of: Square) -> bool:
        """Return whether a switch may only have closed because of a magnet on a neighbouring square."""
        if square not in self.closed_ms or of not in self.closed_ms:
            return False
        return _are_neighbours(square, of) and abs(self.closed_ms[square] - self.closed_ms[of]) <= ECHO_MS


def _are_neighbours(square: Square, other: Square) -> bool:
    return max(abs(square.file - other.file), abs(square.rank - other.rank)) == 1
