"""luma's driver for the SSD1306, with its slowest part replaced."""

from luma.oled.device import ssd1306
from PIL import Image

from captains_table.devices.glass.packing import PAGES, WIDTH, pack

COLUMN_ADDRESS = 0x21  # SSD1306 data sheet, 10.1.4 and 10.1.5
PAGE_ADDRESS = 0x22


class Panel(ssd1306):  # type: ignore[misc]  # luma has no type hints
    """An SSD1306 of 128 x 64 pixels that sends whole frames without a loop over 8,192 pixels.

    luma's own `display`, by which its initialisation clears the screen, also calls `Image.getdata`: gone in Pillow 14.
    """

    def display(self, image: Image.Image) -> None:
        """Send a whole frame (mode "1", 128 x 64)."""
        self.command(COLUMN_ADDRESS, 0, WIDTH - 1, PAGE_ADDRESS, 0, PAGES - 1)
        self.data(list(pack(image)))
