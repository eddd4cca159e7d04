"""The panels: luma's drivers set the chips up, and what changed of a frame goes straight to their memory.

luma's own `display` loops over every pixel and calls `Image.getdata`, gone in Pillow 14; so it is left out, together
with the picture that luma clears a panel with when it is made.
"""

from collections.abc import Callable
from typing import Final

from luma.oled.device import sh1106, ssd1306, ssd1309, ssd1322
from PIL import Image

from captains_table.devices.display.driver.memory import Memory, Window
from captains_table.devices.display.packing import HEIGHT, PAGES, SIZE, WIDE, WIDTH, pack, pack_greys

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
SSD1322_GRAIN: Final = 2  # bytes, so four pixels, a column address


class Panel:
    """What the glass asks of a panel, besides what luma's driver is; it keeps luma from sending pictures of its own.

    Attributes:
        size: width and height in pixels.
        memory: how the chip keeps its picture.
        pack: returns a frame as the chip stores it; raises ValueError where it is not the panel's size.
        show: switches the panel on, as luma does.
        contrast: sets how bright it is, 0 to 255, as luma does.
    """

    size: tuple[int, int]
    memory: Memory
    pack: Callable[[Image.Image], bytes]
    show: Callable[[], None]
    contrast: Callable[[int], None]

    def display(self, image: Image.Image) -> None:
        """Send nothing."""

    def fill(self, window: Window, data: bytes) -> None:
        """Send what lies in a window, row by row."""
        raise NotImplementedError


class Ssd1306(Panel, ssd1306):  # type: ignore[misc]  # luma has no type hints
    """An SSD1306 of 128 x 64 pixels: windows of columns and pages."""

    size = SIZE
    memory = Memory(WIDTH, PAGES, address_bytes=6, tallest=PAGES)
    pack = staticmethod(pack)

    def fill(self, window: Window, data: bytes) -> None:
        """Send what lies in a window."""
        left, right, top, bottom = window
        self.command(COLUMN_ADDRESS, left, right, PAGE_ADDRESS, top, bottom)
        self.data(list(data))


class Ssd1309(Ssd1306, ssd1309):  # type: ignore[misc]
    """An SSD1309 of 128 x 64 pixels: larger glass, addressed as an SSD1306."""


class Sh1106(Panel, sh1106):  # type: ignore[misc]
    """An SH1106 of 128 x 64 pixels: it writes on within one page only."""

    size = SIZE
    memory = Memory(WIDTH, PAGES, address_bytes=3, tallest=1)
    pack = staticmethod(pack)

    def fill(self, window: Window, data: bytes) -> None:
        """Send what lies in a window of one page."""
        column = window.left + SH1106_MARGIN
        self.command(SH1106_PAGE | window.top, SH1106_LOW_COLUMN | column & 0x0F, SH1106_HIGH_COLUMN | column >> 4)
        self.data(list(data))


class Ssd1322(Panel, ssd1322):  # type: ignore[misc]
    """An SSD1322 of 256 x 64 pixels in 16 greys: windows of four pixels by rows."""

    size = WIDE
    memory = Memory(WIDE[0] // 2, HEIGHT, address_bytes=7, tallest=HEIGHT, grain=SSD1322_GRAIN)
    pack = staticmethod(pack_greys)

    def fill(self, window: Window, data: bytes) -> None:
        """Send what lies in a window."""
        left, right, top, bottom = window
        first, last = (SSD1322_MARGIN + column // SSD1322_GRAIN for column in (left, right))
        self.command(SSD1322_COLUMNS, first, last)
        self.command(SSD1322_ROWS, top, bottom)
        self.command(SSD1322_WRITE)
        self.data(list(data))


AnyPanel = type[Ssd1306] | type[Sh1106] | type[Ssd1322]
PANELS: Final[dict[str, AnyPanel]] = {"ssd1306": Ssd1306, "ssd1309": Ssd1309, "sh1106": Sh1106, "ssd1322": Ssd1322}
