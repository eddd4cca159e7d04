"""Computer players in an auction: each says what it bids, if anything, and the bell rings when nobody bids any more."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from captains_table.games.contract import Action, Auction, Bell, Bid, Bidder, Game
from captains_table.players.common.strategies import Below, lead

BidStrategy = Callable[[Any, Bidder], Bid | None]  # a state and what a seat may bid; `None`: it lets it go

CHANCE_TO_PASS: Final = 2  # one in so many


def bid_at_random(below: Below) -> BidStrategy:
    """Return a bidder who passes half the time, and else bids any amount he may."""

    def bid(state: object, bidder: Bidder) -> Bid | None:  # noqa: ARG001 - whatever the state is
        if below(CHANCE_TO_PASS) == 0:
            return None
        return Bid(bidder.seat, bidder.least + below(bidder.most - bidder.least + 1))

    return bid


def bid_greedily(game: Game[Any]) -> BidStrategy:
    """Return a bidder who bids the least that gains him anything if the bell rang right after it."""

    def gain(state: object, seat: int) -> int:
        return lead(game.score(game.apply(state, Bell())), seat)

    def bid(state: object, bidder: Bidder) -> Bid | None:
        so_far = gain(state, bidder.seat)
        for value in range(bidder.least, bidder.most + 1):
            offer = Bid(bidder.seat, value)
            if gain(game.apply(state, offer), bidder.seat) > so_far:
                return offer
        return None

    return bid


def next_in_auction(state: object, auction: Auction, strategies: Sequence[BidStrategy], below: Below) -> Action:
    """Return the next bid of an auction, or the bell where nobody bids any more.

    Args:
        state: the game's.
        auction: what it waits for.
        strategies: how each seat bids; a game that seats one more than were named begins with the first again.
        below: chance, which says in what order they are asked.
    """
    waiting = list(auction.bidders)
    while waiting:
        bidder = waiting.pop(below(len(waiting)))
        offer = strategies[bidder.seat % len(strategies)](state, bidder)
        if offer is not None:
            return offer
    return Bell()
