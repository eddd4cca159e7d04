"""What rounds came to: shares with their 95 % intervals. The two rounds of a pair are not independent, pairs are."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean

from tests.ladder.game import Played

NORMAL_95 = 1.96


@dataclass(frozen=True, slots=True)
class Share:
    """A share of rounds, and within what it lies in 95 of 100 cases."""

    value: float
    error: float

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return max(0.0, self.value - self.error)

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return min(1.0, self.value + self.error)

    def __str__(self) -> str:
        return f"{self.value:.1%} ({self.low:.1%} to {self.high:.1%})"


def share_of(by_pair: Sequence[Sequence[float]]) -> Share:
    """Return the share that single results are on average, from the results of each pair."""
    means = [fmean(results) for results in by_pair]
    value, count = fmean([each for results in by_pair for each in results]), len(means)
    if count == 1:
        return Share(value, 1.0)
    smallest = 1 / (2 * count)  # where all pairs agree the next might not
    variance = max(sum((mean - value) ** 2 for mean in means) / (count - 1), smallest)
    return Share(value, NORMAL_95 * sqrt(variance / count))


def by_pairs(rounds: Iterable[tuple[int, Played]]) -> list[list[Played]]:
    """Return rounds in lists of those of one pair."""
    found: defaultdict[int, list[Played]] = defaultdict(list)
    for pair, played in rounds:
        found[pair].append(played)
    return [found[pair] for pair in sorted(found)]
