"""Figures of rules and players: positions a second, how far and how fast they look ahead, answers, and memory."""

import random
import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import TypeVar

import chess

from captains_table.games.captains_chess.fen import START_POSITION as CAPTAINS_START
from captains_table.games.captains_chess.position import CaptainsPosition
from captains_table.games.contract import Over, Roll, Rolled
from captains_table.games.legend.position import LEGEND_START, TOP_DIE
from captains_table.games.registry import game_by_key
from captains_table.players.boreas import (
    board as boreas_board,
    player as boreas,
    search as boreas_search,
)
from captains_table.players.boreas.setups import setup_of_position
from captains_table.players.legend.aether.aether import Aether
from captains_table.players.legend.aether.board import AetherBoard, board_of, moves_of
from captains_table.players.legend.aether.evaluation import Evaluation
from captains_table.players.legend.aether.opponent import LEVELS
from captains_table.players.legend.aether.search import AetherLimits
from captains_table.players.legend.aether.weights import WEIGHTS
from captains_table.players.swashbuckle.adviser import SwashbuckleAdviser
from captains_table.players.swashbuckle.sheet_values import SWASHBUCKLE_FILE, sheet_values
from tests.bench.tables import seconds, speeds
from tests.support.boreas_positions import played_positions
from tests.support.plain_expectimax import PlainExpectimax, ordinary_situations

P = TypeVar("P")
DEPTH = 3
SITUATIONS = 7  # an odd number, for a median
TOP_NODES = LEVELS[max(LEVELS)].nodes
GAMES = 10
POSITIONS = 50
THINK_S = 2.0
BOREAS_TOP = max(boreas.LEVELS)
_BOREAS_THINKS = """
import time
from captains_table.runtime.thinking import thinker
from captains_table.players.boreas.player import LEVELS
from captains_table.players.boreas.board import BoreasBoard
from captains_table.players.boreas.setups import setup_of_position
from captains_table.players.boreas.search import BoreasLimits, BoreasSearch
from captains_table.games.captains_chess.fen import START_POSITION
limit = BoreasLimits(LEVELS[max(LEVELS)].nodes)
for _ in range(2):
    BoreasSearch(BoreasBoard(setup_of_position(START_POSITION)), [], limit, time.perf_counter).best()
with open("/proc/self/status", encoding="utf-8") as status:
    print(next(line for line in status if line.startswith("VmHWM")).split()[1])
"""


# --- rules, next to python-chess, every leaf pushed ------------------------------------------------------------------


def rule_speeds() -> Iterator[tuple[str, str, tuple[float, float]]]:
    """Yield which positions, which of python-chess's next to them, and how many of both are made a second."""
    board, orthodox = board_of(LEGEND_START.fen()), chess.Board()
    pseudo_legal = partial(_chess_perft, orthodox, DEPTH, chess.Board.generate_pseudo_legal_moves)
    legal = partial(_chess_perft, orthodox, DEPTH, chess.Board.generate_legal_moves)
    legend = partial(_perft, LEGEND_START, lambda at: map(at.play, at.generate(TOP_DIE)))
    captains = partial(_perft, CAPTAINS_START, lambda at: map(at.play, at.generate()))
    yield "Legend positions", "pseudo-legal", speeds(legend, pseudo_legal)
    yield "Captain's Chess positions", "legal", speeds(captains, legal)
    yield "Aether's positions", "pseudo-legal", speeds(partial(_aether_perft, board, DEPTH), pseudo_legal)


def _perft(position: P, following: Callable[[P], Iterable[P]], depth: int = DEPTH) -> int:
    return 1 if depth == 0 else 1 + sum(_perft(after, following, depth - 1) for after in following(position))


def _aether_perft(board: AetherBoard, depth: int) -> int:
    moves = moves_of(board)
    return 1 + (len(moves) if depth == 1 else sum(_aether_perft(move[3], depth - 1) for move in moves))


