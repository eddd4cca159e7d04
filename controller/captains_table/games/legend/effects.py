"""The effects of a turn's single move and of bargains: legend points, captures, treasure, entries, offers, and sales.

Bargains for a captured piece are offers of a price or a piece, the seller's price, refusals, and agreed swaps.

Source: docs/rules/legend.md L9 - L19.
"""

from dataclasses import replace
from typing import Final

import chess

from captains_table.games.contract import EventKind, GameEvent, IllegalAction, Option, Square
from captains_table.games.legend import steps
from captains_table.games.legend.position import CASTLING_DIE, PIECE_VALUES, LegendPosition, strikes
from captains_table.games.legend.prompts import KIND_NAMES
from captains_table.games.legend.state import LEGEND_THROWS, Captured, State, credit, with_seat, with_step
from captains_table.phrases import say

KING_CAPTURE_LEGEND = 5
GENIE_VALUE = PIECE_VALUES[chess.KING]
PRICE_A_POINT: Final = 5
KINDS: Final = {"q": chess.QUEEN, "r": chess.ROOK, "b": chess.BISHOP, "n": chess.KNIGHT, "p": chess.PAWN}
LETTERS: Final = {kind: letter for letter, kind in KINDS.items()}
OFFER_PIECE: Final = "offer-piece-"
OFFER_PRICE: Final = Option("offer-price", say("Offer a price"), opens_menu=True)
ASK_PRICE: Final = Option("ask-price", say("Ask a price of your own"), opens_menu=True)


def add_event(state: State, kind: EventKind, words: str, square: Square | None = None) -> State:
    """Return the state with a game event of the player on turn added; the event scores no points."""
    return state.with_event(kind, state.seat, 0, words, square)


def move_piece(state: State, move: chess.Move) -> State:
    """Return the state after the turn's move by a piece on the board."""
    before = state.position
    castles = before.is_castling(move)
    value = CASTLING_DIE if castles else before.value_of(move)
    taken = before.captured(move)
    treasure = castles or before.reaches_seventh(move)
    to = Square(chess.square_file(move.to_square), chess.square_rank(move.to_square))
    state = _made_move(state, before.play(move), value)
    if taken is not None:
        kind, promoted = taken
        state = _capture(state, Captured(kind, promoted, to))
    if treasure:
        state = replace(state, turn=replace(state.turn, step=steps.Treasure()))
    return state


def genie_hop(state: State, to: Square) -> State:
    """Return the state after the Genie carried the king to a square; this counts as the turn's move (L19)."""
    words = say("The Genie carries {name}'s king to {square}", state.seats[state.seat], str(to))
    state = add_event(state, EventKind.GENIE, words, to)
    return _made_move(state, state.position.hop(to), GENIE_VALUE)


def sell(state: State, kind: int, price: int) -> State:
    """Return the state after the buyer paid the seller a price for a piece (L16).

    The buyer must enter the piece next, and cannot throw the Legend die again.
    """
    buyer, seller = state.seat, state.opponent
    state = replace(
        state,
        cargo=with_seat(state.cargo, buyer, state.cargo[buyer] - price),
        turn=replace(state.turn, legend_final=True, step=steps.Entering(kind)),
    )
    words = say("{name} sells a {piece} for {price}", state.seats[seller], KIND_NAMES[kind], price)
    return credit(state, seller, GameEvent(EventKind.SALE, seller, price, words, payer=buyer))


def enter(state: State, kind: int, to: Square) -> State:
    """Return the state after a bought-back piece entered on a square as the turn's move (L15)."""
    state = _hand_back(state, kind, to)
    words = say("A {piece} enters on {square}", KIND_NAMES[kind], str(to))
    state = add_event(state, EventKind.ENTRY, words, to)
    return _made_move(state, state.position.enter(kind, to), PIECE_VALUES[kind])


def _hand_back(state: State, kind: int, to: Square) -> State:
    """Return the state after the opponent has given back the captured piece that enters.

    If a pawn enters, the opponent gives back a captured pawn rather than a captured piece that was a promoted pawn
    (L17).
    """
    captor = state.opponent
    held = list(state.captures[captor])
    fitting = [captured for captured in held if captured.bought_as == kind and captured.may_enter_on(to)]
    held.remove(min(fitting, key=lambda captured: captured.promoted))
    return with_captures(state, captor, tuple(held))


def with_captures(state: State, seat: int, held: tuple[Captured, ...]) -> State:
    """Return the state with a seat's captured pieces replaced."""
    return replace(state, captures=with_seat(state.captures, seat, held))


