"""The options of chess, the starting positions that they describe, and the type of a match's state.

Source: docs/rules/chess.md G3, G9 to G12.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from msgspec import Struct

from captains_table.games.chess.position import USUAL_ARRAY, ChessPosition
from captains_table.games.common.chesslike.match import ChesslikeState
from captains_table.games.common.chesslike.steps import MoveStep, SetupStep
from captains_table.games.common.option_values import first_position
from captains_table.games.common.time_control import CLOCK, CLOCK_START, read_time_control
from captains_table.games.contract import (
    BadOption,
    Choice,
    GameOption,
    TimeControl,
    advanced,
    parse_square,
    read_options,
)
from captains_table.phrases import say

ARRAYS: Final = 960
THROWN: Final = "dice"
COLOUR_DICE: Final = (1,)
ARRAY_DICE: Final = (1, 2, 3, 4, 5)
MOST: Final = {"colours": (6,), "array": (4, 4, 6, 6, 5)}
"""The greatest face of each die that counts (G12)."""
KNIGHT_FACES: Final = MOST["array"][-1]
KNIGHT_PLACES: Final = 10

CHESS_OPTIONS: Final = (
    CLOCK,
    CLOCK_START,
    GameOption(
        "white",
        say("White"),
        "first",
        (
            Choice("first", say("the first player")),
            Choice("second", say("the second player")),
            Choice(THROWN, say("thrown for")),
        ),
        hint=say("In a rematch the players change colours."),
    ),
    *advanced(
        GameOption(
            "start",
            say("Array"),
            str(USUAL_ARRAY),
            (Choice(str(USUAL_ARRAY), say("as usual")), Choice(THROWN, say("Chess960, thrown for"))),
            bounds=(0, ARRAYS - 1),
            hint=say(
                "518 is the usual array. Write dice to throw for one of Chess960, or the number of one, 0 to 959."
            ),
        ),
        GameOption(
            "handicap",
            say("Handicap"),
            "none",
            (
                Choice("none", say("none")),
                Choice("pawn", say("Black gives the f-pawn")),
                Choice("knight", say("White gives a knight")),
                Choice("rook", say("White gives a rook")),
                Choice("queen", say("White gives the queen")),
            ),
            hint=say("The stronger player takes the side that gives."),
        ),
        GameOption(
            "fen", say("Starting position"), is_free=True, hint=say("FEN or Chess960's X-FEN; empty for the usual one.")
        ),
    ),
)


class ChessOptions(Struct, frozen=True):
    """The match's options.

    Attributes:
        first_position: the starting position; if the array is thrown for, the usual one until then.
        clock: the time control; `None` for a match without a clock.
        white_seat: the seat that has White, unless a die decides it.
        throws_colours: whether a die decides who has White.
        throws_array: whether dice decide the array of Chess960.
        handicap: the piece that a side gives, such as `knight`; `none` if none.
    """

    first_position: ChessPosition
    clock: TimeControl | None
    white_seat: int
    throws_colours: bool
    throws_array: bool
    handicap: str


State = ChesslikeState[ChessPosition, ChessOptions]


def parse_chess_options(options: Mapping[str, str]) -> ChessOptions:
    """Return the match's options; raises BadOption if one is unknown or invalid, or if two do not go together."""
    chosen = read_options(CHESS_OPTIONS, options)
    start, handicap, fen = chosen["start"], chosen["handicap"], chosen["fen"]
    if fen and (start != str(USUAL_ARRAY) or handicap != "none"):
        raise BadOption(say("fen= with start= or handicap=: expected a position, or an array with a handicap"), "fen")
    array = USUAL_ARRAY if start == THROWN else int(start)
    usual = after_handicap(ChessPosition.of_array(array), handicap)
    clock, throws = read_time_control(chosen), (chosen["white"] == THROWN, start == THROWN)
    if clock is not None and any(throws):
        clock = replace(clock, from_press=True)  # nobody's time runs while dice are thrown (G11)
    white_seat = 1 if chosen["white"] == "second" else 0
    return ChessOptions(first_position(fen, ChessPosition.from_fen, usual), clock, white_seat, *throws, handicap)


def after_handicap(position: ChessPosition, handicap: str) -> ChessPosition:
    """Return a starting position without the piece that a handicap takes away (G10)."""
    if handicap == "none":
        return position
    if handicap == "pawn":
        return position.without(parse_square("f7"))
    letter = {"knight": "N", "rook": "R", "queen": "Q"}[handicap]
    return position.without(min(square for square, piece in position.pieces().items() if piece == letter))


# --- dice before the first move -------------------------------------------------------------------------------------


def first_step(options: ChessOptions) -> SetupStep | None:
    """Return the step of the dice that are thrown before the match; `None` if none are."""
    if options.throws_colours:
        return SetupStep("colours", COLOUR_DICE, (0,))
    return _array_step() if options.throws_array else None


def _array_step() -> SetupStep:
    return SetupStep("array", ARRAY_DICE, (0,) * len(ARRAY_DICE))


def after_throw(step: SetupStep, faces: Sequence[int]) -> SetupStep:
    """Return the step with the faces that fell; its dice are those that must be thrown again (G12)."""
    fallen = dict(zip(step.dice, faces, strict=True))
    counted = tuple(fallen.get(die, face) for die, face in enumerate(step.faces, 1))
    standing = tuple(face if face <= MOST[step.what][place] else 0 for place, face in enumerate(counted))
    return SetupStep(step.what, tuple(die for die, face in enumerate(standing, 1) if not face), standing)


def array_of(faces: Sequence[int]) -> int:
    """Return the number of Chess960's array that five dice give (G12).

    Args:
        faces: the faces of the dice for the bishop on light squares (1 to 4), the bishop on dark squares (1 to 4), the
            queen (1 to 6) and the knights (1 to 6, and 1 to 5).
    """
    light, dark, queen, knights, knights_too = (face - 1 for face in faces)
    places = (KNIGHT_FACES * knights + knights_too) % KNIGHT_PLACES
    return light + 4 * dark + 16 * queen + 96 * places


def set_up(state: State) -> State:
    """Return the state after the dice of its step all count: the next dice, or the first move."""
    step = state.step
    if not isinstance(step, SetupStep) or step.dice:
        return state
    if step.what == "colours":
        white = 0 if step.faces[0] % 2 else 1
        return replace(state, white_seat=white, step=_array_step() if state.options.throws_array else MoveStep())
    position = after_handicap(ChessPosition.of_array(array_of(step.faces)), state.options.handicap)
    return replace(state, position=position, step=MoveStep())
