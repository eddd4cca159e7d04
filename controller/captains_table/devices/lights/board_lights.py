"""The lights of a real board on the Pi's SPI bus: a worker thread makes them blink and sends frames to the driver.

If the bus fails, the frame is sent again later. A `ReopenedDriver` then also opens the bus and the driver again.
"""

import time
from collections.abc import Callable, Mapping
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from captains_table.devices.lights.compositor import Compositor, Frame
from captains_table.devices.worker_device import FaultMessages, Reopening, WorkerDevice
from captains_table.games.contract import Shape, Square
from captains_table.phrases import say
from captains_table.table.model.view import LightMeaning

if TYPE_CHECKING:  # it imports luma.led_matrix, which is in the extra pi
    from captains_table.devices.lights.led_driver import LedDriver


class ReopenedDriver:
    """A `LedDriver` that opens the real driver on first use, and again on the next use after an error.

    Args:
        open_: opens the driver; raises OSError.
    """

    def __init__(self, open_: Callable[[], "LedDriver"]) -> None:
        self._driver = Reopening(open_, lambda driver: driver.close(), (OSError,))

    def show(self, frame: Frame) -> None:
        """Light these squares in these colours and darken the others; raises OSError."""
        self._driver.use(lambda driver: driver.show(frame))

    def dim(self, brightness: float) -> None:
        """Set the brightness, 0 to 1; raises OSError."""
        self._driver.use(lambda driver: driver.dim(brightness))

    def close(self) -> None:
        """Switch all lights off and release the bus; calling it again does nothing."""
        self._driver.drop()


class _Wanted(NamedTuple):
    frame: Frame
    brightness: float | None


def _monotonic_ms() -> int:
    return time.monotonic_ns() // 1_000_000


class BoardLights(WorkerDevice[Compositor]):
    """The board's lights, as a `LightsDevice`.

    All methods may be called from any thread and return at once, except `close` and the `wait_` methods. Only the
    worker thread uses the bus.

    Args:
        driver: the driver of the LED chips.
        shape: the board's size.
        now_ms: returns monotonic milliseconds.
        on_fault: called by the worker thread whenever `fault` changed; it must not raise.
    """

    name = "lights"
    words = FaultMessages(
        say("The lights do not answer"), say("The lights could not be switched off"), say("The lights stopped working.")
    )
    errors = (OSError,)
    retry_s = 1.0

    def __init__(
        self,
        driver: "LedDriver",
        shape: Shape,
        now_ms: Callable[[], int] = _monotonic_ms,
        on_fault: Callable[[], None] | None = None,
    ) -> None:
        self._driver = driver
        self._now_ms = now_ms
        self._brightness: float | None = None
        self._sent: _Wanted | None = None
        self._composing = Lock()
        self._compositor = Compositor(shape)
        super().__init__(on_fault=on_fault)
        self._put(self._compositor)

    def light(self, marks: Mapping[Square, LightMeaning]) -> None:
        with self._composing:
            self._compositor.light(marks)
        self._touch()

    def signal(self, kind: str, square: Square | None) -> None:
        with self._composing:
            self._compositor.signal(kind, square, self._now_ms())
        self._touch()

    def dim(self, brightness: float) -> None:
        """Set the brightness, 0 to 1; a frame with the new brightness is sent soon."""
        self._brightness = brightness
        self._touch()

    # --- called by the worker thread only ---------------------------------------------------------------------------

    def _handle(self, value: Compositor, is_new: bool) -> float | None:  # noqa: ARG002, FBT001 - as in every device
        """Send the current frame and brightness if they differ from those sent last.

        Return the seconds until the lights change by a blink or a step of an effect; `None` if they do not change.
        """
        now_ms = self._now_ms()
        with self._composing:
            wanted = _Wanted(value.frame(now_ms), self._brightness)
        if wanted != self._sent:
            self._send(wanted)
        now_ms = self._now_ms()
        with self._composing:
            due_ms = value.next_change_ms(now_ms)
        return None if due_ms is None else (due_ms - now_ms) / 1000

    def _send(self, wanted: _Wanted) -> None:
        """Send a frame, and the brightness if it changed; if that fails, the next call sends both again."""
        sent, self._sent = self._sent, None
        if wanted.brightness is not None and (sent is None or sent.brightness != wanted.brightness):
            self._driver.dim(wanted.brightness)
        self._driver.show(wanted.frame)
        self._sent = wanted

    def _finish(self) -> None:
        self._driver.close()
