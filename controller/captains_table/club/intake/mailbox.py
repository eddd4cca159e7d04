"""What has arrived and is not taken yet: of what is seen at a table the latest, of results a few, and never more.

Each table is taken from at its own pace, so that one that floods keeps no other waiting and fills no memory.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from captains_table.reporting.topics import Report, Topic

PER_SECOND: Final = 20.0
"""How many payloads of one table are taken in a second, for long."""
AT_ONCE: Final = 40.0
"""How many at once after it was silent: as many results as an evening without the club leaves."""
MOST_RESULTS: Final = 32
MOST_RESULT_BYTES: Final = 1 << 22
"""Of one table's results; of those of all tables together eight times that."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A payload of a table.

    Attributes:
        topic: of whom, and what.
        payload: its bytes.
        retained: whether it was said before the line came up.
        at_s: when it arrived, in Unix seconds.
    """

    topic: Topic
    payload: bytes
    retained: bool
    at_s: float


@dataclass(slots=True)
class _Box:
    """What of one table is not taken yet, and how many payloads may be taken of it now."""

    latest: dict[Report, Arrival] = field(default_factory=dict)
    results: deque[Arrival] = field(default_factory=deque)
    result_bytes: int = 0
    allowed: float = AT_ONCE
    counted_s: float = 0.0

    def is_empty(self) -> bool:
        return not self.latest and not self.results


class Mailbox:
    """All tables' boxes."""

    def __init__(self) -> None:
        self._boxes: dict[str, _Box] = {}
        self._result_bytes = 0
        self._filled: dict[str, None] = {}  # whose boxes are not empty, in the order they were filled

    def __len__(self) -> int:
        """How many tables have something in their box."""
        return len(self._filled)

    def put(self, arrival: Arrival) -> bool:
        """Put a payload into its table's box; return False, and leave it, where the box holds results enough."""
        user = arrival.topic.user
        box = self._boxes.setdefault(user, _Box(counted_s=arrival.at_s))
        if arrival.topic.kind is not Report.RESULT:
            box.latest[Report(arrival.topic.kind)] = arrival
        elif not self._has_room(box, len(arrival.payload)):
            return False
        else:
            box.results.append(arrival)
            box.result_bytes += len(arrival.payload)
            self._result_bytes += len(arrival.payload)
        self._filled[user] = None
        return True

    def _has_room(self, box: _Box, size: int) -> bool:
        return (
            len(box.results) < MOST_RESULTS
            and box.result_bytes + size <= MOST_RESULT_BYTES
            and self._result_bytes + size <= 8 * MOST_RESULT_BYTES
        )

    def take(self, now_s: float) -> Iterator[Arrival]:
        """Yield what may be taken now: of each table in turn, what is seen there before its results."""
        for user in tuple(self._filled):
            box = self._boxes[user]
            _allow(box, now_s)
            while box.allowed >= 1 and not box.is_empty():
                box.allowed -= 1
                yield self._next_of(box)
            if box.is_empty():
                del self._filled[user]

    def _next_of(self, box: _Box) -> Arrival:
        if box.latest:
            return box.latest.pop(next(iter(box.latest)))
        arrival = box.results.popleft()
        box.result_bytes -= len(arrival.payload)
        self._result_bytes -= len(arrival.payload)
        return arrival

    def forget(self, user: str) -> None:
        """Forget a table's box."""
        box = self._boxes.pop(user, None)
        self._filled.pop(user, None)
        if box is not None:
            self._result_bytes -= box.result_bytes


def _allow(box: _Box, now_s: float) -> None:
    """Let as much more be taken as time has passed; a clock that was set back allows nothing."""
    passed_s = max(0.0, now_s - box.counted_s)
    box.allowed = min(AT_ONCE, box.allowed + passed_s * PER_SECOND)
    box.counted_s = now_s
