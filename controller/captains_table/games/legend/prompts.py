"""The texts of Legend's main step: what to do, what else is possible, and why a move is forbidden.

The text for the choice of dice to keep and the names of pieces are here too. The texts of other steps are in `asks`.
Source: docs/rules/legend.md.

The texts suffice to play without knowing the rules: they name the pieces that may move, and the missing cargo dice.
"""

import chess

from captains_table.games.common.dice import CREW, SHIP, cargo, first_missing, has_crew, roman
from captains_table.games.common.pieces import kind_name
from captains_table.games.contract import Hindrance, Square
from captains_table.games.legend.position import PIECE_VALUES, LegendPosition
from captains_table.games.legend.state import CARGO_DICE, LEGEND_DIE, LEGEND_THROWS, State
from captains_table.games.legend.steps import LegendHoldStep, LegendMain
from captains_table.phrases import message, say

MOVES_OF_DIE = {
    1: message("{name}, Legend die {die}: move a pawn"),
    2: message("{name}, Legend die {die}: move a pawn or knight"),
    3: message("{name}, Legend die {die}: move a pawn, knight or bishop"),
    4: message("{name}, Legend die {die}: move any piece but king or queen"),
    5: message("{name}, Legend die {die}: move any piece but the queen"),
    6: message("{name}, Legend die {die}: move any piece¦{name}, {die}: move any piece"),
}
KIND_NAMES = {kind: kind_name(chess.piece_symbol(kind)) for kind in PIECE_VALUES}
NAMES_BY_VALUE = {value: KIND_NAMES[kind] for kind, value in PIECE_VALUES.items()}
THROW_FIRST = say("The Legend die says what may move; with 6, 5 and 4 the other two dice are cargo")
FACES = say("I lets a pawn move, II a knight too, then bishop, rook, king, VI the queen")


def name_with_colour(state: State, seat: int) -> str:
    """Return the name of a seat's player with the seat's colour in this round: `Anne (White)`."""
    name = state.seats[seat]
    return say("{name} (White)", name) if state.colour_of(seat) == chess.WHITE else say("{name} (Black)", name)


# --- the main step --------------------------------------------------------------------------------------------------


def before_the_throw(state: State) -> str:
    """Return the second line before a turn's first throw: what the dice say, or what the king is worth now (L13, L20).

    The second is said as soon as the other player would pay for pieces that were captured before.
    """
    held = sum(PIECE_VALUES[captured.kind] for captured in state.captures[state.seat])
    paid = min(state.cargo[state.opponent], held + PIECE_VALUES[chess.KING])
    if not held or not paid:
        return THROW_FIRST
    return say("Taking the king brings 5 legend, and {cargo} cargo for all that you took", paid)


def main_prompt(state: State, *, may_move: bool) -> str:
    """Return the prompt of a turn's main step."""
    turn, name = state.turn, name_with_colour(state, state.seat)
    if turn.king_taken:
        return say("{name}: the king is taken! Finish your dice", name)
    if turn.moved:
        return say("{name}: your move is made", name)
    if turn.die is None:
        return say("{name}: throw the Legend die", name)
    stuck = message("{name}, Legend die {die}: no piece of yours can move")
    return say(MOVES_OF_DIE[turn.die] if may_move else stuck, name=name, die=roman(turn.die))


def main_then(state: State, throwable: tuple[int, ...], *, may_move: bool) -> str:
    """Return the prompt's second line in a turn's main step: what else is possible."""
    turn = state.turn
    if turn.moved:
        return _after_the_move(state, throwable)
    if turn.die is None:
        return FACES
    if may_move:
        return _before_the_move(state, may_throw_legend=LEGEND_DIE in throwable)
    return _stuck(state, throwable)


def _throws_left(state: State, throwable: tuple[int, ...]) -> tuple[int, int]:
    """Return how often the cargo dice and the Legend die may be thrown again."""
    turn = state.turn
    return (
        LEGEND_THROWS - turn.cargo_throws if CARGO_DICE[0] in throwable else 0,
        LEGEND_THROWS - turn.legend_throws if LEGEND_DIE in throwable else 0,
    )


def _before_the_move(state: State, *, may_throw_legend: bool) -> str:
    """Return the prompt's second line while a move is permitted and not made yet: what the move scores (L9).

    A third throw of the Legend die scores no legend. The line says whether the cargo dice may be thrown before and
    after the move (L7), or that the move ends the turn, and with how much cargo.
    """
    turn = state.turn
    legend_left, cargo_left = LEGEND_THROWS - turn.legend_throws, LEGEND_THROWS - turn.cargo_throws
    if not legend_left:
        scores = say("A move scores no legend")
    elif state.options.score == "die":
        scores = say("A move scores {points} legend", turn.die or 0)
    else:
        scores = say("A move scores its value")
    has_third, brings = legend_left == 1 and may_throw_legend, cargo(turn.cargo_faces)
    if not cargo_left and has_crew(turn.cargo_faces):
        if has_third:
            words = message("{scores} (0 after a third throw) and ends the turn with cargo {cargo}")
        else:
            words = message("{scores} and ends the turn with cargo {cargo}")
    elif not cargo_left:
        if has_third:
            words = message("{scores} (0 after a third throw) and ends the turn without cargo")
        else:
            words = message("{scores} and ends the turn without cargo")
    elif has_third:
        words = message("{scores}, but none once the Legend die is thrown a third time")
    elif may_throw_legend:
        words = message("{scores}. You may throw again first, or cargo after it ({left} left)")
    else:
        words = message("{scores}; throw cargo before or after it, {left} left")
    return say(words, scores=scores, cargo=brings, left=cargo_left)


