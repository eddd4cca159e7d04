"""Figures of the rules: Legend's positions beside python-chess's own pseudo-legal ones, both pushing every leaf."""

import statistics
import time
from collections.abc import Callable

import chess

from captains_table.games.legend.position import START, TOP_DIE, Position

DEPTH = 3
RUNS = 5


def positions_a_second() -> tuple[float, float]:
    """Return ours and python-chess's, the medians of runs that take turns."""
    ours, theirs = [], []
    for _ in range(RUNS):
        ours.append(_speed(lambda: _perft(START, DEPTH)))
        theirs.append(_speed(lambda: _chess_perft(chess.Board(), DEPTH)))
    return statistics.median(ours), statistics.median(theirs)


def _speed(count: Callable[[], int]) -> float:
    began = time.perf_counter()
    return count() / (time.perf_counter() - began)


def _perft(position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    return 1 + sum(_perft(position.play(move), depth - 1) for move in position.generate(TOP_DIE))


def _chess_perft(board: chess.Board, depth: int) -> int:
    if depth == 0:
        return 1
    count = 1
    for move in board.generate_pseudo_legal_moves():
        board.push(move)
        count += _chess_perft(board, depth - 1)
        board.pop()
    return count
