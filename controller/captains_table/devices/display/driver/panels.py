"""The supported OLED panels: luma initialises the chips, and this module writes changed windows to their memory.

Of a frame, only the windows are sent in which it differs from the last one.

luma's own `display` is disabled, because it loops over every pixel and calls `Image.getdata`, which Pillow 14 no longer
has. For the same reason, luma does not clear a panel when it creates the panel's object.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

from luma.oled.device import sh1106, ssd1306, ssd1309, ssd1322
from PIL import Image

from captains_table.devices.display.packing import GLASS_SIZE, HEIGHT, PAGES, WIDE, WIDTH, pack_greys, pack_pages

COLUMN_ADDRESS: Final = 0x21  # SSD1306 data sheet, 10.1.4 and 10.1.5; SSD1309 the same
PAGE_ADDRESS: Final = 0x22

SH1106_PAGE: Final = 0xB0  # SH1106 data sheet, commands 1, 2 and 13
SH1106_LOW_COLUMN: Final = 0x00
SH1106_HIGH_COLUMN: Final = 0x10
SH1106_MARGIN: Final = 2  # its memory has 132 columns, the panel shows those in the middle

SSD1322_COLUMNS: Final = 0x15  # SSD1322 data sheet, 10.1.2, 10.1.9 and 10.1.3
SSD1322_ROWS: Final = 0x75
SSD1322_WRITE: Final = 0x5C
SSD1322_MARGIN: Final = 28  # its memory has 120 columns of four pixels, the panel shows 64 in the middle
SSD1322_GRAIN: Final = 2  # bytes per column address, which are four pixels


class MemoryWindow(NamedTuple):
    """A rectangle of a display chip's memory, in byte columns and rows; all four bounds are inclusive."""

    left: int
    right: int
    top: int
    bottom: int

    def joined(self, other: "MemoryWindow") -> "MemoryWindow":
        """Return the smallest window that contains this one and another."""
        return MemoryWindow(
            min(self.left, other.left),
            max(self.right, other.right),
            min(self.top, other.top),
            max(self.bottom, other.bottom),
        )


@dataclass(frozen=True, slots=True)
class Memory:
    """The layout of a display chip's memory, and the cost of addressing it.

    Attributes:
        columns: bytes per row.
        rows: the number of rows, which are pages of eight pixel rows or single pixel rows, depending on the chip.
        address_bytes: bytes needed to address a window.
        tallest: the highest number of rows that a window may span.
        grain: the number of bytes that share a column address.
    """

    columns: int
    rows: int
    address_bytes: int
    tallest: int
    grain: int = 1

    def cost(self, window: MemoryWindow) -> int:
        """Return the number of bytes to send for a window: its address and its content."""
        return self.address_bytes + (window.right - window.left + 1) * (window.bottom - window.top + 1)

    def whole(self) -> list[MemoryWindow]:
        """Return the windows that cover the whole memory."""
        tops = range(0, self.rows, self.tallest)
        return [MemoryWindow(0, self.columns - 1, top, min(top + self.tallest, self.rows) - 1) for top in tops]

    def cut(self, window: MemoryWindow, frame: bytes) -> bytes:
        """Return the bytes of a frame that lie in a window, row by row."""
        left, right, top, bottom = window
        return b"".join(
            frame[row * self.columns + left : row * self.columns + right + 1] for row in range(top, bottom + 1)
        )

    def changed(self, before: bytes | None, after: bytes) -> list[MemoryWindow]:
        """Return the windows in which two frames differ; windows are joined where that costs no more bytes.

        Return the whole memory if `before` is `None`, or if sending the whole memory costs no more.
        """
        whole = self.whole()
        if before is None:
            return whole
        windows: list[MemoryWindow] = []
        for row in range(self.rows):
            for span in self._changed_spans(row, before, after):
                self._add(windows, span)
        return windows if self._sum(windows) < self._sum(whole) else whole

    def _sum(self, windows: list[MemoryWindow]) -> int:
        return sum(self.cost(window) for window in windows)

    def _add(self, windows: list[MemoryWindow], span: MemoryWindow) -> None:
        for index, window in enumerate(windows):
            joined = window.joined(span)
            fits = joined.bottom - joined.top < self.tallest
            if fits and self.cost(joined) <= self.cost(window) + self.cost(span):
                windows[index] = joined
                return
        windows.append(span)

    def _changed_spans(self, row: int, before: bytes, after: bytes) -> list[MemoryWindow]:
        """Return the changed spans of a row.

        Two spans become one if sending the unchanged bytes between them costs no more than addressing the second span.
        """
        start = row * self.columns
        old, new = before[start : start + self.columns], after[start : start + self.columns]
        if old == new:
            return []
        spans: list[MemoryWindow] = []
        for left in range(0, self.columns, self.grain):
            right = left + self.grain - 1
            if old[left : right + 1] == new[left : right + 1]:
                continue
            if spans and left - spans[-1].right <= self.address_bytes:
                spans[-1] = spans[-1]._replace(right=right)
            else:
                spans.append(MemoryWindow(left, right, row, row))
        return spans


