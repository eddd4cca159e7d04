"""Virtual Certabo and Tabutronic boards: they send their position as lines of decimal numbers, without being asked."""

import random
from abc import abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import ClassVar, Final

from captains_table.games.contract import Square
from captains_table.simulation.virtual_boards.virtual_board import (
    NO_PIECES,
    SIDE,
    SQUARES,
    PositionSender,
    bits,
)

CHIP_BYTES: Final = 5
NO_CHIP: Final = " ".join(["0"] * CHIP_BYTES)
KIND_EVERY_FRAMES: Final = 8
LIGHTS_GAP_MS: Final = 600
COMMAND_PAUSE_MS: Final = 50
LIGHTS_KIND: Final = b"L\r\n"


class _CertaboLine(PositionSender):
    """The line of a board of this family.

    A command has no mark at its beginning: if its bytes pause for more than 50 ms, those before are dropped. Lights
    that are set within 0.6 s after the last ones are ignored.
    """

    baud: ClassVar[int | None] = 38400
    _command_length = SIDE

    def power_up(self, now_ms: int) -> None:
        super().power_up(now_ms)
        self._next_ms = now_ms + self.scan_ms
        self._sent = 0
        self._command = b""
        self._heard_ms = now_ms
        self._lights_from_ms = now_ms

    def receive(self, data: bytes, now_ms: int) -> None:
        self._catch_up(now_ms)
        if now_ms - self._heard_ms > COMMAND_PAUSE_MS:
            self._command = b""
        self._heard_ms = now_ms
        self._command += data
        while len(self._command) >= (length := self._command_length):
            command, self._command = self._command[:length], self._command[length:]
            if now_ms >= self._lights_from_ms:
                self._lights_from_ms = now_ms + LIGHTS_GAP_MS
                self._lit = self._squares_lit_by(command)

    def _squares_lit_by(self, command: bytes) -> set[int]:
        return bits(command, high_first=False)

    def _frames(self, now_ms: int) -> Iterable[bytes]:  # noqa: ARG002  # positions carry no time
        if self._sent % KIND_EVERY_FRAMES == 0:
            yield LIGHTS_KIND
        self._sent += 1
        yield f":{self._position()}\r\n".encode()

    @abstractmethod
    def _position(self) -> str:
        """Return the numbers of a line."""


class VirtualCertabo(_CertaboLine):
    """A board that reads RFID chips: each piece has its own, and keeps it wherever it is put.

    A piece that the board cannot tell has a chip that no piece of the start has.
    """

    scan_ms = 300

    def __init__(self, rng: random.Random, pieces: Mapping[Square, str] = NO_PIECES) -> None:
        self._chips: dict[Square, tuple[str, str]] = {}
        self._in_hand: defaultdict[str, list[str]] = defaultdict(list)
        super().__init__(rng, pieces)

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
        return " ".join(chip or NO_CHIP for chip in self._sampler.seen)


class VirtualSentio(_CertaboLine):
    """A board that feels pieces and cannot tell them apart: one number a rank, rank 8 first, bit 7 for file a."""

    scan_ms = 100

    def _position(self) -> str:
        seen = self._sampler.seen
        rows = (seen[first : first + SIDE] for first in range(0, SQUARES, SIDE))
        return " ".join(str(int("".join("1" if reading else "0" for reading in row), 2)) for row in rows)
