"""The mailbox of payloads that arrived from tables and are not processed yet, with a rate limit for each table.

A table that sends too much neither delays other tables nor fills the memory. For each table, the mailbox holds only the
latest view, the latest status and the latest call for the arbiter, and a limited number of results. Results are taken
separately, so that views need not wait for the disk.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

from captains_table.reporting.messages import LARGEST, BadPayload, FromTable, Topic

PER_SECOND: Final = 20.0
"""How many payloads of one table are taken a second, on average."""
AT_ONCE: Final = 40.0
"""How many payloads of one table are taken in a burst: enough for the results of a whole evening without the club."""
MOST_RESULTS: Final = 32
MOST_RESULT_BYTES: Final = 1 << 22
"""The maximum size in bytes of one table's waiting results; all tables together may have eight times as much."""
LARGEST_SEEN: Final = 1 << 16
"""The maximum size in bytes of any payload but a result: ten times what the largest view of our games takes."""
MOST_BOXES: Final = 2000
FORGOTTEN_S: Final = AT_ONCE / PER_SECOND
"""Seconds of silence after which a box's allowance is full again, so that the box can be dropped."""


class Lane(Enum):
    """A part of the mailbox that is emptied by itself: results, and all that is seen of tables at once."""

    SEEN = auto()
    RESULTS = auto()

    @classmethod
    def of(cls, kind: FromTable) -> "Lane":
        """Return the lane of a kind of message."""
        return cls.RESULTS if kind is FromTable.RESULT else cls.SEEN


class BoxFull(BadPayload):
    """There is no room for a payload: it is too large, too many results are waiting, or there are too many tables."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A payload that arrived from a table.

    Attributes:
        topic: the topic, with the table's user name and the kind of message.
        payload: the bytes.
        retained: whether the broker had stored it before the subscription.
        at_s: the time of arrival in Unix seconds.
    """

    topic: Topic
    payload: bytes
    retained: bool
    at_s: float


@dataclass(slots=True)
class _Box:
    """The waiting payloads of one table, and the table's rate limit.

    Attributes:
        waiting: what waits in each lane: the latest payload of each kind, and all results by their numbers.
        allowed: how many payloads may still be taken; it was computed at `counted_s`, and is reduced by one for each
            payload taken since.
        counted_s: when `allowed` was computed last, in Unix seconds.
    """

    waiting: dict[Lane, dict[FromTable | int, Arrival]] = field(default_factory=lambda: {lane: {} for lane in Lane})
    allowed: float = AT_ONCE
    counted_s: float = 0.0

    def is_empty(self) -> bool:
        return not any(self.waiting.values())

    def allow(self, now_s: float) -> None:
        """Increase `allowed` for the time since `counted_s`, up to `AT_ONCE`; no increase if the clock was set back."""
        passed_s = max(0.0, now_s - self.counted_s)
        self.allowed = min(AT_ONCE, self.allowed + passed_s * PER_SECOND)
        self.counted_s = now_s


class Mailbox:
    """The waiting payloads of all tables."""

    def __init__(self) -> None:
        self._boxes: dict[str, _Box] = {}
        self._results = 0
        self._result_bytes = 0
        # The user names of tables whose boxes hold something in a lane, in the order of arrival.
        self._users: dict[Lane, dict[str, None]] = {lane: {} for lane in Lane}

    def holds(self, lane: Lane) -> bool:
        """Return whether a payload waits in a lane."""
        return bool(self._users[lane])

    def put(self, arrival: Arrival) -> None:
        """Put a payload into its table's box; raises BoxFull.

        A result is added; any other payload replaces the waiting one of the same kind.
        """
        user, kind, size = arrival.topic.user, FromTable(arrival.topic.kind), len(arrival.payload)
        lane = Lane.of(kind)
        key: FromTable | int = kind
        largest = LARGEST if lane is Lane.RESULTS else LARGEST_SEEN
        if size > largest:
            raise BoxFull(f"{size:,} bytes of '{kind}' are too many: expected at most {largest:,}")
        box = self._box(user, arrival.at_s)
        if lane is Lane.RESULTS:
            if not self._has_room(box, size):
                raise BoxFull("there are more results at once than are taken: they are expected to be told again")
            self._result_bytes += size
            key = self._results = self._results + 1
        box.waiting[lane][key] = arrival
        self._users[lane][user] = None

    def _box(self, user: str, now_s: float) -> _Box:
        """Return a table's box, and make it if it is missing; raises BoxFull if there are too many tables."""
        if user not in self._boxes and len(self._boxes) >= MOST_BOXES:
            self._forget(now_s)
            if len(self._boxes) >= MOST_BOXES:
                raise BoxFull(f"table '{user}' is one too many at once: expected at most {MOST_BOXES}")
        return self._boxes.setdefault(user, _Box(counted_s=now_s))

    def _forget(self, now_s: float) -> None:
        """Drop the empty boxes of tables that were silent for more than `FORGOTTEN_S`."""
        silent = [user for user, box in self._boxes.items() if box.is_empty() and now_s - box.counted_s > FORGOTTEN_S]
        for user in silent:
            del self._boxes[user]

    def _has_room(self, box: _Box, size: int) -> bool:
        sizes = [size, *(len(waiting.payload) for waiting in box.waiting[Lane.RESULTS].values())]
        has_room = len(sizes) <= MOST_RESULTS and sum(sizes) <= MOST_RESULT_BYTES
        return has_room and self._result_bytes + size <= 8 * MOST_RESULT_BYTES

    def take(self, lane: Lane, now_s: float) -> Iterator[Arrival]:
        """Remove and yield what waits in a lane, as far as the rate limit of each table allows now.

        The results of one table are in the order of arrival.
        """
        for user in tuple(self._users[lane]):
            box = self._boxes[user]
            box.allow(now_s)
            waiting = box.waiting[lane]
            while box.allowed >= 1 and waiting:
                box.allowed -= 1
                arrival = waiting.pop(next(iter(waiting)))
                self._result_bytes -= len(arrival.payload) if lane is Lane.RESULTS else 0
                yield arrival
            if not waiting:
                del self._users[lane][user]
