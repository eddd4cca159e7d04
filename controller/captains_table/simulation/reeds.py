"""Simulates a board's reed switches: magnets open and close them, with bounces and dead spots.

A switch is closed while a magnet is on its square, unless the magnet is over the switch's dead spot. A strong magnet on
a neighbouring square also closes it. An `Influence` is the beginning or the end of an effect on a switch. The
influences are added up in time order.
"""

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from captains_table.games.contract import Shape, Square

LONGEST_BOUNCE_MS = 3
DEAD_SPOT_MS = (10, 60)
NEAR_MS = (60, 600)


@dataclass(frozen=True, slots=True)
class Noise:
    """The probabilities of disturbances at a board.

    Attributes:
        slide: the probability that a moved piece is slid instead of carried, if the path is free.
        bent: the probability that a slide leaves the straight line.
        bounce: the probability that a contact bounces after a change, for up to 3 ms.
        dead_spot: the probability that a switch opens again for a moment when a piece is placed.
        neighbour: the probability that a placed piece with a strong magnet closes an empty neighbour for a while.
    """

    slide: float = 0.0
    bent: float = 0.0
    bounce: float = 0.0
    dead_spot: float = 0.0
    neighbour: float = 0.0


class ReedChange(NamedTuple):
    """A change of a switch, raw or debounced.

    Attributes:
        at_ms: the time of the change in milliseconds.
        square: the square of the switch.
        closed: whether the switch closed.
        flickers: for a debounced change, the number of suppressed flips before it.
    """

    at_ms: int
    square: Square
    closed: bool
    flickers: int = 0


class InfluenceKind(Enum):
    """The kind of an influence on a switch."""

    MAGNET = auto()  # a piece stands on the square
    NEAR = auto()  # a piece with a strong magnet stands next to the square
    DEAD = auto()  # the piece stands over the dead spot


class Influence(NamedTuple):
    """The start (`change` is 1) or end (-1) of an influence on a square's switch, such as a magnet (`field`)."""

    at_ms: int
    square: Square
    field: Enum
    change: int


class Reeds:
    """The reed switches of one board, with the influences now acting on them.

    Args:
        occupied: the squares that are occupied at first.
        mix: the probabilities of disturbances.
        rng: the source of all randomness.
        shape: the board's size.
    """

    def __init__(self, occupied: Iterable[Square], mix: Noise, rng: random.Random, shape: Shape) -> None:
        self._mix = mix
        self._rng = rng
        self._shape = shape
        self._acting: Counter[tuple[Square, Enum]] = Counter()
        self.arrange(occupied)

    @property
    def standing(self) -> frozenset[Square]:
        """The squares with a piece."""
        return frozenset(square for square in self._shape.squares() if self._acting[square, InfluenceKind.MAGNET] > 0)

    @property
    def closed(self) -> frozenset[Square]:
        """The squares whose switches are closed."""
        return frozenset(square for square in self._shape.squares() if self._is_closed(square))

    def arrange(self, occupied: Iterable[Square]) -> None:
        """Put pieces on exactly these squares, without noise."""
        self._acting = Counter({(square, InfluenceKind.MAGNET): 1 for square in occupied})

    def _is_closed(self, square: Square) -> bool:
        over = self._acting[square, InfluenceKind.MAGNET] > 0 and not self._acting[square, InfluenceKind.DEAD]
        return over or self._acting[square, InfluenceKind.NEAR] > 0

    # --- evaluation -------------------------------------------------------------------------------------------------

    def sense(self, pulls: Iterable[Influence]) -> list[ReedChange]:
        """Apply influences to the switches; return the raw switch changes in time order, including bounces."""
        changes = []
        for at_ms, together in groupby(sorted(pulls, key=attrgetter("at_ms")), key=attrgetter("at_ms")):
            changes += self._at_once(at_ms, list(together))
        return self._bounced(changes)

    def _at_once(self, at_ms: int, pulls: list[Influence]) -> list[ReedChange]:
        squares = sorted({pull.square for pull in pulls})
        before = {square: self._is_closed(square) for square in squares}
        for pull in pulls:
            self._acting[pull.square, pull.field] += pull.change
        return [
            ReedChange(at_ms, square, not before[square])
            for square in squares
            if self._is_closed(square) != before[square]
        ]

    def _bounced(self, changes: list[ReedChange]) -> list[ReedChange]:
        """Return the changes with bounces added, in time order.

        A bounce is an even number of flips within 3 ms after a change and before the switch's next real change.
        """
        next_ms: dict[Square, int] = {}
        bounced = []
        for change in reversed(changes):
            room_ms = min(LONGEST_BOUNCE_MS, next_ms.get(change.square, change.at_ms + 99) - change.at_ms - 1)
            next_ms[change.square] = change.at_ms
            bounced.append(change)
            if room_ms > 0 and self._rng.random() < self._mix.bounce:
                bounced += self._flips(change, room_ms)
        return sorted(bounced, key=attrgetter("at_ms"))

    def _flips(self, change: ReedChange, room_ms: int) -> list[ReedChange]:
        flips = 2 * self._rng.randint(1, 2)
        times = sorted(change.at_ms + self._rng.randint(0, room_ms) for _ in range(flips))
        return [ReedChange(at_ms, change.square, change.closed == bool(i % 2)) for i, at_ms in enumerate(times)]

    # --- disturbances -----------------------------------------------------------------------------------------------

    def disturbances(self, pull: Influence) -> list[Influence]:
        """Return the random side effects of placing a piece: a dead spot, a closed neighbour, both, or none.

        Args:
            pull: the arrival of the piece's magnet.
        """
        found: list[Influence] = []
        if self._rng.random() < self._mix.dead_spot:
            since_ms = pull.at_ms + self._rng.randint(2, 40)
            found += pulse(pull.square, InfluenceKind.DEAD, since_ms, self._rng.randint(*DEAD_SPOT_MS))
        if self._rng.random() < self._mix.neighbour:
            since_ms = pull.at_ms + self._rng.randint(-20, 20)
            square = self._rng.choice(_neighbours(pull.square, self._shape))
            if square not in self.standing:
                found += pulse(square, InfluenceKind.NEAR, max(0, since_ms), self._rng.randint(*NEAR_MS))
        return found


def pulse(square: Square, field: Enum, since_ms: int, lasts_ms: int) -> list[Influence]:
    """Return the beginning and the end of an influence that lasts `lasts_ms`."""
    return [Influence(since_ms, square, field, 1), Influence(since_ms + lasts_ms, square, field, -1)]


def _neighbours(square: Square, shape: Shape) -> list[Square]:
    around = [Square(square.file + files, square.rank + ranks) for files in (-1, 0, 1) for ranks in (-1, 0, 1)]
    return [near for near in around if near != square and near in shape]
