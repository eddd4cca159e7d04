"""A virtual DGT e-board at a serial line: single-board commands, field updates, its clock, its lights, its log."""

import random
from collections.abc import Callable, Iterator, Mapping
from enum import Enum, auto
from operator import itemgetter
from typing import ClassVar, Final

from captains_table.games.contract import Square
from captains_table.simulation.virtual_boards.dgt_clock import ClockButton, ClockKind, VirtualClock
from captains_table.simulation.virtual_boards.virtual_board import (
    NO_PIECES,
    NO_QUIRKS,
    SQUARES,
    UNKNOWN_PIECE,
    Forbidden,
    Quirks,
    Sample,
    ScannedBoard,
    earliest,
    happens,
)

CODES: Final = {letter: code for code, letter in enumerate(("", *"PRNBKQprnbkq"))}
UNKNOWN_CODE: Final = 0x0D  # read where a piece is that stands for a draw
HEADER_LENGTH: Final = 3
DUMP, FIELD_UPDATE, LOG, BUS_ADDRESS, SERIAL_NUMBER = 0x86, 0x8E, 0x8F, 0x90, 0x91
TRADEMARK, VERSION, BATTERY, LONG_SERIAL_NUMBER = 0x92, 0x93, 0xA0, 0xA2
CLOCK_MESSAGE, SET_LIGHTS, BOOTLOADER = 0x2B, 0x60, 0x4E
BUS_COMMAND_LENGTH: Final = 4
OFF_COMMAND_SQUARE: Final = 0x40
LOG_POWER_UP, LOG_END, LOG_NOTHING, LOG_PIECE, LOG_SOON = 0x6A, 0x6B, 0x7F, 0x40, 0x10
LOG_SOON_MS: Final = 250
LONGEST_LOG: Final = 0x1F00
LONGEST_CHUNK: Final = 250
CLOCK_TAKES_MS: Final = 300
SECOND_MS: Final = 1000
ON_BATTERY: Final = (0x7F, 0x7F, 0, 0, 0, 0, 0, 2)
GREETING: Final = b"Captain's Table: a simulated chessboard, no product of any maker of boards"


class UpdateMode(Enum):
    """What a board reports by itself."""

    BUS = auto()
    IDLE = auto()
    ALL = auto()
    FIELDS = auto()
    NICE = auto()


MODES: Final = {
    0x40: UpdateMode.IDLE,
    0x43: UpdateMode.ALL,
    0x44: UpdateMode.FIELDS,
    0x4A: UpdateMode.BUS,
    0x4B: UpdateMode.NICE,
}
CLOCK_MODES: Final = {UpdateMode.ALL, UpdateMode.NICE}
FIELD_MODES: Final = {UpdateMode.FIELDS, *CLOCK_MODES}


