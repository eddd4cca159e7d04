"""What a bad cable, a stalled program and a doubtful driver do to bytes on their way."""

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_NOISE = 40


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
