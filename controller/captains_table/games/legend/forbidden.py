"""What the Legend die forbids: moves, and pieces that are lifted and may not be moved (docs/rules/legend.md L8)."""

import chess

from captains_table.games.common.dice import roman
from captains_table.games.common.pieces import kind_name
from captains_table.games.contract import Hindrance, Square
from captains_table.games.legend import asks
from captains_table.games.legend.position import TOP_DIE, VALUES, Position
from captains_table.games.legend.prompts import KIND_NAMES
from captains_table.games.legend.state import HoldDecision, Main, State


def forbidden_moves(state: State) -> dict[str, chess.Move]:
    """Return the moves that chess allows and only the dice forbid, by id."""
    if state.turn.moved or not isinstance(state.turn.step, Main | HoldDecision):
        return {}
    permitted = asks.permitted_moves(state)
    return {id_: move for id_, move in state.position.moves(TOP_DIE).items() if id_ not in permitted}


def reason_forbidden(state: State, position: Position, move: chess.Move) -> str:
    """Return in words why the dice forbid a move."""
    die = state.turn.die
    if die is None:
        return "Throw the Legend die before you move"
    value = 5 if position.is_castling(move) else position.value_of(move)
    name = "Castling" if position.is_castling(move) else f"A {KIND_NAMES[_kind_of(value)]}"
    return f"{name} needs a {roman(value)}; the Legend die shows {roman(die)}"


def hindrance(state: State, square: Square) -> Hindrance | None:
    """Return what keeps the piece on a square from being moved now; `None` where it may be, or none stands there."""
    letter = state.position.pieces().get(square)
    if letter is None or not isinstance(state.turn.step, Main | HoldDecision):
        return None
    kind = kind_name(letter)
    if letter.isupper() != (state.colour == chess.WHITE):
        return Hindrance(f"That {kind} is {state.seats[state.opponent]}'s")
    return _of_own(state, square, kind, VALUES[chess.Piece.from_symbol(letter).piece_type])


def _of_own(state: State, square: Square, kind: str, value: int) -> Hindrance | None:
    turn = state.turn
    if turn.moved:
        return Hindrance("Your move is made already")
    if turn.die is None:
        return Hindrance("Throw the Legend die before you move", by_dice=True)
    if value > turn.die:
        return Hindrance(f"The {kind} needs a {roman(value)}", by_dice=True)
    start = chess.square(*square)
    if all(move.from_square != start for move in state.position.moves(turn.die).values()):
        return Hindrance(f"The {kind} is blocked")
    return Hindrance("First choose which dice stay") if isinstance(turn.step, HoldDecision) else None


def _kind_of(value: int) -> int:
    return next(kind for kind, points in VALUES.items() if points == value)