def _after_the_move(state: State, throwable: tuple[int, ...]) -> str:
    """Return the prompt's second line once the move is made, when only the cargo dice may be thrown again (L7)."""
    faces, (left, _) = state.turn.cargo_faces, _throws_left(state, throwable)
    if state.turn.cargo_throws == 0:
        return say("Now throw the cargo dice: a 6, a 5 and a 4 make the other two points")
    if has_crew(faces):
        home = message("End the turn with cargo {cargo}, or throw the cargo again, {left} left")
        return say(home if left else message("End the turn with cargo {cargo}"), cargo=cargo(faces), left=left)
    if not left:
        return say("End the turn")
    missing = first_missing(faces)
    if missing == SHIP:
        return say("No ship (6) yet: throw the cargo again, {left} left, or end the turn", left)
    if missing == CREW:
        return say("No crew (4) yet: throw the cargo again, {left} left, or end the turn", left)
    return say("No captain (5) yet: throw the cargo again, {left} left, or end the turn", left)


def _stuck(state: State, throwable: tuple[int, ...]) -> str:
    """Return the prompt's second line when the Legend die permits no move on the board (L8)."""
    cargo_left, legend_left = _throws_left(state, throwable)
    if state.turn.cargo_throws == 0 and legend_left:
        words = message("Throw the Legend die again, {legend} left; the cargo dice are still to be thrown")
    elif state.turn.cargo_throws == 0:
        words = message("Throw the cargo dice, then end the turn")
    elif legend_left and cargo_left:
        words = message("Throw again: cargo {cargo} left, Legend die {legend}, or end the turn without a move")
    elif legend_left:
        words = message("Throw the Legend die again, {legend} left, or end the turn without a move")
    elif cargo_left:
        words = message("End the turn without a move, or throw the cargo again, {cargo} left")
    else:
        words = message("End the turn without a move")
    return say(words, cargo=cargo_left, legend=legend_left)


# --- dice that stay -------------------------------------------------------------------------------------------------


def keep_then(state: State, throwable: tuple[int, ...]) -> str:
    """Return what happens to the dice that are not kept, as the line below the question "Which dice stay?"."""
    if LEGEND_DIE in throwable and state.turn.legend_throws == LEGEND_THROWS - 1:
        return say("The others are thrown; a Legend die thrown three times scores no legend")
    return say("The others are thrown again")


# --- why a piece cannot be moved ------------------------------------------------------------------------------------


def reason_forbidden(state: State, position: LegendPosition, move: chess.Move) -> str:
    """Return the reason why the dice forbid a move."""
    die = state.turn.die
    if die is None:
        return say("Throw the Legend die before you move¦Throw the Legend die first")
    value = position.value_of(move)
    parts = {"piece": NAMES_BY_VALUE[value], "needed": roman(value), "die": roman(die)}
    if position.is_castling(move):
        return say("Castling needs a {needed}; the Legend die shows {die}", **parts)
    return say("A {piece} needs a {needed}; the Legend die shows {die}", **parts)


def legend_hindrance(state: State, square: Square) -> Hindrance | None:
    """Return why the piece on a square cannot be moved now.

    `None` if the piece can be moved, if the square has no piece, and in all steps except the main step and the choice
    of dice to keep.
    """
    letter = state.position.pieces().get(square)
    if letter is None or not isinstance(state.turn.step, LegendMain | LegendHoldStep):
        return None
    kind = kind_name(letter)
    if letter.isupper() != (state.colour == chess.WHITE):
        return Hindrance(say("That {piece} is {name}'s¦{name}'s {piece}", kind, state.seats[state.opponent]))
    return _of_own(state, square, kind, PIECE_VALUES[chess.Piece.from_symbol(letter).piece_type])


def _of_own(state: State, square: Square, kind: str, value: int) -> Hindrance | None:
    turn = state.turn
    if turn.moved:
        return Hindrance(say("Your move is made already"))
    if turn.die is None:
        return Hindrance(say("Throw the Legend die before you move¦Throw the Legend die first"), by_dice=True)
    if value > turn.die:
        return Hindrance(say("The {piece} needs a {needed}", kind, roman(value)), by_dice=True)
    start = chess.square(*square)
    if all(move.from_square != start for move in state.position.moves(turn.die).values()):
        return Hindrance(say("The {piece} is blocked", kind))
    return Hindrance(say("First choose which dice stay")) if isinstance(turn.step, LegendHoldStep) else None
