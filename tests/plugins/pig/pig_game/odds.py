"""The exact figures of Pig's die: what a turn brings to a player who banks as soon as he has so many points."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from captains_table.players.common.figures import figure

FACES = range(2, 7)
SHOWN = (10, 15, 20, 25, 30)


@cache
def expected(hold: int, points: int = 0) -> Fraction:
    """Return the points a turn brings on average if one banks at `hold`, having so many already."""
    if points >= hold:
        return Fraction(points)
    return sum((expected(hold, points + face) for face in FACES), Fraction()) / 6


@cache
def chance(hold: int, points: int = 0) -> Fraction:
    """Return how likely it is to bank at all."""
    if points >= hold:
        return Fraction(1)
    return sum((chance(hold, points + face) for face in FACES), Fraction()) / 6


def odds() -> Iterator[str]:
    """Yield a line for every way to play that is worth comparing."""
    yield "Pig: a turn of one die, a 1 loses it all"
    for hold in SHOWN:
        yield figure(f"bank at {hold}: expected points", expected(hold))
        yield figure(f"bank at {hold}: chance to bank", chance(hold))
