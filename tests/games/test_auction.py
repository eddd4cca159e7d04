"""A turn of several seats at once: who may bid within which bounds, and that nothing else is taken meanwhile."""

import random
from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given, strategies as st

from captains_table.games.contract import (
    Action,
    Amount,
    Auction,
    Bell,
    Bid,
    Bidder,
    Decide,
    IllegalAction,
    Over,
    Pick,
    Roll,
    Rolled,
    TimeUp,
    Turn,
    acting_seat,
    check_auction,
    consent,
    points_of,
)
from captains_table.players.common.bidding import bid_at_random, bid_greedily, next_in_auction
from tests.support.harbour_auction import PURSE, HarbourAuction, State
from tests.support.random_play import play_match

GAME = HarbourAuction()
NAMES = ("Anne", "Bart", "Cora")
AUCTION = Auction("Bid", (Bidder(0, 2, 5), Bidder(2, 1, 9)), 30_000)


def at_auction(face: int = 4, **options: str) -> State:
    """Return a match whose first chest is on offer."""
    return GAME.apply(GAME.start(NAMES, options), Rolled((face,)))


# --- what fits an auction -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("action", [Bid(0, 2), Bid(0, 5), Bid(2, 1), Bid(2, 9), Bell()])
def test_every_bidder_may_bid_within_the_bounds_and_anybody_ring_the_bell(action: Action) -> None:
    check_auction(AUCTION, action)


@pytest.mark.parametrize(
    "action",
    [
        *(Bid(0, 1), Bid(0, 6), Bid(2, 0)),
        *(Bid(1, 3), Bid(7, 3), Bid(-1, 3)),
        *(Pick("agree"), Amount(3), Rolled((3,)), TimeUp()),
    ],
)
def test_a_bid_out_of_bounds_or_of_a_foreign_seat_or_any_other_action_is_refused(action: Action) -> None:
    with pytest.raises(IllegalAction):
        check_auction(AUCTION, action)


@pytest.mark.parametrize("turn", [Decide(0, consent("?")), Roll(0, (1,), at_once=False, prompt="Throw")])
@pytest.mark.parametrize("action", [Bid(0, 3), Bell()])
def test_nobody_bids_where_no_auction_is_held(turn: Turn, action: Action) -> None:
    with pytest.raises(IllegalAction, match="no auction"):
        check_auction(turn, action)


def test_a_bid_is_its_bidders_and_the_bell_is_nobodys() -> None:
    assert (acting_seat(AUCTION, Bid(2, 3)), acting_seat(AUCTION, Bell())) == (2, None)
    assert acting_seat(Decide(1, consent("?")), Pick("agree")) == 1


@pytest.mark.parametrize(
    "slip",
    [
        *(lambda: Bidder(-1, 0, 3), lambda: Bidder(0, 4, 3), lambda: Bidder(0, -1, 3)),
        lambda: Auction("Bid", (Bidder(0, 1, 3), Bidder(0, 2, 3))),
        lambda: Auction("Bid", (), 0),
    ],
)
def test_an_auction_that_cannot_be_is_an_error_when_it_is_made(slip: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match="expected"):
        slip()


# --- the tiny game --------------------------------------------------------------------------------------------------


def test_all_seats_may_bid_and_raise_until_the_bell() -> None:
    state = at_auction()
    for bid in (Bid(2, 3), Bid(0, 4), Bid(2, 5), Bid(1, 1)):
        state = GAME.apply(state, bid)
    turn = GAME.turn(state)
    assert isinstance(turn, Auction)
    assert turn.bidders == (Bidder(0, 5, PURSE), Bidder(1, 2, PURSE), Bidder(2, 6, PURSE))
    state = GAME.apply(state, Bell())
    assert state.gold == (PURSE, PURSE, PURSE - 5 + 8)
    assert isinstance(GAME.turn(state), Roll)


def test_who_has_bid_the_whole_purse_may_not_bid_any_more() -> None:
    state = GAME.apply(at_auction(), Bid(1, PURSE))
    turn = GAME.turn(state)
    assert isinstance(turn, Auction)
    assert turn.bidder(1) is None
    with pytest.raises(IllegalAction):
        GAME.apply(state, Bid(1, PURSE))


def naive_winner(bids: list[Bid]) -> int | None:
    """Return who wins by the rules as one would say them: the single highest of everybody's last bids that count."""
    last: dict[int, int] = {}
    for bid in bids:
        if last.get(bid.seat, 0) < bid.value <= PURSE:
            last[bid.seat] = bid.value
    winners = [seat for seat, value in last.items() if value == max(last.values())]
    return winners[0] if len(winners) == 1 else None


@given(st.lists(st.builds(Bid, st.integers(0, 2), st.integers(-1, PURSE + 2)), max_size=25))
def test_whatever_the_order_of_bids_the_winner_is_that_of_the_naive_model(bids: list[Bid]) -> None:
    state = at_auction()
    for bid in bids:
        try:
            state = GAME.apply(state, bid)
        except IllegalAction:
            continue
    assert state.winner() == naive_winner(bids)


def test_a_random_player_plays_it_to_its_end_and_the_points_add_up() -> None:
    for seed in range(10):
        state, score = GAME.start(NAMES, {"rounds": "3"}), [0] * len(NAMES)
        for action in play_match(GAME, NAMES, {"rounds": "3"}, random.Random(seed)):
            after = GAME.apply(state, action)
            gained = points_of(GAME.game_events(state, after), len(NAMES))
            score, state = [had + got for had, got in zip(score, gained, strict=True)], after
        assert isinstance(GAME.turn(state), Over)
        assert tuple(score) == tuple(GAME.score(state))


# --- computer players -----------------------------------------------------------------------------------------------


def auctioned(state: State, seed: int, *, greedily: bool) -> tuple[State, list[Action]]:
    """Return the state after an auction among computer players, and what was done in it."""
    rng, done = random.Random(seed), []
    strategies = [bid_greedily(GAME) if greedily else bid_at_random(rng.randrange)] * len(NAMES)
    while isinstance(turn := GAME.turn(state), Auction):
        action = next_in_auction(state, turn, strategies, rng.randrange)
        state = GAME.apply(state, action)
        done.append(action)
    return state, done


def test_computer_players_bid_until_nobody_goes_on_and_then_the_bell_rings() -> None:
    auctions = [auctioned(at_auction(), seed, greedily=False)[1] for seed in range(20)]
    for *bids, last in auctions:
        assert last == Bell()
        assert all(isinstance(action, Bid) for action in bids)
    assert len(set(map(len, auctions))) > 2, "they bid and pass both"


def test_a_greedy_bidder_never_pays_more_than_the_chest_is_worth() -> None:
    for seed, face in product(range(3), range(1, 7)):
        state, done = auctioned(at_auction(face), seed, greedily=True)
        assert min(GAME.score(state)) >= 0
        assert len(done) > 1
