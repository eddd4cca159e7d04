"""Bargains beside a plain price: a piece for a piece, and the seller's own price (docs/rules/legend.md L16a)."""

from dataclasses import replace
from typing import Final

import chess

from captains_table.games.contract import (
    AGREE,
    Action,
    Amount,
    AmountAsk,
    Decide,
    EventKind,
    IllegalAction,
    Option,
    Pick,
    PickAsk,
    check_offered,
    consent,
)
from captains_table.games.legend.moving import say, sell, with_captures
from captains_table.games.legend.position import VALUES
from captains_table.games.legend.prompts import KIND_NAMES, article
from captains_table.games.legend.state import (
    MAX_OFFERS,
    AskPrice,
    BarterConsent,
    BarterStep,
    BuyOffer,
    BuyPrice,
    Captured,
    Entering,
    Main,
    PriceConsent,
    State,
    with_step,
)

PRICE_A_POINT: Final = 5
KINDS: Final = {"q": chess.QUEEN, "r": chess.ROOK, "b": chess.BISHOP, "n": chess.KNIGHT, "p": chess.PAWN}
LETTERS: Final = {kind: letter for letter, kind in KINDS.items()}
OFFER_PIECE: Final = "offer-piece-"
OFFER_PRICE: Final = Option("offer-price", "Offer a price", opens_menu=True)
ASK_PRICE: Final = Option("ask-price", "Ask a price of your own", opens_menu=True)


def turn_of(state: State, step: BarterStep) -> Decide:
    """Return who must answer what in one of these steps."""
    match step:
        case BuyOffer(kind):
            return Decide(state.seat, _offer_ask(state, kind))
        case BarterConsent(kind, given):
            return Decide(state.opponent, _barter_ask(state, kind, given))
        case AskPrice(kind):
            return Decide(state.opponent, _own_price_ask(state, kind))
        case PriceConsent(kind, price):
            return Decide(state.seat, _price_consent_ask(state, kind, price))


def answered(state: State, step: BarterStep, action: Action) -> State:
    """Return the match after an answer in one of these steps; raises IllegalAction."""
    if isinstance(action, Pick):
        check_offered(turn_of(state, step), action.id)
    match step, action:
        case BuyOffer(kind), Pick(id_):
            return _chosen_offer(state, kind, id_)
        case BarterConsent(kind, given), Pick(AGREE.id):
            return _bartered(state, kind, given)
        case BarterConsent(kind), Pick(id_):
            return _declined(state, kind, id_)
        case AskPrice(kind), Amount(price):
            return _asked_price(state, kind, price)
        case PriceConsent(kind, price), Pick(id_):
            return sell(state, kind, price) if id_ == AGREE.id else _not_bought(state)
        case _:
            raise IllegalAction(f"{action} is no answer to what is asked")


def answered_price(state: State, kind: int, price: int, id_: str) -> State:
    """Return the match after the seller answered a price he was offered (L16)."""
    return sell(state, kind, price) if id_ == AGREE.id else _declined(state, kind, id_)


def _declined(state: State, kind: int, id_: str) -> State:
    """Return the match after the seller refused, or wants to name a price himself."""
    if id_ == ASK_PRICE.id:
        return with_step(state, AskPrice(kind))
    words = f"{state.seats[state.opponent]} does not sell"
    return say(with_step(state, Main()), EventKind.REFUSED, words)


# --- what may be offered --------------------------------------------------------------------------------------------


def kinds_to_give(state: State) -> list[int]:
    """Return the kinds of captured pieces the player on turn may offer, the dearest first; none unless agreed."""
    if not state.options.barters:
        return []
    held = {captured.kind for captured in state.captures[state.seat]}
    return [kind for kind in KINDS.values() if kind in held]


def may_pay(state: State) -> bool:
    """Return whether the player on turn has anything to pay with."""
    return state.cargo[state.seat] > 0 or bool(kinds_to_give(state))


def to_be_offered(state: State, kind: int) -> BuyOffer | BuyPrice:
    """Return what the buyer is asked once he named a piece: a price, or first whether he offers one."""
    return BuyOffer(kind) if kinds_to_give(state) else BuyPrice(kind)


def _offer_ask(state: State, kind: int) -> PickAsk:
    """Return the ask for what is offered: a price, or one of the kinds of pieces the buyer holds."""
    price = OFFER_PRICE if state.cargo[state.seat] > 0 else replace(OFFER_PRICE, in_vain=True)
    kinds = kinds_to_give(state)
    pieces = tuple(Option(f"{OFFER_PIECE}{LETTERS[given]}", f"Offer {article(given)}") for given in kinds)
    seller = state.seats[state.opponent]
    default = OFFER_PRICE.id if state.cargo[state.seat] > 0 else pieces[-1].id
    then = f"A piece of {seller}'s goes back to his box for good. {seller} agrees or refuses"
    return PickAsk(f"What do you offer for the {KIND_NAMES[kind]}?", (price, *pieces), default, then)


