"""Games in a file that is only ever added to, so that a stopped run can go on; and what they came to."""

import json
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from math import sqrt
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple, TypeVar

from captains_table.process.plugins import install_plugins

K = TypeVar("K", bound=tuple[Any, ...])
R = TypeVar("R", bound=tuple[Any, ...])
NORMAL_95 = 1.96


def play_rest(path: Path, keys: Sequence[K], play: Callable[[K], R], processes: int | None, batch: int) -> dict[K, R]:
    """Play the games of these keys that are not in the file yet, add them to it, and return all that were asked for.

    A last line that was cut short is as if it had not been played; one process plays a batch before they are added.
    """
    found = played_already(path, len(keys[0]))
    left = [key for key in keys if key not in found]
    batches = [left[first : first + batch] for first in range(0, len(left), batch)]
    path.parent.mkdir(parents=True, exist_ok=True)
    written = path.read_bytes() if path.exists() else b""
    if not written.endswith(b"\n"):
        path.write_bytes(written[: written.rfind(b"\n") + 1])
    pool = ProcessPoolExecutor(processes, initializer=install_plugins)
    with pool, path.open("a", encoding="utf-8") as file:
        for names, results in zip(batches, pool.map(_play_batch, [play] * len(batches), batches), strict=True):
            file.writelines(f"{json.dumps([*key, *result])}\n" for key, result in zip(names, results, strict=True))
            file.flush()
    found = played_already(path, len(keys[0]))
    return {key: found[key] for key in keys}


def _play_batch(play: Callable[[K], R], keys: Sequence[K]) -> list[R]:
    return [play(key) for key in keys]


def played_already(path: Path, key_length: int) -> dict[Any, Any]:
    """Return the games in a file: what follows the key in each line, by the key."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True) if path.exists() else []
    rows = [json.loads(line) for line in lines if line.endswith("\n")]
    return {tuple(row[:key_length]): tuple(row[key_length:]) for row in rows if isinstance(row, list)}


class Share(NamedTuple):
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
    """Return the share that single results are on average; the games of a pair are not independent, pairs are."""
    means = [fmean(results) for results in by_pair]
    value, count = fmean([each for results in by_pair for each in results]), len(means)
    if count == 1:
        return Share(value, 1.0)
    smallest = 1 / (2 * count)  # where all pairs agree the next might not
    variance = max(sum((mean - value) ** 2 for mean in means) / (count - 1), smallest)
    return Share(value, NORMAL_95 * sqrt(variance / count))
