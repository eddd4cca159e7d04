"""A deed: the comings and goings of magnets, and what hands may mean by them."""

import random
from dataclasses import dataclass

from captains_table.games.contract import Square

BETWEEN_MS = (120, 900)
REST_MS = (300, 2500)


@dataclass(frozen=True, slots=True)
class Handling:
    """A magnet comes to a square, or leaves it, so long after the one before."""

    after_ms: int
    square: Square
    comes: bool


@dataclass(frozen=True, slots=True)
class Truth:
    """What the hands mean.

    Attributes:
        id: the move that is played; None where none is.
        then: what is still to be done after the rest so that the board is as after that move.
    """

    id: str | None
    then: tuple[Handling, ...] = ()


@dataclass(frozen=True, slots=True)
class Deed:
    """What hands do, and what they may mean by it: each of the truths leaves just the same switches."""

    handlings: tuple[Handling, ...]
    truths: tuple[Truth, ...]


class Script:
    """Writes down what hands do, one thing after the other.

    Args:
        rng: where all chance comes from.
    """

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._handlings: list[Handling] = []

    def lift(self, *squares: Square, after: tuple[int, int] = BETWEEN_MS) -> "Script":
        """Lift the pieces of some squares, one after the other."""
        return self._handle(squares, after, comes=False)

    def place(self, *squares: Square, after: tuple[int, int] = BETWEEN_MS) -> "Script":
        """Set pieces on some squares, one after the other."""
        return self._handle(squares, after, comes=True)

    def straighten(self, *squares: Square, after: tuple[int, int] = BETWEEN_MS) -> "Script":
        """Lift the pieces of some squares and set each back at once."""
        for square in squares:
            self.lift(square, after=after).place(square, after=after)
        return self

    def tap(self, square: Square, times: int) -> "Script":
        """Lift a piece and set it back again and again."""
        for _ in range(times):
            self.lift(square, after=(90, 220)).place(square, after=(60, 160))
        return self

    def _handle(self, squares: tuple[Square, ...], after: tuple[int, int], *, comes: bool) -> "Script":
        for square in squares:
            lo, hi = after
            self._handlings.append(Handling(round(lo * (hi / lo) ** self._rng.random()), square, comes))
        return self

    def done(self) -> tuple[Handling, ...]:
        """Return what was written down."""
        return tuple(self._handlings)

    def meaning(self, *truths: Truth | str | None) -> Deed:
        """Return it as a deed that may mean any of these."""
        return Deed(self.done(), tuple(truth if isinstance(truth, Truth) else Truth(truth) for truth in truths))
