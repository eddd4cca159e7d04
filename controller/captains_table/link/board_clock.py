"""The board's milliseconds on the host's clock: what took the shortest way tells the difference best."""

WINDOW_MS = 10_000  # crystals drift apart by less than 1 ms in this time


class BoardClock:
    """Maps the board's times to the host's; what it returns never runs backwards."""

    def __init__(self) -> None:
        self._differences: list[int] = []  # the least of the window before, and of this one
        self._window_ms = 0
        self._latest_ms = 0

    def restart(self) -> None:
        """Forget the difference: the board's clock started anew."""
        self._differences = []

    def observe(self, board_ms: int, now_ms: int) -> None:
        """Take in that the board said at `board_ms` what arrived now."""
        difference = now_ms - board_ms
        if not self._differences or now_ms - self._window_ms >= WINDOW_MS:
            self._differences = [*self._differences[-1:], difference]
            self._window_ms = now_ms
        self._differences[-1] = min(self._differences[-1], difference)

    def host_ms(self, board_ms: int, now_ms: int) -> int:
        """Return when this was on the host's clock: not before what was returned last, and not after now."""
        at_ms = board_ms + min(self._differences) if self._differences else now_ms
        self._latest_ms = max(self._latest_ms, min(at_ms, now_ms))
        return self._latest_ms
