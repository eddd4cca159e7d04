"""The board's switches: which of them are closed, which are ignored, and the health of each."""

from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import pairwise

from msgspec import Struct, field

from captains_table.games.contract import Shape, Square
from captains_table.table.recognition.board_reports import PieceReadings, SwitchChange

CHATTER_CHANGES = 12
CHATTER_WINDOW_MS = 2000
FLIP_MS = 70
"""Two changes of a loose contact follow each other within this time; even the most nervous hand is slower."""
REST_MS = 2000
"""A chattering switch is trusted again once it has not changed for this many milliseconds."""


class Condition(StrEnum):
    """The health of one switch."""

    GOOD = "good"
    SUSPECT = "suspect"  # the board has long differed from the match here and nowhere else
    CHATTERS = "chatters"  # ignored until it rests
    MASKED = "masked"  # ignored because a person asked for it


class SwitchReport(Struct, frozen=True):
    """One row of the table of switch health.

    Attributes:
        square: the square of the switch.
        closed: whether the switch counts as closed.
        changes: the number of settled changes so far.
        flickers: the number of changes that were only contact bounce, if the scanner counts them.
        changed_ms: when the switch last changed, in table milliseconds; `None` if it never did.
        condition: the health of the switch.
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
    """Counts the changes of each switch since the table started, and finds the switches that chatter."""

    def __init__(self) -> None:
        self._records: defaultdict[Square, _Record] = defaultdict(_Record)
        self._chattering: set[Square] = set()

    def changed(self, square: Square, at_ms: int, flickers: int = 0) -> None:
        """Count a settled change and the bounces before it; mark the switch as chattering if it changes too fast."""
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
        return frozenset(self._chattering)

    def rest_due_ms(self) -> int | None:
        """Return the table time in ms when the next switch stops counting as chattering; `None` if none chatters."""
        return min((self._rested_ms(square) for square in self._chattering), default=None)

    def rested(self, now_ms: int) -> list[Square]:
        """Return the switches that have stopped chattering by now, and no longer count them as chattering."""
        rested = [square for square in self._chattering if self._rested_ms(square) <= now_ms]
        self._chattering.difference_update(rested)
        for square in rested:
            self._records[square].recent.clear()
        return rested

    def _rested_ms(self, square: Square) -> int:
        return (self._records[square].changed_ms or 0) + REST_MS

    def report(self, square: Square, *, closed: bool, condition: Condition) -> SwitchReport:
        """Return the row of a switch in the table of switch health.

        `condition` is the switch's condition as known from other sources. If it is `GOOD` but the switch chatters, the
        row says `CHATTERS`.
        """
        record = self._records[square]
        is_loose = square in self._chattering and condition is Condition.GOOD
        shown = Condition.CHATTERS if is_loose else condition
        return SwitchReport(square, closed, record.changes, record.flickers, record.changed_ms, shown)


def _flips(times: Sequence[int]) -> bool:
    """Return whether at least half of the changes followed each other too fast to be made by a hand."""
    steps = [later - earlier for earlier, later in pairwise(times)]
    return 2 * sum(step <= FLIP_MS for step in steps) >= len(steps)


class SwitchStates:
    """The settled states of all switches of the board.

    A board may have more squares than the game uses. Switches of unused squares are ignored and never called faulty.

    Attributes:
        closed: all squares whose switch is closed, including unused ones.
        occupied: the squares used by the game whose switch is closed.
        masked: the squares whose switch is ignored because a person declared it dead.
        trouble: what is wrong with the link to the board, as a sentence; empty while the link works.
        was_read: whether the whole board has ever been read.
        health: the health of each switch.
        readings: which pieces the board reads on the squares, and what these readings mean.
    """

    def __init__(self, occupied: frozenset[Square] = frozenset()) -> None:
        self.closed = self.occupied = occupied
        self._shape: Shape | None = None
        self.masked: set[Square] = set()
        self.trouble = ""
        self.was_read = False
        self.health = SwitchHealth()
        self.readings = PieceReadings()

    @property
    def linked(self) -> bool:
        """Whether the switches can be read."""
        return not self.trouble

    def play_on(self, shape: Shape | None) -> None:
        """Set the squares that the game uses; `None` if it uses all of them."""
        self._shape = shape
        self._take(self.closed)

    def is_unused(self, square: Square) -> bool:
        """Return whether the game does not use a square."""
        return self._shape is not None and square not in self._shape

    def _take(self, closed: frozenset[Square]) -> None:
        self.closed = closed
        self.occupied = frozenset(square for square in closed if not self.is_unused(square))

    def ignored(self) -> frozenset[Square]:
        """Return the squares whose switch is ignored now: masked or chattering."""
        return self._loose() | self.masked

    def chattering(self) -> frozenset[Square]:
        """Return the squares whose switch chatters, without those that a person declared dead."""
        return self._loose() - self.masked

    def _loose(self) -> frozenset[Square]:
        return frozenset(square for square in self.health.chattering() if not self.is_unused(square))

    def change(self, square: Square, *, closed: bool, at_ms: int, flickers: int, reading: str = "") -> str:
        """Record a debounced change of one switch, and return the reading of the piece that came or left.

        Args:
            square: the square of the switch.
            closed: whether a piece came.
            at_ms: the table time in milliseconds.
            flickers: the number of flips suppressed before the change.
            reading: what the board reads of the piece that came.
        """
        self._take(self.closed | {square} if closed else self.closed - {square})
        self.health.changed(square, at_ms, flickers)
        if not closed:
            return self.readings.on.pop(square, "")
        if reading:
            self.readings.on[square] = reading
        return reading

    def is_another(self, square: Square, reading: str) -> bool:
        """Return whether a square that stays occupied now holds another piece, by its reading."""
        return self.readings.differ(reading, self.readings.on.get(square, ""))

    def read(self, occupied: frozenset[Square], readings: Mapping[Square, str], at_ms: int) -> list[SwitchChange]:
        """Record the state of the whole board, and that the link works.

        Return the changes since the last reading, first of the pieces that left, then of those that came, without
        squares that the game does not use; empty on the first reading. A piece whose place was taken by another one
        left too.
        """
        before, known, was_read = self.occupied, dict(self.readings.on), self.was_read
        another = {square for square in before & occupied if self.is_another(square, readings.get(square, ""))}
        self._take(occupied)
        self.readings.on = {square: known[square] for square in occupied & known.keys()} | dict(readings)
        self.trouble, self.was_read = "", True
        if not was_read:
            return []
        left, came = before - self.occupied | another, self.occupied - before | another
        return [
            *(SwitchChange(at_ms, square, closed=False, reading=known.get(square, "")) for square in sorted(left)),
            *(SwitchChange(at_ms, square, closed=True, reading=readings.get(square, "")) for square in sorted(came)),
        ]

    def place_all(self, occupied: frozenset[Square]) -> None:
        """Record that the simulated board placed all pieces at once."""
        self._take(occupied)
        self.readings.on.clear()
        self.was_read = True

    def agree(self, squares: frozenset[Square]) -> bool:
        """Return whether exactly these squares are occupied, according to the switches that are not ignored."""
        return not (self.occupied ^ squares) - self.ignored()

    def report(self, square: Square, *, suspect: bool) -> SwitchReport:
        """Return the row of a switch in the table of switch health."""
        condition = Condition.SUSPECT if suspect else Condition.GOOD
        if square in self.masked:
            condition = Condition.MASKED
        return self.health.report(square, closed=square in self.occupied, condition=condition)
