"""Aether's values next to those of a plain expectimax written from the rules, three moves deep."""

import os
from concurrent.futures import ProcessPoolExecutor
from typing import Final

from captains_table.players.legend.aether.evaluation import Evaluation
from captains_table.players.legend.aether.situation import Situation
from captains_table.players.legend.aether.weights import WEIGHTS
from captains_table.process.plugins import install_plugins
from tests.support.plain_expectimax import greatest_error, ordinary_situations

DEPTH: Final = 3
ALLOWED: Final = 1e-6
BATCH: Final = 5
SEED: Final = 3  # not the seed of the tests' own positions


def exactness_line(positions: int, depth: int = DEPTH, processes: int | None = None) -> tuple[bool, str]:
    """Return whether values of so many positions are exact, and that in words."""
    situations = list(ordinary_situations(positions, SEED))
    batches = [situations[first : first + BATCH] for first in range(0, positions, BATCH)]
    with ProcessPoolExecutor(processes or os.cpu_count(), initializer=install_plugins) as pool:
        error = max(pool.map(_error_of, batches, [depth] * len(batches)))
    words = f"{positions} positions {depth} moves deep: greatest difference from a plain search {error:.1e}"
    exact = error <= ALLOWED
    return exact, f"{words}, allowed {ALLOWED:.0e}: {'reached' if exact else 'NOT REACHED'}"


def _error_of(batch: list[Situation], depth: int) -> float:
    return greatest_error(batch, depth, Evaluation(WEIGHTS))
