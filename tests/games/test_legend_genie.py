"""docs/rules/legend.md L18 - L19: the Genie."""

import pytest

from captains_table.games.contract import Pick
from captains_table.games.legend.state import State
from tests.support.legend_harness import (
    ANNE,
    BARE_KINGS,
    BART,
    cargo,
    due,
    legend,
    moves,
    offered,
    on_board,
    piece,
    pieces,
    play,
    refuses,
    seat,
    start,
    throwable,
    told,
)

ROLL_SIX = "roll 1 1 1 1 1 6"
BLACK_TO_MOVE = "4k3/8/8/8/8/8/8/4K3 b - - 0 1"


def genie(fen: str, faces: str, die: int = 6) -> State:
    return play(start(fen), f"roll 1 1 1 1 1 {die}", f"genie {faces}")


@pytest.mark.parametrize(
    ("faces", "squares"),
    [
        ("5 3", {"genie-f4", "genie-d6"}),
        ("3 5", {"genie-f4", "genie-d6"}),
        ("1 6", {"genie-b7", "genie-g2"}),
        ("1 2", {"genie-b3", "genie-c2"}),
        ("6 4", {"genie-g5", "genie-e7"}),
        ("1 1", {"genie-b2"}),
        ("6 6", {"genie-g7"}),
    ],
)
def test_two_dice_give_white_two_squares_and_a_double_one(faces: str, squares: set[str]) -> None:
    assert offered(genie(BARE_KINGS, faces)) == squares


@pytest.mark.parametrize(
    ("faces", "squares"),
    [
        ("5 3", {"genie-c5", "genie-e3"}),
        ("1 6", {"genie-g2", "genie-b7"}),
        ("1 2", {"genie-g6", "genie-f7"}),
        ("1 1", {"genie-g7"}),
        ("6 6", {"genie-b2"}),
    ],
)
def test_for_black_the_board_is_turned_round(faces: str, squares: set[str]) -> None:
    assert offered(genie(BLACK_TO_MOVE, faces)) == squares


def test_in_the_second_round_the_colours_decide_not_the_seats() -> None:
    state = play(start(), "abandon", "agree", ROLL_SIX)
    assert seat(state) == BART
    assert offered(play(state, "genie 3 4")) == {"genie-d5", "genie-e4"}


def test_the_genies_dice_wait_for_the_button() -> None:
    roll = due(play(start(BARE_KINGS), ROLL_SIX, "genie"))
    assert (roll.seat, len(roll.dice), roll.at_once) == (ANNE, 2, False)


@pytest.mark.parametrize("die", range(1, 7))
def test_the_genie_waits_for_the_die_and_comes_whatever_it_shows(die: int) -> None:
    assert "genie" not in offered(play(start(BARE_KINGS), "roll-cargo 1 1 1 1 1"))
    assert "genie" in offered(play(start(BARE_KINGS), f"roll 1 1 1 1 1 {die}"))


def test_the_king_goes_there_as_the_turns_move_and_scores_the_die_and_no_treasure() -> None:
    assert "done" in offered(play(genie(BARE_KINGS, "6 1"), "genie-b7"))
    state = play(genie(BARE_KINGS, "5 3", die=2), "genie-d6")
    assert (piece(state, "d6"), piece(state, "e1")) == ("K", None)
    assert legend(state, ANNE) == 2
    assert on_board(state) == set()
    assert "done" in offered(state)


def test_with_the_die_thrown_three_times_the_genie_scores_nothing() -> None:
    state = play(start(BARE_KINGS), ROLL_SIX, "keep 1 2 3 4 5 -> 6", "keep 1 2 3 4 5 -> 6", "genie 5 3", "genie-f4")
    assert legend(state, ANNE) == 0