def _chess_perft(board: chess.Board, depth: int, generate: Callable[[chess.Board], Iterable[chess.Move]]) -> int:
    if depth == 0:
        return 1
    count = 1
    for move in generate(board):
        board.push(move)
        count += _chess_perft(board, depth - 1, generate)
        board.pop()
    return count


# --- Aether -----------------------------------------------------------------------------------------------------------


def aether_depth_four_s() -> tuple[float, float]:
    """Return the medians of Aether's time for depth 4, and of plain expectimax's, by its depths 2 and 3."""
    evaluation = Evaluation(WEIGHTS)
    searched, plain = [], []
    for situation in ordinary_situations(SITUATIONS, seed=4):
        searched.append(seconds(lambda at=situation: Aether(evaluation).find(at, AetherLimits(depth=4))))  # type: ignore[misc]
        two, three = (
            seconds(lambda at=situation, depth=depth: PlainExpectimax(evaluation).of(at, depth))  # type: ignore[misc]
            for depth in (2, 3)
        )
        plain.append(three * three / two)
    return statistics.median(searched), statistics.median(plain)


def aether_answers_ms() -> list[float]:
    """Return how long answers take at the most positions any level looks at."""
    situations = [replace(found, die=4, throws=1) for found in ordinary_situations(SITUATIONS, seed=6)]
    return [1000 * seconds(lambda at=at: Aether().find(at, AetherLimits(nodes=TOP_NODES))) for at in situations]  # type: ignore[misc]


def aether_memory_mb() -> float:
    tracemalloc.start()
    aether = Aether()
    for situation in ordinary_situations(1, seed=6):
        aether.find(replace(situation, die=4, throws=1), AetherLimits(nodes=TOP_NODES))
    return _traced_mb()


def _traced_mb() -> float:
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size / 1e6


# --- Boreas, who plays Captain's Chess --------------------------------------------------------------------------------


def boreas_told() -> str:
    depths, looked_at, taken = list[int](), list[float](), list[float]()
    for position in played_positions(POSITIONS):
        began = time.perf_counter()
        limit = boreas_search.BoreasLimits(until=began + THINK_S)
        line = boreas_search.BoreasSearch(
            boreas_board.BoreasBoard(setup_of_position(position)), [], limit, time.perf_counter
        ).best()
        depths.append(line.depth)
        looked_at.append(line.nodes / (time.perf_counter() - began))
    for position in played_positions(POSITIONS):
        limit = boreas_search.BoreasLimits(boreas.LEVELS[BOREAS_TOP].nodes)
        search = boreas_search.BoreasSearch(
            boreas_board.BoreasBoard(setup_of_position(position)), [], limit, time.perf_counter
        )
        taken.append(seconds(search.best))
    done = subprocess.run([sys.executable, "-c", _BOREAS_THINKS], check=True, capture_output=True, text=True)
    return (
        f"median {statistics.median(depths):.0f} moves ahead in {THINK_S:.0f} s, fewest {min(depths)} "
        f"({POSITIONS} positions, {statistics.median(looked_at):,.0f} looked at a second); level {BOREAS_TOP} answers "
        f"in {statistics.median(taken):.1f} s, slowest {max(taken):.1f} s; its process takes "
        f"{int(done.stdout) / 1000:.0f} MB"
    )


def _boreas_search(position: CaptainsPosition, limit: boreas_search.BoreasLimits) -> boreas_search.BoreasSearch:
    board = boreas_board.BoreasBoard(setup_of_position(position))
    return boreas_search.BoreasSearch(board, [], limit, time.perf_counter)


# --- the Swashbuckle adviser ------------------------------------------------------------------------------------------


def advice_ms() -> tuple[list[float], list[float]]:
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


def advice_table() -> tuple[float, float]:
    """Return the megabytes that one table takes once read, and the seconds that takes."""
    sheet_values.cache_clear()
    took_s = seconds(lambda: sheet_values(SWASHBUCKLE_FILE))
    sheet_values.cache_clear()
    tracemalloc.start()
    table = sheet_values(SWASHBUCKLE_FILE)
    size_mb = _traced_mb()
    assert table.terms
    return size_mb, took_s
