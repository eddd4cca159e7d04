"""A clock of milliseconds since the board's boot that does not wrap; the Pico's own counter wraps every twelve days."""

TYPE_CHECKING = False  # the board has no `typing`
if TYPE_CHECKING:
    from collections.abc import Callable


class Clock:
    """A clock that extends a wrapping counter; it must be read more often than the counter wraps."""

    def __init__(self, ticks_ms: "Callable[[], int]", ticks_diff: "Callable[[int, int], int]") -> None:
        self._ticks_ms = ticks_ms
        self._ticks_diff = ticks_diff
        self._last = ticks_ms()
        self._passed_ms = 0

    def now_ms(self) -> int:
        """Return the milliseconds since this clock was created."""
        ticks = self._ticks_ms()
        self._passed_ms += self._ticks_diff(ticks, self._last)
        self._last = ticks
        return self._passed_ms
