"""The scanner of a simulated board: takes in what its reeds say, and gives out what has settled, in time order."""

from collections import deque
from collections.abc import Iterable

from captains_table.games.contract import Square
from captains_table.link.debounce import DEBOUNCE_MS, Debounce
from captains_table.link.from_board import LONGEST_SIDE
from captains_table.simulation.reeds import Change


class SimulatedScanner:
    """Debounces the switches of one board, which knows the moment of each flip.

    Args:
        debounce_ms: how long a switch must be still to be believed.
        closed: the squares whose switch is closed at first.
    """

    def __init__(self, debounce_ms: int = DEBOUNCE_MS, closed: Iterable[Square] = ()) -> None:
        self.debounce_ms = debounce_ms
        self._debounce = Debounce(debounce_ms, map(_number, closed))
        self._raw: deque[Change] = deque()

    def begin(self, closed: Iterable[Square]) -> None:
        """Believe how all switches stand; nothing of before is to come."""
        self._raw.clear()
        self._debounce.begin(map(_number, closed))

    def sense(self, changes: Iterable[Change]) -> None:
        """Take in raw changes, now or to come; in time order, and none before those taken in earlier."""
        self._raw.extend(changes)

    def hurry(self, now_ms: int) -> None:
        """Let the reeds say now what they were to say later."""
        self._raw = deque(change._replace(at_ms=min(change.at_ms, now_ms)) for change in self._raw)

    def due_ms(self) -> int | None:
        """Return when something changes or settles next, None if nothing does."""
        dues = (self._debounce.due_ms(), self._raw[0].at_ms if self._raw else None)
        return min((due_ms for due_ms in dues if due_ms is not None), default=None)

    def settled(self, now_ms: int) -> Change | None:
        """Return the next change that has settled by now, None if there is none; to be called until there is none."""
        while (due_ms := self.due_ms()) is not None and due_ms <= now_ms:
            found = self._debounce.settle(due_ms)
            if found is not None:
                return Change(found.at_ms, _square(found.contact), found.closed, found.flickers)
            raw = self._raw.popleft()
            self._debounce.changed(_number(raw.square), raw.closed, raw.at_ms)
        return None

    def settle_all(self, changes: Iterable[Change]) -> list[Change]:
        """Return what settles of these raw changes until they have come to rest."""
        self.sense(changes)
        settled = []
        while (due_ms := self.due_ms()) is not None:
            change = self.settled(due_ms)
            settled += [] if change is None else [change]
        return settled


def _number(square: Square) -> int:
    return square.rank * LONGEST_SIDE + square.file


def _square(number: int) -> Square:
    rank, file = divmod(number, LONGEST_SIDE)
    return Square(file, rank)
