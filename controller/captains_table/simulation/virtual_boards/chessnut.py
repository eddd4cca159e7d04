"""A virtual Chessnut Air: a USB HID board that knows its pieces and has a light in every square."""

from collections.abc import Iterable
from typing import ClassVar, Final

from captains_table.simulation.virtual_boards.virtual_board import (
    SIDE,
    SQUARES,
    UNKNOWN_PIECE,
    Forbidden,
    PositionSender,
    bits,
)

CODES: Final = {letter: code for code, letter in enumerate(("", *"qkbpnRPrBNQK"))}
UNKNOWN_CODE: Final = 13
DRIVE_PIECES: Final = b"\x42\x21"
REAL_TIME, FILE_MODE = b"\x21\x01\x00", b"\x21\x01\x01"
LIGHTS, BEEP = b"\x0a\x08", b"\x0b\x04"
VERSION: Final = b"CTV_100"


class VirtualChessnut(PositionSender):
    """A Chessnut Air at its USB cable; it sends its position after each scan once the host has asked for that.

    Attributes:
        beeps: frequency in Hz and length in ms of each beep that the host asked for.
        battery: percent.
        charging: whether the battery is charged.
    """

    baud: ClassVar[int | None] = None
    scan_ms = 200

    def power_up(self, now_ms: int) -> None:
        super().power_up(now_ms)
        self._next_ms = None
        self._began_ms = now_ms
        self.beeps: list[tuple[int, int]] = []
        self.battery = 100
        self.charging = False

    def receive(self, data: bytes, now_ms: int) -> None:
        self._catch_up(now_ms)
        if data.startswith(DRIVE_PIECES):
            raise Forbidden("42 21 makes a Chessnut Move drive its pieces; the program must never send it")
        if data.startswith(REAL_TIME):
            self._next_ms = now_ms
        elif data.startswith(FILE_MODE):
            self._next_ms = None
        elif data.startswith(LIGHTS) and len(data) >= len(LIGHTS) + SIDE:
            self._lit = bits(data[2 : 2 + SIDE], high_first=True)
        elif data.startswith(BEEP) and len(data) >= 6:  # noqa: PLR2004
            self.beeps.append((int.from_bytes(data[2:4], "big"), int.from_bytes(data[4:6], "big")))
        for answer in self._answers(data[:3]):
            self._outbox.post(answer, now_ms)

    def _answers(self, question: bytes) -> Iterable[bytes]:
        match question:
            case b"\x29\x01\x00":
                yield bytes([0x2A, 2, self.battery | (0x80 if self.charging else 0), 0])
            case b"\x27\x01\x00" | b"\x27\x01\x01":
                yield bytes([0x28, len(VERSION)]) + VERSION
            case b"\x31\x01\x00":  # no games are stored
                yield b"\x32\x01\x00"
            case b"\x34\x01\x01":
                yield b"\x37\x01\xbe"
                yield b"\x37\x01\xed"

    def _frames(self, now_ms: int) -> Iterable[bytes]:
        nibbles = [self._code(number // SIDE * SIDE + SIDE - 1 - number % SIDE) for number in range(SQUARES)]
        board = bytes(low | high << 4 for low, high in zip(nibbles[::2], nibbles[1::2], strict=True))
        uptime_s = (now_ms - self._began_ms) // 1000 & 0xFFFF
        yield b"\x01\x24" + board + uptime_s.to_bytes(2, "little") + b"\0\0"

    def _code(self, number: int) -> int:
        reading = self._sampler.seen[number]
        return UNKNOWN_CODE if reading == UNKNOWN_PIECE else CODES[reading]
