"""What an encoder means: levels of its two contacts in, steps out."""

from collections.abc import Mapping
from typing import Final

# An encoder rests in a detent with both contacts open. On the way to the next one they close and open in turn, A first
# when it is turned right. Levels as (A closed, B closed); a bounce goes one step to and fro, which makes none.
_QUARTERS: Final[Mapping[tuple[tuple[bool, bool], tuple[bool, bool]], int]] = {
    ((False, False), (True, False)): 1,
    ((True, False), (True, True)): 1,
    ((True, True), (False, True)): 1,
    ((False, True), (False, False)): 1,
    ((False, False), (False, True)): -1,
    ((False, True), (True, True)): -1,
    ((True, True), (True, False)): -1,
    ((True, False), (False, False)): -1,
}
_REST: Final = (False, False)
_MOST_OF_A_STEP: Final = 2  # quarters that must have been seen of four: one that was missed does no harm


class Quadrature:
    """A rotary encoder's two contacts."""

    def __init__(self) -> None:
        self._levels = _REST
        self._quarters = 0

    def read(self, *, a: bool, b: bool) -> int:
        """Take in its levels and return 1 for a step to the right just made, -1 for one to the left, else 0."""
        levels = (a, b)
        self._quarters += _QUARTERS.get((self._levels, levels), 0)
        self._levels = levels
        if levels != _REST:
            return 0
        quarters, self._quarters = self._quarters, 0
        return 0 if abs(quarters) < _MOST_OF_A_STEP else 1 if quarters > 0 else -1

    @property
    def is_at_rest(self) -> bool:
        """Whether it stands in a detent."""
        return self._levels == _REST
