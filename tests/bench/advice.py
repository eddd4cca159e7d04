"""Figures of the Swashbuckle adviser: how long an answer takes, and what its table costs in memory."""

import random
import time
import tracemalloc

from captains_table.games.contract import Over, Roll, Rolled
from captains_table.games.registry import game_by_key
from captains_table.players.swashbuckle.adviser import SwashbuckleAdviser
from captains_table.players.swashbuckle.sheet_values import SWASHBUCKLE_FILE, sheet_values

GAMES = 10


def answers_ms() -> tuple[list[float], list[float]]:
    """Return how long every answer of some games took, and those at the first ask of a turn among them."""
    adviser, game = SwashbuckleAdviser(lambda _: sheet_values()), game_by_key("swashbuckle")
    every, first = [], []
    for number in range(GAMES):
        rng, state, known = random.Random(number), game.start(["Anne"], {}), None
        while not isinstance(turn := game.turn(state), Over):
            if isinstance(turn, Roll):
                state = game.apply(state, Rolled(tuple(rng.randint(1, 6) for _ in turn.dice)))
                continue
            began = time.perf_counter()
            advice = adviser(state)
            every.append((time.perf_counter() - began) * 1000)
            if state.sheet != known:
                first.append(every[-1])
                known = state.sheet
            assert advice is not None
            assert advice.action is not None
            state = game.apply(state, advice.action)
    return every, first


def table_mb() -> tuple[float, float]:
    """Return the memory that one table takes once read, and the seconds that takes."""
    sheet_values.cache_clear()
    began = time.perf_counter()
    sheet_values(SWASHBUCKLE_FILE)
    took = time.perf_counter() - began
    sheet_values.cache_clear()
    tracemalloc.start()
    table = sheet_values(SWASHBUCKLE_FILE)
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert table.terms
    return size / 1e6, took
