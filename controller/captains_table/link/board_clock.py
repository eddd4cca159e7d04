"""Converts the board's times to the host's clock; the message with the least delay gives the best offset."""

WINDOW_MS = 10_000  # the two crystals drift apart by less than 1 ms in this time


class BoardClock:
    """Converts the board's milliseconds to the host's; the results never decrease."""

    def __init__(self) -> None:
        self._differences: list[int] = []  # the smallest offset of the last window, and of the current one
        self._window_ms = 0
        self._latest_ms = 0

    def restart(self) -> None:
        """Forget the offset, because the board's clock restarted from 0."""
        self._differences = []

    def observe(self, board_ms: int, now_ms: int) -> None:
        """Update the offset with a message that the board sent at `board_ms` and that arrived at `now_ms`."""
        difference = now_ms - board_ms
        if not self._differences or now_ms - self._window_ms >= WINDOW_MS:
            self._differences = [*self._differences[-1:], difference]
            self._window_ms = now_ms
        self._differences[-1] = min(self._differences[-1], difference)

    def host_ms(self, board_ms: int, now_ms: int) -> int:
        """Convert a time of the board to the host's clock.

        The result is never before the last result, and never after `now_ms`.
        """
        at_ms = board_ms + min(self._differences) if self._differences else now_ms
        self._latest_ms = max(self._latest_ms, min(at_ms, now_ms))
        return self._latest_ms
