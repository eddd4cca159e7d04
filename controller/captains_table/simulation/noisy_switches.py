"""The switches of a real board under simulated pieces, for the page's switch "noisy board".

A piece is slid straight along its line, around the corner for a leaper, or in a bow; the squares it crosses close.
"""

import math
import random
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from captains_table.games.contract import Shape, Square
from captains_table.simulation.reeds import Change, Field, Noise, Pull, Reeds
from captains_table.simulation.simulated_board import SwitchMove

REALISTIC = Noise(slide=0.3, bent=0.15, bounce=0.9, dead_spot=0.05, neighbour=0.01)
HAND_MS = 40
PACE_MS = (20, 150)  # nobody who clicked wants to wait for the slowest slides
SLIDE_MS = (20, 400)
SEEN = 0.9


class Touch(NamedTuple):
    """A magnet comes to a square (1) or leaves it (-1); `rests`: it is set down, not only passing by."""

    at_ms: int
    square: Square
    change: int
    rests: bool = False


class NoisySwitches:
    """Tells of moves as the reeds of a real board do: they bounce, and a piece is slid over others' squares.

    Args:
        rng: where all chance comes from.
        mix: how often contacts bounce, pieces are slid, dead spots and neighbours are met.
    """

    def __init__(self, rng: random.Random, mix: Noise = REALISTIC) -> None:
        self._rng = rng
        self._mix = mix
        self._lifted: Square | None = None

    def sense(self, shape: Shape, before: frozenset[Square], moves: Sequence[SwitchMove]) -> list[Change]:
        """Return what the switches say, in time order, `at_ms` counted from now.

        Args:
            shape: the board's files and ranks.
            before: the squares that were occupied.
            moves: what happens to them, one after the other.
        """
        reeds = Reeds(before, self._mix, self._rng, shape)
        pulls: list[Pull] = []
        now_ms = 0
        for move in moves:
            if move.closed:
                crossed, now_ms = self._slide(shape, before, move.square, now_ms)
                pulls += [Pull(touch.at_ms, touch.square, Field.MAGNET, touch.change) for touch in crossed]
            pull = Pull(now_ms, move.square, Field.MAGNET, 1 if move.closed else -1)
            pulls.append(pull)
            pulls += reeds.blemishes(pull) if move.closed else []
            now_ms += HAND_MS
        self._lifted = moves[0].square if len(moves) == 1 and not moves[0].closed else None
        return reeds.sense(pulls)

    def _slide(self, shape: Shape, occupied: frozenset[Square], end: Square, since_ms: int) -> tuple[list[Touch], int]:
        """Return what the way of the piece lifted last does to other switches, and when it arrives."""
        if self._lifted is None or self._rng.random() >= self._mix.slide:
            return [], since_ms
        path = way(self._lifted, end, shape, self._rng, bent=self._rng.random() < self._mix.bent)
        return ([], since_ms) if occupied.intersection(path) else crossing(path, self._rng, since_ms, PACE_MS)


def way(start: Square, end: Square, shape: Shape, rng: random.Random, *, bent: bool) -> list[Square]:
    """Return the squares strictly between two that a slide crosses, one king's step after the other.

    Args:
        start: where the piece was.
        end: where it goes.
        shape: the board.
        rng: draws the way where there are several.
        bent: whether it leaves the shortest way by a bow to one side.
    """
    shortest = _steps(start, end, rng)
    if not bent or not shortest:
        return shortest
    sideways = rng.choice((-1, 1))
    upright = abs(end.rank - start.rank) >= abs(end.file - start.file)
    bowed = [Square(at.file + sideways * upright, at.rank + sideways * (not upright)) for at in shortest]
    return [at for at in bowed if at in shape and at not in (start, end)]


def _steps(start: Square, end: Square, rng: random.Random) -> list[Square]:
    at, steps = start, []
    while at != end:
        at = _step(at, end, rng)
        steps.append(at)
    return steps[:-1]


def _step(at: Square, end: Square, rng: random.Random) -> Square:
    files, ranks = end.file - at.file, end.rank - at.rank
    diagonal, longest = min(abs(files), abs(ranks)), max(abs(files), abs(ranks))
    goes_diagonal = rng.random() * longest < diagonal  # a leaper's corner is turned early or late
    if goes_diagonal:
        return Square(at.file + _sign(files), at.rank + _sign(ranks))
    return (
        Square(at.file + _sign(files), at.rank) if abs(files) > abs(ranks) else Square(at.file, at.rank + _sign(ranks))
    )


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def crossing(
    path: Iterable[Square], rng: random.Random, since_ms: int, pace_ms: tuple[int, int] = SLIDE_MS
) -> tuple[list[Touch], int]:
    """Return what a slide does to the squares it crosses, and when it arrives.

    Args:
        path: the squares between start and end.
        rng: where all chance comes from.
        since_ms: when it begins.
        pace_ms: how long a square takes at least and at most.
    """
    lo, hi = pace_ms
    pace = math.exp(rng.uniform(math.log(lo), math.log(hi)))
    touches, now_ms = [], since_ms
    for square in path:
        now_ms += max(1, round(pace * rng.uniform(0.7, 1.3)))
        if rng.random() < SEEN:
            away_ms = max(1, round(pace * rng.uniform(0.4, 1.1)))  # sometimes after the next one closed
            touches += [Touch(now_ms, square, 1), Touch(now_ms + away_ms, square, -1)]
    return touches, now_ms + max(1, round(pace * rng.uniform(0.7, 1.3)))