def test_the_genies_hop_can_strike() -> None:
    state = genie("8/4k3/8/8/8/8/8/4K3 w - - 0 1", "5 3", die=1)
    assert [game_event.points for game_event in told(state, "genie-d6") if game_event.points] == [1, 1]
    opened = play(genie("4k3/8/8/8/8/4K3/8/4R3 w - - 0 1", "5 3", die=1), "genie-f4")
    assert legend(opened, ANNE) == 2


def test_summoning_makes_the_legend_die_final() -> None:
    state = play(genie(BARE_KINGS, "5 3"), "genie-f4")
    assert throwable(state) == (1, 2, 3, 4, 5)


def test_he_comes_once_a_round_for_each_king() -> None:
    state = play(genie(BARE_KINGS, "5 3"), "genie-f4", "done", ROLL_SIX)
    assert "genie" in offered(state)
    state = play(state, "genie 5 3", "genie-c5", "done", ROLL_SIX)
    assert "genie" not in offered(state)
    assert refuses(state, Pick("genie"))
    next_round = play(genie(BARE_KINGS, "5 3"), "genie-f4", "abandon", "agree")
    assert "genie" in offered(play(next_round, ROLL_SIX))
    assert "genie" in offered(play(moves(next_round, "e2e4"), ROLL_SIX))


@pytest.mark.parametrize(
    "fen",
    ["4k3/8/8/8/5P2/8/8/4K3 w - - 0 1", "4k3/8/8/8/5p2/8/8/4K3 w - - 0 1", "4k3/8/8/8/5K2/8/8/8 w - - 0 1"],
    ids=["an own piece", "an enemy piece", "the king himself"],
)
def test_with_something_on_one_square_he_must_go_to_the_other(fen: str) -> None:
    state = genie(fen, "5 3")
    assert offered(state) == {"genie-d6"}
    assert refuses(state, Pick("done"))
    assert refuses(state, Pick("genie-f4"))


def test_with_no_vacant_square_he_is_spent_and_the_king_must_move_as_before() -> None:
    fen = "4k3/8/3p4/8/5p2/8/8/4K3 w - - 0 1"
    before = pieces(start(fen))
    state = genie(fen, "5 3")
    assert pieces(state) == before
    assert legend(state, ANNE) == 0
    assert on_board(state) == {"e1d1", "e1f1", "e1d2", "e1e2", "e1f2"}
    assert not {"genie", "done"} & offered(state)
    assert throwable(state) == (1, 2, 3, 4, 5)
    state = play(state, "e1e2")
    assert legend(state, ANNE) == 6
    assert "genie" not in offered(play(moves(play(state, "done"), "e8e7"), ROLL_SIX))


def test_with_no_vacant_square_and_no_permitted_move_the_move_is_forfeited() -> None:
    state = play(start("4k3/8/3p4/8/5p2/8/8/4K3 w - - 0 1"), "roll 6 5 4 3 2 1", "genie 5 3")
    assert on_board(state) == set()
    assert throwable(state) == (1, 2, 3, 4, 5)
    state = play(state, "done")
    assert (cargo(state, ANNE), legend(state, ANNE), seat(state)) == (5, 0, BART)


def test_a_double_on_the_kings_own_square_spends_the_genie() -> None:
    state = genie("4k3/8/8/8/8/8/1K6/8 w - - 0 1", "1 1")
    assert piece(state, "b2") == "K"
    assert "genie" not in offered(state)


def test_the_king_loses_castling() -> None:
    state = play(start("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"), ROLL_SIX, "genie 4 1", "genie-e2", "done")
    state = moves(state, "e8e7", "e2e1", "e7e8")
    assert not {"e1g1", "e1c1"} & on_board(play(state, ROLL_SIX))


def test_a_turn_with_no_throw_left_passes_after_the_hop() -> None:
    state = play(start(BARE_KINGS), ROLL_SIX, "keep 6 -> 1 1 1 1 1", "keep 6 -> 1 1 1 1 1", "genie 5 3")
    assert seat(state) == ANNE
    assert seat(play(state, "genie-f4")) == BART