def _chosen_offer(state: State, kind: int, id_: str) -> State:
    """Return the match after the buyer chose what he offers."""
    if id_ == OFFER_PRICE.id:
        return with_step(state, BuyPrice(kind))
    given = KINDS[id_.removeprefix(OFFER_PIECE)]
    turn = replace(state.turn, offers=state.turn.offers + 1, step=BarterConsent(kind, given))
    words = f"{state.seats[state.seat]} offers {article(given)} for {article(kind)}"
    return say(replace(state, turn=turn), EventKind.OFFER, words)


# --- what the seller answers ----------------------------------------------------------------------------------------


def _barter_ask(state: State, kind: int, given: int) -> PickAsk:
    """Return the ask whether the seller takes a piece for a piece."""
    buyer = state.seats[state.seat]
    then = f"Agree: your {KIND_NAMES[given]} goes back to your box, {buyer} gets the {KIND_NAMES[kind]}. Or refuse"
    return _with_own_price(state, consent(f"{buyer} offers {article(given)} for {article(kind)}", then))


def sale_ask(state: State, kind: int, price: int) -> PickAsk:
    """Return the ask whether the seller takes a price (L16)."""
    buyer = state.seats[state.seat]
    then = f"Agree: you get {price} cargo, {buyer} the {KIND_NAMES[kind]}. Or refuse"
    return _with_own_price(state, consent(f"{buyer} offers {price} for {article(kind)}", then))


def _with_own_price(state: State, ask: PickAsk) -> PickAsk:
    """Return the ask of a seller who may also name a price, while offers are left in this turn and it was agreed."""
    if not state.options.barters or state.turn.offers >= MAX_OFFERS:
        return ask
    own = ASK_PRICE if state.cargo[state.seat] > 0 else replace(ASK_PRICE, in_vain=True)
    return replace(ask, options=(*ask.options, own))


def _own_price_ask(state: State, kind: int) -> AmountAsk:
    """Return the ask for the seller's price: up to all the buyer has."""
    buyer, cargo = state.seats[state.seat], state.cargo[state.seat]
    usual = PRICE_A_POINT * VALUES[kind]
    then = f"Usually {usual}; {buyer} has {cargo}, and agrees or refuses"
    return AmountAsk(f"Your price for the {KIND_NAMES[kind]}", 0, cargo, min(usual, cargo), then)


def _asked_price(state: State, kind: int, price: int) -> State:
    """Return the match after the seller named his price; raises IllegalAction."""
    ask = _own_price_ask(state, kind)
    if not ask.lo <= price <= ask.hi:
        raise IllegalAction(f"{price} is no price: expected {ask.lo} to {ask.hi}")
    turn = replace(state.turn, offers=state.turn.offers + 1, step=PriceConsent(kind, price))
    return replace(state, turn=turn)


def _price_consent_ask(state: State, kind: int, price: int) -> PickAsk:
    """Return the ask whether the buyer pays the seller's price."""
    seller = state.seats[state.opponent]
    then = f"Agree: you pay {price} of your {state.cargo[state.seat]} cargo. Or refuse"
    return consent(f"{seller} asks {price} for {article(kind)}", then)


# --- what comes of it -----------------------------------------------------------------------------------------------


def _bartered(state: State, kind: int, given: int) -> State:
    """Return the state after both agreed: the piece given is nobody's to buy or settle, the other one enters."""
    buyer, seller = state.seat, state.opponent
    state = with_captures(state, buyer, _without(state.captures[buyer], given))
    turn = replace(state.turn, legend_final=True, step=Entering(kind, given))
    words = f"{state.seats[seller]} gives {article(kind)} for {article(given)}"
    return say(replace(state, turn=turn), EventKind.SALE, words)


def _without(held: tuple[Captured, ...], given: int) -> tuple[Captured, ...]:
    """Return what is held without one of a kind: a promoted one first, which its owner buys back for less."""
    left = list(held)
    left.remove(max((captured for captured in held if captured.kind == given), key=lambda captured: captured.promoted))
    return tuple(left)


def _not_bought(state: State) -> State:
    """Return the match after the buyer refused the seller's price."""
    return say(with_step(state, Main()), EventKind.REFUSED, f"{state.seats[state.seat]} does not buy")
