"""Bidding strategies of computer players, and the choice of the next bid in an auction among computers."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from captains_table.games.contract import Action, Auction, Bell, Bid, Bidder, Game
from captains_table.players.common.strategies import Below, lead_over_others

BidStrategy = Callable[[Any, Bidder], Bid | None]  # from a state and a seat's possible bids; `None`: no bid

CHANCE_TO_PASS: Final = 2  # passes once in so many times


def bid_at_random(below: Below) -> BidStrategy:
    """Return a bidder that passes half the time, and otherwise bids a random permitted amount."""

    def bid(state: object, bidder: Bidder) -> Bid | None:  # noqa: ARG001 - independent of the state
        if below(CHANCE_TO_PASS) == 0:
            return None
        return Bid(bidder.seat, bidder.least + below(bidder.most - bidder.least + 1))

    return bid


def bid_greedily(game: Game[Any]) -> BidStrategy:
    """Return a bidder that makes the lowest bid that would improve its lead if the bell rang right after the bid.

    If there is no such bid, the bidder passes.
    """

    def gain(state: object, seat: int) -> int:
        return lead_over_others(game.score(game.apply(state, Bell())), seat)

    def bid(state: object, bidder: Bidder) -> Bid | None:
        so_far = gain(state, bidder.seat)
        for value in range(bidder.least, bidder.most + 1):
            offer = Bid(bidder.seat, value)
            if gain(game.apply(state, offer), bidder.seat) > so_far:
                return offer
        return None

    return bid


def next_in_auction(state: object, auction: Auction, strategies: Sequence[BidStrategy], below: Below) -> Action:
    """Return the next bid in an auction, or `Bell` (the end of the auction) if no seat bids any more.

    Args:
        state: the game's state.
        auction: the auction in that state.
        strategies: the strategy of each seat; if there are fewer strategies than seats, they are repeated in order.
        below: the source of random numbers, which decide the order in which the seats are asked.
    """
    waiting = list(auction.bidders)
    while waiting:
        bidder = waiting.pop(below(len(waiting)))
        offer = strategies[bidder.seat % len(strategies)](state, bidder)
        if offer is not None:
            return offer
    return Bell()
