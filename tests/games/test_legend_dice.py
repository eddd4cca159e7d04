"""docs/rules/legend.md L5 - L8: throwing the dice, cargo, the umbrella, forfeits."""

import pytest

from captains_table.games.contract import Keep, Pick
from tests.support.legend_harness import (
    ANNE,
    BARE_KINGS,
    BART,
    GAME,
    cargo,
    due,
    lying,
    moves,
    offered,
    on_board,
    piece,
    pieces,
    play,
    refuses,
    seat,
    start,
    tallies,
    throwable,
)

KING_IN_A_BOX = "4k3/8/8/8/8/p7/P7/K7 w - - 0 1"  # a die below the king's 5 moves nothing
ALL_KINDS = "4k3/7p/8/8/P7/2N2B2/3Q4/R3K3 w - - 0 1"


def test_a_turn_begins_with_all_six_dice_or_one_group_first() -> None:
    assert offered(start()) - {"abandon"} == {"roll", "roll-cargo", "roll-legend"}


@pytest.mark.parametrize(
    ("pick", "dice"), [("roll", (1, 2, 3, 4, 5, 6)), ("roll-cargo", (1, 2, 3, 4, 5)), ("roll-legend", (6,))]
)
def test_a_picked_throw_falls_at_once(pick: str, dice: tuple[int, ...]) -> None:
    roll = due(play(start(), pick))
    assert (roll.seat, roll.dice, roll.at_once) == (ANNE, dice, True)


def test_the_groups_may_be_thrown_one_after_the_other_in_either_order() -> None:
    once = play(start(), "roll-cargo 1 2 3 4 5")
    assert offered(once) & {"roll", "roll-cargo", "roll-legend"} == {"roll-legend"}
    state = play(start(), "roll-legend 2", "roll-cargo 1 2 3 4 5")
    assert lying(state) == lying(play(start(), "roll-cargo 1 2 3 4 5", "roll-legend 2")) == (1, 2, 3, 4, 5, 2)


def test_cargo_dice_are_thrown_at_most_three_times() -> None:
    state = play(start(), "roll-cargo 1 1 1 1 1", "keep 1 -> 2 2 2 2", "keep 1 2 3 4 -> 3")
    assert lying(state) == (1, 2, 2, 2, 3, None)
    assert throwable(state) == ()


def test_the_legend_die_is_thrown_at_most_three_times() -> None:
    state = play(start(), "roll-legend 1", "keep -> 2", "keep -> 3")
    assert lying(state)[5] == 3
    assert throwable(state) == ()


def test_the_two_counts_are_independent() -> None:
    state = play(start(), "roll 1 1 1 1 1 1", "keep 6 -> 2 2 2 2 2", "keep 6 -> 3 3 3 3 3")
    assert throwable(state) == (6,)
    assert throwable(play(state, "keep -> 4")) == (6,)
    state = play(start(), "roll 1 1 1 1 1 1", "keep 1 2 3 4 5 -> 4", "keep 1 2 3 4 5 -> 5")
    assert throwable(state) == (1, 2, 3, 4, 5)


def test_a_throw_may_contain_both_kinds_and_the_gaps_fill_from_the_left() -> None:
    state = play(start(), "roll 1 2 3 4 5 1", "keep 2 4 -> 6 6 6 2")
    assert lying(state) == (6, 2, 6, 4, 6, 2)


def test_nothing_has_to_be_kept_and_a_kept_die_may_be_thrown_later() -> None:
    state = play(start(), "roll 6 5 4 1 1 1", "keep 1 2 3 6 -> 2 2", "keep 6 -> 1 1 1 1 1")
    assert lying(state) == (1, 1, 1, 1, 1, 1)


def test_dice_that_may_no_longer_be_thrown_stay_whether_named_or_not() -> None:
    state = play(start(), "roll 1 1 1 1 1 6", "e2e4", "throw-again")
    for kept in [(1, 2, 3), (1, 2, 3, 6)]:
        assert due(GAME.apply(state, Keep(kept))).dice == (4, 5)


def test_a_turn_cannot_end_or_be_forfeited_with_dice_never_thrown() -> None:
    state = play(start(), "roll-legend 1", "e2e4")
    assert "done" not in offered(state)
    assert "done" in offered(play(state, "roll-cargo 1 1 1 1 1"))
    assert "done" not in offered(play(start(KING_IN_A_BOX), "roll-legend 1"))
    assert "done" not in offered(play(start(KING_IN_A_BOX), "roll-cargo 6 5 4 3 2"))


# --- L6 -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("faces", "worth"),
    [
        ("6 5 4 1 1", 2),
        ("6 5 4 6 6", 12),
        ("4 3 5 2 6", 5),
        ("6 5 5 5 5", 0),
        ("6 6 4 4 3", 0),
        ("5 5 4 4 4", 0),
    ],
)
def test_cargo_is_the_other_two_dice_beside_ship_captain_and_crew(faces: str, worth: int) -> None:
    assert cargo(moves(start(), "e2e4", cargo=faces), ANNE) == worth


