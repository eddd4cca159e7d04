"""The raw list: which switches settled when, and what can be known of each of them from the list alone."""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from captains_table.games.contract import Square


class Change(NamedTuple):
    at_ms: int
    square: Square
    closed: bool


class History:
    """Every switch that settled since the board stood as before the move, in order, without the silent ones.

    Args:
        changes: what settled.
        closed: the switches that were closed at first.
        silent: the switches that say nothing, because they are masked or broken: no story rests on them.
        told: what stood where at some time, because somebody said so, by how many changes had settled then.
    """

    def __init__(
        self,
        changes: Iterable[Change],
        closed: Collection[Square],
        silent: Collection[Square] = frozenset(),
        told: tuple[int, Mapping[Square, str]] | None = None,
    ) -> None:
        changes = list(changes)
        self.silent = frozenset(silent)
        self.closed = frozenset(closed) - self.silent
        self.changes = _alternating(changes, self.closed, self.silent)
        self.told = None if told is None else (self._count_of(changes[: told[0]]), told[1])
        self._spoke = self.silent.union(change.square for change in self.changes)
        self._before, self._after = self._neighbours_in_time()

    def _count_of(self, changes: Iterable[Change]) -> int:
        return len(_alternating(changes, self.closed, self.silent))

    def touched(self) -> list[Square]:
        return sorted({change.square for change in self.changes})

    def spoke(self) -> frozenset[Square]:
        """Return the squares whose switch changed, or may have changed unseen."""
        return self._spoke

    def occupied(self) -> frozenset[Square]:
        last = {change.square: change.closed for change in self.changes}
        return self.closed.difference(last).union(square for square, closed in last.items() if closed)

    def goes_on(self) -> bool:
        """Return whether anything settled since somebody said what had been done."""
        return len(self.changes) > (self.told[0] if self.told is not None else 0)

    def comes_home(self) -> bool:
        """Return whether the board ever stood again as at first."""
        closed = set(self.closed)
        for change in self.changes:
            (closed.add if change.closed else closed.discard)(change.square)
            if closed == self.closed:
                return True
        return False

    def since_ms(self, number: int) -> int | None:
        """Return how long a switch had been as it was when it changed; `None` where it never changed before."""
        before = self._before[number]
        return None if before is None else self.changes[number].at_ms - before

    def lasts_ms(self, number: int) -> int | None:
        """Return how long a switch stays as it became; `None` where it never changes again."""
        after = self._after[number]
        return None if after is None else after - self.changes[number].at_ms

    def _neighbours_in_time(self) -> tuple[list[int | None], list[int | None]]:
        before: list[int | None] = []
        after: list[int | None] = [None] * len(self.changes)
        last: dict[Square, int] = {}
        for number, change in enumerate(self.changes):
            previous = last.get(change.square)
            before.append(None if previous is None else self.changes[previous].at_ms)
            if previous is not None:
                after[previous] = change.at_ms
            last[change.square] = number
        return before, after


def _alternating(changes: Iterable[Change], closed: Collection[Square], silent: Collection[Square]) -> list[Change]:
    """Return the changes that change anything: a switch that repeats what it said says nothing."""
    state, found = set(closed), []
    for change in changes:
        if change.square in silent or change.closed == (change.square in state):
            continue
        (state.add if change.closed else state.discard)(change.square)
        found.append(change)
    return found
