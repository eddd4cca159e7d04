"""Sources of dice faces: provably fair dice for real matches, and repeatable faces for tapes and tests.

Repeatable faces are dictated, or pseudorandom from a known seed. `dice_stream` computes the faces of fair dice.
"""

import random
import secrets
from collections import deque
from collections.abc import Iterable

from captains_table.table.history import dice_stream
from captains_table.table.history.dice_stream import (
    BadSalt as BadSalt,
    DiceMismatch as DiceMismatch,
    commitment as commitment,
)
from captains_table.table.model.entries import Entry

LOWEST, HIGHEST = 1, 6


class DiceQueueEmpty(LookupError):
    """Raised when a throw needs more dictated faces than are left in the queue; the queue stays unchanged."""


class HonestDice(dice_stream.FaceStream):
    """Fair dice from a secret seed; its hash is published before the first throw, so that the faces can be verified."""

    def __init__(self, seed: bytes) -> None:
        if len(seed) != dice_stream.SEED_BYTES:
            raise ValueError(f"a seed of {len(seed)} bytes: expected {dice_stream.SEED_BYTES}")
        super().__init__(seed)

    @staticmethod
    def new_seed() -> bytes:
        """Return a cryptographically random seed."""
        return secrets.token_bytes(dice_stream.SEED_BYTES)

    @classmethod
    def resumed(cls, seed: bytes, entries: Iterable[Entry]) -> "HonestDice":
        """Return the dice in the state after these journal entries.

        Raises DiceMismatch or BadSalt if the entries do not fit the seed.
        """
        dice = cls(seed)
        dice.consume(entries)
        return dice


class DictatedDice:
    """Dice with dictated faces: first from a queue, then, if a seed is set, from a pseudorandom generator."""

    def __init__(self, faces: Iterable[int] = ()) -> None:
        self._queue: deque[int] = deque()
        self._further: random.Random | None = None
        self.queue(faces)

    def queue(self, faces: Iterable[int]) -> None:
        """Append faces for the next throws; raises ValueError if one is not 1 to 6."""
        faces = list(faces)
        for face in faces:
            if not LOWEST <= face <= HIGHEST:
                raise ValueError(f"{face} is no face of a die: expected {LOWEST} to {HIGHEST}")
        self._queue.extend(faces)

    def seed(self, number: int) -> None:
        """Set the seed of the pseudorandom faces; they are used once the queue of dictated faces is empty."""
        self._further = random.Random(number)  # noqa: S311 - repeatable on purpose; a real match throws HonestDice

    def throw(self, count: int) -> tuple[int, ...]:
        """Return the next faces; raises DiceQueueEmpty if the queue holds too few and no seed is set."""
        if self._further is None and len(self._queue) < count:
            left = " ".join(str(face) for face in self._queue) or "none"
            lack = f"{count} dice must fall, but the queue of faces holds {left}"
            raise DiceQueueEmpty(f"{lack}: expected more of them (dice FACE ...)")
        return tuple(self._next() for _ in range(count))

    def _next(self) -> int:
        if self._queue or self._further is None:
            return self._queue.popleft()
        return self._further.randint(LOWEST, HIGHEST)

    def add_salt(self, held_ms: int) -> None:
        """Ignore the duration of a press: dictated faces do not depend on it."""

    def add_words(self, text: str) -> None:
        """Ignore a player's words: dictated faces do not depend on them."""
