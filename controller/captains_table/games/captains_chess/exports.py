"""Exports a match of Captain's Chess: as a variants.ini for Fairy-Stockfish, and as PGN.

The variants.ini has the moves and FENs as comments. The engine reads it after the commands
`setoption name VariantPath value FILE` and `setoption name UCI_Variant value captainschess`. The comment at the file's
end is the UCI command `position` that sets up the match's latest position. For a match at the table, `position_line`
makes such a command from the state.

A PGN has the moves in standard algebraic notation for a board of nine files. The variant and its pieces are called as
in the definition for Fairy-Stockfish: the tag Variant is `captainschess`, a crowned bishop is `G`, and a crowned rook
is `H`. The crowning of a piece is written like a promotion: `Bd8=G`.

Source: docs/rules/captains-chess.md.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from captains_table.games.captains_chess.fen import START_FEN, START_POSITION
from captains_table.games.captains_chess.game import CaptainsChess, State
from captains_table.games.captains_chess.position import (
    BOARD_9X8,
    CASTLINGS,
    CROWNED,
    FAIRY_LETTERS,
    MOVEMENTS,
    PAWN,
    PIECE_KINDS,
    PROMOTED,
)
from captains_table.games.common.chesslike.match import FIFTY_MOVES, THREEFOLD, ending, line_of, result_of
from captains_table.games.common.chesslike.pgn import PgnStart, write_pgn
from captains_table.games.common.movement import DIAGONAL, KNIGHTLY, ORTHOGONAL
from captains_table.games.contract import Action, Pick

VARIANT: Final = "captainschess"
# The opening position, on which some builds crash; and a position with one move only, on the ninth file.
TRIAL_FENS: Final = (START_FEN, "k8/9/9/9/9/7p1/7P1/8K w - - 0 1")
_ORTHODOX: Final = {"P": "pawn", "N": "knight", "B": "bishop", "R": "rook", "Q": "queen", "K": "king"}
_LEAPS: Final = (("N", KNIGHTLY), ("W", ORTHOGONAL), ("F", DIAGONAL))  # Betza's notation
_RIDES: Final = (("R", ORTHOGONAL), ("B", DIAGONAL))


def variant_ini() -> str:
    """Return the variant's definition, generated from the constants that define the rules in this program."""
    return "\n".join([f"[{VARIANT}]", *_pieces(), *_promotions(), *_castling(), *_endings(), ""])


def _pieces() -> Iterator[str]:
    yield f"maxFile = {BOARD_9X8.files}"
    yield f"maxRank = {BOARD_9X8.ranks}"
    custom = 0
    for code, kind in enumerate(PIECE_KINDS, start=1):
        letter = _letter(code)
        if kind in _ORTHODOX:
            yield f"{_ORTHODOX[kind]} = {letter}"
        else:
            custom += 1
            leaps = "".join(sign for sign, offsets in _LEAPS if offsets <= MOVEMENTS[code].leaps)
            rides = "".join(sign for sign, offsets in _RIDES if offsets <= MOVEMENTS[code].rides)
            yield f"customPiece{custom} = {letter}:{leaps}{rides}"
    yield f"startFen = {START_FEN}"


def _letter(code: int) -> str:
    kind = PIECE_KINDS[code - 1]
    return FAIRY_LETTERS.get(kind, kind).lower()


def _promotions() -> Iterator[str]:
    yield f"promotionRegionWhite = *{BOARD_9X8.ranks}"
    yield "promotionRegionBlack = *1"
    yield f"promotionPieceTypes = {_letter(PROMOTED[PAWN])}"
    crowns = (f"{_letter(code)}:{_letter(crown)}" for code, crown in CROWNED.items() if code <= len(PIECE_KINDS))
    yield f"promotedPieceType = {' '.join(crowns)}"
    yield "mandatoryPawnPromotion = true"
    yield "mandatoryPiecePromotion = true"
    yield "doubleStep = true"
    yield "doubleStepRegionWhite = *2"
    yield f"doubleStepRegionBlack = *{BOARD_9X8.ranks - 1}"


