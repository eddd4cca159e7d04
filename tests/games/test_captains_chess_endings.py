"""Captain's Chess rule by rule: how a match ends (docs/rules/captains-chess.md C6 - C7), and the clock."""

import pytest

from captains_table.games.common.time_control import parse_clock
from captains_table.games.contract import Decide, IllegalAction, Result, TimeControl, TimeUp
from tests.support.captains_chess_play import (
    ANNE,
    BART,
    CASTLES,
    GAME,
    LOST,
    SHARED,
    WON,
    fen_of,
    offered,
    play,
    result,
    start,
    told,
)


@pytest.mark.parametrize(
    ("fen", "move", "ends", "words"),
    [
        ("8k/R8/1R7/9/9/9/p8/3K5 w - - 0 1", "b6b8+", WON, "Bart is mated, Anne wins"),
        ("k8/p8/P8/2Q6/9/9/9/4K4 w - - 0 1", "c5c7", WON, "Bart has no move, Anne wins"),
        ("9/9/4k4/3p5/3RK4/9/9/9 w - - 0 1", "d4d5", WON, "Bart has a bare king, Anne wins"),
        ("4k4/9/9/3r5/3R5/9/9/4K4 b - - 0 1", "d5d4", LOST, "Anne has a bare king, Bart wins"),
    ],
    ids=["mate", "no move", "a bare king that could bare the other", "Black wins"],
)
def test_c6_a_match_is_lost_by_mate_having_no_move_or_a_bare_king(
    fen: str, move: str, ends: Result, words: str
) -> None:
    assert result(play(start(fen), move)) == ends
    assert told(start(fen), move)[-1] == words


@pytest.mark.parametrize(
    ("fen", "move"),
    [
        ("7k1/5R3/6R2/9/9/9/7p1/K8 w - - 0 1", "g6g8+"),
        ("4k4/8p/9/3n5/3R5/9/9/4K4 w - - 0 1", "d4d5"),
        ("4k4/9/9/9/9/4n4/9/4KN3 w - - 0 1", "f1g3"),
    ],
    ids=["check", "a pawn keeps the king company", "two kings with little else"],
)
def test_c6_a_match_goes_on_otherwise(fen: str, move: str) -> None:
    assert result(play(start(fen), move)) is None


# --- C7: draws, claims, resigning -------------------------------------------------------------------------------------

SHUFFLE = ("b1b2", "b8b7", "b2b1", "b7b8")
QUIET = "1r2k4/4p4/9/9/9/9/4P4/1R2K4 w - - {} 1"


def test_c7_the_third_time_is_claimed_by_the_player_to_move() -> None:
    state = play(start(QUIET.format(0)), *SHUFFLE, *SHUFFLE[:3])
    assert "claim-draw" not in offered(state)
    state = play(state, "b7b8")
    assert "claim-draw" in offered(state)
    assert result(play(state, "claim-draw")) == SHARED
    assert "claim-draw" in offered(play(state, "b1b2"))  # this position is there for the third time as well
    assert "claim-draw" not in offered(play(state, "b1c1"))


def test_c7_rights_to_castle_make_positions_differ() -> None:
    there = ("e1d1", "e8d8", "d1e1", "d8e8")
    state = play(start(CASTLES.format("w")), *there, *there)
    assert "claim-draw" not in offered(state)  # at first both could castle
    assert "claim-draw" in offered(play(state, *there))


def test_c7_a_pawn_that_cannot_be_taken_en_passant_makes_no_difference() -> None:
    state = start("1r2k4/4p4/9/9/9/9/3PP4/1R2K4 w - - 0 1")
    state = play(state, "d2d4", "b8b7", "b1b2", "b7b8", "b2b1", "b8b7", "b1b2", "b7b8", "b2b1")
    assert "claim-draw" in offered(state)


def test_c7_fifty_moves_are_claimed_not_imposed() -> None:
    state = play(start(QUIET.format(98)), "b1b2")
    assert "claim-draw" not in offered(state)
    state = play(state, "b8b7")
    assert "claim-draw" in offered(state)
    assert result(play(state, "claim-draw")) == SHARED
    assert result(play(state, "b2b1")) is None


@pytest.mark.parametrize("id_", ["b1b8+", "e2e3", "c1a3"])
def test_c7_captures_pawn_moves_and_crownings_begin_the_count_anew(id_: str) -> None:
    state = play(start("1r2k4/4p4/9/9/9/b8/4P4/1RB1K4 w - - 42 1"), id_)
    assert fen_of(state).split()[4] == "0"
    crowned = play(start("4k4/1R2p4/9/9/9/9/4P4/4K4 w - - 42 1"), "b7b8+")
    assert fen_of(crowned).split()[4] == "0"


def test_c7_resigning_loses() -> None:
    assert result(play(start(), "resign")) == LOST
    assert result(play(start(), "e2e4", "resign")) == WON


def test_c7_a_draw_is_agreed_by_the_other_and_offered_once_a_move() -> None:
    state = play(start(), "offer-draw")
    turn = GAME.turn(state)
    assert isinstance(turn, Decide)
    assert turn.seat == BART
    assert result(play(state, "agree")) == SHARED
    refused = play(state, "refuse")
    assert "offer-draw" not in offered(refused)
    assert "offer-draw" in offered(play(refused, "e2e4"))


# --- the clock --------------------------------------------------------------------------------------------------------


def test_a_clock_is_minutes_and_seconds_a_move() -> None:
    assert parse_clock("5+3") == TimeControl(300_000, 3000)
    assert parse_clock("10") == TimeControl(600_000, 0)
    assert parse_clock("none") is None


def test_with_a_clock_the_mover_presses_it_and_nothing_else_can_be_done() -> None:
    state = play(start(clock="5+3"), "e2e4")
    turn = GAME.turn(state)
    assert isinstance(turn, Decide)
    assert turn.seat == ANNE
    assert offered(state) == {"press-clock"}
    with pytest.raises(IllegalAction):
        play(state, "e7e5")
    assert "e7e5" in offered(play(state, "press-clock"))


def test_whose_time_is_up_has_lost_whatever_he_had_to_do() -> None:
    state = start(clock="5")
    assert result(play(state, TimeUp())) == LOST
    assert result(play(state, "e2e4", TimeUp())) == LOST
    assert result(play(state, "e2e4", "press-clock", TimeUp())) == WON
    assert result(play(state, "offer-draw", TimeUp())) == WON


def test_without_a_clock_no_time_can_be_up() -> None:
    with pytest.raises(IllegalAction):
        play(start(), TimeUp())


def test_a_mate_ends_the_match_before_the_clock_is_pressed() -> None:
    assert result(play(start("8k/R8/1R7/9/9/9/p8/3K5 w - - 0 1", clock="5"), "b6b8+")) == WON
