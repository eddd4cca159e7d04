"""The switches of one board: what they say, which are listened to, and how healthy each is."""

from collections import defaultdict, deque
from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise

from msgspec import Struct, field

from captains_table.games.contract import Shape, Square

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


class SwitchReport(Struct, frozen=True):
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


class _Record(Struct):
    flickers: int = 0
    changes: int = 0
    changed_ms: int | None = None
    recent: deque[int] = field(default_factory=deque)


class SwitchHealth:
    """What each switch has said since the table came up."""

    def __init__(self) -> None:
        self._records: defaultdict[Square, _Record] = defaultdict(_Record)
        self._chattering: set[Square] = set()

    def changed(self, square: Square, at_ms: int, flickers: int = 0) -> None:
        """Know of a change that settled, and of flips before it; one change too many within a while is chatter."""
        record = self._records[square]
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
            self._records[square].recent.clear()
        return rested

    def _rested_ms(self, square: Square) -> int:
        return (self._records[square].changed_ms or 0) + REST_MS

    def report(self, square: Square, *, closed: bool, condition: Condition) -> SwitchReport:
        """Return a switch's line of the health table."""
        record = self._records[square]
        is_loose = square in self._chattering and condition is Condition.GOOD
        shown = Condition.CHATTERS if is_loose else condition
        return SwitchReport(square, closed, record.changes, record.flickers, record.changed_ms, shown)


def _flips(times: Sequence[int]) -> bool:
    """Return whether most changes came too fast for a hand."""
    steps = [later - earlier for earlier, later in pairwise(times)]
    return 2 * sum(step <= FLIP_MS for step in steps) >= len(steps)


class SwitchStates:
    """The switches as they have settled.

    A board may have more squares than the game. Those are beside it: whatever lies there says nothing, and their
    switches are never at fault.

    Attributes:
        closed: the squares whose switch is closed, beside the game too.
        occupied: those of them that the game is played on.
        masked: the squares whose switch says nothing because somebody said so.
        trouble: what is wrong with the board's link, in words; nothing while it is linked.
        was_read: whether the whole board was ever read.
        health: how each switch is doing.
    """

    def __init__(self, occupied: frozenset[Square] = frozenset()) -> None:
        self.closed = self.occupied = occupied
        self._shape: Shape | None = None
        self.masked: set[Square] = set()
        self.trouble = ""
        self.was_read = False
        self.health = SwitchHealth()

    @property
    def linked(self) -> bool:
        """Whether the switches are read."""
        return not self.trouble

    def play_on(self, shape: Shape | None) -> None:
        """Know which squares the game is played on; `None` where no game says so."""
        self._shape = shape
        self._take(self.closed)

    def is_beside(self, square: Square) -> bool:
        """Return whether a square is beside those that the game is played on."""
        return self._shape is not None and square not in self._shape

    def _take(self, closed: frozenset[Square]) -> None:
        self.closed = closed
        self.occupied = frozenset(square for square in closed if not self.is_beside(square))

    def ignored(self) -> frozenset[Square]:
        """Return the squares whose switch says nothing now: masked, or chattering."""
        return self._loose() | self.masked

    def chattering(self) -> frozenset[Square]:
        """Return the squares whose switch chatters and nobody masked."""
        return self._loose() - self.masked

    def _loose(self) -> frozenset[Square]:
        return frozenset(square for square in self.health.chattering() if not self.is_beside(square))

    def change(self, square: Square, *, closed: bool, at_ms: int, flickers: int) -> None:
        """Take in a switch that has settled."""
        self._take(self.closed | {square} if closed else self.closed - {square})
        self.health.changed(square, at_ms, flickers)

    def read(self, occupied: frozenset[Square]) -> frozenset[Square]:
        """Take in a whole board; return the game's squares that differ from what was known, none if nothing was."""
        before = self.occupied
        self._take(occupied)
        differing = before ^ self.occupied if self.was_read else frozenset()
        self.trouble, self.was_read = "", True
        return differing

    def place_all(self, occupied: frozenset[Square]) -> None:
        """Take in that the pieces were put where they belong in one go."""
        self._take(occupied)
        self.was_read = True

    def agree(self, squares: frozenset[Square]) -> bool:
        """Return whether the switches that speak say that just these squares are occupied."""
        return not (self.occupied ^ squares) - self.ignored()

    def report(self, square: Square, *, suspect: bool) -> SwitchReport:
        """Return a switch's line of the health table."""
        condition = Condition.SUSPECT if suspect else Condition.GOOD
        if square in self.masked:
            condition = Condition.MASKED
        return self.health.report(square, closed=square in self.occupied, condition=condition)
