"""What a bad cable, a stalled program and a doubtful driver do to bytes on their way."""

import random
from typing import TYPE_CHECKING

from captains_table.link.frames import NotAPayload, frame

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_NOISE = 40
TOLD = (
    "HELLO 1 0.1.0 8x8 5e3a90f1 lights=65 buttons=roll,choose encoder=1 buzzer=1",
    "STATE 5e3a90f1 6 3300 ffff00001000efff 6,5 1,1,0;0,0,0 -1 0 50,8 0,0,0",
    "CHANGES 5e3a90f1 1 2100:s12- 2450:s28+ 2900:b0+ 3000:e-1 3300:b0-",
    "LIT 5e3a90f1 1",
    "PONG 5e3a90f1 2 3300",
)
"""What a board tells."""

CHARACTERS = "0123456789abcdef ,;:+-=xsbe*?\x7f"


def mutated(rng: random.Random, texts: tuple[str, ...]) -> bytes:
    """Return a message with a right checksum and something else in it than it should have, or mere noise."""
    text = rng.choice(texts)
    for _ in range(rng.randrange(4)):
        place = rng.randrange(len(text) + 1)
        cut = rng.choice((0, 1, 1, 4))
        text = text[:place] + "".join(rng.choices(CHARACTERS, k=rng.choice((0, 1, 2)))) + text[place + cut :]
    try:
        return frame(text)
    except NotAPayload:
        return rng.randbytes(rng.randrange(80)) + b"\n"


class Noise:
    """Damages what passes, each kind at its own luck; repeatable by its seed. `done` counts what was done."""

    def __init__(self, seed: int, rate: float) -> None:
        self._rng = random.Random(seed)
        self._rate = rate
        self._late: list[bytes] = []
        self.done: dict[str, int] = {}
        self._kinds: dict[str, Callable[[bytes], bytes]] = {
            "lost": lambda _: b"",
            "byte lost": self._byte_lost,
            "flipped": self._flipped,
            "doubled": lambda data: data + data,
            "cut": lambda data: data[: self._rng.randrange(len(data))],
            "inserted": self._inserted,
            "flood": lambda data: self._rng.randbytes(self._rng.randrange(300, 2000)) + data,
            "late": self._delayed,
        }

    def __call__(self, data: bytes) -> bytes:
        """Let bytes pass, or what becomes of them."""
        if self._rng.random() < self._rate:
            kind = self._rng.choice(list(self._kinds))
            self.done[kind] = self.done.get(kind, 0) + 1
            data = self._kinds[kind](data)
        elif self._late and self._rng.random() < 0.3:
            data += self._late.pop(0)
        return data

    def _byte_lost(self, data: bytes) -> bytes:
        place = self._rng.randrange(len(data))
        return data[:place] + data[place + 1 :]

    def _flipped(self, data: bytes) -> bytes:
        place = self._rng.randrange(len(data))
        return data[:place] + bytes([data[place] ^ 1 << self._rng.randrange(8)]) + data[place + 1 :]

    def _inserted(self, data: bytes) -> bytes:
        place = self._rng.randrange(len(data))
        return data[:place] + self._rng.randbytes(self._rng.randrange(1, MOST_NOISE)) + data[place:]

    def _delayed(self, data: bytes) -> bytes:
        self._late.append(data)
        return b""
