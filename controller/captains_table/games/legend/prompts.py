"""The texts of Legend's main step: what to do, what else is possible, and why a move is forbidden.

The text for the choice of dice to keep and the names of pieces are here too. The texts of other steps are in `asks`.
Source: docs/rules/legend.md.

The texts suffice to play without knowing the rules: they name the pieces that may move, and the missing cargo dice.
"""

import chess

from captains_table.games.common.dice import CREW_WORDS, cargo, first_missing, has_crew, roman
from captains_table.games.common.pieces import kind_name
from captains_table.games.contract import Hindrance, Square
from captains_table.games.legend.position import PIECE_VALUES, LegendPosition
from captains_table.games.legend.state import CARGO_DICE, LEGEND_DIE, LEGEND_THROWS, LegendHoldStep, LegendMain, State

DIE_WORDS = {
    1: "a pawn",
    2: "a pawn or knight",
    3: "a pawn, knight or bishop",
    4: "any piece but king or queen",
    5: "any piece but the queen",
    6: "any piece",
}
KIND_NAMES = {kind: chess.piece_name(kind) for kind in PIECE_VALUES}
NAMES_BY_VALUE = {value: KIND_NAMES[kind] for kind, value in PIECE_VALUES.items()}
THROW_FIRST = "The Legend die says what may move; with 6, 5 and 4 the other two dice are cargo"
FACES = "I lets a pawn move, II a knight too, then bishop, rook, king, VI the queen"
CARGO_DUE = "the cargo dice are still to be thrown"


def name_with_colour(state: State, seat: int) -> str:
    """Return the name of a seat's player with the seat's colour in this round: `Anne (White)`."""
    return f"{state.seats[seat]} ({'White' if state.colour_of(seat) == chess.WHITE else 'Black'})"


def article(kind: int) -> str:
    """Return the name of a kind of piece with its article: `a rook`."""
    return f"a {KIND_NAMES[kind]}"


# --- the main step --------------------------------------------------------------------------------------------------


def before_the_throw(state: State) -> str:
    """Return the second line before a turn's first throw: what the dice say, or what the king is worth now (L13, L20).

    The second is said as soon as the other player would pay for pieces that were captured before.
    """
    held = sum(PIECE_VALUES[captured.kind] for captured in state.captures[state.seat])
    paid = min(state.cargo[state.opponent], held + PIECE_VALUES[chess.KING])
    if not held or not paid:
        return THROW_FIRST
    return f"Taking the king brings 5 legend, and {paid} cargo for all that you took"


def main_prompt(state: State, *, may_move: bool) -> str:
    """Return the prompt of a turn's main step."""
    turn, name = state.turn, name_with_colour(state, state.seat)
    if turn.king_taken:
        return f"{name}: the king is taken! Finish your dice"
    if turn.moved:
        return f"{name}: your move is made"
    if turn.die is None:
        return f"{name}: throw the Legend die"
    words = f"move {DIE_WORDS[turn.die]}" if may_move else "no piece of yours can move"
    return f"{name}, Legend die {roman(turn.die)}: {words}"


def main_then(state: State, throwable: tuple[int, ...], *, may_move: bool) -> str:
    """Return the prompt's second line in a turn's main step: what else is possible."""
    turn = state.turn
    again = again_words(state, throwable)
    if turn.moved:
        return _after_the_move(state, again)
    if turn.die is None:
        return FACES
    if may_move:
        return _before_the_move(state, may_throw_legend=LEGEND_DIE in throwable)
    return _stuck(state, again, may_throw_legend=LEGEND_DIE in throwable)


def again_words(state: State, throwable: tuple[int, ...]) -> str:
    """Return which dice may be thrown again and how often, as a clause; empty if no dice may be thrown again."""
    turn = state.turn
    cargo_left = LEGEND_THROWS - turn.cargo_throws if CARGO_DICE[0] in throwable else 0
    legend_left = LEGEND_THROWS - turn.legend_throws if LEGEND_DIE in throwable else 0
    match cargo_left, legend_left:
        case 0, 0:
            return ""
        case _, 0:
            return f"throw the cargo again, {cargo_left} left"
        case 0, _:
            return f"throw the Legend die again, {legend_left} left"
        case _:
            return f"throw again: cargo {cargo_left} left, Legend die {legend_left}"


