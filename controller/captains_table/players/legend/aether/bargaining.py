"""Aether's trades in Legend: when to buy a piece back and for how much, whether to sell, and where pieces enter.

A price gains the seller as much as it costs the buyer. Therefore a seller that evaluates like Aether refuses any offer
that is good for the buyer. Aether makes an offer at most once a round, and only one that is good for Aether but looks
fair. The module also chooses the square to which the Genie carries the king.

Source: docs/rules/legend.md L15 - L19.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from captains_table.games.contract import AGREE, REFUSE, AmountAsk, Square
from captains_table.games.legend import asks, effects
from captains_table.games.legend.position import PIECE_VALUES
from captains_table.games.legend.state import State
from captains_table.players.legend.aether.outlook import after_move, outlook
from captains_table.players.legend.aether.situation import FoundAction, situation_of
from captains_table.players.legend.aether.thinking import Thinker
from captains_table.players.legend.dice_solver import cargo_policy

PARTS: Final = 16  # the divisor of the search's limits, for each square where a piece may enter
SHARE_PAID: Final = 0.8  # of the piece's value to Aether
FAIR_SHARE: Final = 0.5  # of the usual price: the lowest price that it offers
MARGIN: Final = 1.0  # points by which selling must be better than keeping the piece
PAID_AND_GOT: Final = 2  # a price changes the difference of the scores by twice its amount


@dataclass(frozen=True, slots=True)
class Offer:
    """An offer to buy a captured piece back.

    Attributes:
        kind: the kind of the piece.
        price: the price that the buyer offers.
        gain: the points that the buyer would gain if the piece cost nothing.
    """

    kind: int
    price: int
    gain: float


class Bargainer:
    """Decides on offers to buy captured pieces back; a seat makes at most one offer in a round.

    Args:
        thinker: runs the searches.
    """

    def __init__(self, thinker: Thinker) -> None:
        self._thinker = thinker
        self._made: dict[tuple[int, int], tuple[int, Offer]] = {}  # by seat and round: the turn and the offer

    def would_buy(self, state: State, found: FoundAction) -> bool:
        """Return whether to offer to buy a piece before making the found move; if so, remember the offer.

        An offer must be at least FAIR_SHARE of the usual price. A seat makes at most one offer in a round.
        """
        here = state.seat, state.round
        offered_before = here in self._made and self._made[here][0] != state.turns
        if state.turn.offers or offered_before or found.action != "move":
            return False
        offer = self._best_offer(state, found)
        if offer is None or offer.price < FAIR_SHARE * usual_price(offer.kind):
            return False
        self._made[here] = state.turns, offer
        return True

    def piece(self, state: State) -> str:
        """Return the letter of the piece to ask for.

        This is the piece of the offer planned in this turn. Without a planned offer, it is the least valuable piece
        that can be bought.
        """
        kind = self._intended(state)
        return effects.LETTERS[kind if kind is not None else asks.buyable_kinds(state)[-1]]

    def price(self, state: State, kind: int, ask: AmountAsk) -> int:
        """Return the price to offer, at most the highest amount that the question allows.

        The result is the planned price, or FAIR_SHARE of the usual price if no offer for the kind of piece was planned.
        """
        if self._intended(state) == kind:
            return min(ask.hi, self._made[state.seat, state.round][1].price)
        return min(ask.hi, int(FAIR_SHARE * usual_price(kind)))

    def _intended(self, state: State) -> int | None:
        turns, offer = self._made.get((state.seat, state.round), (None, None))
        return offer.kind if offer is not None and turns == state.turns else None

    def _best_offer(self, state: State, found: FoundAction) -> Offer | None:
        otherwise = _by_move(self._thinker, state, found, state.seat)
        offers = [self._offer(state, kind, otherwise) for kind in asks.buyable_kinds(state)]
        return max(offers, key=lambda offer: offer.gain - PAID_AND_GOT * offer.price, default=None)

    def _offer(self, state: State, kind: int, otherwise: float) -> Offer:
        gain = _entered(self._thinker, effects.sell(state, kind, 0), kind, state.seat) - otherwise
        most = min(state.cargo[state.seat], usual_price(kind))
        return Offer(kind, max(0, min(most, int(SHARE_PAID * gain / PAID_AND_GOT))), gain)


def usual_price(kind: int) -> int:
    """Return the usual price of a piece (L16)."""
    return effects.PRICE_A_POINT * PIECE_VALUES[kind]


def answer_to_offer(thinker: Thinker, state: State, kind: int, price: int) -> str:
    """Return the seller's answer to an offer.

    The seller agrees if the sale improves the seller's expected lead by at least MARGIN points.
    """
    seller = state.opponent
    sold = _entered(thinker, effects.sell(state, kind, price), kind, seller)
    kept = _by_move(thinker, state, thinker.search(situation_of(state), PARTS), seller)
    return AGREE.id if sold >= kept + MARGIN else REFUSE.id


def best_entry(thinker: Thinker, state: State, kind: int) -> str:
    """Return the answer that places a bought piece on its best square."""
    return f"{effects.LETTERS[kind]}@{_best_square(thinker, state, kind)}"


def best_hop(thinker: Thinker, state: State, squares: Iterable[Square]) -> str:
    """Return the answer that lets the Genie carry the king to the best square for the player on turn."""
    squares = list(squares)
    best = max(squares, key=lambda square: outlook(thinker, effects.genie_hop(state, square), state.seat, len(squares)))
    return f"genie-{best}"


def _entered(thinker: Thinker, state: State, kind: int, seat: int) -> float:
    """Return a seat's expected lead after the buyer's new piece has entered on the best square for the buyer."""
    return outlook(thinker, effects.enter(state, kind, _best_square(thinker, state, kind)), seat, PARTS)


def _best_square(thinker: Thinker, state: State, kind: int) -> Square:
    return max(
        asks.entry_squares(state, kind),
        key=lambda square: outlook(thinker, effects.enter(state, kind, square), state.seat, PARTS),
    )


def _by_move(thinker: Thinker, state: State, found: FoundAction, seat: int) -> float:
    """Return a seat's expected lead after the action that the search found; the turn's expected cargo is left out.

    Args:
        thinker: runs the searches.
        state: the state before the action.
        found: the action that the search found.
        seat: the seat whose lead is returned.
    """
    if found.action == "move" and found.move is not None:
        return outlook(thinker, after_move(state, found.move), seat, PARTS)
    if found.action == "move":
        forfeited = replace(state, turn=replace(state.turn, moved=True))
        return outlook(thinker, replace(forfeited, position=state.position.pass_turn()), seat, PARTS)
    value = found.value - float(cargo_policy().expected())  # the search includes the turn's expected cargo
    return value if seat == state.seat else -value
