"""A rotary encoder: two contacts that close one after the other tell the direction by which is first."""

# From the contacts before (two bits) to those now (two bits), in quarters of a step; 0 also where both changed at once.
_QUARTERS = (0, -1, 1, 0, 1, 0, 0, -1, -1, 0, 0, 1, 0, 1, -1, 0)
_REST = 0b11  # both open: the notch
_ENOUGH = 2  # quarters: one of four edges may be missed


class Encoder:
    """Counts notches. A contact that bounces moves it forth and back, which is nothing."""

    def __init__(self) -> None:
        self._before = _REST
        self._quarters = 0

    def sample(self, a: int, b: int) -> int:
        """Take in both contacts' levels; return 1 for a notch to the right, -1 to the left, 0 otherwise."""
        now = a << 1 | b
        if now == self._before:
            return 0
        self._quarters += _QUARTERS[self._before << 2 | now]
        self._before = now
        if now != _REST:
            return 0
        quarters, self._quarters = self._quarters, 0
        if quarters >= _ENOUGH:
            return 1
        return -1 if quarters <= -_ENOUGH else 0
