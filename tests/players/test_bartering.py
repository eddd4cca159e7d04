"""Computers of Legend answer every bargain, by what prices are worth to them (docs/rules/legend.md L16a)."""

import random
from dataclasses import replace

import pytest

from captains_table.games.contract import Action, Amount, Decide, Over, Pick
from captains_table.games.legend.state import BuyConsent, State
from captains_table.players.common.strategies import Strategy
from captains_table.players.legend.bartering import answering_bargains
from tests.players.aether_at_work import answer, hasty
from tests.support.effort import effort
from tests.support.legend_harness import BART, GAME, asked, play, start
from tests.support.legend_walks import bargains


def sells_from(least: int) -> Strategy:
    """Return a player who takes any price from so much on, and knows nothing else."""

    def weighs(state: State, decide: Decide) -> Action:  # noqa: ARG001 - the state says what is asked
        assert isinstance(state.turn.step, BuyConsent)
        assert state.turn.step.price <= state.cargo[state.seat]
        return Pick("agree" if state.turn.step.price >= least else "refuse")

    return answering_bargains(weighs)


def buying(cargo: int = 40) -> State:
    """Return a match in which Anne is to say what she offers for her rook; she holds a queen and a pawn of Bart's."""
    state = start("r3k3/8/8/8/RQ6/1q5p/8/4K2R b - - 0 1", rounds="2", barter="piece")
    for id_ in ("a8a4", "b4b3", "a4a5", "h1h3", "a5a4"):
        state = play(state, "roll 1 1 1 1 1 6", id_, "done")
    return play(replace(state, cargo=(cargo, 0)), "roll 6 5 4 6 6 6", "buy-back", "r")


@pytest.mark.parametrize(
    ("piece", "least", "said"), [("q", 6, "agree"), ("q", 7, "ask-price"), ("p", 1, "agree"), ("p", 30, "refuse")]
)
def test_a_piece_is_worth_its_value_at_the_settlement_to_whoever_gets_it_back(
    piece: str, least: int, said: str
) -> None:
    state = play(buying(), f"offer-piece-{piece}")
    assert asked(state).seat == BART
    assert answer(sells_from(least), state) == Pick(said)


def test_who_refuses_a_price_asks_the_usual_one_if_he_would_take_that() -> None:
    state = play(buying(), "offer-price", "offer 4")
    assert [answer(sells_from(least), state) for least in (4, 5, 20, 21)] == [
        Pick("agree"),
        Pick("ask-price"),
        Pick("ask-price"),
        Pick("refuse"),
    ]
    assert answer(sells_from(5), play(state, "ask-price")) == Amount(20)
    assert answer(sells_from(5), play(buying(9), "offer-price", "offer 4", "ask-price")) == Amount(9)


def test_no_price_is_asked_where_no_offer_is_left_or_nothing_more_could_be_had() -> None:
    third = ("refuse", "buy-back", "r", "offer-price", "offer 4")
    state = play(buying(), "offer-price", "offer 4", *third, *third)
    assert answer(sells_from(5), state) == Pick("refuse")
    assert answer(sells_from(21), play(buying(), "offer-price", "offer 20")) == Pick("refuse")


def test_the_buyer_pays_what_the_seller_would_not_take_and_no_more() -> None:
    state = play(buying(), "offer-price", "offer 4", "ask-price", "offer 15")
    assert asked(state).seat == 1 - BART
    assert [answer(sells_from(least), state) for least in (15, 16)] == [Pick("refuse"), Pick("agree")]


def test_money_is_offered_first_and_the_least_piece_by_whoever_has_none() -> None:
    assert answer(sells_from(1), buying()) == Pick("offer-price")
    assert answer(sells_from(1), buying(0)) == Pick("offer-piece-p")


@pytest.mark.long
@pytest.mark.parametrize("seed", range(effort(1, 20)))
def test_aether_answers_whatever_bargain_it_is_asked_about(seed: int) -> None:
    rng, player = random.Random(seed), hasty(2, seed)
    for state, _, _ in bargains(seed, 300):
        turn = GAME.turn(state)
        if isinstance(turn, Decide) and (rng.random() < 0.05 or "Main" not in type(state.turn.step).__name__):
            assert not isinstance(GAME.turn(GAME.apply(state, player(state, turn))), Over)  # raises if it is no answer
