"""The chi-squared test: how likely counts as uneven as these are if every case is equally likely."""

from collections.abc import Sequence
from math import erfc, exp, lgamma, log, sqrt


def chi_squared(counts: Sequence[int]) -> float:
    """Return the statistic of counts that should be equal."""
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 for count in counts) / expected


def chance_of_more(statistic: float, freedom: int) -> float:
    """Return the chance of a statistic this large or larger: the upper tail of the chi-squared distribution.

    Whole degrees of freedom need no approximation: the incomplete gamma function at a half or a whole number is known,
    and Q(a + 1, x) = Q(a, x) + x^a e^-x / Gamma(a + 1).

    Args:
        statistic: 0 or more.
        freedom: degrees of freedom, at least 1.
    """
    half = statistic / 2
    if not half:
        return 1.0
    shape, tail = (0.5, erfc(sqrt(half))) if freedom % 2 else (1.0, exp(-half))
    while shape < freedom / 2:
        tail += exp(shape * log(half) - half - lgamma(shape + 1))
        shape += 1
    return min(1.0, tail)
