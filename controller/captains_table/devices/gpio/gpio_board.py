"""The board on the Pi's own pins: a thread scans switches, buttons and encoder, and passes events to the event loop."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import ExitStack, closing
from threading import Event, Thread
from typing import Any, Final

from captains_table.devices.gpio.scanner import ButtonLines, MatrixLines, Scanner, ScanReport
from captains_table.devices.pin_errors import pin_errors
from captains_table.devices.ports import OnEvent
from captains_table.devices.wiring_corrections import wiring_corrections
from captains_table.hardware.profiles.profile import Profile
from captains_table.link.debounce import DEBOUNCE_MS
from captains_table.phrases import message_of, say
from captains_table.table.model.events import BoardLost

CLOSING_S: Final = 2.0
STOPPED: Final = say("The switches are not read any more: the scan stopped with an error, see the log")


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
            words = say("The switches do not answer: {error}", error=message_of(error))
        finally:
            if not self._closing.is_set():  # after a bug too: its traceback goes to the log
                loop.call_soon_threadsafe(self._emit, [ScanReport(BoardLost(words), monotonic_ms())])

    def _scan(self, loop: asyncio.AbstractEventLoop) -> None:
        while not self._closing.wait(max(0.0, (self._scanner.due_ms - monotonic_ms()) / 1000)):
            reports = self._scanner.look()
            if reports:
                loop.call_soon_threadsafe(self._emit, reports)