def test_cargo_is_credited_when_the_turn_ends_and_legend_at_once() -> None:
    state = play(start(), "roll 6 5 4 6 6 2", "e2e4")
    assert tallies(state, ANNE) == (0, 2)
    assert tallies(play(state, "done"), ANNE) == (12, 2)


def test_throwing_after_the_crew_shows_may_lose_it_for_the_final_dice_count() -> None:
    state = play(start(), "roll 6 5 4 1 1 1", "e2e4", "keep 1 2 -> 1 1 1", "done")
    assert cargo(state, ANNE) == 0
    state = play(start(), "roll 6 5 4 1 1 1", "e2e4", "keep 1 2 3 -> 6 6", "done")
    assert cargo(state, ANNE) == 12


# --- L7 -------------------------------------------------------------------------------------------------------------


def test_a_piece_moves_only_after_the_legend_die_fell() -> None:
    state = play(start(), "roll-cargo 1 1 1 1 1")
    assert on_board(state) == set()
    assert refuses(state, Pick("e2e4"))


def test_cargo_dice_may_be_thrown_before_and_after_the_move() -> None:
    state = play(start(), "roll-cargo 1 1 1 1 1", "keep -> 6 1 1 1 1", "roll-legend 3", "e2e4", "keep 1 -> 5 4 3 3")
    assert cargo(state, ANNE) == 6


def test_the_move_makes_the_legend_die_final() -> None:
    assert throwable(play(start(), "roll 1 1 1 1 1 1", "e2e4")) == (1, 2, 3, 4, 5)


def test_after_its_move_with_no_cargo_throw_left_the_turn_passes_by_itself() -> None:
    state = play(start(), "roll 1 1 1 1 1 1", "keep 6 -> 1 1 1 1 1", "keep 6 -> 6 5 4 2 2")
    assert seat(state) == ANNE
    state = play(state, "e2e4")
    assert seat(state) == BART
    assert tallies(state, ANNE) == (4, 1)


def test_a_last_cargo_throw_after_the_move_ends_the_turn_by_itself() -> None:
    state = play(start(), "roll 1 1 1 1 1 1", "e2e4", "keep -> 1 1 1 1 1")
    assert seat(state) == ANNE
    assert seat(play(state, "keep -> 6 5 4 1 1")) == BART


# --- L8 -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("die", "letters"), [(1, "P"), (2, "PN"), (3, "PNB"), (4, "PNBR"), (5, "PNBRK"), (6, "PNBRKQ")]
)
def test_the_die_lets_every_piece_move_whose_value_it_covers(die: int, letters: str) -> None:
    state = play(start(ALL_KINDS), f"roll 1 1 1 1 1 {die}")
    assert {piece(state, id_[:2]) for id_ in on_board(state)} == set(letters)


def test_a_piece_above_the_die_does_not_move_and_the_reason_is_told() -> None:
    state = play(start(), "roll 1 1 1 1 1 1")
    assert refuses(state, Pick("g1f3"))
    assert "g1f3" in {refused.id for refused in GAME.refused(state)}


@pytest.mark.parametrize("die", range(1, 7))
def test_passing_is_not_allowed_while_a_permitted_piece_can_move(die: int) -> None:
    state = play(start(), f"roll 1 1 1 1 1 {die}")
    assert "done" not in offered(state)
    assert refuses(state, Pick("done"))


def test_without_a_permitted_move_the_legend_die_may_be_thrown_again() -> None:
    state = play(start(KING_IN_A_BOX), "roll 1 1 1 1 1 4")
    assert on_board(state) == set()
    assert 6 in throwable(state)
    assert on_board(play(state, "keep 1 2 3 4 5 -> 5")) == {"a1b1", "a1b2"}


def test_without_a_permitted_move_and_throws_the_move_is_forfeited() -> None:
    state = play(start(KING_IN_A_BOX), "roll 6 5 4 3 2 1", "keep 1 2 3 4 5 -> 2", "keep 1 2 3 4 5 -> 3")
    assert offered(state) - {"abandon", "genie", "throw-again"} == {"done"}
    before = pieces(state)
    state = play(state, "done")
    assert pieces(state) == before
    assert seat(state) == BART
    assert tallies(state, ANNE) == (5, 0)


def test_a_forfeit_does_not_pass_by_itself_while_the_genie_may_still_come() -> None:
    state = play(start(KING_IN_A_BOX), "roll 1 1 1 1 1 1", "keep -> 1 1 1 1 1 1", "keep -> 1 1 1 1 1 1")
    assert seat(state) == ANNE
    assert {"genie", "done"} <= offered(state)


def test_a_throw_again_with_one_die_left_to_throw_falls_at_once() -> None:
    state = play(start(BARE_KINGS), "roll-legend 1", "throw-again")
    assert due(state).dice == (6,)
    assert due(state).at_once
