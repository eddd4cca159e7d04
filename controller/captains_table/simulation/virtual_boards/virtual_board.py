"""What all virtual boards share: their interface, and how squares are sampled and frames are sent.

A virtual board has no clock, thread or file: every call tells it the time in milliseconds. Time begins at 0, or at what
`power_up` is told.
"""

import random
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Mapping
from math import ceil
from types import MappingProxyType
from typing import ClassVar, Final, NamedTuple, Protocol

from captains_table.games.contract import Square

SIDE: Final = 8
SQUARES: Final = SIDE * SIDE
UNKNOWN_PIECE: Final = "?"
BITS_PER_BYTE_SENT: Final = 10
"""8N1: a start bit, eight bits, a stop bit."""
NO_PIECES: Final[Mapping[Square, str]] = MappingProxyType({})


class Forbidden(AssertionError):
    """The host sent a command that no program may ever send to a board."""


class VirtualBoard(Protocol):
    """A board's end of the line.

    Attributes:
        baud: the speed of its serial line; `None` for a USB HID board, which sends and receives whole reports.
    """

    baud: ClassVar[int | None]

    @property
    def pieces(self) -> Mapping[Square, str]:
        """The pieces that stand on the board, as FEN letters; `?` is a piece that the board cannot tell."""

    @property
    def lit(self) -> frozenset[Square]:
        """The squares that the host has lit."""

    def power_up(self, now_ms: int) -> None:
        """Start afresh, as when plugged in: mode, lights, unfinished commands and unsent frames are forgotten."""

    def receive(self, data: bytes, now_ms: int) -> None:
        """Take bytes from the host; from a HID host exactly one report.

        Raises:
            Forbidden: no program may ever send this.
        """

    def change(self, square: Square, piece: str, now_ms: int) -> None:
        """Put a piece on a square, in place of any other: a FEN letter, `?`, or `""` to lift what stands there."""

    def due_ms(self) -> int | None:
        """Return the time at which the board may next have something to send; `None` if it waits for the host."""

    def send(self, now_ms: int) -> list[bytes]:
        """Return the serial chunks or HID reports that the board begins to send by now."""


CHESSMEN: Final = "PRNBKQprnbkq"


def chessman(piece: str) -> str:
    """Return the chess piece that people take for a piece of a match: for itself, or for a token of Crowns."""
    return piece if piece in CHESSMEN or piece == UNKNOWN_PIECE else CHESSMEN[ord(piece[0]) % len(CHESSMEN)]


def earliest(*times_ms: int | None) -> int | None:
    """Return the earliest time; `None` stands for never."""
    return min((time_ms for time_ms in times_ms if time_ms is not None), default=None)


class Sample(NamedTuple):
    """A square that was found changed when it was sampled, at `at_ms`; squares are numbered as on the line."""

    at_ms: int
    number: int
    reading: str


class SquareSampler:
    """Samples the squares of a board in turn, square 0 first, and notices changes no sooner than that.

    Args:
        readings: what the sensors read at first, by number of square; vacant squares may be left out.
        scan_ms: the time in which every square is sampled once.

    Attributes:
        seen: what each square was when it was last sampled; `""` is vacant.
    """

    def __init__(self, readings: Mapping[int, str], scan_ms: int) -> None:
        self.seen = [readings.get(number, "") for number in range(SQUARES)]
        self._there = list(self.seen)
        self._scan_ms = scan_ms
        self._due_ms: dict[int, int] = {}

    def change(self, number: int, reading: str, now_ms: int) -> None:
        """Set what the sensor of a square reads from now on; all samples up to now must have been taken."""
        self._there[number] = reading
        self._due_ms[number] = self._next_sample_ms(number, now_ms)

    def due_ms(self) -> int | None:
        """Return the time of the next sample of a square that has changed."""
        return min(self._due_ms.values(), default=None)

    def sample(self, now_ms: int) -> list[Sample]:
        """Sample the squares up to now; return the changes in the order in which they were found."""
        samples = []
        for due_ms, number in sorted((due_ms, number) for number, due_ms in self._due_ms.items() if due_ms <= now_ms):
            del self._due_ms[number]
            if self.seen[number] != self._there[number]:
                self.seen[number] = self._there[number]
                samples.append(Sample(due_ms, number, self.seen[number]))
        return samples

    def _next_sample_ms(self, number: int, from_ms: int) -> int:
        phase_ms = number * self._scan_ms // SQUARES
        return phase_ms + self._scan_ms * ceil((from_ms - phase_ms) / self._scan_ms)


