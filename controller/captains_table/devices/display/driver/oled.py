"""The display on a real bus: a worker of its own draws and sends what changed, and the latest view wins.

A bus that fails, or that is not there yet, is opened anew when a frame is sent.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, Protocol

from luma.core.error import Error as LumaError
from PIL import Image

from captains_table.devices.display.driver.panels import Panel, Ssd1306
from captains_table.devices.display.screens.draw_view import draw, page_count
from captains_table.devices.latest_wins import FaultWords, WorkerDevice
from captains_table.devices.reopening import Reopening
from captains_table.table.model.view import View

BUS_ERRORS: Final = (OSError, LumaError)
FRAME_S: Final = 1 / 12  # tumbling dice: fast enough to look alive, slow enough for a bus at 100 kHz
PAGE_S: Final = 3.0  # long enough to read a page, short enough to wait for the next
DISPLAY_OFF: Final = 0xAE  # the same in all these chips: SSD1306 data sheet, 10.1.12; SSD1322, 10.1.16
DISPLAY_ON: Final = 0xAF
BRIGHTEST: Final = 255


class Painter:
    """Paints frames on a panel and remembers what stands there."""

    def __init__(self, panel: Panel) -> None:
        self._panel = panel
        self._standing: bytes | None = None

    def forget(self) -> None:
        """Trust nothing of what stands on the panel: the next frame is sent whole."""
        self._standing = None

    def paint(self, image: Image.Image) -> int:
        """Show a frame and return how many bytes of commands and data that took.

        Raises:
            OSError: the bus failed; what stands on the panel is unknown from then on.
            luma.core.error.Error: the same, in luma's words.
        """
        memory = self._panel.memory
        frame = self._panel.pack(image)
        windows = memory.changed(self._standing, frame)
        self._standing = None  # until the last byte has arrived
        for window in windows:
            self._panel.fill(window, memory.cut(window, frame))
        self._standing = frame
        return sum(memory.cost(window) for window in windows)


class ReopenedInterface:
    """Stands where luma expects its interface to a panel.

    Args:
        open_: opens luma's interface, such as `luma.core.interface.serial.i2c(port=1)`; raises OSError, or an
            error of luma's.
    """

    def __init__(self, open_: Callable[[], Any]) -> None:
        self._interface = Reopening(open_, lambda interface: interface.cleanup(), BUS_ERRORS)

    def command(self, *cmd: int) -> None:
        """Send commands; raises OSError or luma's errors."""
        self._interface.use(lambda interface: interface.command(*cmd))

    def data(self, data: list[int]) -> None:
        """Send data; raises OSError or luma's errors."""
        self._interface.use(lambda interface: interface.data(data))

    def cleanup(self) -> None:
        """Let go of the bus; a second time does nothing."""
        self._interface.drop()


class Interface(Protocol):
    """What luma's serial interfaces (`luma.core.interface.serial.i2c`) can do."""

    def command(self, *cmd: int) -> None:
        """Send commands."""

    def data(self, data: list[int]) -> None:
        """Send data."""

    def cleanup(self) -> None:
        """Let go of the bus."""


class _Line:
    """The way to the panel: closed while luma sets its device up, so that the bus is left to the worker.

    luma initialises a panel once, when its device is made. A panel that lost its power needs that again, so what luma
    would have sent is kept and sent by `wake`.
    """

    def __init__(self, interface: Interface) -> None:
        self._interface = interface
        self._waking: list[Callable[[], None]] = []
        self._open = False

    def wake(self) -> None:
        """Set the panel up as luma does, still dark: its memory holds chance until a frame was painted."""
        self._open = True
        for send in self._waking:
            send()

    def shut(self) -> None:
        """Let nothing through any more, not even what luma sends when the process ends."""
        self._open = False

    def command(self, *cmd: int) -> None:
        if self._open:
            self._interface.command(*cmd)
        elif cmd != (DISPLAY_ON,):
            self._waking.append(lambda: self.command(*cmd))

    def data(self, data: list[int]) -> None:
        if self._open:
            self._interface.data(data)
        else:  # the SSD1322 takes arguments of commands as data
            self._waking.append(lambda: self.data(data))

    def cleanup(self) -> None:
        if self._open:
            self._interface.cleanup()


