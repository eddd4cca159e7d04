"""Notus plays Crowns in place of a person: it evaluates the match after each possible action, and bids accordingly.

Notus answers the other questions by simple rules (T3, T6, T7). The weaker levels sometimes act or bid at random.

docs/opponents.md gives the strength of each level.
"""

from dataclasses import dataclass
from typing import Final

from captains_table.games.contract import Action, Bid, Bidder, Decide, Pick
from captains_table.games.crowns.deeds import PASS, CrownsDeed, deed_of, id_of, possible
from captains_table.games.crowns.game import CARD, NO_PLEDGE, PLEDGE, TEN_GOLD, USE_CARD
from captains_table.games.crowns.state import Acting, Arriving, Bidding, Pledging, State
from captains_table.phrases import say
from captains_table.players.common.bidding import BidStrategy, bid_at_random
from captains_table.players.common.opponents import Means, Opponent
from captains_table.players.common.strategies import PERCENT, Below, Strategy, err_sometimes, play_at_random
from captains_table.players.crowns.appraisal import gold_value, match_value
from captains_table.players.crowns.lookahead import Lookahead

SHARE: Final = 0.6
"""The share of a turn's gain that Notus bids at most; the rest is the profit."""
ERRS: Final = {0: 100, 1: 70, 2: 40, 3: 15, 4: 0}
"""The percentage of actions and bids that are random, by level."""


MISSED_CROWNS: Final = 75
"""The percentage of crowns in its reach that level 0 does not see."""


def play_shrewdly(below: Below) -> Strategy:
    """Return a player that always chooses the action with the highest value.

    The player answers the other questions by simple rules. In a tie of bids, it pledges not to capture if nobody has
    pledged yet and the pledge costs little (T3). For a pawn that leaves the far end of the board, it takes a card if it
    holds no card, otherwise the gold (T6). When captured, it always uses its card (T7).
    """

    def play(state: State, decide: Decide) -> Pick:  # noqa: ARG001 - the state says what is asked
        match state.step:
            case Acting() as acting:
                return Pick(id_of(best_deed(state, acting, below).deed))
            case Pledging(tied, pledged=pledged):
                pledges = not any(pledged) and _bound_is_enough(state, tied[len(pledged)])
                return Pick(PLEDGE.id if pledges else NO_PLEDGE.id)
            case Arriving(seat):
                return Pick(CARD.id if not state.players[seat].cards else TEN_GOLD.id)
            case _:  # captured, and holding a card
                return Pick(USE_CARD.id)

    return play


def bid_shrewdly(below: Below) -> BidStrategy:
    """Return a strategy that outbids all other seats by as little as possible, if winning the auction is worth it.

    The strategy passes if the seat leads the auction already, if the bid would exceed the seat's maximum, or if the
    seat's best action is not worth the bid (`BestDeed.is_worth`).
    """
    known: dict[int, BestDeed] = {}
    seen: list[State] = []

    def best(state: State, seat: int) -> BestDeed:
        if not seen or not _is_the_same_standing(seen[0], state):
            known.clear()
            seen[:] = [state]
        if seat not in known:
            known[seat] = best_deed(state, Acting(seat), below)
        return known[seat]

    def bid(state: State, bidder: Bidder) -> Bid | None:
        assert isinstance(state.step, Bidding)  # noqa: S101
        others = max((bid for seat, bid in enumerate(state.step.bids) if seat != bidder.seat), default=0)
        needed = max(bidder.least, others + 1)
        if state.step.bids[bidder.seat] > others or needed > bidder.most:
            return None
        return Bid(bidder.seat, needed) if best(state, bidder.seat).is_worth(needed) else None

    return bid


def _is_the_same_standing(one: State, other: State) -> bool:
    """Return whether the same actions are best in two states of an auction.

    Bids do not change which actions are best. A correction by the game master, such as a moved crown, can change which
    actions are best.
    """
    return one.players is other.players and one.crowns == other.crowns and one.turn == other.turn


