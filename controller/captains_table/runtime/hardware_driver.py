"""A table with a real board: what the board reports late keeps its order when it is taken in."""

from collections import deque

from captains_table.devices.ports import BoardEvent
from captains_table.runtime.driver import ScheduledEvent, TableDriver
from captains_table.runtime.session import Session
from captains_table.table.model.events import BoardLost, BoardRead, Button, ButtonPressed, ButtonReleased, Event

HELD_MS = 2000
"""What a late press keeps of the time it was held: enough to distinguish a short one from a long one."""


class HardwareDriver(TableDriver):
    """A session over a real board, of which nothing is known until it has been read.

    Args:
        session: the referee's session.
        missing: what is wrong until the board is first read, in words.
    """

    def __init__(self, session: Session, missing: str) -> None:
        super().__init__(session)
        self._clock_ms = 0
        self._scheduled: deque[ScheduledEvent] = deque()
        self._latest_ms = 0
        self._pressed: dict[Button, ScheduledEvent] = {}
        self._pressed_happened_ms: dict[Button, int] = {}
        session.handle(BoardLost(missing), 0)

    def begun(self, now_ms: int) -> None:
        """Let the match that was taken up begin with what stands on the board."""
        board = self.board_snapshot()
        if board.linked:
            self._happens(BoardRead(board.closed), now_ms)

    def on_event(self, event: BoardEvent, happened_ms: int, now_ms: int) -> None:
        """Take in what the board sends, in order; what comes late is taken in at once, after what went before.

        Args:
            event: what happened.
            happened_ms: when it happened, by the table's clock; may lie in the past.
            now_ms: monotonic milliseconds.
        """
        at_ms = max(happened_ms, self._clock_ms, self._latest_ms)
        if isinstance(event, ButtonPressed):
            self._pressed_happened_ms[event.button] = happened_ms
            self._pressed[event.button] = ScheduledEvent(at_ms, event)
        elif isinstance(event, ButtonReleased) and event.button in self._pressed:
            held_ms = happened_ms - self._pressed_happened_ms[event.button]
            at_ms = max(at_ms, self._pressed.pop(event.button).at_ms + min(held_ms, HELD_MS))
        self._latest_ms = at_ms
        self._scheduled.append(ScheduledEvent(at_ms, event))
        self.tick(now_ms)

    def _report_due_ms(self) -> int | None:
        return self._scheduled[0].at_ms if self._scheduled else None

    def _next_report(self, now_ms: int) -> ScheduledEvent | None:
        return self._scheduled.popleft() if self._scheduled and self._scheduled[0].at_ms <= now_ms else None

    def _happens(self, event: Event, now_ms: int) -> None:
        super()._happens(event, now_ms)
        self._clock_ms = max(self._clock_ms, now_ms)

    def _deliver(self, event: Event, at_ms: int) -> None:
        super()._deliver(event, at_ms)
        self._clock_ms = max(self._clock_ms, at_ms)
