"""Notus at the table: who plays Crowns in place of a person, and how well at which level. Source: docs/opponents.md."""

from typing import Final

from captains_table.games.contract import Bid, Bidder
from captains_table.games.crowns.state import State
from captains_table.players.common.bidding import BidStrategy, bid_at_random
from captains_table.players.common.erring import PERCENT, err_sometimes
from captains_table.players.common.opponents import Means, Opponent
from captains_table.players.common.strategies import Strategy, play_at_random
from captains_table.players.crowns.shrewd import bid_shrewdly, play_shrewdly

ERRS: Final = {1: 70, 2: 40, 3: 15, 4: 0}
"""So many of a hundred deeds are done at random, and so many bids made so, by level."""


def make(level: int, means: Means) -> Strategy:
    """Return a Notus of a level."""
    return err_sometimes(play_shrewdly(means.below), play_at_random(means.below), ERRS[level], means.below)


def bid(level: int, means: Means) -> BidStrategy:
    """Return how a Notus of a level bids: now and then anything, and no more once he leads."""
    right, wrong = bid_shrewdly(means.below), bid_at_random(means.below)

    def offer(state: State, bidder: Bidder) -> Bid | None:
        errs = means.below(PERCENT) < ERRS[level]
        return (wrong if errs and bidder.least == 1 else right)(state, bidder)

    return offer


NOTUS: Final = Opponent("notus", "Notus", make, {1: "beginner", 2: "fair", 3: "good", 4: "shrewd"}, usual=2, bid=bid)
