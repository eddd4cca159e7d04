"""The shrewd player of Crowns: he takes what wins, pays for it what he must, and keeps others from it."""

import random

import pytest

from captains_table.games.contract import Auction, Bid, Bidder, Correct, Decide, Over, Pick
from captains_table.games.crowns.state import State
from captains_table.players.crowns.appraisal import match_value, may_win
from captains_table.players.crowns.lookahead import Lookahead
from captains_table.players.crowns.notus import bid_shrewdly, play_shrewdly
from captains_table.runtime.simulated_matches import SimulationPlan, play_match
from tests.support.crowns_play import GAME, let_act, set_up, start

BELOW = random.Random(1).randrange


def near() -> State:
    """Return a match in which Anne and Bart wear a crown each, and stand next to each other."""
    return set_up(start(4), at={"Anne": "c3", "Bart": "b4"}, crowns=("Anne", "Bart"), pawns={"a2": "P", "g6": "p"})


def bidder_of(state: State, name: str) -> Bidder:
    turn = GAME.turn(state)
    assert isinstance(turn, Auction)
    bidder = turn.bidder(state.seats.index(name))
    assert bidder is not None
    return bidder


def bid_of(state: State, name: str) -> int | None:
    offer = bid_shrewdly(BELOW)(state, bidder_of(state, name))
    return None if offer is None else offer.value


def deed_of(state: State) -> str:
    turn = GAME.turn(state)
    assert isinstance(turn, Decide)
    action = play_shrewdly(BELOW)(state, turn)
    assert isinstance(action, Pick)
    return action.id


@pytest.mark.parametrize("name", ["Anne", "Bart"])
def test_he_takes_the_crown_that_wins(name: str) -> None:
    state = let_act(near(), name)
    after = GAME.apply(state, Pick(deed_of(state)))
    turn = GAME.turn(after)
    assert isinstance(turn, Over)
    assert turn.result.winner == state.seats.index(name)


def test_he_carries_a_crown_off_where_that_wins() -> None:
    state = set_up(start(4), at={"Anne": "d7", "Cleo": "a1", "Bart": "prison"}, crowns=("Cleo", "Anne"), pawns={})
    assert deed_of(let_act(state, "Anne")) == "d7-off"


def test_he_pays_his_whole_purse_for_a_turn_that_wins() -> None:
    state = GAME.apply(near(), Bid(1, 8))
    assert bid_of(state, "Anne") == 9


def test_he_pays_to_keep_others_from_winning() -> None:
    state = near()
    assert may_win(Lookahead.of(state), 1)
    calm = set_up(state, at={"Bart": "g7"})
    assert not may_win(Lookahead.of(calm), 1)
    assert match_value(Lookahead.of(calm), 2) > match_value(Lookahead.of(state), 2)
    offer = bid_of(GAME.apply(state, Bid(1, 3)), "Cleo")
    assert offer is not None
    assert offer > 3


def test_he_does_not_raise_himself_and_bids_no_more_than_he_gains() -> None:
    state = start(4)
    offer = bid_of(state, "Anne")
    assert offer == 1
    assert bid_of(GAME.apply(state, Bid(0, 1)), "Anne") is None
    assert bid_of(GAME.apply(state, Bid(1, 8)), "Anne") is None


def test_he_bids_for_what_there_is_when_a_game_master_moves_a_crown_meanwhile() -> None:
    state, cleo = GAME.apply(near(), Bid(1, 5)), bid_shrewdly(BELOW)
    assert cleo(state, bidder_of(state, "Cleo")) == Bid(2, 6), "Anne or Bart may win"
    corrected = GAME.apply(state, Correct("crown", "black", "g7", ""))
    assert cleo(corrected, bidder_of(corrected, "Cleo")) is None


def test_he_beats_whoever_plays_at_random() -> None:
    plan = SimulationPlan("crowns", ("shrewd", "random"), {"turn_limit": "150"}, matches=3, seed=3)
    scores = [play_match(plan, number) for number in range(3)]
    assert all(match[0].won >= match[1].won for match in scores)
    assert any(match[0].won for match in scores)
