"""The board on which Boreas thinks: it moves as the rules say, and comes back to what it was."""

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings, strategies as st

from captains_table.games.captains_chess.fen import START_POSITION, format_fen, parse_fen
from captains_table.games.captains_chess.position import CaptainsPosition
from captains_table.players.captains_chess.boreas.board import EN_PASSANT, KINGS, MOVE, SQUARE, BoreasBoard
from captains_table.players.captains_chess.boreas.lines import BIT72
from captains_table.players.captains_chess.boreas.moves import (
    legal_moves,
    loud_moves,
    pinned_pieces,
    quiet_moves,
    reaches_of,
)
from tests.support.effort import effort

STARTS = (
    "rncbkqbnr/ppppppppp/9/9/9/9/PPPPPPPPP/RNBQKBCNR w KQkq - 0 1",
    "r3k3r/ppppppppp/9/9/9/9/PPPPPPPPP/R3K3R w KQkq - 0 1",
    "r3k3r/9/9/9/9/9/9/R3K3R w KQkq - 0 1",
    "9/PPPP1PPPP/4k4/9/9/4K4/pppp1pppp/9 w - - 0 1",
    "2b1k1r2/9/1B2R4/9/4c4/2C1r1b2/9/1RK3B2 b - - 0 1",
    "4k4/ppppppppp/9/2P1P1P2/1p1p1p1p1/9/PPPPPPPPP/4K4 w - - 0 1",
    "r3k3r/2+b3+R2/9/1c5C1/1C5c1/9/2+B3+r2/R3K3R w KQkq - 0 1",
    "4k4/9/9/q3p4/9/9/1P1P1P3/K8 w - - 0 1",
    "4k4/2p6/9/KP5r1/9/9/9/9 b - - 0 1",
)


def perft(board: BoreasBoard, depth: int) -> int:
    """Count the lines of so many moves; of moves that cannot expose the king none is looked at twice."""
    if depth == 0:
        return 1
    in_check, reaches, count = board.in_check, reaches_of(board), 0
    doubtful = -1 if in_check else board.of[KINGS[board.white]] | pinned_pieces(board)
    for ordered in loud_moves(board, reaches) + quiet_moves(board, reaches, in_check=in_check):
        move = ordered & MOVE
        board.make(move)
        is_doubtful = doubtful & BIT72[move & SQUARE] or move & 3 << 24 == EN_PASSANT
        if not is_doubtful or not board.left_in_check:
            count += perft(board, depth - 1)
        board.undo()
    return count


def everything(board: BoreasBoard) -> object:
    counted = (board.white, board.rights, board.passed, board.quiet, board.key, board.value)
    return list(board.squares), list(board.of), list(board.side), list(board.line), counted


def walk(start: str, choices: Iterator[int], plies: int) -> Iterator[tuple[CaptainsPosition, BoreasBoard]]:
    """Yield the game's position and the board, move by move."""
    position = parse_fen(start)
    board = BoreasBoard(position)
    yield position, board
    for _ in range(plies):
        if not position.moves:
            return
        ids = sorted(position.moves, key=lambda id_: (-len(id_), id_))  # promotions first: they are rare
        id_ = ids[next(choices) % len(ids)]
        board.make(next(move for move in legal_moves(board) if board.id_of(move) == id_))
        position = position.play(position.moves[id_])
        yield position, board


def agree(position: CaptainsPosition, board: BoreasBoard) -> None:
    """Assert that both say the same of a position."""
    fresh = BoreasBoard(position)
    assert board.squares == fresh.squares, format_fen(position)
    assert (board.of, board.side, board.key, board.value) == (fresh.of, fresh.side, fresh.key, fresh.value)
    assert (board.passed, board.rights, board.quiet) == (position.passed, position.rights, position.quiet)
    assert board.in_check == position.in_check
    if not position.bare:
        found = [board.id_of(move) for move in legal_moves(board)]
        assert sorted(found) == sorted(position.moves), format_fen(position)


@pytest.mark.parametrize(("depth", "lines"), [(1, 24), (2, 576), (3, 15_309), (4, 405_465)][: effort(3, 4)])
def test_from_the_start_there_are_as_many_lines_as_the_rules_allow(depth: int, lines: int) -> None:
    assert perft(BoreasBoard(START_POSITION), depth) == lines


@settings(max_examples=effort(24, 1000))
@given(st.sampled_from(STARTS), st.integers(0, 2**64))
def test_it_moves_as_the_rules_say_from_any_position_on(start: str, seed: int) -> None:
    rng = random.Random(seed)
    for position, board in walk(start, iter(lambda: rng.randrange(10_000), None), effort(20, 80)):
        agree(position, board)


@settings(max_examples=effort(16, 1000))
@given(st.sampled_from(STARTS), st.lists(st.integers(0, 60), min_size=10, max_size=10))
def test_every_move_taken_back_leaves_the_board_as_it_was(start: str, choices: list[int]) -> None:
    for _, board in walk(start, iter(choices), len(choices) - 1):
        before = everything(board)
        for move in legal_moves(board):
            board.make(move)
            board.undo()
            assert everything(board) == before
        board.make_null()
        board.undo()
        assert everything(board) == before


def test_a_pawn_that_may_only_be_taken_by_leaving_the_king_attacked_is_not_noted() -> None:
    board = BoreasBoard(parse_fen("4k4/2p6/9/KP5r1/9/9/9/9 b - - 0 1"))
    board.make(next(move for move in legal_moves(board) if board.id_of(move) == "c7c5"))
    assert board.passed == -1
    assert "b5c6" not in {board.id_of(move) for move in legal_moves(board)}
