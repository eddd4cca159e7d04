"""The lights of a real board: a worker of its own blinks and sends, the latest marks win."""

import time
from collections.abc import Callable, Mapping
from threading import Condition, Thread
from typing import Final, NamedTuple

from captains_table.devices.lights.compositor import Compositor
from captains_table.devices.lights.effects import Frame
from captains_table.devices.lights.led_driver import LedDriver
from captains_table.games.contract import Shape, Square
from captains_table.table.model.view import Mark

CLOSING_S: Final = 2.0
RETRY_S: Final = 1.0  # a bus that failed is tried again


class _Wanted(NamedTuple):
    frame: Frame
    brightness: float | None


def _monotonic_ms() -> int:
    return time.monotonic_ns() // 1_000_000


class BoardLights:
    """Lamps behind the `Lights` port.

    All methods return at once and may be called from any thread; the bus is the worker's alone.

    Args:
        driver: what lights up.
        shape: the board.
        now_ms: monotonic milliseconds.

    Attributes:
        fault: a sentence about a bus that does not take the lights, none while all is well.
    """

    def __init__(self, driver: LedDriver, shape: Shape, now_ms: Callable[[], int] = _monotonic_ms) -> None:
        self.fault: str | None = None
        self._driver = driver
        self._compositor = Compositor(shape)
        self._now_ms = now_ms
        self._brightness: float | None = None
        self._closing = False
        self._busy = False
        self._is_new = True
        self._changed = Condition()
        self._worker = Thread(target=self._work, name="lights", daemon=True)
        self._worker.start()

    def light(self, marks: Mapping[Square, Mark]) -> None:
        """Light these squares, the others dark."""
        with self._changed:
            self._compositor.light(marks)
            self._wake()

    def signal(self, kind: str, square: Square | None) -> None:
        """Give a short signal of its own for what just happened."""
        with self._changed:
            self._compositor.signal(kind, square, self._now_ms())
            self._wake()

    def dim(self, brightness: float) -> None:
        """Be as bright as this share of the brightest, 0 to 1."""
        with self._changed:
            self._brightness = brightness
            self._wake()

    def close(self) -> None:
        """Let the lights go dark, stop the worker and let go of the bus; a second time does nothing."""
        with self._changed:
            self._closing = True
            self._wake()
        self._worker.join(CLOSING_S)

    def wait_idle(self, timeout_s: float) -> bool:
        """Wait until the latest marks, signal and brightness were sent or failed; return whether they were in time."""
        with self._changed:
            return self._changed.wait_for(lambda: not (self._busy or self._is_new), timeout_s)

    def _wake(self) -> None:
        self._is_new = True
        self._changed.notify_all()

    # --- the worker -------------------------------------------------------------------------------------------------

    def _work(self) -> None:
        sent: _Wanted | None = None
        try:
            while not self._closing:
                wanted = self._wanted()
                if wanted != sent:
                    sent = wanted if self._send(wanted, sent) else None
                self._wait()
            self._go_dark()
        finally:
            if not self._closing:  # an error of ours: the traceback says which, the table should know
                self.fault = "The lights stopped working."
            with self._changed:
                self._rest()

    def _wanted(self) -> _Wanted:
        with self._changed:
            self._is_new, self._busy = False, True
            return _Wanted(self._compositor.frame(self._now_ms()), self._brightness)

    def _wait(self) -> None:
        """Wait until something else may have to be lit."""
        with self._changed:
            self._rest()
            self._changed.wait_for(lambda: self._is_new or self._closing, self._timeout_s())

    def _rest(self) -> None:
        self._busy = False
        self._changed.notify_all()

    def _timeout_s(self) -> float | None:
        if self.fault is not None:
            return RETRY_S
        now_ms = self._now_ms()
        due_ms = self._compositor.next_change_ms(now_ms)
        return None if due_ms is None else (due_ms - now_ms) / 1000

    def _send(self, wanted: _Wanted, sent: _Wanted | None) -> bool:
        try:
            if wanted.brightness is not None and (sent is None or sent.brightness != wanted.brightness):
                self._driver.dim(wanted.brightness)
            self._driver.show(wanted.frame)
        except OSError as error:
            self.fault = f"The lights do not answer: {error}."
        else:
            self.fault = None
        return self.fault is None

    def _go_dark(self) -> None:
        try:
            self._driver.close()
        except OSError as error:
            self.fault = f"The lights could not be switched off: {error}."
