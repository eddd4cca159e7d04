"""A player of Crowns who bids what the turn is worth to him, and then does what is worth most."""

from dataclasses import replace
from typing import Final

from captains_table.games.contract import Bid, Bidder, Decide, Pick
from captains_table.games.crowns.acting import do
from captains_table.games.crowns.deeds import deeds
from captains_table.games.crowns.game import CARD, GOLD, NO_PLEDGE, PLEDGE, USE_CARD
from captains_table.games.crowns.state import Acting, Arriving, Bidding, Pledging, State
from captains_table.players.common.bidding import BidStrategy
from captains_table.players.common.strategies import Below, Strategy
from captains_table.players.crowns.appraisal import worth

SHARE: Final = 0.6
"""Of what a turn is worth he bids so much at most: what is left is his gain."""


def play_shrewdly(below: Below) -> Strategy:
    """Return a player who does what is worth most."""

    def play(state: State, decide: Decide) -> Pick:  # noqa: ARG001 - the state says what is asked
        match state.step:
            case Acting() as acting:
                return Pick(best_deed(state, acting, below)[0])
            case Pledging(tied, pledged=pledged):
                pledges = not any(pledged) and _bound_is_enough(state, tied[len(pledged)])
                return Pick(PLEDGE.id if pledges else NO_PLEDGE.id)
            case Arriving(seat):
                return Pick(CARD.id if not state.players[seat].cards else GOLD.id)
            case _:  # captured, with a card in his hand
                return Pick(USE_CARD.id)

    return play


def bid_shrewdly(below: Below) -> BidStrategy:
    """Return a bidder who goes as high as a share of what the turn is worth to him."""
    known: dict[int, float] = {}
    seen: list[State] = []

    def gain(state: State, seat: int) -> float:
        if not seen or seen[0].players is not state.players or seen[0].turn != state.turn:
            known.clear()
            seen[:] = [state]
        if seat not in known:
            known[seat] = best_deed(state, Acting(seat), below)[1] - worth(state, seat)
        return known[seat]

    def bid(state: State, bidder: Bidder) -> Bid | None:
        assert isinstance(state.step, Bidding)  # noqa: S101
        others = max((bid for seat, bid in enumerate(state.step.bids) if seat != bidder.seat), default=0)
        needed = max(bidder.least, others + 1)
        if state.step.bids[bidder.seat] > others or needed > bidder.most:
            return None
        return Bid(bidder.seat, needed) if needed <= SHARE * gain(state, bidder.seat) else None

    return bid


def best_deed(state: State, acting: Acting, below: Below) -> tuple[str, float]:
    """Return the deed that is worth most to whoever acts, one of the best ones by chance, and what it is worth."""
    acts = replace(state, step=acting, latest_events=())
    found = deeds(acts, acting)
    values = {id_: worth(do(acts, acting.seat, deed), acting.seat) for id_, (_, deed) in found.items()}
    best = max(values.values())
    ids = [id_ for id_, value in values.items() if value == best]
    return ids[below(len(ids))], best


def _bound_is_enough(state: State, seat: int) -> bool:
    """Return whether the best that can be done without a capture is nearly as good."""
    free = best_deed(state, Acting(seat), lambda _: 0)[1]
    return best_deed(state, Acting(seat, bound=True), lambda _: 0)[1] > free - 1