class Outbox:
    """Sends one frame after the other: a frame begins when the one before has passed the line.

    Args:
        baud: the speed of the line; `None` for a HID board, whose reports take no time.

    Attributes:
        free_ms: the time at which everything that was posted has passed the line.
    """

    def __init__(self, baud: int | None) -> None:
        self.free_ms = 0
        self._baud = baud
        self._queue: deque[tuple[int, bytes]] = deque()

    def clear(self, now_ms: int) -> None:
        """Forget what was not sent."""
        self._queue.clear()
        self.free_ms = now_ms

    def post(self, frame: bytes, at_ms: int) -> None:
        """Send a frame, at `at_ms` or as soon as the line is free."""
        begins_ms = max(at_ms, self.free_ms)
        self._queue.append((begins_ms, frame))
        self.free_ms = begins_ms + self._line_ms(len(frame))

    def due_ms(self) -> int | None:
        return self._queue[0][0] if self._queue else None

    def take(self, now_ms: int) -> list[bytes]:
        """Return the frames that begin by now."""
        taken = []
        while self._queue and self._queue[0][0] <= now_ms:
            taken.append(self._queue.popleft()[1])
        return taken

    def _line_ms(self, length: int) -> int:
        return 0 if self._baud is None else ceil(length * BITS_PER_BYTE_SENT * 1000 / self._baud)


class ScannedBoard(ABC):
    """The squares, the line and the lights of a virtual board; see `VirtualBoard`.

    Squares have the numbers that they have on most lines: 0 is a8, 7 is h8, 63 is h1, seen from the connector's side.

    Args:
        rng: the source of all randomness.
        pieces: what stands on the board at first.

    Attributes:
        scan_ms: the time in which all squares are sampled once.
    """

    baud: ClassVar[int | None]
    scan_ms: int

    def __init__(self, rng: random.Random, pieces: Mapping[Square, str] = NO_PIECES) -> None:
        self._rng = rng
        self._pieces = dict(pieces)
        self._lit: set[int] = set()
        readings = {self._number(square): self._reading(square, piece) for square, piece in pieces.items()}
        self._sampler = SquareSampler(readings, self.scan_ms)
        self._outbox = Outbox(self.baud)
        self.power_up(0)

    @property
    def pieces(self) -> Mapping[Square, str]:
        return MappingProxyType(self._pieces)

    @property
    def lit(self) -> frozenset[Square]:
        return frozenset(map(self._square, self._lit))

    def power_up(self, now_ms: int) -> None:
        self._sampler.sample(now_ms)
        self._outbox.clear(now_ms)
        self._lit.clear()

    @abstractmethod
    def receive(self, data: bytes, now_ms: int) -> None: ...

    def change(self, square: Square, piece: str, now_ms: int) -> None:
        self._catch_up(now_ms)
        self._pieces.pop(square, None)
        reading = self._reading(square, piece)
        if piece:
            self._pieces[square] = piece
        self._sampler.change(self._number(square), reading, now_ms)

    @abstractmethod
    def due_ms(self) -> int | None: ...

    def send(self, now_ms: int) -> list[bytes]:
        self._catch_up(now_ms)
        return self._outbox.take(now_ms)

    @abstractmethod
    def _catch_up(self, now_ms: int) -> None:
        """Do all that the board does by itself up to now."""

    def _reading(self, square: Square, piece: str) -> str:  # noqa: ARG002  # RFID boards read a chip
        return piece

    def _number(self, square: Square) -> int:
        return (SIDE - 1 - square.rank) * SIDE + square.file

    def _square(self, number: int) -> Square:
        row, file = divmod(number, SIDE)
        return Square(file, SIDE - 1 - row)


class PositionSender(ScannedBoard):
    """A virtual board that sends its whole position again and again, after each scan."""

    _next_ms: int | None = None

    def due_ms(self) -> int | None:
        return earliest(self._outbox.due_ms(), self._next_ms)

    def _catch_up(self, now_ms: int) -> None:
        while self._next_ms is not None and self._next_ms <= now_ms:
            self._sampler.sample(self._next_ms)
            for frame in self._frames(self._next_ms):
                self._outbox.post(frame, self._next_ms)
            self._next_ms = max(self._next_ms + self.scan_ms, self._outbox.free_ms)
        self._sampler.sample(now_ms)

    @abstractmethod
    def _frames(self, now_ms: int) -> Iterable[bytes]:
        """Return what the board sends after a scan."""


def bits(data: bytes, *, high_first: bool) -> set[int]:
    """Return the numbers of the bits that are set, counted from byte 0 and in each byte from bit 7 or bit 0."""
    return {
        row * SIDE + column
        for row, byte in enumerate(data)
        for column in range(SIDE)
        if byte >> (SIDE - 1 - column if high_first else column) & 1
    }
