"""What has arrived and is not taken yet: of what is seen at a table the latest, of results a few, and never more.

Each table is taken from at its own pace, so that one that floods keeps no other waiting and fills no memory. What is
seen and what is told are taken apart: results wait for the disk, and what is seen does not wait for them.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from captains_table.reporting.messages import LARGEST, BadMessage, Report, Topic

PER_SECOND: Final = 20.0
"""How many payloads of one table are taken in a second, for long."""
AT_ONCE: Final = 40.0
"""How many at once after it was silent: as many results as an evening without the club leaves."""
MOST_RESULTS: Final = 32
MOST_RESULT_BYTES: Final = 1 << 22
"""Of one table's results; of those of all tables together eight times that."""
LARGEST_SEEN: Final = 1 << 16
"""Bytes of what is seen at a table, or said of it: ten times what the largest of our games takes."""
MOST_BOXES: Final = 2000
FORGOTTEN_S: Final = AT_ONCE / PER_SECOND
"""After so long of silence a box is as good as a new one."""


class BoxFull(BadMessage):
    """A payload finds no room: it is too large, or there are too many."""


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

    def allow(self, now_s: float) -> None:
        """Let as much more be taken as time has passed; a clock that was set back allows nothing."""
        passed_s = max(0.0, now_s - self.counted_s)
        self.allowed = min(AT_ONCE, self.allowed + passed_s * PER_SECOND)
        self.counted_s = now_s


class Mailbox:
    """All tables' boxes."""

    def __init__(self) -> None:
        self._boxes: dict[str, _Box] = {}
        self._result_bytes = 0
        # In whose boxes something is, in the order in which it came there.
        self._with_seen: dict[str, None] = {}
        self._with_results: dict[str, None] = {}

    def holds_seen(self) -> bool:
        """Return whether something that is seen at a table waits to be taken."""
        return bool(self._with_seen)

    def holds_results(self) -> bool:
        """Return whether a result waits to be taken."""
        return bool(self._with_results)

    def put(self, arrival: Arrival) -> None:
        """Put a payload into its table's box; raises BoxFull."""
        user, kind, size = arrival.topic.user, Report(arrival.topic.kind), len(arrival.payload)
        largest = LARGEST if kind is Report.RESULT else LARGEST_SEEN
        if size > largest:
            raise BoxFull(f"{size:,} bytes of '{kind}' are too many: expected at most {largest:,}")
        box = self._box(user, arrival.at_s)
        if kind is not Report.RESULT:
            box.latest[kind] = arrival
            self._with_seen[user] = None
        elif not self._has_room(box, size):
            raise BoxFull("there are more results at once than are taken: they are expected to be told again")
        else:
            box.results.append(arrival)
            box.result_bytes += size
            self._result_bytes += size
            self._with_results[user] = None

    def _box(self, user: str, now_s: float) -> _Box:
        """Return a table's box; raises BoxFull where there are too many tables."""
        if user not in self._boxes and len(self._boxes) >= MOST_BOXES:
            self._forget(now_s)
            if len(self._boxes) >= MOST_BOXES:
                raise BoxFull(f"table '{user}' is one too many at once: expected at most {MOST_BOXES}")
        return self._boxes.setdefault(user, _Box(counted_s=now_s))

    def _forget(self, now_s: float) -> None:
        """Forget the boxes of tables that were silent for long."""
        silent = [user for user, box in self._boxes.items() if box.is_empty() and now_s - box.counted_s > FORGOTTEN_S]
        for user in silent:
            del self._boxes[user]

    def _has_room(self, box: _Box, size: int) -> bool:
        return (
            len(box.results) < MOST_RESULTS
            and box.result_bytes + size <= MOST_RESULT_BYTES
            and self._result_bytes + size <= 8 * MOST_RESULT_BYTES
        )

    def take_seen(self, now_s: float) -> Iterator[Arrival]:
        """Yield what is seen at the tables and said of them, as much of it as may be taken now."""
        for user in tuple(self._with_seen):
            box = self._boxes[user]
            box.allow(now_s)
            while box.allowed >= 1 and box.latest:
                box.allowed -= 1
                yield box.latest.pop(next(iter(box.latest)))
            if not box.latest:
                del self._with_seen[user]

    def take_results(self, now_s: float) -> Iterator[Arrival]:
        """Yield the results that may be taken now, those of each table in their order."""
        for user in tuple(self._with_results):
            box = self._boxes[user]
            box.allow(now_s)
            while box.allowed >= 1 and box.results:
                box.allowed -= 1
                arrival = box.results.popleft()
                box.result_bytes -= len(arrival.payload)
                self._result_bytes -= len(arrival.payload)
                yield arrival
            if not box.results:
                del self._with_results[user]
