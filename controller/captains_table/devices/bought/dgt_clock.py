"""The DGT clock at a board: what is sent to it, one message after the other, and what it answers (docs/boards.md).

A DGT 3000 shows text of eight letters; a clock that refuses text shows times alone.
"""

from enum import IntEnum
from typing import Final

from captains_table.devices.bought.protocol import LETTERS, ClockFace, SeatTimes

CLOCK_MESSAGE: Final = 0x2B
BEGIN, END = 0x03, 0x00
DONE: Final = 0x10
NOT_IN_ITS_MODE: Final = 0x90
ACKNOWLEDGED_MS: Final = 2000
"""A clock that has not acknowledged a message by then has lost it."""
REFUSED_MS: Final = 15_000
"""So long after a refusal a clock is asked again: its mode may have been changed."""
PAGE_MS: Final = 900
TOLERATED_S: Final = 1
LEFT_RUNS, RIGHT_RUNS, STANDS = 1, 2, 4
MOST_S: Final = 10 * 3600 - 1


class ClockOrder(IntEnum):
    """What the clock is told."""

    SHOW_TIMES = 0x03
    SET_TIMES = 0x0A
    SHOW_TEXT = 0x0C


class DgtClock:
    """The conversation with a clock.

    Attributes:
        face: what it is to show.
        is_there: whether a clock is on the board's cable.
        refuses_times: whether it has refused to be set.
    """

    def __init__(self) -> None:
        self.face = ClockFace()
        self.unplug()

    def unplug(self) -> None:
        """Forget the clock, because none is there."""
        self.is_there = self.refuses_times = False
        self._lever: bool | None = None  # whether the right side is high
        self._left_is_first = True
        self._sent: ClockOrder | None = None
        self._wait_ms = self._turn_ms = self._page = 0
        self._text = self._sent_text = ""
        self._set: tuple[SeatTimes, int] | None = None  # when it was set, and to what
        self._setting: tuple[SeatTimes, int] | None = None
        self._refused_ms: dict[int, int] = {}

    def show(self, face: ClockFace) -> None:
        """Show something else."""
        if face.pages != self.face.pages:
            self._page = self._turn_ms = 0
        self.face = face

    def hear_time(self, *, right_is_high: bool) -> bool:
        """Take in that the clock tells its times; return whether its lever was pressed."""
        was, self._lever, self.is_there = self._lever, right_is_high, True
        if was is None or was == right_is_high:
            return False
        running = None if self.face.times is None else self.face.times.running
        if running is not None:  # who presses the lever is to move, and their side was high
            self._left_is_first = was == bool(running)
        return True

    def hear_answer(self, result: int, command: int, now_ms: int) -> None:
        """Take in an acknowledgement."""
        sent, self._sent, self._wait_ms = self._sent, None, now_ms
        if sent is not None and (result != DONE or command == NOT_IN_ITS_MODE):
            self._refused_ms[sent] = now_ms
            self.refuses_times |= sent is ClockOrder.SET_TIMES
        elif sent is ClockOrder.SET_TIMES:
            self.refuses_times, self._set = False, self._setting
        elif sent is not None:
            self._text = self._sent_text

    def message(self, now_ms: int) -> bytes:
        """Return the message that is due; nothing if none is."""
        if not self.is_there or now_ms < self._wait_ms:
            return b""
        if self.face.pages and now_ms >= self._turn_ms:
            self._page = self._page + 1 if self._turn_ms else 0
            self._turn_ms = now_ms + PAGE_MS
        text = self.face.pages[self._page % len(self.face.pages)] if self.face.pages else ""
        if text != self._text:
            self._sent_text = text
            data = text.ljust(LETTERS).encode("ascii") + b"\x00" if text else b""
            message = self._send(ClockOrder.SHOW_TEXT if text else ClockOrder.SHOW_TIMES, data, now_ms)
            if message:
                return message
        times = self.face.times
        if times is None or not self._differs(times, now_ms):
            return b""
        self._setting = times, now_ms
        return self._send(ClockOrder.SET_TIMES, self._time_data(times), now_ms)

    def due_ms(self, now_ms: int) -> int | None:
        """Return when `message` may have one next; `None` if no clock is there."""
        if not self.is_there:
            return None
        return max(self._wait_ms, self._turn_ms if self.face.pages else now_ms + PAGE_MS)

    def _send(self, command: ClockOrder, data: bytes, now_ms: int) -> bytes:
        if now_ms - self._refused_ms.get(command, -REFUSED_MS) < REFUSED_MS:
            return b""
        self._sent, self._wait_ms = command, now_ms + ACKNOWLEDGED_MS
        return bytes((CLOCK_MESSAGE, len(data) + 3, BEGIN, command)) + data + bytes([END])

    def _differs(self, times: SeatTimes, now_ms: int) -> bool:
        """Return whether the clock, which runs by itself since it was set, tells other times by now."""
        if self._set is None or self._set[0].running != times.running:
            return True
        was, set_ms = self._set
        gone_s = [(now_ms - set_ms) // 1000 if was.running == seat else 0 for seat in (0, 1)]
        errors = was.first_s - gone_s[0] - times.first_s, was.second_s - gone_s[1] - times.second_s
        return max(map(abs, errors)) > TOLERATED_S

    def _time_data(self, times: SeatTimes) -> bytes:
        sides = times[:2] if self._left_is_first else (times.second_s, times.first_s)
        fields = [field for side in sides for field in _fields(min(side, MOST_S))]
        is_left = (times.running == 0) == self._left_is_first
        return bytes((*fields, STANDS if times.running is None else LEFT_RUNS if is_left else RIGHT_RUNS))


def _fields(seconds: int) -> tuple[int, int, int]:
    return seconds // 3600, seconds // 60 % 60, seconds % 60
