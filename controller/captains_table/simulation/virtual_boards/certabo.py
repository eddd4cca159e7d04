"""Virtual Certabo and Tabutronic boards: they send their position as lines of decimal numbers, without being asked."""

import random
from abc import abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import ClassVar, Final

from captains_table.games.contract import Square
from captains_table.simulation.virtual_boards.virtual_board import (
    NO_PIECES,
    NO_QUIRKS,
    SIDE,
    SQUARES,
    PositionSender,
    Quirks,
    bits,
    happens,
)

CHIP_BYTES: Final = 5
NO_CHIP: Final = " ".join(["0"] * CHIP_BYTES)
KIND_EVERY_FRAMES: Final = 8
LIGHTS_GAP_MS: Final = 600
COMMAND_PAUSE_MS: Final = 50
CORNERS: Final = SIDE + 1
RGB_HEAD, RGB_TAIL = b"\xff\x55", b"\r\n"
RGB_LENGTH: Final = len(RGB_HEAD) + 3 * CORNERS * CORNERS + len(RGB_TAIL)


class _CertaboLine(PositionSender):
    """The line of a board of this family.

    A command has no mark at its beginning: if its bytes pause for more than 50 ms, those before are dropped. Lights
    that are set within 0.6 s after the last ones are ignored.
    """

    baud: ClassVar[int | None] = 38400

    def power_up(self, now_ms: int) -> None:
        super().power_up(now_ms)
        self._next_ms = None if self._quirks.silent else now_ms + self._scan_ms
        self._sent = 0
        self._command = b""
        self._heard_ms = now_ms
        self._lights_from_ms = now_ms

    def receive(self, data: bytes, now_ms: int) -> None:
        self._catch_up(now_ms)
        if self._next_ms is None:
            self._next_ms = now_ms + self._scan_ms
        if now_ms - self._heard_ms > COMMAND_PAUSE_MS:
            self._command = b""
        self._heard_ms = now_ms
        self._command += data
        length = RGB_LENGTH if self._quirks.rgb else SIDE
        while len(self._command) >= length:
            command, self._command = self._command[:length], self._command[length:]
            self._set_lights(command, now_ms)

    def _set_lights(self, command: bytes, now_ms: int) -> None:
        if self._quirks.no_leds or now_ms < self._lights_from_ms:
            return
        self._lights_from_ms = now_ms + LIGHTS_GAP_MS
        if not self._quirks.rgb:
            self._lit = bits(command, high_first=False)
        elif command.startswith(RGB_HEAD) and command.endswith(RGB_TAIL):
            self._lit = _squares_with_lit_corners(command[len(RGB_HEAD) : -len(RGB_TAIL)])

    def _frames(self, now_ms: int) -> Iterable[bytes]:  # noqa: ARG002  # positions carry no time
        if self._sent % KIND_EVERY_FRAMES == 0 and not self._quirks.no_leds:
            yield b"D\r\n" if self._quirks.rgb else b"L\r\n"
        self._sent += 1
        yield f":{self._position()}\r\n".encode()

    @abstractmethod
    def _position(self) -> str:
        """Return the numbers of a line."""


def _squares_with_lit_corners(colours: bytes) -> set[int]:
    """Return the squares whose four corners are lit; corners count like squares, row by row from that of a8."""
    lit = {corner for corner in range(CORNERS * CORNERS) if any(colours[3 * corner : 3 * corner + 3])}
    first = {number: number // SIDE * CORNERS + number % SIDE for number in range(SQUARES)}
    return {
        number
        for number, corner in first.items()
        if {corner, corner + 1, corner + CORNERS, corner + CORNERS + 1} <= lit
    }


class VirtualCertabo(_CertaboLine):
    """A board that reads RFID chips: each piece has its own, and keeps it wherever it is put.

    A piece that the board cannot tell has a chip that no piece of the start has.
    """

    usual_scan_ms: ClassVar[int] = 300

    def __init__(
        self, rng: random.Random, pieces: Mapping[Square, str] = NO_PIECES, quirks: Quirks = NO_QUIRKS
    ) -> None:
        self._chips: dict[Square, tuple[str, str]] = {}
        self._in_hand: defaultdict[str, list[str]] = defaultdict(list)
        super().__init__(rng, pieces, quirks)

    def _reading(self, square: Square, piece: str) -> str:
        if square in self._chips:
            lifted, chip = self._chips.pop(square)
            self._in_hand[lifted].append(chip)
        if not piece:
            return ""
        in_hand = self._in_hand[piece]
        self._chips[square] = (piece, in_hand.pop() if in_hand else self._new_chip())
        return self._chips[square][1]

    def _new_chip(self) -> str:
        return " ".join(str(self._rng.randrange(1, 256)) for _ in range(CHIP_BYTES))

    def _position(self) -> str:
        return " ".join(
            chip if chip and not happens(self._quirks.weak, self._rng) else NO_CHIP for chip in self._sampler.seen
        )


class VirtualSentio(_CertaboLine):
    """A board that feels pieces and cannot tell them apart: one number a rank, rank 8 first, bit 7 for file a."""

    usual_scan_ms: ClassVar[int] = 100

    def _position(self) -> str:
        seen = self._sampler.seen
        rows = (seen[first : first + SIDE] for first in range(0, SQUARES, SIDE))
        return " ".join(str(int("".join("1" if reading else "0" for reading in row), 2)) for row in rows)
