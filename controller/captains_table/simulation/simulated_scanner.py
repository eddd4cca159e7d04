"""The scanner of a simulated board: debounces the raw changes of its reed switches, in time order."""

from collections import deque
from collections.abc import Iterable

from captains_table.games.contract import Square
from captains_table.link.debounce import DEBOUNCE_MS, Debounce
from captains_table.link.from_board import LONGEST_SIDE
from captains_table.simulation.reeds import ReedChange


class SimulatedScanner:
    """Debounces the switches of one simulated board, whose raw changes are all known with their exact times.

    Args:
        debounce_ms: how long a switch must be stable before its change is reported.
        closed: the squares whose switches are closed at first.
    """

    def __init__(self, debounce_ms: int = DEBOUNCE_MS, closed: Iterable[Square] = ()) -> None:
        self._debounce = Debounce(debounce_ms, map(_number, closed))
        self._raw: deque[ReedChange] = deque()

    def begin(self, closed: Iterable[Square]) -> None:
        """Set the state of all switches without a report, and drop pending changes."""
        self._raw.clear()
        self._debounce.begin(map(_number, closed))

    def sense(self, changes: Iterable[ReedChange]) -> None:
        """Add raw changes, present or future; they must be in time order and no earlier than those already added."""
        self._raw.extend(changes)

    def hurry(self, now_ms: int) -> None:
        """Make all future raw changes happen now."""
        self._raw = deque(change._replace(at_ms=min(change.at_ms, now_ms)) for change in self._raw)

    def due_ms(self) -> int | None:
        """Return the time of the next raw or debounced change; `None` if there is none."""
        dues = (self._debounce.due_ms(), self._raw[0].at_ms if self._raw else None)
        return min((due_ms for due_ms in dues if due_ms is not None), default=None)

    def settled(self, now_ms: int) -> ReedChange | None:
        """Return the next change that has settled by now; `None` if there is none.

        Several changes may have settled: call this method until it returns `None`.
        """
        while (due_ms := self.due_ms()) is not None and due_ms <= now_ms:
            found = self._debounce.settle(due_ms)
            if found is not None:
                return ReedChange(found.at_ms, _square(found.contact), found.closed, found.flickers)
            raw = self._raw.popleft()
            self._debounce.changed(_number(raw.square), raw.closed, raw.at_ms)
        return None


def _number(square: Square) -> int:
    return square.rank * LONGEST_SIDE + square.file


def _square(number: int) -> Square:
    rank, file = divmod(number, LONGEST_SIDE)
    return Square(file, rank)
