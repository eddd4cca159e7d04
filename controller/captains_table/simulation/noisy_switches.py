"""Simulates noisy switches for the page's option "noisy board": bounces, slid pieces and disturbed neighbours.

Some pieces are slid instead of carried: along a straight line, around a corner if they move like a knight, or in a bow.
The switches of the squares that they cross close briefly.
"""

import math
import random
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from captains_table.games.contract import Shape, Square
from captains_table.simulation.reeds import Influence, InfluenceKind, Noise, ReedChange, Reeds
from captains_table.simulation.simulated_board import SwitchMove

REALISTIC = Noise(slide=0.3, bent=0.15, bounce=0.9, dead_spot=0.05, neighbour=0.01)
HAND_MS = 40
PACE_MS = (20, 150)  # per square, without the slowest slides, for which a user who clicked would have to wait
SLIDE_MS = (20, 400)  # per square
SEEN = 0.9  # probability that a crossed switch closes


class Touch(NamedTuple):
    """The arrival (`change` is 1) or departure (-1) of a magnet at a square.

    `rests` says whether the piece is put down on the square; otherwise the piece only passes by.
    """

    at_ms: int
    square: Square
    change: int
    rests: bool = False


class NoisySwitches:
    """Converts moves of pieces to the raw switch changes of a real board, with bounces and slid pieces.

    Args:
        rng: the source of all randomness.
        mix: the probabilities of bounces, slides, dead spots and closed neighbours.
    """

    def __init__(self, rng: random.Random, mix: Noise = REALISTIC) -> None:
        self._rng = rng
        self._mix = mix
        self._lifted: Square | None = None

    def sense(self, shape: Shape, before: frozenset[Square], moves: Sequence[SwitchMove]) -> list[ReedChange]:
        """Return the raw switch changes of some moves, in time order; the first move is made at time 0.

        If the only move lifts a piece, the next call may simulate that the piece slides over the squares on its way.

        Args:
            shape: the board's files and ranks.
            before: the squares that are occupied before the moves.
            moves: the switch moves, one after the other.
        """
        reeds = Reeds(before, self._mix, self._rng, shape)
        pulls: list[Influence] = []
        now_ms = 0
        for move in moves:
            if move.closed:
                crossed, now_ms = self._slide(shape, before, move.square, now_ms)
                pulls += [Influence(touch.at_ms, touch.square, InfluenceKind.MAGNET, touch.change) for touch in crossed]
            pull = Influence(now_ms, move.square, InfluenceKind.MAGNET, 1 if move.closed else -1)
            pulls.append(pull)
            pulls += reeds.disturbances(pull) if move.closed else []
            now_ms += HAND_MS
        self._lifted = moves[0].square if len(moves) == 1 and not moves[0].closed else None
        return reeds.sense(pulls)

    def _slide(self, shape: Shape, occupied: frozenset[Square], end: Square, since_ms: int) -> tuple[list[Touch], int]:
        """Return the touches of the squares that the lifted piece slides across, and the time of its arrival.

        There are no touches if the piece is carried, or if its path is not free.
        """
        if self._lifted is None or self._rng.random() >= self._mix.slide:
            return [], since_ms
        path = slide_path(self._lifted, end, shape, self._rng, bent=self._rng.random() < self._mix.bent)
        return ([], since_ms) if occupied.intersection(path) else slide_touches(path, self._rng, since_ms, PACE_MS)


def slide_path(start: Square, end: Square, shape: Shape, rng: random.Random, *, bent: bool) -> list[Square]:
    """Return the squares that a sliding piece crosses between two squares, on a shortest path of king's moves.

    Args:
        start: the square where the slide begins.
        end: the square where the slide ends.
        shape: the board's size.
        rng: chooses among several shortest paths, and the side to which a bent path is shifted.
        bent: whether the path is shifted by one square to a side; squares off the board, the start and the end are then
            left out.
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
    goes_diagonal = rng.random() * longest < diagonal  # a leaper turns its corner early or late
    if goes_diagonal:
        return Square(at.file + _sign(files), at.rank + _sign(ranks))
    return (
        Square(at.file + _sign(files), at.rank) if abs(files) > abs(ranks) else Square(at.file, at.rank + _sign(ranks))
    )


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def slide_touches(
    path: Iterable[Square], rng: random.Random, since_ms: int, pace_ms: tuple[int, int] = SLIDE_MS
) -> tuple[list[Touch], int]:
    """Return the touches of a slide on the squares that it crosses, and the slide's time of arrival.

    A few of the squares are crossed without a touch.

    Args:
        path: the squares between start and end.
        rng: the source of all randomness.
        since_ms: the start time.
        pace_ms: the shortest and the longest time per square.
    """
    lo, hi = pace_ms
    pace = math.exp(rng.uniform(math.log(lo), math.log(hi)))
    touches, now_ms = [], since_ms
    for square in path:
        now_ms += max(1, round(pace * rng.uniform(0.7, 1.3)))
        if rng.random() < SEEN:
            away_ms = max(1, round(pace * rng.uniform(0.4, 1.1)))  # sometimes after the next square's switch closed
            touches += [Touch(now_ms, square, 1), Touch(now_ms + away_ms, square, -1)]
    return touches, now_ms + max(1, round(pace * rng.uniform(0.7, 1.3)))
