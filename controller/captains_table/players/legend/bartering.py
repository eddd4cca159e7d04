"""Lets a computer player of Legend answer every kind of bargain, although it can only accept or refuse a price.

The player's answer to a price (`agree` or `refuse`) decides about all bargains:

- A piece offered in exchange counts as a price: the piece's value at the settlement.
- As the seller, the player asks for the usual price instead of refusing an offer, if it would accept the usual price.
- As the buyer, the player offers cargo if it can, otherwise its cheapest piece. It agrees to a price only if it would
  refuse this price as the seller, because one side's gain is the other side's loss.

Source: docs/rules/legend.md L16, L16a, L20.
"""

from dataclasses import replace

from captains_table.games.contract import AGREE, REFUSE, Action, Amount, Decide, Pick, PickAsk
from captains_table.games.legend import asks, steps
from captains_table.games.legend.effects import ASK_PRICE, OFFER_PRICE, PRICE_A_POINT
from captains_table.games.legend.position import PIECE_VALUES
from captains_table.games.legend.state import State, with_seat, with_step
from captains_table.players.common.opponents import Means, Opponent
from captains_table.players.common.strategies import Strategy


def with_bargains(opponent: Opponent) -> Opponent:
    """Return an opponent that plays like the given one and also answers every bargain."""

    def make(level: int, means: Means) -> Strategy:
        return answering_bargains(opponent.make(level, means))

    return replace(opponent, make=make)


def answering_bargains(weighs_prices: Strategy) -> Strategy:
    """Return a player that answers every kind of bargain, and leaves all other questions to `weighs_prices`.

    Bargains are decided by asking `weighs_prices` whether the seller would accept a price.
    """

    def answer(state: State, decide: Decide) -> Action:
        match state.turn.step:
            case steps.BuyOffer():
                return Pick(_offer(decide))
            case steps.BuyConsent(kind, price):
                return _or_own_price(state, decide, weighs_prices(state, decide), (kind, price))
            case steps.BarterConsent(kind, given):
                taken = _takes(weighs_prices, state, kind, PIECE_VALUES[given])
                return _or_own_price(state, decide, Pick(AGREE.id if taken else REFUSE.id), (kind, PIECE_VALUES[given]))
            case steps.AskPrice(kind):
                return Amount(_usual(state, kind))
            case steps.PriceConsent(kind, price):
                return Pick(REFUSE.id if _takes(weighs_prices, state, kind, price) else AGREE.id)
            case _:
                return weighs_prices(state, decide)

    def _or_own_price(state: State, decide: Decide, found: Action, offered: tuple[int, int]) -> Action:
        """Return the seller's answer to an offer.

        Instead of refusing, the seller asks for the usual price, provided that it may ask, that the usual price is
        higher than the offer, and that the seller would accept the usual price.

        Args:
            state: the state in which the seller answers.
            decide: the seller's pending decision.
            found: the seller's answer to the offer.
            offered: the kind of the piece to be sold, and the value of the buyer's offer. The value of an offered
                price is the price; the value of an offered piece is the piece's value.
        """
        kind, worth = offered
        may_ask = isinstance(decide.ask, PickAsk) and any(
            option.id == ASK_PRICE.id and not option.in_vain for option in decide.ask.options
        )
        if found == Pick(AGREE.id) or not may_ask or _usual(state, kind) <= worth:
            return found
        return Pick(ASK_PRICE.id) if _takes(weighs_prices, state, kind, _usual(state, kind)) else found

    return answer


def _takes(weighs_prices: Strategy, state: State, kind: int, price: int) -> bool:
    """Return whether the seller would accept a price for a piece, assuming that the buyer can pay the price."""
    cargo = max(price, state.cargo[state.seat])
    offered = with_step(replace(state, cargo=with_seat(state.cargo, state.seat, cargo)), steps.BuyConsent(kind, price))
    asked = asks.legend_turn(offered)
    return isinstance(asked, Decide) and weighs_prices(offered, asked) == Pick(AGREE.id)


def _usual(state: State, kind: int) -> int:
    """Return the usual price of a piece, or all the cargo of the seat on turn if that is less (L16)."""
    return min(PRICE_A_POINT * PIECE_VALUES[kind], state.cargo[state.seat])


def _offer(decide: Decide) -> str:
    """Return the id of the offer to make for a piece: cargo if possible, otherwise the cheapest piece."""
    ids = [option.id for option in decide.ask.options if not option.in_vain] if isinstance(decide.ask, PickAsk) else []
    return OFFER_PRICE.id if OFFER_PRICE.id in ids else ids[-1]
