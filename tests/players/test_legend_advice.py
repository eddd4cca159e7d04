"""Advice about Legend's dice where the best stop is plain; and computers answer every bargain by what prices are worth.

Source: docs/rules/legend.md L5 - L9, L16a.
"""

import re
from dataclasses import replace

import pytest

from captains_table.games.contract import Action, Amount, Decide, Keep, Pick
from captains_table.games.legend.state import State
from captains_table.games.legend.steps import BuyConsent
from captains_table.players.common.advice import Advice, about, lead_in_words
from captains_table.players.common.strategies import Strategy
from captains_table.players.legend.bartering import answering_bargains
from captains_table.players.legend.dice_advice import advise_on_legend_dice, gains, legend_choice
from tests.support.legend_harness import BART, GAME, asked, play, start

KING_IN_REACH = "4k3/8/8/8/4R3/8/8/K7 w - - 0 1"  # the rook (IV) takes the king
LONE_KING = "7k/8/8/8/8/8/8/K7 w - - 0 1"  # only the king (V) may move
NO_CREW = "roll 1 1 1 1 1 "
AGAIN = Pick("throw-again")


def advised(state: State) -> Advice:
    advice = advise_on_legend_dice(state)
    assert advice is not None
    return advice


def test_a_turn_begins_with_all_six_and_then_a_crew_and_a_four_are_kept_and_the_small_cargo_thrown() -> None:
    assert advised(start()).action == Pick("roll")
    state = play(start(), "roll 6 5 4 1 2 4")
    advice = advised(state)
    assert (advice.action, advice.words) == (AGAIN, "Keep 4 5 6 IV")
    assert re.fullmatch(
        r"about \d cargo expected; the IV: about \d legend, (about \d|a little less) if thrown", advice.why
    )
    assert advised(GAME.apply(state, AGAIN)).action == Keep((1, 2, 3, 6))


def test_at_the_start_a_first_throw_of_four_or_more_stops() -> None:
    assert [face for face in range(1, 7) if legend_choice(play(start(), f"{NO_CREW}{face}")).stops] == [4, 5, 6]


def test_a_king_in_reach_is_worth_throwing_for() -> None:
    state = play(start(fen=KING_IN_REACH), f"{NO_CREW}3")
    values = gains(state, throws=1)
    assert values[3] == 0  # nothing worth three or less may move
    assert values[4] == 4 + 5  # the die and the king; his owner has no cargo to pay with
    assert not legend_choice(state).stops


def test_a_third_throw_scores_no_die_and_with_the_pieces_value_scored_a_six_is_worth_the_best_piece_it_moves() -> None:
    state = play(start(fen=LONE_KING), f"{NO_CREW}3")
    assert gains(state, throws=1)[5] == 5
    assert gains(state, throws=3)[5] == 0
    assert gains(play(start(fen=LONE_KING, score="piece"), f"{NO_CREW}3"), throws=1)[6] == 5


def test_dice_that_are_as_good_as_they_get_are_left_and_the_player_moves() -> None:
    advice = advised(play(start(), "roll 6 5 4 6 6 6"))
    assert advice.action is None
    assert "move" in advice.words


def test_somebody_who_throws_against_the_advice_loses_least_by_the_die_that_gains_most() -> None:
    opened = GAME.apply(play(start(), "roll 6 5 4 6 6 4"), AGAIN)
    # a IV stops for 4 and is worth 3.5 thrown again; a cargo die loses more
    assert advised(opened).action == Keep((1, 2, 3, 4, 5))


# --- bargains ---------------------------------------------------------------------------------------------------------


def sells_from(least: int) -> Strategy:
    """Return a player who takes any price from so much on, and knows nothing else."""

    def weighs(state: State, decide: Decide) -> Action:  # noqa: ARG001 - the state says what is asked
        assert isinstance(state.turn.step, BuyConsent)
        assert state.turn.step.price <= state.cargo[state.seat]
        return Pick("agree" if state.turn.step.price >= least else "refuse")

    return answering_bargains(weighs)


def answer(player: Strategy, state: State) -> Action:
    return player(state, asked(state))


def buying(cargo: int = 40) -> State:
    """Return a match in which Anne is to say what she offers for her rook; she holds a queen and a pawn of Bart's."""
    state = start("r3k3/8/8/8/RQ6/1q5p/8/4K2R b - - 0 1", rounds="2", barter="piece")
    for id_ in ("a8a4", "b4b3", "a4a5", "h1h3", "a5a4"):
        state = play(state, "roll 1 1 1 1 1 6", id_, "done")
    return play(replace(state, cargo=(cargo, 0)), "roll 6 5 4 6 6 6", "buy-back", "r")


THIRD_OFFER = ("offer-price", "offer 4", *("refuse", "buy-back", "r", "offer-price", "offer 4") * 2)


@pytest.mark.parametrize(
    ("words", "least", "said"),
    [
        # a piece is worth its value at the settlement to the player who gets it back
        *((["offer-piece-q"], 6, "agree"), (["offer-piece-q"], 7, "ask-price")),
        *((["offer-piece-p"], 1, "agree"), (["offer-piece-p"], 30, "refuse")),
        # a player who refuses a price asks the usual one, if that would do
        *((["offer-price", "offer 4"], 4, "agree"), (["offer-price", "offer 4"], 5, "ask-price")),
        *((["offer-price", "offer 4"], 20, "ask-price"), (["offer-price", "offer 4"], 21, "refuse")),
        # but not where no offer is left, or nothing more could be had
        *((THIRD_OFFER, 5, "refuse"), (["offer-price", "offer 20"], 21, "refuse")),
    ],
)
def test_the_seller_answers_by_what_the_offer_is_worth(words: list[str], least: int, said: str) -> None:
    state = play(buying(), *words)
    assert asked(state).seat == BART
    assert answer(sells_from(least), state) == Pick(said)


@pytest.mark.parametrize(("cargo", "price"), [(40, 20), (9, 9)])
def test_the_seller_asks_the_usual_price_or_all_that_the_buyer_has(cargo: int, price: int) -> None:
    assert answer(sells_from(5), play(buying(cargo), "offer-price", "offer 4", "ask-price")) == Amount(price)


def test_the_buyer_pays_what_the_seller_would_not_take_and_no_more() -> None:
    state = play(buying(), "offer-price", "offer 4", "ask-price", "offer 15")
    assert asked(state).seat == 1 - BART
    assert [answer(sells_from(least), state) for least in (15, 16)] == [Pick("refuse"), Pick("agree")]


def test_money_is_offered_first_and_the_least_piece_by_a_player_who_has_none() -> None:
    assert answer(sells_from(1), buying()) == Pick("offer-price")
    assert answer(sells_from(1), buying(0)) == Pick("offer-piece-p")


def test_what_is_expected_is_told_in_round_words_and_two_numbers_never_read_alike() -> None:
    assert [about(value) for value in (0.2, 0.6, 3.83)] == ["less than 1", "about 1", "about 4"]
    assert (about(4.17, 3.83), about(3.83, 4.17), about(2, 4.17)) == ("a little more", "a little less", "about 2")
    assert [lead_in_words(value) for value in (-0.4, 3.3, -2.2)] == ["about level", "about 3 ahead", "about 2 behind"]
    assert [lead_in_words(value, in_pawns=True) for value in (0.9, -2)] == [
        "about 1 pawn ahead",
        "about 2 pawns behind",
    ]
