"""How the switches are doing: what each has said, which of them chatter, and which may be broken."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise

from captains_table.games.contract import Square

CHATTER_CHANGES = 12
CHATTER_WINDOW_MS = 2000
FLIP_MS = 70
"""A loose contact flips back within some hundredths of a second; the most nervous hand takes longer for each tap."""
REST_MS = 2000
"""A hand changes a square a few times in two seconds; a loose contact many times. It is trusted again after a rest."""


class Condition(StrEnum):
    """What is known about a switch."""

    GOOD = "good"
    SUSPECT = "suspect"  # the board has long been wrong there and nowhere else
    CHATTERS = "chatters"  # ignored until it rests
    MASKED = "masked"  # ignored because somebody said so


@dataclass(frozen=True, slots=True)
class SwitchReport:
    """One line of the health table.

    Attributes:
        square: whose switch it is.
        closed: whether it is believed to be closed.
        changes: changes that settled, so far.
        flickers: flips that were no more than bounce, as far as its scanner counts them.
        changed_ms: when it changed last, None if it never did.
        condition: what is known about it.
    """

    square: Square
    closed: bool
    changes: int
    flickers: int
    changed_ms: int | None
    condition: Condition


@dataclass(slots=True)
class _Record:
    flickers: int = 0
    changes: int = 0
    changed_ms: int | None = None
    recent: deque[int] = field(default_factory=deque)


class SwitchHealth:
    """What each switch has said since the table came up."""

    def __init__(self) -> None:
        self._records: dict[Square, _Record] = {}
        self._chattering: set[Square] = set()

    def changed(self, square: Square, at_ms: int, flickers: int = 0) -> None:
        """Know of a change that settled, and of flips before it; one change too many within a while is chatter."""
        record = self._record(square)
        record.changes += 1
        record.flickers += flickers
        record.changed_ms = at_ms
        record.recent.append(at_ms)
        while record.recent[0] <= at_ms - CHATTER_WINDOW_MS:
            record.recent.popleft()
        if len(record.recent) >= CHATTER_CHANGES and _flips(record.recent):
            self._chattering.add(square)

    def chattering(self) -> frozenset[Square]:
        """Return the switches that chatter."""
        return frozenset(self._chattering)

    def rest_due_ms(self) -> int | None:
        """Return when the next chattering switch will have rested, None if none chatters."""
        return min((self._rested_ms(square) for square in self._chattering), default=None)

    def rested(self, now_ms: int) -> list[Square]:
        """Return the switches that have rested by now; they are trusted again."""
        rested = [square for square in self._chattering if self._rested_ms(square) <= now_ms]
        self._chattering.difference_update(rested)
        for square in rested:
            self._record(square).recent.clear()
        return rested

    def _rested_ms(self, square: Square) -> int:
        return (self._record(square).changed_ms or 0) + REST_MS

    def report(self, square: Square, *, closed: bool, condition: Condition) -> SwitchReport:
        """Return a switch's line of the health table."""
        record = self._record(square)
        is_loose = square in self._chattering and condition is Condition.GOOD
        shown = Condition.CHATTERS if is_loose else condition
        return SwitchReport(square, closed, record.changes, record.flickers, record.changed_ms, shown)

    def _record(self, square: Square) -> _Record:
        return self._records.setdefault(square, _Record())


def _flips(times: Sequence[int]) -> bool:
    """Return whether most changes came too fast for a hand."""
    steps = [later - earlier for earlier, later in pairwise(times)]
    return 2 * sum(step <= FLIP_MS for step in steps) >= len(steps)
