"""The board on the Pi's own pins: a thread scans switches, buttons and encoder, and passes events to the event loop.

The rank lines are driven through gpiozero, one at a time, and the file lines are read. The scan reports debounced
changes and the encoder's steps, and schedules the next poll.
"""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from functools import partial
from threading import Event, Thread
from typing import Any, Final, NamedTuple

from gpiozero import InputDevice

from captains_table.devices.pin_errors import pin_errors
from captains_table.devices.ports import BoardEvent, OnEvent
from captains_table.devices.wiring_corrections import wiring_corrections
from captains_table.games.contract import Square
from captains_table.hardware.profiles.profile import ButtonsBuild, Matrix, Profile
from captains_table.link.debounce import BUTTON_MS, DEBOUNCE_MS, Debounce
from captains_table.phrases import message_of, say
from captains_table.table.model.events import BoardLost, BoardRead, Button, ButtonPressed, ButtonReleased, SwitchChanged

SETTLE_S: Final = 30e-6  # time for a file line to fall through its diode; the same as in the firmware
RISE_S: Final = 30e-6  # between two checks whether released lines are high again; as in the firmware
MOST_RISES: Final = 5  # a file line that is still low after so many checks is held low by a fault

# In a detent both contacts of an encoder are open. On the way to the next detent they close and open in turn, A first
# when turned right. Levels are (A closed, B closed). A bounce is a quarter back and forth, which adds up to nothing.
_TURN: Final = ((False, False), (True, False), (True, True), (False, True))  # in the order of a turn to the right
_REST: Final = (False, False)
_MOST_OF_A_STEP: Final = 2  # of a step's four quarters, the least that must be seen: some may be missed
REST_MS: Final = 20  # between two scans of a board on which nothing changes
BUSY_MS: Final = 5  # between two scans while something changes
BUSY_FOR_MS: Final = 3000  # how long after the last change the scans stay frequent
GLANCE_MS: Final = 4  # between two polls of buttons and encoder at rest
BUSY_GLANCE_MS: Final = 2  # while one of them moves: a quick turn makes 100 quarter steps a second
LARGEST_SHARE: Final = 0.5  # of a core that scans may use: a slow Pi scans less often
CLOSING_S: Final = 2.0
STOPPED: Final = say("The switches are not read any more: the scan stopped with an error, see the log")

_FLOATING: Final[Mapping[str, bool | None]] = {"pull_up": None, "active_state": True}
_RELEASED: Final[Mapping[int, Mapping[str, bool | None]]] = {  # the I2C pins have 1.8 kilohm pull-ups on the Pi
    2: {"pull_up": True},
    3: {"pull_up": True},
}


class MatrixLines:
    """The pins of the switch matrix. `close` releases the pins.

    Only the rank line that is being read is driven, and it is driven low. Idle rank lines are inputs, so that two
    outputs never work against each other, even with a soldering fault. Only pull-ups pull lines high: those of the file
    lines, and the Pi's own at BCM 2 and 3.

    Args:
        matrix: the pins, BCM numbers.
        factory: gpiozero's pin factory; `None` for gpiozero's default.
        wait_s: waits for a number of seconds.

    Raises:
        gpiozero.GPIOZeroError: a pin does not exist or is in use.
    """

    def __init__(
        self,
        matrix: Matrix,
        factory: Any = None,  # noqa: ANN401 - gpiozero has no types
        wait_s: Callable[[float], None] = time.sleep,
    ) -> None:
        self._wait_s = wait_s
        with ExitStack() as stack:

            def line(pin: int, **level: bool | None) -> Any:  # noqa: ANN401 - gpiozero has no types
                return stack.enter_context(InputDevice(pin, pin_factory=factory, **level)).pin

            # a scan makes 72 readings: they use the bare pin, which is faster than gpiozero's device
            self._ranks = [line(pin, **_RELEASED.get(pin, _FLOATING)) for pin in matrix.rank_pins]
            self._files = [line(pin, pull_up=True) for pin in matrix.file_pins]
            self._devices = stack.pop_all()

    def read(self) -> list[int]:
        """Scan the matrix once; return the numbers of the closed switches, counted rank by rank from a1 = 0."""
        closed = []
        first = 0
        for rank in self._ranks:
            rank.output_with_state(0)
            self._wait_s(SETTLE_S)
            low = [number for number, file in enumerate(self._files) if not file.state]
            rank.function = "input"
            self._let_rise(low)
            closed += [first + number for number in low]
            first += len(self._files)
        return closed

    def _let_rise(self, low: list[int]) -> None:
        """Wait until the file lines that were low are high again, but only for MOST_RISES checks.

        When they are high, their pull-ups have also raised the rank line, through the closed switches.
        """
        for _ in range(MOST_RISES):
            low = [number for number in low if not self._files[number].state]
            if not low:
                return
            self._wait_s(RISE_S)

    def close(self) -> None:
        """Release the pins."""
        self._devices.close()


