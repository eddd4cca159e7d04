"""How long things take, and that in words."""

import statistics
import time
from collections.abc import Callable, Sequence

RUNS = 5


def seconds(do: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    began = clock()
    do()
    return clock() - began


def speeds(ours: Callable[[], int], theirs: Callable[[], int]) -> tuple[float, float]:
    """Return the medians of how much two counts count a second, in runs that take turns."""
    runs = [(_speed(ours), _speed(theirs)) for _ in range(RUNS)]
    return statistics.median(own for own, _ in runs), statistics.median(other for _, other in runs)


def _speed(count: Callable[[], int]) -> float:
    began = time.perf_counter()
    return count() / (time.perf_counter() - began)


def spread(values: Sequence[float]) -> str:
    """Return median and 99th percentile in words."""
    return f"median {statistics.median(values):.2f} ms, p99 {p99(values):.2f} ms"


def p99(values: Sequence[float]) -> float:
    """Return what 99 of 100 values do not exceed."""
    return sorted(values)[int(len(values) * 0.99)]
