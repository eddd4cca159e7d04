"""The effects of a turn's single move: legend points, strikes, captures, treasure, entries, sales and the Genie's hop.

Source: docs/rules/legend.md L9 - L19.
"""

from dataclasses import replace

import chess

from captains_table.games.contract import EventKind, GameEvent, Square
from captains_table.games.legend.position import CASTLING_DIE, PIECE_VALUES, LegendPosition, strikes
from captains_table.games.legend.prompts import KIND_NAMES
from captains_table.games.legend.state import (
    LEGEND_THROWS,
    Captured,
    Entering,
    LegendMain,
    State,
    Treasure,
    credit,
    with_seat,
)
from captains_table.phrases import say

KING_CAPTURE_LEGEND = 5
GENIE_VALUE = PIECE_VALUES[chess.KING]


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
        state = replace(state, turn=replace(state.turn, step=Treasure()))
    return state


def genie_hop(state: State, to: Square) -> State:
    """Return the state after the Genie carried the king to a square; this counts as the turn's move (L19)."""
    words = say("The Genie carries {name}'s king to {square}", name=state.seats[state.seat], square=str(to))
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
        turn=replace(state.turn, legend_final=True, step=Entering(kind)),
    )
    words = say("{name} sells a {piece} for {price}", name=state.seats[seller], piece=KIND_NAMES[kind], price=price)
    return credit(state, seller, GameEvent(EventKind.SALE, seller, price, words, payer=buyer))


def enter(state: State, kind: int, to: Square) -> State:
    """Return the state after a bought-back piece entered on a square as the turn's move (L15)."""
    state = _hand_back(state, kind, to)
    words = say("A {piece} enters on {square}", piece=KIND_NAMES[kind], square=str(to))
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
    state = replace(state, position=after, turn=replace(turn, moved=True, legend_final=True, step=LegendMain()))
    if turn.legend_throws < LEGEND_THROWS:
        words = say("{name} gains {points} legend", name=name, points=points)
        state = credit(state, seat, GameEvent(EventKind.LEGEND, seat, points, words))
    if struck:
        words = say("{name} strikes the king", name=name)
        state = credit(state, seat, GameEvent(EventKind.STRIKE, seat, 1, words, _king(after)))
    return state


def _king(position: LegendPosition) -> Square | None:
    letter = "K" if position.white else "k"
    return next((square for square, piece in position.pieces().items() if piece == letter), None)


def _capture(state: State, captured: Captured) -> State:
    seat, name, on = state.seat, state.seats[state.seat], captured.square
    state = with_captures(state, seat, (*state.captures[seat], captured))
    if captured.kind != chess.KING:
        words = say("{name} takes a {piece}", name=name, piece=KIND_NAMES[captured.kind])
        return add_event(state, EventKind.CAPTURE, words, on)
    state = replace(state, turn=replace(state.turn, king_taken=True))
    words = say("{name} captures the king", name=name)
    return credit(state, seat, GameEvent(EventKind.KING, seat, KING_CAPTURE_LEGEND, words, on))
