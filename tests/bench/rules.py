"""Figures of the rules: positions a second beside python-chess's own, both pushing every leaf."""

import statistics
import time
from collections.abc import Callable, Iterable

import chess

from captains_table.games.captains_chess.fen import START_POSITION as CAPTAINS_START
from captains_table.games.captains_chess.position import CaptainsPosition as CaptainsPosition
from captains_table.games.legend.position import LEGEND_START, TOP_DIE, LegendPosition

DEPTH = 3
RUNS = 5


def positions_a_second() -> tuple[float, float]:
    """Return Legend's and python-chess's pseudo-legal ones."""
    return beside(
        lambda: _perft(LEGEND_START, DEPTH),
        lambda: chess_perft(chess.Board(), DEPTH, chess.Board.generate_pseudo_legal_moves),
    )


def legal_positions_a_second() -> tuple[float, float]:
    """Return Captain's Chess's and python-chess's legal ones, of orthodox chess."""
    return beside(
        lambda: _captains_perft(CAPTAINS_START, DEPTH),
        lambda: chess_perft(chess.Board(), DEPTH, chess.Board.generate_legal_moves),
    )


def beside(ours: Callable[[], int], theirs: Callable[[], int]) -> tuple[float, float]:
    """Return the medians of two counts' speeds, in runs that take turns."""
    speeds = [(_speed(ours), _speed(theirs)) for _ in range(RUNS)]
    return statistics.median(own for own, _ in speeds), statistics.median(other for _, other in speeds)


def _speed(count: Callable[[], int]) -> float:
    began = time.perf_counter()
    return count() / (time.perf_counter() - began)


def _perft(position: LegendPosition, depth: int) -> int:
    if depth == 0:
        return 1
    return 1 + sum(_perft(position.play(move), depth - 1) for move in position.generate(TOP_DIE))


def _captains_perft(position: CaptainsPosition, depth: int) -> int:
    if depth == 0:
        return 1
    return 1 + sum(_captains_perft(position.play(move), depth - 1) for move in position.generate())


def chess_perft(board: chess.Board, depth: int, generate: Callable[[chess.Board], Iterable[chess.Move]]) -> int:
    """Return the nodes of a tree of python-chess, every leaf pushed."""
    if depth == 0:
        return 1
    count = 1
    for move in generate(board):
        board.push(move)
        count += chess_perft(board, depth - 1, generate)
        board.pop()
    return count
