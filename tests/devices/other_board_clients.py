"""Second clients of the boards that people own (DGT, Certabo, Chessnut), written from their published protocols alone.

Nothing here is taken from the program's own clients, so that it can judge them. A client is a few functions without
I/O: from all bytes that a board sent to messages, and from what a board must show to bytes. A message is a tuple whose
first element is its name; a message that the protocol does not allow is left out.
"""

import re
from collections.abc import Callable, Collection, Container, Iterator, Sequence
from typing import Final

from captains_table.games.contract import Square

Message = tuple[object, ...]

# --- DGT: a byte from 0x80, then its length in two 7-bit bytes, then data, all below 0x80 ---

DGT_HEADER: Final = 3
DGT_FRAME: Final = re.compile(rb"[\x80-\xff][\x00-\x7f]*")
LONGEST_LOG: Final = 0x1F00 + DGT_HEADER
LAST_SQUARE: Final = 63
LAST_PIECE_CODE: Final = 0x0F
CLOCK_COMMAND: Final = 0x2B
END_DISPLAY, SET_AND_RUN, SHOW_ASCII = 0x03, 0x0A, 0x0C
CLOCK_CHARACTERS: Final = 8
LOUDEST_BEEP: Final = 15
LONGEST_TIME_S: Final = 10 * 3600 - 1
LEFT_RUNS, RIGHT_RUNS, PAUSE = 1, 2, 4


def dgt_messages(stream: bytes) -> list[Message]:
    """Return the messages in all bytes that a DGT board sent.

    A byte from 0x80 always begins a message, so that a stream is cut there before anything in it is read.
    """
    messages = (_dgt_message(found[0]) for found in DGT_FRAME.finditer(stream))
    return [message for message in messages if message is not None]


def _dgt_message(received: bytes) -> Message | None:
    """Return the message that some bytes begin with; `None` if it is unfinished, unknown or wrong."""
    if len(received) < DGT_HEADER or received[0] not in DGT_KINDS:
        return None
    size = received[1] << 7 | received[2]
    sizes, read = DGT_KINDS[received[0]]
    if size not in sizes or size > len(received):
        return None
    return read(received[DGT_HEADER:size])


def _dgt_board(data: bytes) -> Message | None:
    return None if max(data) > LAST_PIECE_CODE else ("board", tuple(data))


def _dgt_field(data: bytes) -> Message | None:
    square, code = data
    return None if square > LAST_SQUARE or code > LAST_PIECE_CODE else ("field", square, code)


def _dgt_words(name: str) -> Callable[[bytes], Message]:
    def read(data: bytes) -> Message:
        return name, re.sub(rb"[^\x20-\x7e]", b"?", data).decode("ascii")

    return read


def _dgt_battery(data: bytes) -> Message:
    """Return the charge in percent, `None` if the board does not know it; the last byte has the status."""
    percent = data[0] if data[0] <= 100 else None
    return "battery", percent, bool(data[-1] & 1)


def _dgt_clock(data: bytes) -> Message | None:
    """Return a clock's acknowledgement or its times, or that there is no clock."""
    if not any(data):
        return None
    if 0x0A in (data[0] & 0x0F, data[3] & 0x0F):
        return _dgt_acknowledgement(data)
    status = data[6]
    if status & 0x20:
        return ("no-clock",)
    left_s, right_s = _seconds(data[3:6]), _seconds(data[:3])
    if left_s is None or right_s is None:
        return None
    running, right_high, battery_low, right_turn, left_turn = (bool(status & 1 << bit) for bit in range(5))
    return "clock", left_s, right_s, running, right_high, left_turn, right_turn, battery_low


def _dgt_acknowledgement(data: bytes) -> Message:
    """Return the four bytes of an acknowledgement, whose top bits travel in the bytes of the hours."""
    right, ack0, ack1, left, ack2, ack3, _status = data
    tops = (left & 0x10, left & 0x20, right & 0x10, right & 0x20)
    low = (ack0, ack1, ack2, ack3)
    return "clock-ack", *(byte | (0x80 if top else 0) for byte, top in zip(low, tops, strict=True))


def _seconds(time: bytes) -> int | None:
    """Return the seconds of hours (low nibble), minutes and seconds in BCD; `None` if this is no time."""
    digits = [time[0] & 0x0F, time[1] >> 4, time[1] & 0x0F, time[2] >> 4, time[2] & 0x0F]
    if max(digits) > 9 or digits[1] > 5 or digits[3] > 5:
        return None
    hours, *rest = digits
    return hours * 3600 + (rest[0] * 10 + rest[1]) * 60 + rest[2] * 10 + rest[3]


DGT_KINDS: Final[dict[int, tuple[Container[int], Callable[[bytes], Message | None]]]] = {
    0x86: ((67,), _dgt_board),
    0x8D: ((10,), _dgt_clock),
    0x8E: ((5,), _dgt_field),
    0x8F: (range(DGT_HEADER, LONGEST_LOG + 1), lambda data: ("log", len(data))),
    0x90: ((5,), lambda data: ("bus-address", data[0] << 7 | data[1])),
    0x91: ((8,), _dgt_words("serial")),
    0x92: (range(DGT_HEADER, 1 << 14), _dgt_words("trademark")),
    0x93: ((5,), lambda data: ("version", data[0], data[1])),
    0xA0: ((10, 12), _dgt_battery),
    0xA2: ((13,), _dgt_words("long-serial")),
}


