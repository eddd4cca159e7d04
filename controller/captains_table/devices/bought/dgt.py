"""The language of DGT e-boards on a serial line, with the DGT clock on their cable (docs/boards.md, "DGT").

The board is asked for all squares at the start, and then reports each square that changes. It loses reports on a bad
line; therefore it is asked for all squares again whenever it has been quiet, and believed if two answers agree. Codes
of pieces become readings such as `N` (white) and `n` (black). Never sent: 0x4e, which starts the boot loader.
"""

import re
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import IntEnum
from typing import Final, NamedTuple

from captains_table.devices.bought.dgt_clock import DgtClock
from captains_table.devices.bought.protocol import (
    BoardFacts,
    BoardMessage,
    ButtonUsed,
    ClockFace,
    SquareChanged,
    WholeBoard,
)
from captains_table.games.contract import Square
from captains_table.table.model.events import Button

BAUD: Final = 9600
COMMAND_MS: Final = 100
"""Old boards need so long for a command."""
QUIET_MS: Final = 300
"""A full scan takes up to 250 ms: after so long without a report, the board is asked for all squares."""
ANSWER_MS: Final = 600
"""If all squares do not come within this time, they are asked for again."""
BATTERY_MS: Final = 60_000
"""The interval at which a board is asked for its battery; one on a cable does not answer."""
WATCH_MS: Final = 1000
"""The interval after which all squares are asked for: the last report may be lost, and the board must be heard."""
READINGS: Final = ".PRNBKQprnbkq"
SQUARES: Final = 64
CODES: Final = 16
FIRST_BYTE: Final = 0x80
"""The first byte of a message is at least this, and no other is."""
HEADER: Final = 3
FULL: Final = 100


class Command(IntEnum):
    """The commands that are sent; each is one byte."""

    RESET = 0x40
    SEND_CLOCK = 0x41
    SEND_BOARD = 0x42
    UPDATE_NICE = 0x4B
    SEND_BATTERY = 0x4C
    SEND_VERSION = 0x4D
    SEND_SERIAL = 0x45


class MessageId(IntEnum):
    """The messages that are read; other messages are skipped by their length."""

    BOARD = 0x86
    TIME = 0x8D
    FIELD = 0x8E
    BUS_ADDRESS = 0x90
    SERIAL = 0x91
    VERSION = 0x93
    BATTERY = 0xA0
    LONG_SERIAL = 0xA2


LENGTHS: Final[Mapping[int, tuple[int, ...]]] = {
    MessageId.BOARD: (67,),
    MessageId.TIME: (10,),
    MessageId.FIELD: (5,),
    MessageId.BUS_ADDRESS: (5,),
    MessageId.SERIAL: (8,),
    MessageId.VERSION: (5,),
    MessageId.BATTERY: (10, 12),
    MessageId.LONG_SERIAL: (13,),
}
"""The lengths that a message may have, with its three bytes of header; a message that is not here may have any."""
LONGEST: Final = 0x1F00 + 3  # the log of the board's memory

START: Final = (
    *(Command.RESET, Command.SEND_VERSION, Command.SEND_SERIAL),
    *(Command.SEND_BOARD, Command.UPDATE_NICE, Command.SEND_CLOCK),
)
CLOCK_BUTTONS: Final = {
    0x31: Button.BACK,
    0x32: Button.NEXT,
    0x33: Button.ROLL,
    0x34: Button.PREVIOUS,
    0x35: Button.CHOOSE,
}
"""The clock's five buttons from left to right: back, plus, run, minus, ok."""
NO_CLOCK: Final = 0x20
ANSWERS: Final = 0x0A
"""In the place of the hours: the clock does not tell its time, but answers."""
BUTTON_PRESSED: Final = 0x88
CLOCK_TIME: Final = re.compile(r"(\d):([0-5]\d):([0-5]\d)", re.ASCII)


class DgtMessage(NamedTuple):
    """A whole message of the board: its id and its data, whose bytes are all below 0x80."""

    id: int
    data: bytes


