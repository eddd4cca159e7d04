"""The event source of a real board: passes the board's reports on in order, even if they arrive late.

If the press of a button is reported late, the release is delayed too, so that a long press is still recognised.
"""

from collections import deque
from collections.abc import Iterator

from captains_table.devices.ports import BoardEvent
from captains_table.runtime.board_source import BoardReport, BoardSource
from captains_table.runtime.session import Session
from captains_table.table.model.events import (
    BoardLost,
    BoardRead,
    Button,
    ButtonPressed,
    ButtonReleased,
    Event,
)

HELD_MS = 2000
"""The longest time for which a press that is reported late counts as held: enough to tell a long press from a short."""


class HardwareSource(BoardSource):
    """The real board of a session; the states of the switches are unknown until the board is first read.

    Args:
        session: the session, whose board this source becomes.
        missing: the sentence that is shown until the board is first read.
    """

    def __init__(self, session: Session, missing: str) -> None:
        self.session = session
        self._clock_ms = 0
        self._reports: deque[BoardReport] = deque()
        self._latest_ms = 0
        self._pressed: dict[Button, tuple[int, int]] = {}  # when the press is reported, and when it happened
        session.board = self
        session.handle(BoardLost(missing), 0)

    def begun(self, now_ms: int) -> None:
        """Report the occupied squares to the started or resumed match, if the link to the board works."""
        board = self.session.referee.board_snapshot()
        if board.linked:
            self.session.handle(BoardRead(board.closed), now_ms)

    def report(self, event: BoardEvent, happened_ms: int) -> None:
        """Queue an event of the board, with a time that keeps the order of events.

        An event that arrives late gets the time of the event before it. If a press arrives late, its release is delayed
        as well, so that the button counts as held for at least its real time. If the real time exceeds HELD_MS, the
        button counts as held for at least HELD_MS.

        Args:
            event: the board's event.
            happened_ms: when the event happened, in the table's time; may be in the past.
        """
        at_ms = max(happened_ms, self._clock_ms, self._latest_ms)
        if isinstance(event, ButtonPressed):
            self._pressed[event.button] = at_ms, happened_ms
        elif isinstance(event, ButtonReleased) and event.button in self._pressed:
            pressed_at_ms, pressed_ms = self._pressed.pop(event.button)
            at_ms = max(at_ms, pressed_at_ms + min(happened_ms - pressed_ms, HELD_MS))
        self._latest_ms = at_ms
        self._reports.append(BoardReport(event, at_ms))

    def due_ms(self) -> int | None:
        """Return when the first queued report is due, in the table's time; `None` if none is queued."""
        return self._reports[0].at_ms if self._reports else None

    def events(self, event: Event, now_ms: int) -> Iterator[BoardReport]:
        """Yield the waiting reports from the board with a time up to now, then a report of the given event."""
        while self._reports and self._reports[0].at_ms <= now_ms:
            report = self._reports.popleft()
            yield report
            self._clock_ms = max(self._clock_ms, report.at_ms)
        yield BoardReport(event, now_ms)
        self._clock_ms = max(self._clock_ms, now_ms)