def _castling() -> Iterator[str]:
    def file(square: int) -> str:
        return chr(ord("a") + square % BOARD_9X8.files)

    yield "castling = true"
    yield f"castlingKingFile = {file(CASTLINGS[0].king[0])}"
    for side, way in zip(("Kingside", "Queenside"), CASTLINGS, strict=False):
        yield f"castling{side}File = {file(way.king[-1])}"
        yield f"castlingRook{side}File = {file(way.rook)}"
    yield "castlingRookPieces = r"


def _endings() -> Iterator[str]:
    yield "checkmateValue = loss"
    yield "stalemateValue = loss"
    yield "extinctionValue = loss"
    yield "extinctionPieceTypes = *"
    yield "extinctionPieceCount = 1"
    yield "extinctionClaim = false"
    yield f"nMoveRule = {FIFTY_MOVES // 2}"
    yield f"nFoldRule = {THREEFOLD}"
    yield "nFoldValue = draw"


# --- a position -----------------------------------------------------------------------------------------------------


def position_line(state: State) -> str:
    """Return the UCI command `position` that sets up the present position of a match.

    It contains the moves since the last capture, pawn move or promotion, which the engine needs to detect repetitions
    (C7).
    """
    first, moves = line_of(state)
    played = f" moves {' '.join(moves)}" if moves else ""
    return f"position fen {first.fen(FAIRY_LETTERS)}{played}"


def trial_states() -> list[State]:
    """Return states in which an engine must find a legal move before it may play."""
    return [CaptainsChess().start(("White", "Black"), {"fen": fen}) for fen in TRIAL_FENS]


# --- a match --------------------------------------------------------------------------------------------------------


def fairy_ini(
    names: Sequence[str],
    options: Mapping[str, str],
    actions: Iterable[Action],
    began: str = "",
    _remarks: Mapping[int, Sequence[str]] | None = None,
) -> str:
    """Return a match and the variant's definition as the text of a variants.ini, for analysis with Fairy-Stockfish.

    Args:
        names: the players in seat order.
        options: the match's options.
        actions: the actions, without those that were taken back.
        began: the time of the start, ISO 8601; may be empty.
        _remarks: remarks on actions; ignored, since the format has no place for them.

    Raises:
        BadOption: a match cannot start with these names or options.
        IllegalAction: the actions do not replay.
    """
    game = CaptainsChess()
    state = first = game.start(names, options)
    comments, moves = list[str](), list[str]()
    for action in actions:
        after = game.apply(state, action)
        if after.position is not state.position and isinstance(action, Pick):
            moves.append(action.id)
            comments.append(_move_line(state, after, action.id))
        elif words := [game_event.words for game_event in game.game_events(state, after)]:
            comments.append(f"# {'; '.join(words)}")
        state = after
    start = first.position.fen(FAIRY_LETTERS)
    title = f"# {game.title}: {' and '.join(names)}{f', begun {began}' if began else ''}"
    head = [title, f"# start: {start}", *comments]
    end = ending(state)
    head.append("# The match is not over" if end is None else f"# {result_of(state)}: {end.words}")
    played = f" moves {' '.join(moves)}" if moves else ""
    return "\n".join([*head, "", variant_ini(), f"# position fen {start}{played}", ""])


def _move_line(before: State, after: State, id_: str) -> str:
    number = f"{before.position.number}{'.' if before.position.white else '...'}"
    label = before.position.label(before.position.moves[id_])
    return f"# {number:<7}{id_:<7}{label:<12}{after.position.fen(FAIRY_LETTERS)}"


# --- a match as PGN ---------------------------------------------------------------------------------------------------


def _start_of(first: State) -> PgnStart:
    return PgnStart(VARIANT, "" if first.position == START_POSITION else first.position.fen(FAIRY_LETTERS))


captains_pgn: Final = partial(write_pgn, CaptainsChess(), start_of=_start_of)
"""Returns a match as PGN; the arguments are those of `write_pgn` after the first."""