class ClockTime(NamedTuple):
    """What the clock shows.

    Attributes:
        left_s: the seconds on the left side.
        right_s: the seconds on the right side.
        is_running: whether it runs.
        right_is_high: the position of the lever.
    """

    left_s: int
    right_s: int
    is_running: bool
    right_is_high: bool


class DgtReader:
    """Finds the messages in the bytes of a board; a byte from 0x80 on begins a message, whatever came before."""

    def __init__(self) -> None:
        self._unread = bytearray()

    def feed(self, data: bytes) -> Iterator[DgtMessage]:
        """Yield the messages that these bytes complete."""
        for byte in data:
            if byte >= FIRST_BYTE:
                self._unread = bytearray([byte])
            elif self._unread:
                self._unread.append(byte)
                message = self._complete()
                if message is not None:
                    yield message

    def _complete(self) -> DgtMessage | None:
        """Return the message that the unread bytes are; drop them if they can be none."""
        unread = self._unread
        if len(unread) < HEADER:
            return None
        length = unread[1] << 7 | unread[2]
        if not HEADER <= length <= LONGEST or length not in LENGTHS.get(unread[0], (length,)):
            self._unread = bytearray()
        if len(self._unread) < length or not self._unread:
            return None
        self._unread = bytearray()
        return DgtMessage(unread[0], bytes(unread[HEADER:]))


