"""Boreas's board moves as the rules say; what its search finds, and that this keeps to what it is allowed.

Source: docs/rules/captains-chess.md.
"""

import random
from collections.abc import Iterator
from functools import cache
from itertools import count, islice

import pytest
from hypothesis import given, settings, strategies as st

from captains_table.games.captains_chess.fen import START_POSITION, parse_fen
from captains_table.games.captains_chess.position import CaptainsPosition
from captains_table.players.boreas import search as search_module
from captains_table.players.boreas.board import EN_PASSANT, KINGS, MOVE, SQUARE, BoreasBoard
from captains_table.players.boreas.lines import BIT72
from captains_table.players.boreas.moves import (
    legal_moves,
    loud_moves,
    pinned_pieces,
    quiet_moves,
    reaches_of,
)
from captains_table.players.boreas.player import search_of
from captains_table.players.boreas.search import LOST, SURE, BoreasLimits, BoreasSearch, SearchResult
from captains_table.players.boreas.setups import setup_of_position
from tests.support.boreas_positions import played_positions
from tests.support.captains_chess_play import play, start
from tests.support.effort import effort

# --- the board --------------------------------------------------------------------------------------------------------

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
    position = parse_fen(start)
    board = BoreasBoard(setup_of_position(position))
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
    fresh = BoreasBoard(setup_of_position(position))
    assert board.squares == fresh.squares, position.fen()
    assert (board.of, board.side, board.key, board.value) == (fresh.of, fresh.side, fresh.key, fresh.value)
    assert (board.passed, board.rights, board.quiet) == (position.passed, position.rights, position.quiet)
    assert board.in_check == position.in_check
    if not position.bare:
        found = [board.id_of(move) for move in legal_moves(board)]
        assert sorted(found) == sorted(position.moves), position.fen()


@pytest.mark.parametrize(("depth", "lines"), [(1, 24), (2, 576), (3, 15_309), (4, 405_465)][: effort(3, 4)])
def test_from_the_start_there_are_as_many_lines_as_the_rules_allow(depth: int, lines: int) -> None:
    assert perft(BoreasBoard(setup_of_position(START_POSITION)), depth) == lines


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
    board = BoreasBoard(setup_of_position(parse_fen("4k4/2p6/9/KP5r1/9/9/9/9 b - - 0 1")))
    board.make(next(move for move in legal_moves(board) if board.id_of(move) == "c7c5"))
    assert board.passed == -1
    assert "b5c6" not in {board.id_of(move) for move in legal_moves(board)}


# --- the search -------------------------------------------------------------------------------------------------------


def searching(position: CaptainsPosition, limits: BoreasLimits) -> BoreasSearch:
    return BoreasSearch(BoreasBoard(setup_of_position(position)), [], limits, lambda: 0.0)


def look(fen: str, nodes: int = 20_000, depth: int = 40) -> tuple[str, SearchResult]:
    """Return the move found in a position, and the line."""
    line = searching(parse_fen(fen), BoreasLimits(nodes, depth=depth)).best()
    return BoreasBoard(setup_of_position(parse_fen(fen))).id_of(line.move), line


def wins_within(position: CaptainsPosition, moves: int) -> bool:
    """Return whether the side to move can force its win in so many moves of its own, by the rules alone."""
    for move in position.moves.values():
        after = position.play(move)
        if after.bare:
            if after.white in after.bare:
                return True
            continue
        if not after.moves:
            return True
        if moves > 1 and all(wins_within(after.play(answer), moves - 1) for answer in after.moves.values()):
            return True
    return False


def endgames(seed: int) -> Iterator[CaptainsPosition]:
    """Yield positions of few pieces, in which somebody is about to win."""
    rng = random.Random(seed)
    while True:
        pieces = rng.choice([("K", "Q", "R", "k", "p"), ("K", "C", "C", "k", "n"), ("K", "+R", "+B", "k", "b")])
        position = _placed({(rng.randrange(9), rng.randrange(1, 7)): sign for sign in pieces})
        if position is not None:
            yield position


def _placed(board: dict[tuple[int, int], str]) -> CaptainsPosition | None:
    rows = ["".join(board.get((file, rank), "1") for file in range(9)) for rank in reversed(range(8))]
    try:
        position = parse_fen(f"{'/'.join(rows)} w - - 0 1")
    except ValueError:
        return None
    return position if position.moves else None


