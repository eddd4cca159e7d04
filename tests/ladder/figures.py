"""What games came to: shares with their 95 % intervals. The two games of a pair are not independent, pairs are."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean

NORMAL_95 = 1.96


@dataclass(frozen=True, slots=True)
class Share:
    """A share of games, and within what it lies in 95 of 100 cases."""

    value: float
    error: float

    @property
    def low(self) -> float:
        return max(0.0, self.value - self.error)

    @property
    def high(self) -> float:
        return min(1.0, self.value + self.error)

    def told(self, digits: int = 1) -> str:
        """Return the share with its interval, in percent with so many digits."""
        return f"{self.value:.{digits}%} ({self.low:.{digits}%} to {self.high:.{digits}%})"


def share_of(by_pair: Sequence[Sequence[float]]) -> Share:
    """Return the share that single results are on average, from the results of each pair."""
    means = [fmean(results) for results in by_pair]
    value, count = fmean([each for results in by_pair for each in results]), len(means)
    if count == 1:
        return Share(value, 1.0)
    smallest = 1 / (2 * count)  # where all pairs agree the next might not
    variance = max(sum((mean - value) ** 2 for mean in means) / (count - 1), smallest)
    return Share(value, NORMAL_95 * sqrt(variance / count))
