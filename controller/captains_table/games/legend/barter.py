"""Bargaining for a captured piece: offers of a price or a piece, the seller's price, refusals, and agreed swaps.

A sale for a price takes effect in `move_effects`.

Source: docs/rules/legend.md L16, L16a.
"""

from dataclasses import replace
from typing import Final

import chess

from captains_table.games.contract import EventKind, IllegalAction, Option
from captains_table.games.legend.move_effects import add_event, with_captures
from captains_table.games.legend.prompts import KIND_NAMES
from captains_table.games.legend.state import (
    AskPrice,
    BarterConsent,
    BuyConsent,
    BuyPrice,
    Captured,
    Entering,
    LegendMain,
    PriceConsent,
    State,
    with_step,
)
from captains_table.phrases import say

PRICE_A_POINT: Final = 5
BARTER_KINDS: Final = {"q": chess.QUEEN, "r": chess.ROOK, "b": chess.BISHOP, "n": chess.KNIGHT, "p": chess.PAWN}
BARTER_LETTERS: Final = {kind: letter for letter, kind in BARTER_KINDS.items()}
OFFER_PIECE: Final = "offer-piece-"
OFFER_PRICE: Final = Option("offer-price", say("Offer a price"), opens_menu=True)
ASK_PRICE: Final = Option("ask-price", say("Ask a price of your own"), opens_menu=True)


def kinds_to_give(state: State) -> list[int]:
    """Return the kinds of captured pieces that the player on turn holds and may offer, the most valuable first.

    Empty unless the option `barter` is `piece`.
    """
    if not state.options.barters:
        return []
    held = {captured.kind for captured in state.captures[state.seat]}
    return [kind for kind in BARTER_KINDS.values() if kind in held]


def chosen_offer(state: State, kind: int, id_: str) -> State:
    """Return the state after the buyer chose what to offer for a captured piece.

    If the buyer chose to pay, the buyer must name the price next. If the buyer chose a piece, the seller must answer
    the offer next.
    """
    if id_ == OFFER_PRICE.id:
        return with_step(state, BuyPrice(kind))
    given = BARTER_KINDS[id_.removeprefix(OFFER_PIECE)]
    turn = replace(state.turn, offers=state.turn.offers + 1, step=BarterConsent(kind, given))
    parts = {"name": state.seats[state.seat], "given": KIND_NAMES[given], "piece": KIND_NAMES[kind]}
    words = say("{name} offers a {given} for a {piece}", **parts)
    return add_event(replace(state, turn=turn), EventKind.OFFER, words)


def named_price(state: State, price: int, step: BuyConsent | PriceConsent) -> State:
    """Return the state after the buyer or the seller named a price; the number of offers grows by one.

    Args:
        state: the match.
        price: the price.
        step: the step in which the other player accepts or refuses the price.

    Raises:
        IllegalAction: the price is negative, or more than the buyer's cargo.
    """
    most = state.cargo[state.seat]
    if not 0 <= price <= most:
        raise IllegalAction(say("{price} is no price: expected 0 to {most}", price=price, most=most))
    return replace(state, turn=replace(state.turn, offers=state.turn.offers + 1, step=step))


def not_sold(state: State, kind: int, id_: str) -> State:
    """Return the state after the seller refused an offer or chose to ask a price instead."""
    if id_ == ASK_PRICE.id:
        return with_step(state, AskPrice(kind))
    return _refused(state, say("{name} does not sell", name=state.seats[state.opponent]))


def not_bought(state: State) -> State:
    """Return the state after the buyer refused the seller's price."""
    return _refused(state, say("{name} does not buy", name=state.seats[state.seat]))


def _refused(state: State, words: str) -> State:
    return add_event(with_step(state, LegendMain()), EventKind.REFUSED, words)


def bartered(state: State, kind: int, given: int) -> State:
    """Return the state after the seller agreed to swap pieces (L16a).

    The piece that the buyer gives leaves the round. The bought piece enters next, and the buyer cannot throw the Legend
    die again.
    """
    buyer, seller = state.seat, state.opponent
    state = with_captures(state, buyer, _without(state.captures[buyer], given))
    turn = replace(state.turn, legend_final=True, step=Entering(kind, given))
    parts = {"name": state.seats[seller], "piece": KIND_NAMES[kind], "given": KIND_NAMES[given]}
    words = say("{name} gives a {piece} for a {given}", **parts)
    return add_event(replace(state, turn=turn), EventKind.SALE, words)


def _without(held: tuple[Captured, ...], given: int) -> tuple[Captured, ...]:
    """Return the captured pieces without one piece of the kind `given`.

    A piece that was a promoted pawn is removed first, since its owner could buy it back only as a pawn.
    """
    left = list(held)
    left.remove(max((captured for captured in held if captured.kind == given), key=lambda captured: captured.promoted))
    return tuple(left)
