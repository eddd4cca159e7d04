"""What Boreas finds when it looks ahead, and that it keeps to what it is allowed.

Source: docs/rules/captains-chess.md.
"""

import random
from collections.abc import Iterator
from functools import cache
from itertools import count, islice

import pytest

from captains_table.games.captains_chess.fen import parse_fen
from captains_table.games.captains_chess.position import CaptainsPosition
from captains_table.players.captains_chess.boreas import search as search_module
from captains_table.players.captains_chess.boreas.board import BoreasBoard
from captains_table.players.captains_chess.boreas.player import search_of
from captains_table.players.captains_chess.boreas.search import LOST, SURE, BoreasLimits, BoreasSearch, SearchResult
from tests.support.boreas_positions import played_positions
from tests.support.captains_chess_play import play, start
from tests.support.effort import effort


def searching(position: CaptainsPosition, limits: BoreasLimits) -> BoreasSearch:
    return BoreasSearch(BoreasBoard(position), [], limits, lambda: 0.0)


def look(fen: str, nodes: int = 20_000, depth: int = 40) -> tuple[str, SearchResult]:
    """Return the move found in a position, and the line."""
    line = searching(parse_fen(fen), BoreasLimits(nodes, depth=depth)).best()
    return BoreasBoard(parse_fen(fen)).id_of(line.move), line


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
        assert BoreasBoard(position).id_of(first.move) in position.moves
        assert searching(position, BoreasLimits(1)).values(3)


def test_it_stops_at_its_time_by_whatever_clock_it_is_given() -> None:
    position, ticks = positions()[0], count()
    board = BoreasBoard(position)
    before = (board.key, list(board.squares), list(board.of))
    line = BoreasSearch(board, [], BoreasLimits(until=20.0), lambda: float(next(ticks))).best()
    assert next(ticks) == 21  # it was asked twenty times, and then no more
    assert board.id_of(line.move) in position.moves
    assert (board.key, list(board.squares), list(board.of)) == before


def test_what_it_keeps_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_module, "TABLE_SIZE", 100)
    search = searching(positions()[0], BoreasLimits(3_000))
    search.best()
    assert 100 < search.stored_positions <= 200


def test_a_match_that_is_over_has_no_best_move() -> None:
    assert searching(parse_fen("k8/9/9/9/9/9/1r7/r3K4 w - - 0 1"), BoreasLimits(100)).best().move == 0
