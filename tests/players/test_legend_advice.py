"""Advice about Legend's dice in positions where the best stop is plain."""

from collections.abc import Sequence

import pytest

from captains_table.games.contract import Keep, Pick, Rolled
from captains_table.games.legend import Legend
from captains_table.games.legend.state import State
from captains_table.players.common.advice import Advice
from captains_table.players.legend.dice_advice import advise_on_legend_dice, gains, legend_choice

GAME = Legend()
KING_IN_REACH = "4k3/8/8/8/4R3/8/8/K7 w - - 0 1"  # the rook (IV) takes the king
LONE_KING = "7k/8/8/8/8/8/8/K7 w - - 0 1"  # only the king (V) may move


def after(faces: Sequence[int], fen: str = "", **options: str) -> State:
    state = GAME.start(["Anne", "Bart"], {**options, **({"fen": fen} if fen else {})})
    return GAME.apply(GAME.apply(state, Pick("roll")), Rolled(tuple(faces)))


def advised(state: State) -> Advice:
    advice = advise_on_legend_dice(state)
    assert advice is not None
    return advice


def test_a_turn_begins_with_all_six() -> None:
    assert advised(GAME.start(["Anne", "Bart"], {})).action == Pick("roll")


def test_a_crew_and_a_four_are_kept_and_the_small_cargo_thrown() -> None:
    state = after((6, 5, 4, 1, 2, 4))
    advice = advised(state)
    assert (advice.action, advice.words) == (Pick("throw-again"), "Keep 4 5 6 IV")
    assert advised(GAME.apply(state, Pick("throw-again"))).action == Keep((1, 2, 3, 6))


@pytest.mark.parametrize(("face", "stops"), [(1, False), (2, False), (3, False), (4, True), (5, True), (6, True)])
def test_at_the_start_a_first_throw_of_four_or_more_stops(face: int, *, stops: bool) -> None:
    assert legend_choice(after((1, 1, 1, 1, 1, face))).stops == stops


def test_a_king_in_reach_is_worth_throwing_for() -> None:
    state = after((1, 1, 1, 1, 1, 3), KING_IN_REACH)
    values = gains(state, throws=1)
    assert values[3] == 0  # nothing worth three or less may move
    assert values[4] == 4 + 5  # the die and the king; his owner has no cargo to pay with
    assert not legend_choice(state).stops


def test_a_third_throw_moves_a_piece_and_scores_no_die() -> None:
    state = after((1, 1, 1, 1, 1, 3), LONE_KING)
    assert gains(state, throws=1)[5] == 5
    assert gains(state, throws=3)[5] == 0


def test_with_the_pieces_value_scored_a_six_is_no_better_than_the_best_piece_it_moves() -> None:
    state = after((1, 1, 1, 1, 1, 3), LONE_KING, score="piece")
    assert gains(state, throws=1)[6] == 5


def test_dice_that_are_as_good_as_they_get_are_left_and_the_player_moves_himself() -> None:
    advice = advised(after((6, 5, 4, 6, 6, 6)))
    assert advice.action is None
    assert "move" in advice.words


def test_somebody_who_throws_against_the_advice_loses_least_by_the_die_that_gains_most() -> None:
    opened = GAME.apply(after((6, 5, 4, 6, 6, 4)), Pick("throw-again"))
    # a IV stops for 4 and is worth 3.5 thrown again; a cargo die loses more
    assert advised(opened).action == Keep((1, 2, 3, 4, 5))
