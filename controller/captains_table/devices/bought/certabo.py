"""The language of Certabo and Tabutronic boards on a serial line (docs/boards.md, "Certabo and Tabutronic").

The board talks by itself, in lines of decimal numbers. A board with chips in its pieces sends the number of the chip on
each square; that number is the square's reading, and the table learns at set-up which piece has which chip. A weak chip
is missed in some scans, so a square counts as what at least two of its last three scans say. A Sentio sends only which
squares are occupied.
"""

from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from captains_table.devices.bought.protocol import UNREAD, BoardMessage, ClockFace, WholeBoard
from captains_table.games.contract import Square

BAUD: Final = 38_400
LIGHTS_MS: Final = 600
"""The shortest interval between two settings of the lights."""
LONGEST_LINE: Final = 2000
CHIP_BYTES: Final = 5
CHIP_NUMBERS: Final = 64 * CHIP_BYTES
RANK_NUMBERS: Final = 8
SCANS: Final = 3
MOST: Final = 255
GLOW: Final = 0x40
RGB_HEAD, RGB_END = b"\xff\x55", b"\r\n"
CORNERS: Final = 9


class LineReader:
    """Finds the lines of numbers in the bytes of a board, and the letter that says which lights it has."""

    def __init__(self) -> None:
        self._line: bytearray | None = None
        self._is_too_long = False
        self.has_colours = False

    def feed(self, data: bytes) -> Iterator[tuple[int, ...]]:
        """Yield the numbers of each line that these bytes complete; a line that is none is dropped."""
        for byte in data:
            if byte == ord("\n"):
                numbers = None if self._line is None or self._is_too_long else _numbers(bytes(self._line))
                self._line, self._is_too_long = None, False
                if numbers is not None:
                    yield numbers
            elif byte == ord(":") and not self._is_too_long:
                self._line = bytearray()
            elif self._is_too_long:
                continue
            elif self._line is not None:
                self._line.append(byte)
                self._is_too_long = len(self._line.removesuffix(b"\r")) > LONGEST_LINE
            elif byte in b"LD":
                self.has_colours = byte == ord("D")


def _numbers(line: bytes) -> tuple[int, ...] | None:
    words = line.removesuffix(b"\r").strip(b" ").split(b" ")
    if len(words) not in (CHIP_NUMBERS, RANK_NUMBERS) or not all(word.isdigit() for word in words):
        return None
    numbers = tuple(map(int, words))
    return numbers if max(numbers) <= MOST else None


def chips_of(numbers: tuple[int, ...]) -> dict[Square, str]:
    """Return the chips' numbers in hexadecimal by square, from a8 to h1; squares without a chip are left out."""
    chips = (bytes(numbers[at : at + CHIP_BYTES]) for at in range(0, CHIP_NUMBERS, CHIP_BYTES))
    return {Square(at % 8, 7 - at // 8): chip.hex() for at, chip in enumerate(chips) if any(chip)}


def scanned_of(numbers: tuple[int, ...]) -> frozenset[Square]:
    """Return the occupied squares: one number for each rank from 8 down, whose highest bit is file a."""
    return frozenset(
        Square(file, 7 - row) for row, number in enumerate(numbers) for file in range(8) if number >> (7 - file) & 1
    )


def plain_lights(squares: Collection[Square]) -> bytes:
    """Return the bytes that light squares: one for each rank from 8 down, whose lowest bit is file a."""
    ranks = [0] * 8
    for square in squares:
        ranks[7 - square.rank] |= 1 << square.file
    return bytes(ranks)


def colour_lights(squares: Collection[Square]) -> bytes:
    """Return the bytes that light the four corners of squares in blue: nine rows of nine corners, from a8's."""
    lit = {
        (row, column)
        for square in squares
        for row in (7 - square.rank, 8 - square.rank)
        for column in (square.file, square.file + 1)
    }
    corners = ((row, column) for row in range(CORNERS) for column in range(CORNERS))
    return RGB_HEAD + b"".join(bytes((0, 0, GLOW if corner in lit else 0)) for corner in corners) + RGB_END


class CertaboProtocol:
    """The host's end of a Certabo or Tabutronic board; `BoardProtocol` says what its methods do.

    Args:
        speaks_first: whether lights may be set before the board has said anything; if not, nothing is sent to a device
            that may be another one.
    """

    def __init__(self, *, speaks_first: bool = True) -> None:
        self._speaks_first = speaks_first
        self._lit: frozenset[Square] = frozenset()
        self.begin(0)

    def begin(self, now_ms: int) -> None:
        self._reader = LineReader()
        self._scans = deque[dict[Square, str]](maxlen=SCANS)
        self._may_speak = self._speaks_first
        self._shown: bytes | None = None
        self._next_ms = now_ms

    def receive(self, data: bytes, now_ms: int) -> Iterable[BoardMessage]:  # noqa: ARG002 - it needs no time
        return list(map(self._read, self._reader.feed(data)))

    def _read(self, numbers: tuple[int, ...]) -> WholeBoard:
        self._may_speak = True
        if len(numbers) == RANK_NUMBERS:
            return WholeBoard(dict.fromkeys(scanned_of(numbers), UNREAD))
        self._scans.append(chips_of(numbers))
        if len(self._scans) < SCANS:
            return WholeBoard(self._scans[-1])
        voted = {square: self._voted(square) for square in set().union(*self._scans)}
        return WholeBoard({square: chip for square, chip in voted.items() if chip is not None})

    def _voted(self, square: Square) -> str | None:
        """Return the chip that most of the last scans saw on a square; the latest one, if all differ."""
        seen = [scan.get(square) for scan in self._scans]
        chip, times = Counter(seen).most_common(1)[0]
        return chip if times > 1 else seen[-1]

    def tick(self, now_ms: int) -> bytes:
        lights = colour_lights(self._lit) if self._reader.has_colours else plain_lights(self._lit)
        if not self._may_speak or lights == self._shown or now_ms < self._next_ms:
            return b""
        self._shown, self._next_ms = lights, now_ms + LIGHTS_MS
        return lights

    def due_ms(self) -> int | None:
        lights = colour_lights(self._lit) if self._reader.has_colours else plain_lights(self._lit)
        return None if not self._may_speak or lights == self._shown else self._next_ms

    def light(self, squares: Collection[Square]) -> None:
        self._lit = frozenset(squares)

    def show(self, face: ClockFace) -> None:
        """Do nothing: the board has no clock."""
