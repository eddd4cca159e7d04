"""Computes a player's chance to end with the highest total, while the totals are not final yet.

The points that a sheet may still gain are approximated by a normal distribution of known mean and variance; for a sheet
with one open box the exact distribution is known.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate
from math import erf, prod, sqrt
from typing import Final, NamedTuple

TIE: Final = 0.5
BY_POINTS: Final = 1e-7  # added to a chance for each point, as a tie-break between equal chances
# Gauss-Hermite quadrature of the normal distribution: nodes in standard deviations from the mean, and weights.
NODES: Final = (
    (-5.1880012, 0.0000008), (-3.9361666, 0.0001957), (-2.8651232, 0.0067203), (-1.8760350, 0.0661387),
    (-0.9288690, 0.2422403), (0.0, 0.3694084), (0.9288690, 0.2422403), (1.8760350, 0.0661387),
    (2.8651232, 0.0067203), (3.9361666, 0.0001957), (5.1880012, 0.0000008),
)  # fmt: skip

Gains = tuple[tuple[float, float], ...]  # points and their probability, by increasing points


class Rest(NamedTuple):
    """The forecast of the points that a sheet may still gain.

    Attributes:
        mean: the expected points.
        variance: the variance of the points.
        gains: the exact distribution if it is known, else empty.
    """

    mean: float
    variance: float
    gains: Gains = ()


class RivalTotal:
    """An opponent's final total, as a distribution.

    Args:
        counted: the opponent's certain points.
        rest: the forecast of the points that may still come.
    """

    def __init__(self, counted: float, rest: Rest) -> None:
        self._counted, self.rest = counted, rest
        self.mean = counted + rest.mean
        self._points = [points for points, _ in rest.gains]
        self._below = [0.0, *accumulate(chance for _, chance in rest.gains)]

    def less(self, loss: float) -> "RivalTotal":
        """Return the opponent's total after a loss of points."""
        return RivalTotal(self._counted - loss, self.rest)

    def beaten_by(self, total: float) -> float:
        """Return the chance that a total is greater than this opponent's; a tie counts half."""
        if not self._points:
            return _exceeds(total - self.mean, self.rest.variance)
        gain = total - self._counted
        less, not_more = bisect_left(self._points, gain), bisect_right(self._points, gain)
        return TIE * (self._below[less] + self._below[not_more])

    def beaten_by_rest(self, counted: float, rest: Rest) -> float:
        """Return the chance that another player's final total is greater than this opponent's.

        The other player's remaining points are taken as normally distributed. If both totals are certain and equal, the
        chance is one half.

        Args:
            counted: the certain points of the other player.
            rest: the forecast of the points that may still come for the other player.
        """
        if not self._points:
            return _exceeds(counted + rest.mean - self.mean, rest.variance + self.rest.variance)
        lead = counted + rest.mean - self._counted
        return sum([chance * _exceeds(lead - points, rest.variance) for points, chance in self.rest.gains])


class Race:
    """One player's race against the final totals of all opponents.

    Args:
        rivals: the totals of the opponents; without opponents only the player's own points count.
    """

    def __init__(self, rivals: Sequence[RivalTotal]) -> None:
        self._rivals = tuple(rivals)

    def chance(self, counted: float, rest: Rest) -> float:
        """Return the chance to end with the highest total; a tie with an opponent counts half.

        A tiny amount is added for each expected point, so that more points decide between equal chances. Without
        opponents the chance is 0, so that only the points count.

        Args:
            counted: the player's certain points.
            rest: the forecast of the points that may still come.
        """
        return _chance(counted, rest, self._rivals) + BY_POINTS * (counted + rest.mean)

    def after_loss(self, rival: int, loss: float) -> "Race":
        """Return the race after an opponent with the index `rival` has lost points."""
        return self.instead(rival, self._rivals[rival].less(loss))

    def instead(self, rival: int, other: RivalTotal) -> "Race":
        """Return a copy of the race in which one opponent has a different total.

        Args:
            rival: the opponent's index.
            other: the opponent's new total.
        """
        return Race([other if place == rival else each for place, each in enumerate(self._rivals)])


def _chance(counted: float, rest: Rest, rivals: Sequence[RivalTotal]) -> float:
    if not rivals:
        return 0.0
    if rest.gains:
        return sum([chance * _beats(counted + points, rivals) for points, chance in rest.gains])
    if not rest.variance:
        return _beats(counted + rest.mean, rivals)
    if len(rivals) == 1:
        return rivals[0].beaten_by_rest(counted, rest)
    mean, deviation = counted + rest.mean, sqrt(rest.variance)
    return sum([weight * _beats(mean + deviation * node, rivals) for node, weight in NODES])


def _beats(total: float, rivals: Sequence[RivalTotal]) -> float:
    return prod([rival.beaten_by(total) for rival in rivals])


def _exceeds(lead: float, variance: float) -> float:
    """Return the chance that a normally distributed lead is positive; a lead that is certainly 0 counts half."""
    if not variance:
        return TIE if lead == 0 else float(lead > 0)
    return 0.5 + 0.5 * erf(lead / sqrt(2 * variance))