def dgt_text(text: str, beep: int) -> bytes:
    """Return the command that shows a text on a DGT 3000: the first 8 characters; others than ASCII become `?`.

    Raises:
        ValueError: the beep is not from 0 to 15.
    """
    if not 0 <= beep <= LOUDEST_BEEP:
        raise ValueError(f"a beep of {beep}: expected 0 to {LOUDEST_BEEP}")
    shown = re.sub(r"[^\x20-\x7e]", "?", text)[:CLOCK_CHARACTERS].ljust(CLOCK_CHARACTERS)
    return _clock_command(SHOW_ASCII, shown.encode("ascii") + bytes([beep]))


def dgt_set_and_run(left_s: int, right_s: int, *, left_runs: bool, right_runs: bool) -> bytes:
    """Return the command that sets both times and starts a side; with none that runs, the clock pauses.

    Raises:
        ValueError: a time is not from 0:00:00 to 9:59:59.
    """
    flags = LEFT_RUNS * left_runs | RIGHT_RUNS * right_runs or PAUSE
    return _clock_command(SET_AND_RUN, bytes([*_hours(left_s), *_hours(right_s), flags]))


def _hours(time_s: int) -> tuple[int, int, int]:
    """Return hours, minutes and seconds as plain numbers, as nothing says that they are BCD in this direction."""
    if not 0 <= time_s <= LONGEST_TIME_S:
        raise ValueError(f"{time_s} s on a clock: expected 0 to {LONGEST_TIME_S}")
    return time_s // 3600, time_s // 60 % 60, time_s % 60


def dgt_end_display() -> bytes:
    """Return the command that shows the clock's times again."""
    return _clock_command(END_DISPLAY, b"")


def _clock_command(command: int, data: bytes) -> bytes:
    body = bytes([0x03, command, *data, 0x00])
    return bytes([CLOCK_COMMAND, len(body)]) + body


# --- Certabo: lines of decimal numbers; between them letters that tell the kind of its lights ---

LONGEST_LINE: Final = 2000
NUMBERS: Final = re.compile(rb" *[0-9]+( [0-9]+)* *")
LIGHT_KINDS: Final = {b"L": "plain", b"D": "rgb"}
CORNERS: Final = 9
BLUE: Final = bytes([0, 0, 0x40])


def certabo_messages(stream: bytes) -> list[Message]:
    """Return the messages in all bytes that a Certabo or Tabutronic board sent."""
    return list(_certabo_messages(stream))


def _certabo_messages(stream: bytes) -> Iterator[Message]:
    while stream:
        between, colon, stream = stream.partition(b":")
        for letter in re.findall(rb"[LD]", between):
            yield "lights", LIGHT_KINDS[letter]
        line, feed, stream = stream.partition(b"\n")
        if colon and feed and (message := _certabo_line(line.removesuffix(b"\r"))) is not None:
            yield message


def _certabo_line(line: bytes) -> Message | None:
    """Return what a line says after its last colon; `None` if it says nothing or any piece is too long."""
    pieces = line.split(b":")
    if any(len(piece) > LONGEST_LINE for piece in pieces) or NUMBERS.fullmatch(pieces[-1]) is None:
        return None
    numbers = [int(digits) for digits in pieces[-1].split()]
    if max(numbers) > 255:
        return None
    if len(numbers) == 64 * 5:
        return "chips", tuple(tuple(numbers[start : start + 5]) for start in range(0, len(numbers), 5))
    return ("occupied", _occupied(numbers)) if len(numbers) == 8 else None


def _occupied(ranks: Sequence[int]) -> frozenset[Square]:
    """Return the squares whose bits are set: a number for each rank from the eighth down, bit 7 for file a."""
    return frozenset(Square(file, rank) for file in range(8) for rank in range(8) if ranks[7 - rank] & 0x80 >> file)


def certabo_lights(squares: Collection[Square]) -> bytes:
    """Return the command that lights squares on a board with plain LEDs, and turns the others off."""
    return bytes(sum(1 << file for file in range(8) if (file, rank) in squares) for rank in reversed(range(8)))


def certabo_rgb_lights(squares: Collection[Square]) -> bytes:
    """Return the command that lights squares' corners blue: row by row from Black's edge, in each row from file a."""
    lit = {(7 - rank + down, file + right) for file, rank in squares for down in (0, 1) for right in (0, 1)}
    corners = (BLUE if (row, column) in lit else bytes(3) for row in range(CORNERS) for column in range(CORNERS))
    return b"\xff\x55" + b"".join(corners) + b"\r\n"


# --- Chessnut: reports, a nibble for each square ---

CHESSNUT_PIECES: Final = ".qkbpnRPrBNQK"


def chessnut_messages(reports: Sequence[bytes]) -> list[Message]:
    """Return the messages in the reports that a Chessnut board sent."""
    messages = map(_chessnut_message, reports)
    return [message for message in messages if message is not None]


def _chessnut_message(report: bytes) -> Message | None:
    if report[:2] == b"\x01\x24" and len(report) >= 2 + 32:
        return _chessnut_board(report[2 : 2 + 32])
    if report[:2] == b"\x2a\x02" and len(report) >= 4 and report[2] & 0x7F <= 100:
        return "battery", report[2] & 0x7F, bool(report[2] & 0x80)
    return None


def _chessnut_board(data: bytes) -> Message | None:
    """Return the pieces from a8 to h1; the board sends each rank from file h, and the low nibble first."""
    codes = [code for byte in data for code in (byte & 0x0F, byte >> 4)]
    if max(codes) >= len(CHESSNUT_PIECES):
        return None
    letters = "".join(CHESSNUT_PIECES[code] for code in codes)
    return "board", "".join(letters[start : start + 8][::-1] for start in range(0, 64, 8))


def chessnut_lights(squares: Collection[Square]) -> bytes:
    """Return the command that lights squares, and turns the others off."""
    ranks = (sum(0x80 >> file for file in range(8) if (file, rank) in squares) for rank in reversed(range(8)))
    return bytes([0x0A, 0x08, *ranks])