class Panel:
    """A mixin for luma's drivers: adds writing of memory windows and disables luma's `display`.

    Attributes:
        size: width and height in pixels.
        memory: the layout of the chip's memory.
        pack: converts an image to the chip's format; raises ValueError if the image does not have the panel's size and
            mode.
        show: switches the panel on (luma's method).
        contrast: sets the brightness, 0 to 255 (luma's method).
    """

    size: tuple[int, int]
    memory: Memory
    pack: Callable[[Image.Image], bytes]
    show: Callable[[], None]
    contrast: Callable[[int], None]

    def display(self, image: Image.Image) -> None:
        """Do nothing; overrides the method of luma's base class."""

    def fill(self, window: MemoryWindow, data: bytes) -> None:
        """Send the content of a window, row by row."""
        raise NotImplementedError


class Ssd1306(Panel, ssd1306):  # type: ignore[misc]  # luma has no type hints
    """An SSD1306 panel of 128 x 64 pixels; a window may span several columns and several pages."""

    size = GLASS_SIZE
    memory = Memory(WIDTH, PAGES, address_bytes=6, tallest=PAGES)
    pack = staticmethod(pack_pages)

    def fill(self, window: MemoryWindow, data: bytes) -> None:
        left, right, top, bottom = window
        self.command(COLUMN_ADDRESS, left, right, PAGE_ADDRESS, top, bottom)
        self.data(list(data))


class Ssd1309(Ssd1306, ssd1309):  # type: ignore[misc]
    """An SSD1309 panel of 128 x 64 pixels: larger than an SSD1306, but addressed in the same way."""


class Sh1106(Panel, sh1106):  # type: ignore[misc]
    """An SH1106 panel of 128 x 64 pixels; a window may span several columns, but lies within one page."""

    size = GLASS_SIZE
    memory = Memory(WIDTH, PAGES, address_bytes=3, tallest=1)
    pack = staticmethod(pack_pages)

    def fill(self, window: MemoryWindow, data: bytes) -> None:
        column = window.left + SH1106_MARGIN
        self.command(SH1106_PAGE | window.top, SH1106_LOW_COLUMN | column & 0x0F, SH1106_HIGH_COLUMN | column >> 4)
        self.data(list(data))


class Ssd1322(Panel, ssd1322):  # type: ignore[misc]
    """An SSD1322 panel of 256 x 64 pixels in 16 greys; a window may span several rows and several columns.

    A column of the chip's memory is four pixels wide.
    """

    size = WIDE
    memory = Memory(WIDE[0] // 2, HEIGHT, address_bytes=7, tallest=HEIGHT, grain=SSD1322_GRAIN)
    pack = staticmethod(pack_greys)

    def fill(self, window: MemoryWindow, data: bytes) -> None:
        left, right, top, bottom = window
        first, last = (SSD1322_MARGIN + column // SSD1322_GRAIN for column in (left, right))
        self.command(SSD1322_COLUMNS, first, last)
        self.command(SSD1322_ROWS, top, bottom)
        self.command(SSD1322_WRITE)
        self.data(list(data))


AnyPanel = type[Ssd1306] | type[Sh1106] | type[Ssd1322]
PANELS: Final[dict[str, AnyPanel]] = {"ssd1306": Ssd1306, "ssd1309": Ssd1309, "sh1106": Sh1106, "ssd1322": Ssd1322}
