"""Partial updates of a panel: finds the memory windows in which two frames differ, so that only these are sent."""

from dataclasses import dataclass
from typing import NamedTuple


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
