"""The panels: luma's drivers set the chips up, and what changed of a frame goes straight to their memory.

luma's own `display` loops over every pixel and calls `Image.getdata`, gone in Pillow 14; so it is left out, together
with the picture that luma clears a panel with when it is made.
"""

from typing import Final, Protocol

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


class Panel(Protocol):
    """What the glass asks of a panel."""

    size: tuple[int, int]
    memory: Memory

    def pack(self, image: Image.Image) -> bytes:
        """Return a frame as the chip stores it; raises ValueError where it is not the panel's size."""

    def fill(self, window: Window, data: bytes) -> None:
        """Send what lies in a window, row by row."""

    def show(self) -> None:
        """Switch the panel on."""

    def contrast(self, level: int) -> None:
        """Set how bright it is, 0 to 255."""


class _NoOwnFrames:
    """Keeps luma from sending pictures of its own."""

    def display(self, image: Image.Image) -> None:
        """Send nothing."""


class Ssd1306(_NoOwnFrames, ssd1306):  # type: ignore[misc]  # luma has no type hints
    """An SSD1306 of 128 x 64 pixels: windows of columns and pages."""

    size = SIZE
    memory = Memory(WIDTH, PAGES, address_bytes=6, tallest=PAGES)

    def pack(self, image: Image.Image) -> bytes:
        """Return a frame as the chip stores it."""
        return pack(image)

    def fill(self, window: Window, data: bytes) -> None:
        """Send what lies in a window."""
        left, right, top, bottom = window
        self.command(COLUMN_ADDRESS, left, right, PAGE_ADDRESS, top, bottom)
        self.data(list(data))


class Ssd1309(Ssd1306, ssd1309):  # type: ignore[misc]
    """An SSD1309 of 128 x 64 pixels: larger glass, addressed as an SSD1306."""


class Sh1106(_NoOwnFrames, sh1106):  # type: ignore[misc]
    """An SH1106 of 128 x 64 pixels: it writes on within one page only."""

    size = SIZE
    memory = Memory(WIDTH, PAGES, address_bytes=3, tallest=1)

    def pack(self, image: Image.Image) -> bytes:
        """Return a frame as the chip stores it."""
        return pack(image)

    def fill(self, window: Window, data: bytes) -> None:
        """Send what lies in a window of one page."""
        column = window.left + SH1106_MARGIN
        self.command(SH1106_PAGE | window.top, SH1106_LOW_COLUMN | column & 0x0F, SH1106_HIGH_COLUMN | column >> 4)
        self.data(list(data))


class Ssd1322(_NoOwnFrames, ssd1322):  # type: ignore[misc]
    """An SSD1322 of 256 x 64 pixels in 16 greys: windows of four pixels by rows."""

    size = WIDE
    memory = Memory(WIDE[0] // 2, HEIGHT, address_bytes=7, tallest=HEIGHT, grain=SSD1322_GRAIN)

    def pack(self, image: Image.Image) -> bytes:
        """Return a frame as the chip stores it."""
        return pack_greys(image)

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