@pytest.mark.parametrize(
    "fen",
    [
        "k8/1p7/1K7/9/9/9/9/8R w - - 0 1",  # mate on the last rank
        "4k4/9/9/9/9/9/4p4/4K3R w - - 0 1",  # the last piece taken leaves a bare king (C6)
        "8k/6+R1p/8P/9/9/9/9/K6Q1 w - - 0 1",  # one whom no move is left has lost, in check or not (C6)
    ],
)
def test_a_win_at_once_is_taken(fen: str) -> None:
    found, line = look(fen)
    assert line.value == -LOST - 1
    before = parse_fen(fen)
    after = before.play(before.moves[found])
    assert after.bare or not after.moves


@pytest.mark.long
def test_whatever_can_be_forced_by_the_rules_in_two_moves_is_found() -> None:
    for position in islice(filter(lambda found: wins_within(found, 2), endgames(seed=3)), effort(3, 200)):
        assert searching(position, BoreasLimits(50_000)).best().value > SURE, position.pieces()


def test_a_piece_left_to_be_taken_is_taken_and_a_guarded_one_is_not() -> None:
    assert look("4k4/9/9/3q5/9/9/4P4/3RK4 w - - 0 1")[0] == "d1d5"
    assert look("4k4/3p5/2p6/3n5/9/9/4P4/3QK4 w - - 0 1", depth=1)[0] != "d1d5"


def test_the_side_that_is_behind_goes_round_in_circles_if_it_can() -> None:
    fen = "7k1/7p1/9/9/9/2q6/r8/5Q2K w - - 0 1"  # a rook behind, and the king can be checked for ever
    found, line = look(fen, nodes=8_000)
    assert (found, line.value) == ("f1f8", 0)


def test_a_position_of_the_match_that_comes_again_counts_as_a_draw() -> None:
    state = play(start(), "b1c3", "b8a6", "c3b1")
    board, search = search_of(state, BoreasLimits(10_000), lambda: 0.0)
    values = {board.id_of(move): value for move, value in search.values(depth=1)}
    assert values["a6b8"] == 0
    assert values["i7i6"] != 0


def test_what_comes_after_fifty_quiet_moves_is_a_draw_but_for_a_win() -> None:
    ahead = "k8/9/9/p8/9/9/9/{}KQ w - - {} 80"
    assert look(ahead.format(7, 99), depth=2)[1].value == 0
    assert look(ahead.format(7, 0), depth=2)[1].value > 500
    assert look("k8/1p7/1K7/9/9/9/9/8R w - - 99 80")[1].value == -LOST - 1


# --- within what is allowed -----------------------------------------------------------------------------------------


@cache
def positions() -> list[CaptainsPosition]:
    return played_positions(effort(1, 10), seed=8, nodes=100)


@pytest.mark.parametrize("nodes", [1, 500, 3_000])
def test_it_looks_at_no_more_positions_than_it_may_and_finds_the_same_every_time(nodes: int) -> None:
    for position in positions():
        first, again = (searching(position, BoreasLimits(nodes)).best() for _ in range(2))
        assert first == again
        assert first.nodes <= nodes
        assert BoreasBoard(setup_of_position(position)).id_of(first.move) in position.moves
        assert searching(position, BoreasLimits(1)).values(3)


def test_it_stops_at_its_time_by_whatever_clock_it_is_given() -> None:
    position, ticks = positions()[0], count()
    board = BoreasBoard(setup_of_position(position))
    before = (board.key, list(board.squares), list(board.of))
    line = BoreasSearch(board, [], BoreasLimits(until=20.0), lambda: float(next(ticks))).best()
    assert next(ticks) == 21  # it was asked twenty times, and then no more
    assert board.id_of(line.move) in position.moves
    assert (board.key, list(board.squares), list(board.of)) == before


def test_what_it_keeps_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_module, "TABLE_SIZE", 100)
    search = searching(positions()[0], BoreasLimits(3_000))
    search.best()
    assert 100 < len(search._young) + len(search._old) <= 200


def test_a_match_that_is_over_has_no_best_move() -> None:
    assert searching(parse_fen("k8/9/9/9/9/9/1r7/r3K4 w - - 0 1"), BoreasLimits(100)).best().move == 0
