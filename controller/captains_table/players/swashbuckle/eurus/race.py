"""The chance to end highest, of totals that are not final yet: each is expected with a mean and a variance."""

from collections.abc import Sequence
from math import erf, prod, sqrt
from typing import Final, NamedTuple

HALF_WAYS: Final = 1 / sqrt(2)
TIE: Final = 0.5
BY_POINTS: Final = 1e-7  # a point more is worth so much of a chance: of equal chances the one with more plunder
# Where a normal distribution is looked at, in deviations from its mean, and with which weight (Gauss and Hermite).
NODES: Final = (
    (-5.1880012, 0.0000008), (-3.9361666, 0.0001957), (-2.8651232, 0.0067203), (-1.8760350, 0.0661387),
    (-0.9288690, 0.2422403), (0.0, 0.3694084), (0.9288690, 0.2422403), (1.8760350, 0.0661387),
    (2.8651232, 0.0067203), (3.9361666, 0.0001957), (5.1880012, 0.0000008),
)  # fmt: skip


class Forecast(NamedTuple):
    """A final total as it is expected."""

    mean: float
    variance: float

    def less(self, loss: float) -> "Forecast":
        """Return the forecast of whoever loses so many points."""
        return Forecast(self.mean - loss, self.variance)


class Race:
    """What one player's total must beat.

    Args:
        rivals: the others' totals; without any only the plunder counts.
    """

    def __init__(self, rivals: Sequence[Forecast]) -> None:
        self.rivals = tuple(rivals)

    def chance(self, mean: float, variance: float) -> float:
        """Return the chance to end highest with a total that is expected so."""
        return _chance(mean, variance, self.rivals) + BY_POINTS * mean

    def chance_after_loss(self, mean: float, variance: float, rival: int, loss: float) -> float:
        """Return the chance if one of the rivals loses points before."""
        rivals = [each.less(loss) if place == rival else each for place, each in enumerate(self.rivals)]
        return _chance(mean, variance, rivals) + BY_POINTS * mean


def _chance(mean: float, variance: float, rivals: Sequence[Forecast]) -> float:
    if not rivals:
        return 0.0
    if len(rivals) == 1:
        return _exceeds(mean - rivals[0].mean, variance + rivals[0].variance)
    if not variance:
        return prod([_exceeds(mean - rival.mean, rival.variance) for rival in rivals])
    deviation = sqrt(variance)
    return sum(
        weight * prod([_exceeds(mean + deviation * node - rival.mean, rival.variance) for rival in rivals])
        for node, weight in NODES
    )


def _exceeds(lead: float, variance: float) -> float:
    """Return the chance that a lead with such a mean and variance is one in the end."""
    if not variance:
        return TIE if lead == 0 else float(lead > 0)
    return 0.5 + 0.5 * erf(lead * HALF_WAYS / sqrt(variance))