class ButtonLines:
    """The pins of the roll button and the encoder. Closing it releases the pins.

    Args:
        buttons: the pins, BCM numbers.
        factory: gpiozero's pin factory; `None` for gpiozero's default.

    Raises:
        gpiozero.GPIOZeroError: a pin does not exist or is in use.
    """

    def __init__(self, buttons: ButtonsBuild, factory: Any = None) -> None:  # noqa: ANN401 - gpiozero has no types
        pins = {Button.ROLL: buttons.roll, Button.CHOOSE: buttons.encoder.push if buttons.encoder else None}
        encoder = buttons.encoder
        with ExitStack() as stack:

            def line(pin: int) -> Any:  # noqa: ANN401 - gpiozero has no types
                return stack.enter_context(InputDevice(pin, pull_up=True, pin_factory=factory)).pin

            self._buttons = {button: line(pin) for button, pin in pins.items() if pin is not None}
            self._encoder = None if encoder is None else (line(encoder.a), line(encoder.b))
            self._devices = stack.pop_all()

    def pressed(self) -> dict[Button, bool]:
        """Return for each button whether its contact is closed; not debounced."""
        return {button: not pin.state for button, pin in self._buttons.items()}

    def turned(self) -> tuple[bool, bool] | None:
        """Return whether the encoder's contacts A and B are closed; `None` without an encoder."""
        return None if self._encoder is None else (not self._encoder[0].state, not self._encoder[1].state)

    def close(self) -> None:
        """Release the pins."""
        self._devices.close()


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
        moved = (_TURN.index(levels) - _TURN.index(self._levels)) % len(_TURN)
        self._quarters += {1: 1, 3: -1}.get(moved, 0)
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


def monotonic_ms() -> float:
    """Return the time of the event loop's own clock in milliseconds."""
    return time.monotonic() * 1000


class GpioBoard:
    """Switches, buttons and encoder on the Pi's pins, as a `BoardDevice`.

    Only the scan thread reads the pins. The scan thread passes events to the event loop by `call_soon_threadsafe`, so
    the two threads share no mutable state. Events that arrive in the event loop after `close` are dropped.

    Args:
        profile: the pins of switches and buttons, and the corrections of their wiring.
        factory: gpiozero's pin factory.
        debounce_ms: how long a switch must be stable before its change is reported.

    Raises:
        ValueError: the profile does not give the pins of the switches.
        gpiozero.GPIOZeroError: a pin does not exist or is in use.
    """

    missing: Final = "The switches have not been read yet"

    def __init__(self, profile: Profile, factory: Any, debounce_ms: int = DEBOUNCE_MS) -> None:  # noqa: ANN401 - gpiozero has no types
        if profile.matrix is None:
            raise ValueError("it is missing: expected the pins of the switches")
        with ExitStack() as lines:
            matrix = lines.enter_context(closing(MatrixLines(profile.matrix, factory)))
            buttons = lines.enter_context(closing(ButtonLines(profile.buttons, factory)))
            self._lines = lines.pop_all()
        self._rewired = wiring_corrections(profile)
        self._scanner = Scanner(matrix, buttons, profile.square_of, monotonic_ms, debounce_ms)
        self._on_event: OnEvent | None = None
        self._closing = Event()
        self._thread: Thread | None = None

    def open(self, on_event: OnEvent) -> None:
        """Start the scan thread, which reports to this callback."""
        self._on_event = on_event
        loop = asyncio.get_running_loop()
        self._thread = Thread(target=self._work, args=(loop,), name="switches", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop reporting and release the pins; calling it again does nothing."""
        self._on_event = None
        self._closing.set()
        if self._thread is not None:
            self._thread.join(CLOSING_S)
        self._lines.close()

    def _emit(self, reports: Sequence[ScanReport]) -> None:
        """Pass events to the table; runs on the event loop."""
        for event, at_ms in reports:
            if self._on_event is not None:
                self._on_event(self._rewired.event(event), at_ms)

    # --- the thread -------------------------------------------------------------------------------------------------

    def _work(self, loop: asyncio.AbstractEventLoop) -> None:
        words = STOPPED
        try:
            self._scan(loop)
        except pin_errors() as error:
            words = say("The switches do not answer: {error}", message_of(error))
        finally:
            if not self._closing.is_set():  # after a bug too: its traceback goes to the log
                loop.call_soon_threadsafe(self._emit, [ScanReport(BoardLost(words), monotonic_ms())])

    def _scan(self, loop: asyncio.AbstractEventLoop) -> None:
        while not self._closing.wait(max(0.0, (self._scanner.due_ms - monotonic_ms()) / 1000)):
            reports = self._scanner.look()
            if reports:
                loop.call_soon_threadsafe(self._emit, reports)
