"""Frames onto the panel: only what changed travels over the bus."""

from typing import Final, NamedTuple

from PIL import Image

from captains_table.devices.glass.packing import PAGES, WIDTH, pack
from captains_table.devices.glass.panel import COLUMN_ADDRESS, PAGE_ADDRESS, Panel

WINDOW_BYTES: Final = 6  # two addressing commands of three bytes


class Window(NamedTuple):
    """A rectangle of the chip's memory; all bounds are included."""

    left: int
    right: int
    top: int
    bottom: int

    @property
    def cost(self) -> int:
        """How many bytes it takes to fill it, addressing included."""
        return WINDOW_BYTES + (self.right - self.left + 1) * (self.bottom - self.top + 1)

    def joined(self, other: "Window") -> "Window":
        """Return the smallest window around both."""
        return Window(
            min(self.left, other.left),
            max(self.right, other.right),
            min(self.top, other.top),
            max(self.bottom, other.bottom),
        )


WHOLE: Final = Window(0, WIDTH - 1, 0, PAGES - 1)


class PagePainter:
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
        frame = pack(image)
        windows = changed_windows(self._standing, frame)
        self._standing = None  # until the last byte has arrived
        for window in windows:
            self._fill(window, frame)
        self._standing = frame
        return sum(window.cost for window in windows)

    def _fill(self, window: Window, frame: bytes) -> None:
        left, right, top, bottom = window
        self._panel.command(COLUMN_ADDRESS, left, right, PAGE_ADDRESS, top, bottom)
        rows = (frame[page * WIDTH + left : page * WIDTH + right + 1] for page in range(top, bottom + 1))
        self._panel.data(list(b"".join(rows)))


def changed_windows(before: bytes | None, after: bytes) -> list[Window]:
    """Return the windows that turn one memory into another; two are made one where that is no dearer."""
    if before is None:
        return [WHOLE]
    windows: list[Window] = []
    for page in range(PAGES):
        for span in _changed_spans(page, before, after):
            _add(windows, span)
    return windows if sum(window.cost for window in windows) < WHOLE.cost else [WHOLE]


def _add(windows: list[Window], span: Window) -> None:
    for index, window in enumerate(windows):
        joined = window.joined(span)
        if joined.cost <= window.cost + span.cost:
            windows[index] = joined
            return
    windows.append(span)


def _changed_spans(page: int, before: bytes, after: bytes) -> list[Window]:
    """Return the columns of a page that changed; what lies between them is skipped where that pays."""
    start = page * WIDTH
    old, new = before[start : start + WIDTH], after[start : start + WIDTH]
    if old == new:
        return []
    spans: list[Window] = []
    for column in (column for column in range(WIDTH) if old[column] != new[column]):
        if spans and column - spans[-1].right <= WINDOW_BYTES:
            spans[-1] = spans[-1]._replace(right=column)
        else:
            spans.append(Window(column, column, page, page))
    return spans