class VirtualDgt(ScannedBoard):
    """A DGT board, by USB or Bluetooth, or with lights a Revelation II.

    It never sends the text of DGT's trademark: it answers that command with a text of its own. Commands of the bus mode
    get no answer.

    Args:
        clock: the kind of the clock at its line.
        revelation: whether it has lights.
        battery: percent, as a Bluetooth board tells; `None` for a board without a battery, which gives no answer.

    Attributes:
        clock: the clock.
        mode: what the board reports by itself.
    """

    baud: ClassVar[int | None] = 9600
    usual_scan_ms: ClassVar[int] = 200
    serial_number: ClassVar[str] = "01234"

    def __init__(
        self,
        rng: random.Random,
        pieces: Mapping[Square, str] = NO_PIECES,
        quirks: Quirks = NO_QUIRKS,
        *,
        clock: ClockKind = "3000",
        revelation: bool = False,
        battery: int | None = None,
    ) -> None:
        self.clock = VirtualClock(clock)
        self.clock.present = not quirks.no_clock
        self._lights = revelation and not quirks.no_leds
        self._battery = battery
        self._log = bytearray([LOG_NOTHING] * LONGEST_LOG if quirks.full_log else [])
        self._logged_ms = -SECOND_MS
        super().__init__(rng, pieces, quirks)

    def power_up(self, now_ms: int) -> None:
        super().power_up(now_ms)
        self.mode = UpdateMode.BUS
        self._now_ms = now_ms
        self._command = b""
        self._obeyed_ms = now_ms - SECOND_MS
        self._clock_free_ms = now_ms
        self._acknowledgement = b""
        self._tick_ms = now_ms
        self._last_time = b""
        self._log.append(LOG_POWER_UP)

    def receive(self, data: bytes, now_ms: int) -> None:
        self._catch_up(now_ms)
        self._command += data
        while 0 < (length := self._command_length()) <= len(self._command):
            command, self._command = self._command[:length], self._command[length:]
            if now_ms - self._obeyed_ms >= self._quirks.command_gap_ms:
                self._obeyed_ms = now_ms
                self._obey(command, now_ms)

    def press(self, button: ClockButton, now_ms: int = 0) -> None:
        """Press a button of the clock; without a time, at the last time that the board was told."""
        self._catch_up(max(self._now_ms, now_ms))
        frame = self.clock.press(button)
        if self.clock.present and self.mode in CLOCK_MODES:
            self._outbox.post(frame, self._now_ms)

    def toggle_lever(self, now_ms: int = 0) -> None:
        """Push the clock's lever to its other side; without a time, at the last time that the board was told."""
        self._catch_up(max(self._now_ms, now_ms))
        self.clock.toggle_lever(self._now_ms)
        if self.clock.present and self.mode in CLOCK_MODES:
            self._outbox.post(self._time_report(self._now_ms), self._now_ms)

    def due_ms(self) -> int | None:
        samples_ms = self._sampler.due_ms() if self.mode in FIELD_MODES else None
        if self.mode not in CLOCK_MODES:
            return earliest(self._outbox.due_ms(), samples_ms)
        acknowledgement_ms = self._clock_free_ms if self._acknowledgement else None
        return earliest(self._outbox.due_ms(), samples_ms, self._tick_ms, acknowledgement_ms)

    # --- by itself --------------------------------------------------------------------------------------------------

    def _catch_up(self, now_ms: int) -> None:
        self._now_ms = now_ms
        for at_ms, frame in sorted(self._own_frames(now_ms), key=itemgetter(0)):
            self._outbox.post(frame, at_ms)

    def _own_frames(self, now_ms: int) -> Iterator[tuple[int, bytes]]:
        """Yield what the board sends without being asked, with the time of each frame."""
        for sample in self._sampler.sample(now_ms):
            self._write_log(sample)
            if self.mode in FIELD_MODES:
                yield sample.at_ms, _frame(FIELD_UPDATE, bytes([sample.number, _code(sample.reading)]))
        if self._acknowledgement and self._clock_free_ms <= now_ms:
            if self.mode in CLOCK_MODES:
                yield self._clock_free_ms, self._acknowledgement
            self._acknowledgement = b""
        while self.mode in CLOCK_MODES and self._tick_ms <= now_ms:
            if self.mode is UpdateMode.ALL or self.clock.time_frame(self._tick_ms) != self._last_time:
                yield self._tick_ms, self._time_report(self._tick_ms)
            self._tick_ms += SECOND_MS

    def _write_log(self, sample: Sample) -> None:
        soon = LOG_SOON if sample.at_ms - self._logged_ms <= LOG_SOON_MS else 0
        self._logged_ms = sample.at_ms
        self._log += bytes([LOG_PIECE | soon | _code(sample.reading), sample.number])

    def _time_report(self, at_ms: int) -> bytes:
        self._last_time = self.clock.time_frame(at_ms)
        blank = happens(self._quirks.zero_times, self._rng)
        return self._last_time[:HEADER_LENGTH] + bytes(7) if blank else self._last_time

    # --- commands ---------------------------------------------------------------------------------------------------

    def _command_length(self) -> int:
        """Return how many bytes the command has that begins what was heard; 0 if that is not known yet."""
        if not self._command:
            return 0
        first = self._command[0]
        if first == CLOCK_MESSAGE or (first == SET_LIGHTS and self._lights):
            return 2 + self._command[1] if len(self._command) > 1 else 0
        return BUS_COMMAND_LENGTH if first & 0x80 else 1

    def _obey(self, command: bytes, now_ms: int) -> None:
        code = command[0]
        if code == BOOTLOADER:
            raise Forbidden("4e puts a DGT board into its bootloader; the program must never send it")
        if code == CLOCK_MESSAGE:
            self._obey_clock_message(command[2:], now_ms)
        elif code == SET_LIGHTS and self._lights:
            self._set_lights(command[2:])
        elif code & 0x80 == 0:
            self._obey_single_byte(code, now_ms)

    def _obey_single_byte(self, code: int, now_ms: int) -> None:
        if code in MODES:
            self.mode = MODES[code]
            self._tick_ms = now_ms + SECOND_MS
            self._last_time = b""
            return
        if self.mode is UpdateMode.BUS:
            self.mode = UpdateMode.IDLE
        answer = self._answers[code](self) if code in self._answers else b""
        for first in range(0, len(answer), LONGEST_CHUNK):  # the log alone is longer: the line is busy with it for 8 s
            self._outbox.post(answer[first : first + LONGEST_CHUNK], now_ms)

    def _obey_clock_message(self, message: bytes, now_ms: int) -> None:
        if not message or not self.clock.present or now_ms < self._clock_free_ms:
            return
        self._clock_free_ms = now_ms + CLOCK_TAKES_MS
        self._acknowledgement = self.clock.obey(message, now_ms)

    def _set_lights(self, message: bytes) -> None:
        if len(message) != BUS_COMMAND_LENGTH:
            return
        pattern, first, last, _ = message
        if first == OFF_COMMAND_SQUARE:
            self._lit.clear()
        elif pattern:
            self._lit |= {number for number in (first, last) if number < SQUARES}
        else:
            self._lit -= {first, last}

    _answers: ClassVar[Mapping[int, Callable[["VirtualDgt"], bytes]]] = {
        0x41: lambda self: self.clock.time_frame(self._now_ms),
        0x42: lambda self: _frame(DUMP, bytes(map(_code, self._sampler.seen))),
        0x45: lambda self: _frame(SERIAL_NUMBER, self.serial_number.encode()),
        0x46: lambda self: _frame(BUS_ADDRESS, _seven_bits(int(self.serial_number[-4:], 16))),
        0x47: lambda _: _frame(TRADEMARK, GREETING),
        0x49: lambda self: _frame(LOG, bytes([*self._log[1 - LONGEST_LOG :], LOG_END])),
        0x4C: lambda self: b"" if self._battery is None else _frame(BATTERY, bytes([self._battery, *ON_BATTERY])),
        0x4D: lambda self: _frame(VERSION, bytes([3, 24] if self._lights else [1, 8])),
        0x55: lambda self: _frame(LONG_SERIAL_NUMBER, self.serial_number.rjust(10, "0").encode()),
    }


def _code(reading: str) -> int:
    return UNKNOWN_CODE if reading == UNKNOWN_PIECE else CODES[reading]


def _frame(message_id: int, data: bytes) -> bytes:
    return bytes([message_id]) + _seven_bits(HEADER_LENGTH + len(data)) + data


def _seven_bits(number: int) -> bytes:
    return bytes([number >> 7 & 0x7F, number & 0x7F])