def numbered_square(number: int) -> Square:
    """Return the square of a number of the board: 0 is a8, 7 is h8, 63 is h1."""
    return Square(number % 8, 7 - number // 8)


def reading_of(code: int) -> str:
    """Return the reading of a piece's code, such as `N`; the three pieces that end a game are `#13` to `#15`."""
    return READINGS[code] if code < len(READINGS) else f"#{code}"


def clock_time(data: bytes) -> ClockTime | None:
    """Return the clock's time; `None` if no clock is there, for an empty message, or for one that is no time."""
    if not any(data) or data[6] & NO_CLOCK:
        return None
    sides = [_seconds(data[at], data[at + 1], data[at + 2]) for at in (0, 3)]
    right_s, left_s = sides
    if right_s is None or left_s is None:
        return None
    return ClockTime(left_s, right_s, bool(data[6] & 1), bool(data[6] & 2))


def _seconds(hours: int, minutes: int, seconds: int) -> int | None:
    """Return a time in binary-coded decimals in seconds; `None` if it is none."""
    text = f"{hours & 0x0F:x}:{minutes:02x}:{seconds:02x}"
    found = CLOCK_TIME.fullmatch(text)
    return None if found is None else 3600 * int(found[1]) + 60 * int(found[2]) + int(found[3])


def clock_answer(data: bytes) -> tuple[int, int, int, int] | None:
    """Return the four bytes of an acknowledgement of the clock; `None` if a message tells the time."""
    if ANSWERS not in (data[0] & 0x0F, data[3] & 0x0F):
        return None
    return (
        data[1] & 0x7F | data[3] << 3 & 0x80,
        data[2] & 0x7F | data[3] << 2 & 0x80,
        data[4] & 0x7F | data[0] << 3 & 0x80,
        data[5] & 0x7F | data[0] << 2 & 0x80,
    )


class DgtProtocol:
    """The host's end of a DGT board; `BoardProtocol` says what its methods do."""

    def __init__(self) -> None:
        self._clock = DgtClock()
        self.begin(0)

    def begin(self, now_ms: int) -> None:
        self._clock.unplug()
        self._reader = DgtReader()
        self._commands = deque[Command](START)
        self._next_ms = self._battery_ms = now_ms
        self._ask_ms: int | None = None  # when all squares are asked for
        self._heard_ms = now_ms
        self._facts = BoardFacts()
        self._known: bytes | None = None  # the codes of all squares
        self._unconfirmed: bytes | None = None

    def receive(self, data: bytes, now_ms: int) -> Iterable[BoardMessage]:
        return [report for message in self._reader.feed(data) for report in self._read(message, now_ms)]

    def tick(self, now_ms: int) -> bytes:
        if self._ask_ms is not None and now_ms >= self._ask_ms:
            self._ask_ms = None
            self._commands.append(Command.SEND_BOARD)
        if not self._commands and now_ms >= self._battery_ms:
            self._battery_ms = now_ms + BATTERY_MS
            self._commands.append(Command.SEND_BATTERY)
        if not self._commands and now_ms - self._heard_ms >= WATCH_MS:
            self._heard_ms = now_ms
            self._commands.append(Command.SEND_BOARD)
        if now_ms < self._next_ms:
            return b""
        message = b"" if self._commands else self._clock.message(now_ms)
        if not self._commands and not message:
            return b""
        self._next_ms = now_ms + COMMAND_MS
        if message:
            return message
        command = self._commands.popleft()
        if command == Command.SEND_BOARD:
            self._ask_ms = now_ms + ANSWER_MS
        return bytes([command])

    def due_ms(self) -> int | None:
        if self._commands:
            return self._next_ms
        clock_ms = self._clock.due_ms(self._next_ms)
        dues = (
            self._heard_ms + WATCH_MS,
            self._ask_ms,
            self._battery_ms,
            None if clock_ms is None else max(clock_ms, self._next_ms),
        )
        return min(due_ms for due_ms in dues if due_ms is not None)

    def light(self, squares: Collection[Square]) -> None:
        """Do nothing: the board has no lights."""

    def show(self, face: ClockFace) -> None:
        self._clock.show(face)

    def _read(self, message: DgtMessage, now_ms: int) -> Iterator[BoardMessage]:
        data = message.data
        match message.id:
            case MessageId.BOARD if max(data) < CODES:
                self._heard_ms = now_ms
                yield from self._read_board(data)
            case MessageId.FIELD if data[0] < SQUARES and data[1] < CODES:
                self._heard_ms = now_ms
                self._ask_ms, self._unconfirmed = now_ms + QUIET_MS, None
                if self._known is not None:
                    self._known = self._known[: data[0]] + data[1:2] + self._known[data[0] + 1 :]
                yield SquareChanged(numbered_square(data[0]), reading_of(data[1]) if data[1] else None)
            case MessageId.TIME:
                yield from self._read_clock(data, now_ms)
            case MessageId.VERSION:
                self._facts = self._facts._replace(version=f"{data[0]}.{data[1]}")
                yield self._facts
            case MessageId.SERIAL | MessageId.LONG_SERIAL:
                serial = "".join(letter if letter.isprintable() else "?" for letter in data.decode("ascii"))
                self._facts = self._facts._replace(serial=serial)
                yield self._facts
            case MessageId.BATTERY:
                percent = data[0] if data[0] <= FULL else None
                self._facts = self._facts._replace(battery=percent, is_charging=bool(data[-1] & 1))
                yield self._facts

    def _read_board(self, codes: bytes) -> Iterator[BoardMessage]:
        """Yield the whole board once two answers in a row agree, unless it is as the reports of squares told.

        A bad line may lose one byte of an answer and double another, which moves all squares between the two.
        """
        self._ask_ms = None
        if codes == self._known:
            self._unconfirmed = None
            yield self._facts  # it is there
        elif codes == self._unconfirmed:
            self._known = codes
            yield WholeBoard({numbered_square(at): reading_of(code) for at, code in enumerate(codes) if code})
        else:
            self._unconfirmed = codes
            self._commands.append(Command.SEND_BOARD)

    def _read_clock(self, data: bytes, now_ms: int) -> Iterator[BoardMessage]:
        """Yield what the clock's buttons and lever say: the lever is the press of the clock, like the roll button."""
        answer = clock_answer(data)
        time = None if answer is not None else clock_time(data)
        if answer is not None and answer[1] != BUTTON_PRESSED:
            self._clock.hear_answer(answer[0], answer[1], now_ms)
        elif answer is not None and answer[3] in CLOCK_BUTTONS:
            yield ButtonUsed(CLOCK_BUTTONS[answer[3]])
        elif time is not None and self._clock.hear_time(right_is_high=time.right_is_high):
            yield ButtonUsed(Button.ROLL)
        elif any(data) and data[6] & NO_CLOCK:
            self._clock.unplug()
        facts = self._facts._replace(has_clock=self._clock.is_there, refuses_times=self._clock.refuses_times)
        if facts != self._facts:
            self._facts = facts
            yield facts
