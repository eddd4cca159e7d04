"""The OLED display: a worker thread draws the latest view and sends the changed parts of the frame to the panel.

It also animates tumbling dice, turns the pages of a view, and sets the brightness. If sending failed, the panel is
initialised again and the whole frame is sent. With a `ReopenedInterface`, the bus is opened again too.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, Protocol

from luma.core.error import Error as LumaError
from PIL import Image

from captains_table.devices.display.driver.panels import Panel, Ssd1306
from captains_table.devices.display.screens.draw_view import draw_view, view_page_count
from captains_table.devices.worker_device import FaultMessages, Reopening, WorkerDevice
from captains_table.phrases import say
from captains_table.table.model.view import View

BUS_ERRORS: Final = (OSError, LumaError)
FRAME_S: Final = 1 / 12  # of tumbling dice: fast enough for an animation, slow enough for a bus at 100 kHz
PAGE_S: Final = 3.0  # how long each page of a view is shown
DISPLAY_OFF: Final = 0xAE  # the same in all supported chips: SSD1306 data sheet, 10.1.12; SSD1322, 10.1.16
DISPLAY_ON: Final = 0xAF
BRIGHTEST: Final = 255


class Painter:
    """Sends frames to a panel; it remembers the last frame, so that only the changed parts need to be sent."""

    def __init__(self, panel: Panel) -> None:
        self._panel = panel
        self._sent: bytes | None = None

    def forget(self) -> None:
        """Forget the last frame, so that the next one is sent whole."""
        self._sent = None

    def paint(self, image: Image.Image) -> int:
        """Send a frame; return the number of bytes sent, commands and data.

        Raises:
            OSError: the bus failed; the panel's content is then unknown, so that the next frame is sent whole.
            luma.core.error.Error: luma reports that the bus failed; the panel's content is unknown then too.
        """
        memory = self._panel.memory
        frame = self._panel.pack(image)
        windows = memory.changed(self._sent, frame)
        self._sent = None  # unknown until the last byte has been sent
        for window in windows:
            self._panel.fill(window, memory.cut(window, frame))
        self._sent = frame
        return sum(memory.cost(window) for window in windows)


class ReopenedInterface:
    """A luma interface that opens the real interface on first use, and again on the next use after an error.

    Args:
        open_: opens luma's interface, such as `luma.core.interface.serial.i2c(port=1)`; raises OSError or luma's
            errors.
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
        """Release the bus; calling it again does nothing."""
        self._interface.drop()


class Interface(Protocol):
    """The methods of luma's serial interfaces (`luma.core.interface.serial.i2c`)."""

    def command(self, *cmd: int) -> None:
        """Send command bytes."""

    def data(self, data: list[int]) -> None:
        """Send data bytes."""

    def cleanup(self) -> None:
        """Release the bus."""


class _Line:
    """A luma interface that records the initialisation of a panel instead of sending it, and replays it in `wake`.

    luma initialises a panel once, when its device object is created. A panel that lost power needs the same commands
    again, and only the worker thread may use the bus.
    """

    def __init__(self, interface: Interface) -> None:
        self._interface = interface
        self._waking: list[Callable[[], None]] = []
        self._open = False

    def wake(self) -> None:
        """Send luma's initialisation, but leave the panel dark: its memory has random content until a frame is sent."""
        self._open = True
        for send in self._waking:
            send()

    def shut(self) -> None:
        """Send nothing from now on, not even the commands that luma sends at the end of the process."""
        self._open = False

    def command(self, *cmd: int) -> None:
        if self._open:
            self._interface.command(*cmd)
        elif cmd != (DISPLAY_ON,):
            self._waking.append(lambda: self.command(*cmd))

    def data(self, data: list[int]) -> None:
        if self._open:
            self._interface.data(data)
        else:  # the SSD1322 receives the arguments of commands as data
            self._waking.append(lambda: self.data(data))

    def cleanup(self) -> None:
        if self._open:
            self._interface.cleanup()


class Oled(WorkerDevice[View]):
    """An OLED panel, as a `DisplayDevice`.

    `show`, `dim` and `close` may be called from any thread; only the worker thread draws and uses the bus.

    Args:
        interface: luma's interface to the panel, such as `luma.core.interface.serial.i2c(port=1)`.
        on_frame: called by the worker thread after each frame that was sent without an error; it must not raise.
        panel: the panel's class, one of `PANELS`.
        upside_down: whether the panel is mounted upside down.
        on_fault: called by the worker thread whenever `fault` changed; it must not raise.

    Attributes:
        frames_sent: number of frames sent without an error.
    """

    name = "glass"
    words = FaultMessages(
        say("The glass does not answer"), say("The glass could not be switched off"), say("The glass stopped working.")
    )
    errors = BUS_ERRORS
    retry_s = 1.0  # a panel that is connected or powered again is then initialised and painted again

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
        self._contrast: int | None = None  # None: luma's default
        self._contrast_sent: int | None = None
        self._awake = False
        self._stays_lit = False
        self._shown = Image.new("L", self._panel.size)
        self._view: View | None = None
        self._frame = 0
        self._opened_s = 0.0
        super().__init__(on_frame, on_fault)

    def show(self, view: View) -> None:
        """Draw a view soon; an earlier view that still waits to be drawn is dropped."""
        self._put(view)

    def dim(self, brightness: float) -> None:
        """Set the panel's brightness, 0 to 1; the panel stays readable at 0."""
        self._contrast = round(BRIGHTEST * min(1.0, max(0.0, brightness)))
        self._touch()

    def stay_lit(self, *, stays: bool = True) -> None:
        """Choose whether `close` leaves the last frame on the panel instead of switching it off."""
        self._stays_lit = stays

    def shown(self) -> Image.Image:
        """Return the last frame that was sent without an error; black before the first."""
        return self._shown.copy()

    # --- called by the worker thread only ---------------------------------------------------------------------------

    def _handle(self, value: View, is_new: bool) -> float | None:  # noqa: FBT001 - as in every device
        """Draw and send the view's current frame.

        Return the seconds until the next frame of tumbling dice or until the next page; `None` for a still view.
        """
        view, now_s = value, time.monotonic()
        if view is not self._view:
            # a view that differs only in the seconds before the bell does not restart at the first page
            if self._view is None or replace(view, bell_seconds=self._view.bell_seconds) != self._view:
                self._opened_s = now_s
            self._view, self._frame = view, 0
        elif not is_new:
            self._frame += 1
        pages, open_s = view_page_count(view, self._panel.size), now_s - self._opened_s
        image = draw_view(view, self._frame if pages == 1 else int(open_s / PAGE_S), self._panel.size)
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
        if not self._awake:
            self._painter.forget()
            self._contrast_sent = None
            self._line.wake()
        self._painter.paint(frame)
        contrast = self._contrast
        if contrast is not None and contrast != self._contrast_sent:
            self._panel.contrast(contrast)
            self._contrast_sent = contrast
        if not self._awake:
            self._panel.show()
            self._awake = True

    def _finish(self) -> None:
        try:
            if not self._stays_lit:
                self._interface.command(DISPLAY_OFF)
            self._interface.cleanup()
        finally:
            self._line.shut()
