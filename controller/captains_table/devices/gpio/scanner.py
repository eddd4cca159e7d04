"""Polls switches, buttons and encoder on the Pi's pins, and reports debounced changes and the encoder's steps.

It decodes the encoder's two contacts, and schedules the next poll.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, NamedTuple

from captains_table.devices.gpio.lines import ButtonLines, MatrixLines
from captains_table.devices.ports import BoardEvent
from captains_table.games.contract import Square
from captains_table.link.debounce import BUTTON_MS, DEBOUNCE_MS, Debounce
from captains_table.table.model.events import BoardRead, Button, ButtonPressed, ButtonReleased, SwitchChanged

# In a detent both contacts of an encoder are open. On the way to the next detent they close and open in turn, A first
# when turned right. Levels are (A closed, B closed). A bounce is a quarter back and forth, which adds up to nothing.
_QUARTERS: Final[Mapping[tuple[tuple[bool, bool], tuple[bool, bool]], int]] = {
    ((False, False), (True, False)): 1,
    ((True, False), (True, True)): 1,
    ((True, True), (False, True)): 1,
    ((False, True), (False, False)): 1,
    ((False, False), (False, True)): -1,
    ((False, True), (True, True)): -1,
    ((True, True), (True, False)): -1,
    ((True, False), (False, False)): -1,
}
_REST: Final = (False, False)
_MOST_OF_A_STEP: Final = 2  # of a step's four quarters, the least that must be seen: some may be missed
REST_MS: Final = 20  # between two scans of a board on which nothing changes
BUSY_MS: Final = 5  # between two scans while something changes
BUSY_FOR_MS: Final = 3000  # how long after the last change the scans stay frequent
GLANCE_MS: Final = 4  # between two polls of buttons and encoder at rest
BUSY_GLANCE_MS: Final = 2  # while one of them moves: a quick turn makes 100 quarter steps a second
LARGEST_SHARE: Final = 0.5  # of a core that scans may use: a slow Pi scans less often


class Quadrature:
    """A decoder of a rotary encoder's quadrature signal (two contacts)."""

    def __init__(self) -> None:
        self._levels = _REST
        self._quarters = 0

    def read(self, *, a: bool, b: bool) -> int:
        """Take in the contacts' states; return 1 if they complete a step to the right, -1 for the left, otherwise 0.

        Args:
            a: whether contact A is closed.
            b: whether contact B is closed.
        """
        levels = (a, b)
        self._quarters += _QUARTERS.get((self._levels, levels), 0)
        self._levels = levels
        if levels != _REST:
            return 0
        quarters, self._quarters = self._quarters, 0
        return 0 if abs(quarters) < _MOST_OF_A_STEP else 1 if quarters > 0 else -1

    @property
    def is_at_rest(self) -> bool:
        """Return whether the encoder stands in a detent."""
        return self._levels == _REST


class ScanReport(NamedTuple):
    """A board event and its time in milliseconds of the monotonic clock."""

    event: BoardEvent
    at_ms: float


class Scanner:
    """Polls the pins when due and reports debounced changes.

    Args:
        matrix: the switches.
        buttons: the buttons and the encoder.
        square_of: returns the square of a switch number.
        now_ms: returns monotonic milliseconds; called again after a scan to measure its duration.
        debounce_ms: how long a switch must be stable before its change is reported.
    """

    def __init__(
        self,
        matrix: MatrixLines,
        buttons: ButtonLines,
        square_of: Callable[[int], Square],
        now_ms: Callable[[], float],
        debounce_ms: int = DEBOUNCE_MS,
    ) -> None:
        self._matrix = matrix
        self._buttons = buttons
        self._square_of = square_of
        self._now_ms = now_ms
        self._closed: frozenset[int] | None = None  # the switches closed at the last scan, raw
        self._switches = Debounce(debounce_ms)
        self._pushed = Debounce(max(debounce_ms, BUTTON_MS))
        self._encoder = Quadrature()
        self._busy_until_ms = 0.0
        self._scan_ms = self._glance_ms = now_ms()

    @property
    def due_ms(self) -> float:
        """The time of the next poll in milliseconds of the monotonic clock."""
        return min(self._scan_ms, self._glance_ms)

    def look(self) -> list[ScanReport]:
        """Poll the pins that are due; return the debounced changes since the last poll, in time order.

        The first report about the switches is the state of the whole board.
        """
        now_ms = self._now_ms()
        reports: list[ScanReport] = []
        if now_ms >= self._glance_ms:
            reports += self._glance(int(now_ms))
            is_moving = not self._encoder.is_at_rest or self._pushed.due_ms() is not None
            self._glance_ms = now_ms + (BUSY_GLANCE_MS if is_moving else GLANCE_MS)
        if now_ms >= self._scan_ms:
            reports += self._scan(now_ms)
            cost_ms = self._now_ms() - now_ms
            self._scan_ms = now_ms + max(self._pause_ms(now_ms), cost_ms / LARGEST_SHARE)
        return sorted(reports, key=lambda report: report.at_ms)

    def _pause_ms(self, now_ms: float) -> float:
        """Return the time until the next scan. The scan comes no later than the end of the next debounce time."""
        pause_ms = BUSY_MS if now_ms < self._busy_until_ms else REST_MS
        due_ms = self._switches.due_ms()
        return pause_ms if due_ms is None else min(pause_ms, due_ms - now_ms)

    def _scan(self, now_ms: float) -> list[ScanReport]:
        before, self._closed = self._closed, frozenset(self._matrix.read())
        if before is None:
            self._switches.begin(self._closed)
            return [ScanReport(BoardRead(frozenset(map(self._square_of, self._closed))), now_ms)]
        if self._closed != before:
            self._busy_until_ms = now_ms + BUSY_FOR_MS
        # The order of changes within one scan is unknown: openings come first, as a hand lifts before it places.
        for number in sorted(before - self._closed):
            self._switches.changed(number, closed=False, now_ms=int(now_ms))
        for number in sorted(self._closed - before):
            self._switches.changed(number, closed=True, now_ms=int(now_ms))
        return [
            ScanReport(SwitchChanged(self._square_of(settled.contact), settled.closed, settled.flickers), settled.at_ms)
            for settled in iter(partial(self._switches.settle, int(now_ms)), None)
        ]

    def _glance(self, now_ms: int) -> list[ScanReport]:
        levels = self._buttons.pressed()
        for number, closed in enumerate(levels.values()):
            self._pushed.changed(number, closed=closed, now_ms=now_ms)
        names = tuple(levels)
        reports: list[ScanReport] = []
        for settled in iter(partial(self._pushed.settle, now_ms), None):
            event = ButtonPressed if settled.closed else ButtonReleased
            reports.append(ScanReport(event(names[settled.contact]), settled.at_ms))
        turned = self._buttons.turned()
        step = 0 if turned is None else self._encoder.read(a=turned[0], b=turned[1])
        if step:
            button = Button.NEXT if step > 0 else Button.PREVIOUS
            reports += [ScanReport(ButtonPressed(button), now_ms), ScanReport(ButtonReleased(button), now_ms)]
        return reports
