"""Figures of Aether: positions a second, a depth beside plain expectimax on python-chess, answers, and memory."""

import statistics
import time
import tracemalloc
from dataclasses import replace

import chess

from captains_table.games.legend.position import LEGEND_START
from captains_table.players.legend.aether.aether import Aether
from captains_table.players.legend.aether.board import AetherBoard, board_of, moves_of
from captains_table.players.legend.aether.evaluation import Evaluation
from captains_table.players.legend.aether.opponent import LEVELS
from captains_table.players.legend.aether.search import AetherLimits
from captains_table.players.legend.aether.weights import WEIGHTS
from tests.bench.rules import beside, chess_perft
from tests.support.plain_expectimax import PlainExpectimax, ordinary_situations

DEPTH = 3
SITUATIONS = 7  # an odd number, for a median
TOP_NODES = LEVELS[max(LEVELS)].nodes


def positions_a_second() -> tuple[float, float]:
    """Return Aether's and python-chess's pseudo-legal ones, every leaf made."""
    start = board_of(LEGEND_START.fen())
    return beside(
        lambda: _perft(start, DEPTH),
        lambda: chess_perft(chess.Board(), DEPTH, chess.Board.generate_pseudo_legal_moves),
    )


def _perft(board: AetherBoard, depth: int) -> int:
    moves = moves_of(board)
    return 1 + (len(moves) if depth == 1 else sum(_perft(move[3], depth - 1) for move in moves))


def depth_four_s() -> tuple[float, float]:
    """Return the medians of Aether's time for depth 4, and of plain expectimax's, by its depths 2 and 3."""
    evaluation = Evaluation(WEIGHTS)
    searched, plain = [], []
    for situation in ordinary_situations(SITUATIONS, seed=4):
        began = time.perf_counter()
        Aether(evaluation).find(situation, AetherLimits(depth=4))
        searched.append(time.perf_counter() - began)
        times = []
        for depth in (2, 3):
            began = time.perf_counter()
            PlainExpectimax(evaluation).of(situation, depth)
            times.append(time.perf_counter() - began)
        plain.append(times[1] * times[1] / times[0])
    return statistics.median(searched), statistics.median(plain)


def answers_ms() -> list[float]:
    """Return how long answers take at the most positions any level looks at."""
    took = []
    for situation in ordinary_situations(SITUATIONS, seed=6):
        began = time.perf_counter()
        Aether().find(replace(situation, die=4, throws=1), AetherLimits(nodes=TOP_NODES))
        took.append((time.perf_counter() - began) * 1000)
    return took


def memory_mb() -> float:
    """Return what a full memory takes."""
    tracemalloc.start()
    aether = Aether()
    for situation in ordinary_situations(1, seed=6):
        aether.find(replace(situation, die=4, throws=1), AetherLimits(nodes=TOP_NODES))
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size / 1e6
