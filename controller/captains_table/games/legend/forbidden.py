"""What the Legend die forbids: moves, and pieces that are lifted and may not be moved (docs/rules/legend.md L8)."""

import chess

from captains_table.games.common.dice import roman
from captains_table.games.contract import Square
from captains_table.games.legend import asks, prompts
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


def why_still(state: State, square: Square) -> str:
    """Return why the piece on a square may not be moved now, in a clause; empty where it may."""
    return prompts.why_still(state, square, can_move=_may_leave(state.position, square))


def _may_leave(position: Position, square: Square) -> bool:
    start = chess.square(*square)
    return any(move.from_square == start for move in position.moves(TOP_DIE).values())


def _kind_of(value: int) -> int:
    return next(kind for kind, points in VALUES.items() if points == value)