@dataclass(frozen=True, slots=True)
class BestDeed:
    """The action with the highest value for the acting seat.

    Attributes:
        deed: the action.
        worth: the value of the match after the action.
        gain: by how much the action raises the value of the match.
        gold: the seat's gold after the action.
    """

    deed: CrownsDeed
    worth: float
    gain: float
    gold: int

    def is_worth(self, bid: int) -> bool:
        """Return whether the action is worth a bid: whether paying the bid costs at most SHARE of the gain."""
        return gold_value(self.gold) - gold_value(max(0, self.gold - bid)) <= SHARE * self.gain


def best_deed(state: State, acting: Acting, below: Below) -> BestDeed:
    """Return the action with the highest value for the acting seat; among equally good actions, one at random.

    In the last turn only an action that wins has a value other than 0.
    """
    seen, seat = Lookahead.of(state), acting.seat
    now = match_value(seen, seat)
    is_last = state.turn == state.options.turn_limit
    found = []
    for deed in possible(state, acting):
        after = seen.after(seat, deed)
        value = 0.0 if is_last and after.winner is None else match_value(after, seat)
        found.append(BestDeed(deed, value, value - now, after.gold[seat]))
    most = max(best.worth for best in found)
    best = [each for each in found if each.worth == most]
    return best[below(len(best))]


def _bound_is_enough(state: State, seat: int) -> bool:
    """Return whether a seat loses less than 1 gold if it pledges not to capture (T3).

    The loss is the difference in value between the seat's best action and its best action without captures.
    """
    free = best_deed(state, Acting(seat), lambda _: 0).worth
    return best_deed(state, Acting(seat, bound=True), lambda _: 0).worth > free - 1


def _wins_crown(state: State, action: Action) -> bool:
    """Return whether an action puts a crown on the acting seat's player, or wins the match (K1, K2)."""
    assert isinstance(state.step, Acting)  # noqa: S101
    assert isinstance(action, Pick)  # noqa: S101
    seat, seen = state.step.seat, Lookahead.of(state)
    after = seen.after(seat, deed_of(state, state.step, action.id))
    return after.winner == seat or after.wearers.count(seat) > seen.wearers.count(seat)


def _make_notus(level: int, means: Means) -> Strategy:
    """Return the computer player Notus at a level; `_notus_bidder` makes its bids in auctions."""
    at_random = play_at_random(means.below)

    def wrong(state: State, decide: Decide) -> Action:
        action = at_random(state, decide)
        may_miss = level == 0 and isinstance(state.step, Acting) and means.below(PERCENT) < MISSED_CROWNS
        return Pick(PASS) if may_miss and _wins_crown(state, action) else action

    return err_sometimes(play_shrewdly(means.below), wrong, ERRS[level], means.below)


def _notus_bidder(level: int, means: Means) -> BidStrategy:
    """Return Notus at a level, as a bidder that errs by bidding at random.

    The bidder errs only when a bid of 1 is allowed.
    """
    right, wrong = bid_shrewdly(means.below), bid_at_random(means.below)

    def offer(state: State, bidder: Bidder) -> Bid | None:
        errs = means.below(PERCENT) < ERRS[level]
        return (wrong if errs and bidder.least == 1 else right)(state, bidder)

    return offer


NOTUS: Final = Opponent(
    "notus",
    "Notus",
    _make_notus,
    {0: say("gentle"), 1: say("beginner"), 2: say("fair"), 3: say("good"), 4: say("shrewd")},
    usual=2,
    bid=_notus_bidder,
    level_notes={
        0: say("Acts at random, and overlooks most crowns"),
        1: say("Acts at random in seven turns of ten"),
        2: say("Acts at random in four turns of ten"),
        3: say("Acts at random in one turn of seven"),
        4: say("Weighs every action, and pays what it is worth"),
    },
)
