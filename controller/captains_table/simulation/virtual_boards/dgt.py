"""A virtual DGT e-board at a serial line: single-board commands, field updates, its clock."""

import random
from collections.abc import Callable, Iterator, Mapping
from enum import Enum, auto
from operator import itemgetter
from typing import ClassVar, Final

from captains_table.games.contract import Square
from captains_table.simulation.virtual_boards.dgt_clock import VirtualClock
from captains_table.simulation.virtual_boards.virtual_board import (
    NO_PIECES,
    UNKNOWN_PIECE,
    Forbidden,
    ScannedBoard,
    earliest,
)

CODES: Final = {letter: code for code, letter in enumerate(("", *"PRNBKQprnbkq"))}
UNKNOWN_CODE: Final = 0x0D  # read where a piece is that stands for a draw
HEADER_LENGTH: Final = 3
DUMP, FIELD_UPDATE, BUS_ADDRESS, SERIAL_NUMBER = 0x86, 0x8E, 0x90, 0x91
TRADEMARK, VERSION, LONG_SERIAL_NUMBER = 0x92, 0x93, 0xA2
CLOCK_MESSAGE, BOOTLOADER = 0x2B, 0x4E
BUS_COMMAND_LENGTH: Final = 4
CLOCK_TAKES_MS: Final = 300
SECOND_MS: Final = 1000
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
    """A DGT board by USB.

    It never sends the text of DGT's trademark: it answers that command with a text of its own. Commands of the bus mode
    get no answer.

    Attributes:
        clock: the clock.
        mode: what the board reports by itself.
    """

    baud: ClassVar[int | None] = 9600
    scan_ms = 200
    serial_number: ClassVar[str] = "01234"
    _with_length = frozenset({CLOCK_MESSAGE})  # the commands that tell their length

    def __init__(self, rng: random.Random, pieces: Mapping[Square, str] = NO_PIECES) -> None:
        self.clock = VirtualClock()
        super().__init__(rng, pieces)

    def power_up(self, now_ms: int) -> None:
        super().power_up(now_ms)
        self.mode = UpdateMode.BUS
        self._now_ms = now_ms
        self._command = b""
        self._clock_free_ms = now_ms
        self._acknowledgement = b""
        self._tick_ms = now_ms
        self._last_time = b""

    def receive(self, data: bytes, now_ms: int) -> None:
        self._catch_up(now_ms)
        self._command += data
        while 0 < (length := self._command_length()) <= len(self._command):
            command, self._command = self._command[:length], self._command[length:]
            self._obey(command, now_ms)

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

    def _time_report(self, at_ms: int) -> bytes:
        self._last_time = self.clock.time_frame(at_ms)
        return self._last_time

    # --- commands ---------------------------------------------------------------------------------------------------

    def _command_length(self) -> int:
        """Return how many bytes the command has that begins what was heard; 0 if that is not known yet."""
        if not self._command:
            return 0
        if self._command[0] in self._with_length:
            return 2 + self._command[1] if len(self._command) > 1 else 0
        return BUS_COMMAND_LENGTH if self._command[0] & 0x80 else 1

    def _obey(self, command: bytes, now_ms: int) -> None:
        code = command[0]
        if code == BOOTLOADER:
            raise Forbidden("4e puts a DGT board into its bootloader; the program must never send it")
        if code == CLOCK_MESSAGE:
            self._obey_clock_message(command[2:], now_ms)
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
        answer = self._answer(code)
        if answer:
            self._outbox.post(answer, now_ms)

    def _answer(self, code: int) -> bytes:
        """Return the answer to a question; empty if it is none."""
        return self._answers[code](self) if code in self._answers else b""

    def _obey_clock_message(self, message: bytes, now_ms: int) -> None:
        if not message or now_ms < self._clock_free_ms:
            return
        self._clock_free_ms = now_ms + CLOCK_TAKES_MS
        self._acknowledgement = self.clock.obey(message, now_ms)

    _answers: ClassVar[Mapping[int, Callable[["VirtualDgt"], bytes]]] = {
        0x41: lambda self: self.clock.time_frame(self._now_ms),
        0x42: lambda self: _frame(DUMP, bytes(map(_code, self._sampler.seen))),
        0x45: lambda self: _frame(SERIAL_NUMBER, self.serial_number.encode()),
        0x46: lambda self: _frame(BUS_ADDRESS, _seven_bits(int(self.serial_number[-4:], 16))),
        0x47: lambda _: _frame(TRADEMARK, GREETING),
        0x4D: lambda _: _frame(VERSION, bytes([1, 8])),
        0x55: lambda self: _frame(LONG_SERIAL_NUMBER, self.serial_number.rjust(10, "0").encode()),
    }


def _code(reading: str) -> int:
    return UNKNOWN_CODE if reading == UNKNOWN_PIECE else CODES[reading]


def _frame(message_id: int, data: bytes) -> bytes:
    return bytes([message_id]) + _seven_bits(HEADER_LENGTH + len(data)) + data


def _seven_bits(number: int) -> bytes:
    return bytes([number >> 7 & 0x7F, number & 0x7F])
