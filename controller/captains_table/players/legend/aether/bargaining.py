"""Buying back and selling, and where a piece bought or the Genie's king is put.

What one player wins by a price the other loses, so an offer that is right by its own figures is refused by whoever
reckons like Aether. It therefore offers once a round at most, for what would be a bargain to it and looks fair.

Source: docs/rules/legend.md L15 - L19.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from captains_table.games.contract import AGREE, REFUSE, AmountAsk, Square
from captains_table.games.legend import asks, moving
from captains_table.games.legend.position import VALUES
from captains_table.games.legend.state import State
from captains_table.players.common.cargo_solver import cargo_dice
from captains_table.players.legend.aether.outlook import after_move, outlook
from captains_table.players.legend.aether.situation import Found, situation_of
from captains_table.players.legend.aether.thinking import Thinker

PARTS: Final = 16  # of a search, for each square a piece may enter on
SHARE_PAID: Final = 0.8  # of what a piece is worth to Aether
FAIR_SHARE: Final = 0.5  # of the usual price: less is no offer to make
MARGIN: Final = 1.0  # points by which a sale must be better than none
PAID_AND_GOT: Final = 2  # a price widens the gap by twice itself


@dataclass(frozen=True, slots=True)
class Offer:
    """What to buy, and for how much."""

    kind: int
    price: int
    gain: float


class Bargainer:
    """Offers to buy back, once a round for each seat.

    Args:
        thinker: searches.
    """

    def __init__(self, thinker: Thinker) -> None:
        self._thinker = thinker
        self._made: dict[tuple[int, int], tuple[int, Offer]] = {}  # by seat and round: in which turn, and what

    def would_buy(self, state: State, found: Found) -> bool:
        """Return whether an offer is made instead of what was found, once a round."""
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
        """Return which piece is asked for."""
        kind = self._intended(state)
        return asks.LETTERS[kind if kind is not None else asks.buyable_kinds(state)[-1]]

    def price(self, state: State, kind: int, ask: AmountAsk) -> int:
        """Return what is offered for a piece: as intended; half the usual where somebody else began to ask."""
        if self._intended(state) == kind:
            return min(ask.hi, self._made[state.seat, state.round][1].price)
        return min(ask.hi, int(FAIR_SHARE * usual_price(kind)))

    def _intended(self, state: State) -> int | None:
        turns, offer = self._made.get((state.seat, state.round), (None, None))
        return offer.kind if offer is not None and turns == state.turns else None

    def _best_offer(self, state: State, found: Found) -> Offer | None:
        otherwise = _by_move(self._thinker, state, found, state.seat)
        offers = [self._offer(state, kind, otherwise) for kind in asks.buyable_kinds(state)]
        return max(offers, key=lambda offer: offer.gain - PAID_AND_GOT * offer.price, default=None)

    def _offer(self, state: State, kind: int, otherwise: float) -> Offer:
        gain = _entered(self._thinker, moving.sell(state, kind, 0), kind, state.seat) - otherwise
        most = min(state.cargo[state.seat], usual_price(kind))
        return Offer(kind, max(0, min(most, int(SHARE_PAID * gain / PAID_AND_GOT))), gain)


def usual_price(kind: int) -> int:
    """Return the usual price of a piece (L16)."""
    return asks.PRICE_A_POINT * VALUES[kind]


def answer_to_offer(thinker: Thinker, state: State, kind: int, price: int) -> str:
    """Return whether the seller agrees: if the price outweighs what the piece does for the buyer."""
    seller = state.opponent
    sold = _entered(thinker, moving.sell(state, kind, price), kind, seller)
    kept = _by_move(thinker, state, thinker.found(situation_of(state), PARTS), seller)
    return AGREE.id if sold >= kept + MARGIN else REFUSE.id


def best_entry(thinker: Thinker, state: State, kind: int) -> str:
    """Return where a piece that was bought enters."""
    return f"{asks.LETTERS[kind]}@{_best_square(thinker, state, kind)}"


def best_hop(thinker: Thinker, state: State, squares: Iterable[Square]) -> str:
    """Return which square the Genie carries the king to."""
    squares = list(squares)
    best = max(squares, key=lambda square: outlook(thinker, moving.genie_hop(state, square), state.seat, len(squares)))
    return f"genie-{best}"


def _entered(thinker: Thinker, state: State, kind: int, seat: int) -> float:
    """Return what a seat may expect once the buyer has put a piece where it serves him best."""
    return outlook(thinker, moving.enter(state, kind, _best_square(thinker, state, kind)), seat, PARTS)


def _best_square(thinker: Thinker, state: State, kind: int) -> Square:
    return max(
        asks.entry_squares(state, kind),
        key=lambda square: outlook(thinker, moving.enter(state, kind, square), state.seat, PARTS),
    )


def _by_move(thinker: Thinker, state: State, found: Found, seat: int) -> float:
    """Return what a seat may expect of what was found, apart from the turn's cargo."""
    if found.action == "move" and found.move is not None:
        return outlook(thinker, after_move(state, found.move), seat, PARTS)
    if found.action == "move":
        forfeited = replace(state, turn=replace(state.turn, moved=True))
        return outlook(thinker, replace(forfeited, position=state.position.pass_turn()), seat, PARTS)
    value = found.value - float(cargo_dice().expected())  # which a search expects of the turn beside its move
    return value if seat == state.seat else -value
