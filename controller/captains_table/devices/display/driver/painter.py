"""Frames onto the panel: only what changed travels over the bus."""

from PIL import Image

from captains_table.devices.display.driver.panels import Panel


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
