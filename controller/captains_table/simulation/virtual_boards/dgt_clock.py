"""The clock on the line of a virtual DGT board: times, texts, and its acknowledgements."""

from collections.abc import Mapping
from enum import IntEnum
from typing import Final, Literal

ClockSide = Literal["left", "right"]

TIME_ID: Final = 0x8D
TIME_LENGTH: Final = 10
BEGIN: Final = 0x03
OK, ERROR = 0x10, 0x40
ACK_NIBBLE: Final = 0x0A
LOUD: Final = 3
BEEP_UNIT_MS: Final = 64
LEFT_RUNS, RIGHT_RUNS, PAUSED = 1, 2, 4
FALLEN: Final = 0x50
RUNNING, RIGHT_HIGH, RIGHT_TO_MOVE, LEFT_TO_MOVE = 1, 2, 8, 16
LARGEST: Final = (9, 59, 59)


class ClockCommand(IntEnum):
    """What the host may ask of a clock."""

    SEGMENTS = 0x01
    ICONS = 0x02
    END_DISPLAY = 0x03
    BUTTON = 0x08
    VERSION = 0x09
    SET_AND_RUN = 0x0A
    BEEP = 0x0B
    TEXT = 0x0C


DATA_LENGTHS: Final[Mapping[int, int]] = {
    ClockCommand.SEGMENTS: 8,
    ClockCommand.END_DISPLAY: 0,
    ClockCommand.BUTTON: 0,
    ClockCommand.VERSION: 0,
    ClockCommand.SET_AND_RUN: 7,
    ClockCommand.BEEP: 1,
    ClockCommand.TEXT: 9,
}


class VirtualClock:
    """A DGT 3000. Its times run while one of its sides runs; the side whose end of the lever is high is to move.

    Attributes:
        version: main and sub version, each below 16.
        text: the text that is shown in place of the times; "" if the times are shown.
        segments: the same as bytes for the digits' segments, in the order C B A F E D.
        beeps_ms: how long each beep lasted.
        running: the side whose time runs, if any.
        lever_high: the side at which the lever is high.
    """

    version = (1, 2)

    def __init__(self) -> None:
        self.text = ""
        self.segments = b""
        self.beeps_ms: list[int] = []
        self.running: ClockSide | None = None
        self.lever_high: ClockSide = "left"
        self._left_ms: dict[ClockSide, int] = {"left": 0, "right": 0}
        self._at_ms = 0

    def times_s(self, now_ms: int) -> tuple[int, int]:
        """Return the seconds that are shown on the left and on the right."""
        self._run_until(now_ms)
        return -(-self._left_ms["left"] // 1000), -(-self._left_ms["right"] // 1000)

    def obey(self, message: bytes, now_ms: int) -> bytes:
        """Carry out a command, from its 0x03 to its 0x00; return the acknowledgement as a frame."""
        self._run_until(now_ms)
        code, data = message[1] if len(message) > 1 else 0, message[2:-1]
        if message[0] != BEGIN or message[-1] != 0 or not self._knows(code, len(data)):
            return self._ack(ERROR, code)
        return self._carry_out(ClockCommand(code), data)

    def time_frame(self, now_ms: int) -> bytes:
        """Return the frame that tells both times."""
        left_s, right_s = self.times_s(now_ms)
        return bytes(
            [TIME_ID, 0, TIME_LENGTH, *self._shown("right", right_s), *self._shown("left", left_s), self._status()]
        )

    def _run_until(self, now_ms: int) -> None:
        if self.running is not None:
            self._left_ms[self.running] = max(0, self._left_ms[self.running] - (now_ms - self._at_ms))
        self._at_ms = now_ms

    def _knows(self, code: int, length: int) -> bool:
        return code == ClockCommand.ICONS or DATA_LENGTHS.get(code) == length

    def _carry_out(self, code: ClockCommand, data: bytes) -> bytes:
        match code:
            case ClockCommand.SEGMENTS:
                self.segments = data[:6]
                self._beep(1 if data[7] == LOUD else 0)
            case ClockCommand.END_DISPLAY:
                self.text, self.segments = "", b""
            case ClockCommand.VERSION:
                return self._ack(OK, code, self.version[0] << 4 | self.version[1])
            case ClockCommand.SET_AND_RUN:
                return self._set_and_run(data)
            case ClockCommand.BEEP:
                self._beep(data[0])
            case ClockCommand.TEXT:
                self.text = data[:8].decode("ascii", errors="replace")
                self._beep(data[8])
        return self._ack(OK, code)

    def _set_and_run(self, data: bytes) -> bytes:
        if any(value > most for value, most in zip(data, LARGEST + LARGEST, strict=False)):
            return self._ack(ERROR, ClockCommand.SET_AND_RUN)
        flags = data[6]
        self._left_ms = {"left": _milliseconds(data[:3]), "right": _milliseconds(data[3:6])}
        self.running = "left" if flags & LEFT_RUNS else "right" if flags & RIGHT_RUNS else None
        if flags & PAUSED:
            self.running = None
        return self._ack(OK, ClockCommand.SET_AND_RUN)

    def _beep(self, units: int) -> None:
        if units:
            self.beeps_ms.append(units * BEEP_UNIT_MS)

    def _shown(self, side: ClockSide, seconds: int) -> tuple[int, int, int]:
        fallen = FALLEN if seconds == 0 and self.running == side else 0
        return seconds // 3600 | fallen, _bcd(seconds // 60 % 60), _bcd(seconds % 60)

    def _status(self) -> int:
        to_move = RIGHT_TO_MOVE if (self.running or self.lever_high) == "right" else LEFT_TO_MOVE
        return (RUNNING if self.running else 0) | (RIGHT_HIGH if self.lever_high == "right" else 0) | to_move

    def _ack(self, result: int, code: int, more: int = 0, last: int = 0) -> bytes:
        """Return an acknowledgement: its four bytes as seven bits each, the eighth bits in those that tell it apart."""
        above = ACK_NIBBLE | (more & 0x80) >> 3 | (last & 0x80) >> 2
        below = ACK_NIBBLE | (result & 0x80) >> 3 | (code & 0x80) >> 2
        low = [each & 0x7F for each in (result, code, more, last)]
        return bytes([TIME_ID, 0, TIME_LENGTH, above, low[0], low[1], below, low[2], low[3], self._status()])


def _milliseconds(time: bytes) -> int:
    hours, minutes, seconds = time
    return 1000 * (3600 * hours + 60 * minutes + seconds)


def _bcd(number: int) -> int:
    return number // 10 << 4 | number % 10