def _made_move(state: State, after: LegendPosition, value: int) -> State:
    """Return the state after the turn's move; credit the legend for the move (L9) and for a strike (L12).

    The move itself scores no legend if the Legend die was thrown three times; a strike still does.

    Args:
        state: the state before the move.
        after: the position after it.
        value: the legend that the move scores if the option `score` is `piece`; otherwise the face of the die scores.

    Raises:
        ValueError: the Legend die was not thrown yet.
    """
    turn = state.turn
    if turn.die is None:
        raise ValueError("a move was made before the Legend die fell")
    seat, name = state.seat, state.seats[state.seat]
    struck = strikes(state.position, after, state.colour)
    points = turn.die if state.options.score == "die" else value
    state = replace(state, position=after, turn=replace(turn, moved=True, legend_final=True, step=steps.LegendMain()))
    if turn.legend_throws < LEGEND_THROWS:
        words = say("{name} gains {points} legend", name, points)
        state = credit(state, seat, GameEvent(EventKind.LEGEND, seat, points, words))
    if struck:
        words = say("{name} strikes the king", name)
        state = credit(state, seat, GameEvent(EventKind.STRIKE, seat, 1, words, _king(after)))
    return state


def _king(position: LegendPosition) -> Square | None:
    letter = "K" if position.white else "k"
    return next((square for square, piece in position.pieces().items() if piece == letter), None)


def _capture(state: State, captured: Captured) -> State:
    seat, name, on = state.seat, state.seats[state.seat], captured.square
    state = with_captures(state, seat, (*state.captures[seat], captured))
    if captured.kind != chess.KING:
        words = say("{name} takes a {piece}", name, KIND_NAMES[captured.kind])
        return add_event(state, EventKind.CAPTURE, words, on)
    state = replace(state, turn=replace(state.turn, king_taken=True))
    words = say("{name} captures the king", name)
    return credit(state, seat, GameEvent(EventKind.KING, seat, KING_CAPTURE_LEGEND, words, on))


# --- bargains ---------------------------------------------------------------------------------------------------------


def kinds_to_give(state: State) -> list[int]:
    """Return the kinds of captured pieces that the player on turn holds and may offer, the most valuable first.

    Empty unless the option `barter` is `piece`.
    """
    if not state.options.barters:
        return []
    held = {captured.kind for captured in state.captures[state.seat]}
    return [kind for kind in KINDS.values() if kind in held]


def chosen_offer(state: State, kind: int, id_: str) -> State:
    """Return the state after the buyer chose what to offer for a captured piece.

    If the buyer chose to pay, the buyer must name the price next. If the buyer chose a piece, the seller must answer
    the offer next.
    """
    if id_ == OFFER_PRICE.id:
        return with_step(state, steps.BuyPrice(kind))
    given = KINDS[id_.removeprefix(OFFER_PIECE)]
    turn = replace(state.turn, offers=state.turn.offers + 1, step=steps.BarterConsent(kind, given))
    parts = {"name": state.seats[state.seat], "given": KIND_NAMES[given], "piece": KIND_NAMES[kind]}
    words = say("{name} offers a {given} for a {piece}", **parts)
    return add_event(replace(state, turn=turn), EventKind.OFFER, words)


def named_price(state: State, price: int, step: steps.BuyConsent | steps.PriceConsent) -> State:
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
        raise IllegalAction(say("{price} is no price: expected 0 to {most}", price, most))
    return replace(state, turn=replace(state.turn, offers=state.turn.offers + 1, step=step))


def not_sold(state: State, kind: int, id_: str) -> State:
    """Return the state after the seller refused an offer or chose to ask a price instead."""
    if id_ == ASK_PRICE.id:
        return with_step(state, steps.AskPrice(kind))
    return _refused(state, say("{name} does not sell", state.seats[state.opponent]))


def not_bought(state: State) -> State:
    """Return the state after the buyer refused the seller's price."""
    return _refused(state, say("{name} does not buy", state.seats[state.seat]))


def _refused(state: State, words: str) -> State:
    return add_event(with_step(state, steps.LegendMain()), EventKind.REFUSED, words)


def bartered(state: State, kind: int, given: int) -> State:
    """Return the state after the seller agreed to swap pieces (L16a).

    The piece that the buyer gives leaves the round. The bought piece enters next, and the buyer cannot throw the Legend
    die again.
    """
    buyer, seller = state.seat, state.opponent
    state = with_captures(state, buyer, _without(state.captures[buyer], given))
    turn = replace(state.turn, legend_final=True, step=steps.Entering(kind, given))
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
