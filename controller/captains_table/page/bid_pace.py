"""How fast the bids of a seat may follow each other on the page."""

from collections import deque
from collections.abc import Callable
from typing import Final

MOST_BIDS: Final = 5
WITHIN_S: Final = 1.0


class BidPace:
    """Counts every seat's bids of the last second.

    Args:
        now_s: returns the time, in seconds that only go forward.
    """

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._taken: dict[int, deque[float]] = {}

    def takes(self, seat: int) -> bool:
        """Return whether a seat may bid once more now, and count that as a bid; what is refused does not count."""
        now_s, taken = self._now_s(), self._taken.setdefault(seat, deque())
        while taken and taken[0] <= now_s - WITHIN_S:
            taken.popleft()
        may = len(taken) < MOST_BIDS
        if may:
            taken.append(now_s)
        return may
