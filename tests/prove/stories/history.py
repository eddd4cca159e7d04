"""The raw list: which switches settled when, and what can be known of each of them from the list alone."""

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from captains_table.games.contract import Square

LAG_MS = 600
"""A board that samples one square after the other shows a piece on its new square so long before the old one opens."""


class Change(NamedTuple):
    """A switch that settled; `reads`: which pieces it may be that came or left, by what the board reads, if it does."""

    at_ms: int
    square: Square
    closed: bool
    reads: frozenset[str] = frozenset()

    def denies(self, sign: str) -> bool:
        """Return whether the board reads another piece there than this one."""
        return bool(self.reads) and sign not in self.reads


class History:
    """Every switch that settled since the board stood as before the move, in order, without the silent ones.

    Args:
        changes: what settled.
        closed: the switches that were closed at first.
        silent: the switches that say nothing, because they are masked or broken: no story rests on them.
        told: what stood where at some time, because somebody said so, by how many changes had settled then.
        reads: which pieces may stand on each square now, by what the board reads; none on a board that does not.
    """

    def __init__(
        self,
        changes: Iterable[Change],
        closed: Collection[Square],
        silent: Collection[Square] = frozenset(),
        told: tuple[int, Mapping[Square, str]] | None = None,
        reads: Mapping[Square, frozenset[str]] = MappingProxyType({}),
    ) -> None:
        changes = _as_hands_moved(changes)
        self.reads = {square: signs for square, signs in reads.items() if square not in silent}
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

    def is_read(self, pieces: Mapping[Square, str]) -> bool:
        """Return whether the board reads just these pieces and nothing else stands on it, and every switch speaks."""
        is_occupied = not self.silent and self.occupied() == pieces.keys()
        return is_occupied and all(self.reads.get(each) == frozenset({piece}) for each, piece in pieces.items())

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


def _as_hands_moved(changes: Iterable[Change]) -> list[Change]:
    """Return the changes with each piece lifted before it is set down, where the board read it on both squares."""
    waiting, found, held = list(changes), list[Change](), list[frozenset[str]]()
    while waiting:
        change = waiting.pop(0)
        if change.reads and not change.closed:
            held.append(change.reads)
        elif change.reads and change.reads in held:
            held.remove(change.reads)
        elif change.reads and (late := _opens_late(change, waiting)) is not None:
            waiting.remove(late)
            found.append(late._replace(at_ms=change.at_ms))
        found.append(change)
    return found


def _opens_late(set_down: Change, later: Iterable[Change]) -> Change | None:
    """Return the opening of the square that a piece came from, where it was read on two squares for a while."""
    for change in later:
        if change.at_ms > set_down.at_ms + LAG_MS or (change.closed and change.reads == set_down.reads):
            break
        if not change.closed and change.reads == set_down.reads and change.square != set_down.square:
            return change
    return None


def _alternating(changes: Iterable[Change], closed: Collection[Square], silent: Collection[Square]) -> list[Change]:
    """Return the changes that change anything: a switch that repeats what it said says nothing."""
    state, found = set(closed), []
    for change in changes:
        if change.square in silent or change.closed == (change.square in state):
            continue
        (state.add if change.closed else state.discard)(change.square)
        found.append(change)
    return found
