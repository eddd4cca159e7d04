"""The language of Chessnut boards on USB, in reports of a HID device (docs/boards.md, "Chessnut").

The board sends all its squares. Never sent: `42 21`, on which a Chessnut Move drives its pieces.
"""

from collections import deque
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from captains_table.devices.bought.protocol import BoardFacts, BoardMessage, ClockFace, WholeBoard
from captains_table.games.contract import Square

VENDOR: Final = 0x2D80
PRODUCTS: Final = range(0x80, 0x87)
"""The high bytes of the boards' product ids."""
CODES: Final = ".qkbpnRPrBNQK"
POSITION: Final = b"\x01\x24"
BATTERY: Final = b"\x2a\x02"
BOARD_BYTES: Final = 32
REAL_TIME: Final = b"\x21\x01\x00"
ASK_BATTERY: Final = b"\x29\x01\x00"
BATTERY_MS: Final = 2_000
"""The battery is asked for at this interval, so that a board that reports only changes is heard while it rests."""
LIGHTS: Final = b"\x0a\x08"
FULL: Final = 100


def position_of(report: bytes) -> dict[Square, str] | None:
    """Return the pieces of a report as FEN letters by square; `None` if it is no position.

    The squares are two to a byte, the low half first, from h8 to a8, then h7, and so on.
    """
    if not report.startswith(POSITION) or len(report) < len(POSITION) + BOARD_BYTES:
        return None
    board = report[len(POSITION) : len(POSITION) + BOARD_BYTES]
    codes = [code for byte in board for code in (byte & 0x0F, byte >> 4)]
    if max(codes) >= len(CODES):
        return None
    return {Square(7 - at % 8, 7 - at // 8): CODES[code] for at, code in enumerate(codes) if code}


def lights_of(squares: Collection[Square]) -> bytes:
    """Return the report that lights squares: one byte for each rank from 8 down, whose highest bit is file a."""
    ranks = [0] * 8
    for square in squares:
        ranks[7 - square.rank] |= 0x80 >> square.file
    return LIGHTS + bytes(ranks)


class ChessnutProtocol:
    """The host's end of a Chessnut board; `BoardProtocol` says what its methods do. Each call carries one report."""

    def __init__(self) -> None:
        self._lit: frozenset[Square] = frozenset()
        self.begin(0)

    def begin(self, now_ms: int) -> None:
        self._commands = deque([REAL_TIME, ASK_BATTERY])
        self._battery_ms = now_ms + BATTERY_MS
        self._shown: bytes | None = None

    def receive(self, data: bytes, now_ms: int) -> Iterable[BoardMessage]:  # noqa: ARG002 - it needs no time
        return list(self._read(data))

    def _read(self, report: bytes) -> Iterator[BoardMessage]:
        pieces = position_of(report)
        if pieces is not None:
            yield WholeBoard(pieces)
        elif report.startswith(BATTERY) and len(report) > len(BATTERY) + 1 and report[2] & 0x7F <= FULL:
            yield BoardFacts(battery=report[2] & 0x7F, is_charging=bool(report[2] & 0x80))

    def tick(self, now_ms: int) -> bytes:
        if now_ms >= self._battery_ms:
            self._battery_ms = now_ms + BATTERY_MS
            self._commands.append(ASK_BATTERY)
        if self._commands:
            return self._commands.popleft()
        lights = lights_of(self._lit)
        if lights == self._shown:
            return b""
        self._shown = lights
        return lights

    def due_ms(self) -> int | None:
        return 0 if self._commands or lights_of(self._lit) != self._shown else self._battery_ms

    def light(self, squares: Collection[Square]) -> None:
        self._lit = frozenset(squares)

    def show(self, face: ClockFace) -> None:
        """Do nothing: the board has no clock."""
