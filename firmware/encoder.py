"""Decodes a rotary encoder: two contacts close in turn, and the first one to close gives the direction."""

# Index: last levels (two bits), then current levels (two bits). Value: quarters of a step; 0 if both contacts changed.
_QUARTERS = (0, -1, 1, 0, 1, 0, 0, -1, -1, 0, 0, 1, 0, 1, -1, 0)
_REST = 0b11  # both contacts open: the encoder stands in a detent
_ENOUGH = 2  # quarters that make a step: some of the four edges may be missed


class Encoder:
    """Counts detents. A bouncing contact adds a quarter forth and back, which cancels out."""

    def __init__(self) -> None:
        self._before = _REST
        self._quarters = 0

    def sample(self, a: int, b: int) -> int:
        """Take in the levels of both contacts; return 1 after a detent to the right, -1 to the left, 0 otherwise."""
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
