"""The ways a piece is slid: straight along its line, around the corner for a leaper, or in a bow."""

import random

from captains_table.games.contract import Shape, Square


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