class Oled(WorkerDevice[View]):
    """An OLED panel behind the `Display` port.

    `show`, `dim` and `close` may be called from any thread; drawing and the bus are the worker's alone.

    Args:
        interface: luma's interface to the panel, such as `luma.core.interface.serial.i2c(port=1)`.
        on_frame: called by the worker after each frame that reached the glass; it must not raise.
        panel: which of `PANELS` it is.
        upside_down: whether the panel was built in so.
        on_fault: called by the worker whenever `fault` changed; it must not raise.

    Attributes:
        frames_sent: frames that reached the glass.
    """

    name = "glass"
    words = FaultWords("The glass does not answer", "The glass could not be switched off", "The glass stopped working.")
    errors = BUS_ERRORS
    retry_s = 1.0  # a glass that came back, or got its power back, is set up and painted anew

    def __init__(
        self,
        interface: Interface,
        on_frame: Callable[[], None] | None = None,
        panel: Callable[[Interface], Panel] = Ssd1306,
        *,
        upside_down: bool = False,
        on_fault: Callable[[], None] | None = None,
    ) -> None:
        self.frames_sent = 0
        self._interface = interface
        self._line = _Line(interface)
        self._panel = panel(self._line)
        self._painter = Painter(self._panel)
        self._upside_down = upside_down
        self._contrast: int | None = None  # as luma sets it
        self._contrast_sent: int | None = None
        self._awake = False
        self._stays_lit = False
        self._shown = Image.new("L", self._panel.size)
        self._view: View | None = None
        self._frame = 0
        self._opened_s = 0.0
        super().__init__(on_frame, on_fault)

    def show(self, view: View) -> None:
        """Draw a view soon; one that was not yet drawn is dropped."""
        self._put(view)

    def dim(self, brightness: float) -> None:
        """Make the panel as bright as this share of its brightest, 0 to 1; it stays readable at 0."""
        self._contrast = round(BRIGHTEST * min(1.0, max(0.0, brightness)))
        self._touch()

    def stay_lit(self, *, stays: bool = True) -> None:
        """Leave the last frame to be seen when all is over, as long as there is power; or no more."""
        self._stays_lit = stays

    def shown(self) -> Image.Image:
        """Return the last frame that reached the glass (black before the first)."""
        return self._shown.copy()

    # --- called by the worker alone ---------------------------------------------------------------------------------

    def _handle(self, value: View, is_new: bool) -> float | None:  # noqa: FBT001 - as of every device
        """Send a view's frame, the next one where its dice tumble or its pages turn; return when that is due."""
        view, now_s = value, time.monotonic()
        if view is not self._view:
            # where only the seconds before the bell differ, pages turn on
            if self._view is None or replace(view, bell_seconds=self._view.bell_seconds) != self._view:
                self._opened_s = now_s
            self._view, self._frame = view, 0
        elif not is_new:
            self._frame += 1
        pages, open_s = page_count(view, self._panel.size), now_s - self._opened_s
        image = draw(view, self._frame if pages == 1 else int(open_s / PAGE_S), self._panel.size)
        try:
            self._paint(image)
        except BUS_ERRORS:
            self._awake = False
            raise
        self._shown = image
        self.frames_sent += 1
        return FRAME_S if view.tumbling else None if pages == 1 else PAGE_S - open_s % PAGE_S

    def _paint(self, image: Image.Image) -> None:
        frame = image.transpose(Image.Transpose.ROTATE_180) if self._upside_down else image
        if self._awake:
            self._painter.paint(frame)
            self._send_contrast()
            return
        self._painter.forget()
        self._contrast_sent = None
        self._line.wake()
        self._painter.paint(frame)
        self._send_contrast()
        self._panel.show()
        self._awake = True

    def _send_contrast(self) -> None:
        contrast = self._contrast
        if contrast is not None and contrast != self._contrast_sent:
            self._panel.contrast(contrast)
            self._contrast_sent = contrast

    def _finish(self) -> None:
        try:
            if not self._stays_lit:
                self._interface.command(DISPLAY_OFF)
            self._interface.cleanup()
        finally:
            self._line.shut()