def _before_the_move(state: State, *, may_throw_legend: bool) -> str:
    """Return the prompt's second line while a move is permitted and not made yet: what the move scores (L9).

    A third throw of the Legend die scores no legend. The line says whether the cargo dice may be thrown before and
    after the move (L7), or that the move ends the turn, and with how much cargo.
    """
    turn = state.turn
    legend_left, cargo_left = LEGEND_THROWS - turn.legend_throws, LEGEND_THROWS - turn.cargo_throws
    by_the_die = f"{turn.die} legend" if state.options.score == "die" else "its value"
    scores = f"A move scores {by_the_die if legend_left else 'no legend'}"
    has_third = legend_left == 1 and may_throw_legend
    if not cargo_left:
        brings = f"with cargo {cargo(turn.cargo_faces)}" if has_crew(turn.cargo_faces) else "without cargo"
        return f"{scores}{' (0 after a third throw)' if has_third else ''} and ends the turn {brings}"
    if has_third:
        return f"{scores}, but none once the Legend die is thrown a third time"
    if may_throw_legend:
        return f"{scores}. You may throw again first, or cargo after it ({cargo_left} left)"
    return f"{scores}; throw cargo before or after it, {cargo_left} left"


def _after_the_move(state: State, again: str) -> str:
    turn = state.turn
    if turn.cargo_throws == 0:
        return "Now throw the cargo dice: a 6, a 5 and a 4 make the other two points"
    if has_crew(turn.cargo_faces):
        home = f"End the turn with cargo {cargo(turn.cargo_faces)}"
        return f"{home}, or {again}" if again else home
    return f"No {_missing(state)} yet: {again}, or end the turn" if again else "End the turn"


def _missing(state: State) -> str:
    face = first_missing(state.turn.cargo_faces)
    return "" if face is None else f"{CREW_WORDS[face]} ({face})"


def _stuck(state: State, again: str, *, may_throw_legend: bool) -> str:
    """Return the prompt's second line when the Legend die permits no move on the board (L8)."""
    if state.turn.cargo_throws == 0:
        return f"{capital(again)}; {CARGO_DUE}" if may_throw_legend else "Throw the cargo dice, then end the turn"
    if may_throw_legend:
        return f"{capital(again)}, or end the turn without a move"
    return f"End the turn without a move{f', or {again}' if again else ''}"


def capital(words: str) -> str:
    """Return a sentence with its first letter capitalized."""
    return words[:1].upper() + words[1:]


# --- dice that stay -------------------------------------------------------------------------------------------------


def keep_then(state: State, throwable: tuple[int, ...]) -> str:
    """Return what happens to the dice that are not kept, as the line below the question "Which dice stay?"."""
    if LEGEND_DIE in throwable and state.turn.legend_throws == LEGEND_THROWS - 1:
        return "The others are thrown; a Legend die thrown three times scores no legend"
    return "The others are thrown again"


# --- why a piece cannot be moved ------------------------------------------------------------------------------------


def reason_forbidden(state: State, position: LegendPosition, move: chess.Move) -> str:
    """Return the reason why the dice forbid a move."""
    die = state.turn.die
    if die is None:
        return "Throw the Legend die before you move"
    value = position.value_of(move)
    name = "Castling" if position.is_castling(move) else f"A {NAMES_BY_VALUE[value]}"
    return f"{name} needs a {roman(value)}; the Legend die shows {roman(die)}"


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
        return Hindrance(f"That {kind} is {state.seats[state.opponent]}'s")
    return _of_own(state, square, kind, PIECE_VALUES[chess.Piece.from_symbol(letter).piece_type])


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
    return Hindrance("First choose which dice stay") if isinstance(turn.step, LegendHoldStep) else None
