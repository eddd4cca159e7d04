"""The games that Boreas plays, as records of what differs between them, and the positions from which a board is built.

All games are played on the same bitboards of nine files. Chess leaves the last file empty and never moves there.

Source: docs/rules/captains-chess.md, docs/rules/chess.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from captains_table.games.captains_chess.position import (
    BISHOP,
    CAPTAIN,
    CROWNED,
    CROWNED_BISHOP,
    CROWNED_ROOK,
    KING,
    KNIGHT,
    NO_SQUARE,
    QUEEN,
    ROOK,
)
from captains_table.players.boreas.lines import (
    BIT72,
    CAPTAIN_LEAPS,
    FULL,
    KING_STEPS,
    KNIGHT_LEAPS,
    NO_STEPS,
    NOT_LAST_FILE,
    SLANTED,
    SLANTED_STEPS,
    STRAIGHT,
    STRAIGHT_STEPS,
    Masks,
    SliderLine,
)
from captains_table.players.boreas.values import (
    CAPTAINS_FULL_PHASE,
    CAPTAINS_VALUES,
    CHESS_FULL_PHASE,
    CHESS_MOBILITY,
    CHESS_VALUES,
)

PieceMoves = tuple[int, Masks, tuple[SliderLine, ...]]
# for each kind of piece except pawns: its leaps and steps, and its lines
_KNIGHT: Final[PieceMoves] = (KNIGHT, KNIGHT_LEAPS, ())
_CAPTAIN: Final[PieceMoves] = (CAPTAIN, CAPTAIN_LEAPS, ())
_KING: Final[PieceMoves] = (KING, KING_STEPS, ())
_BISHOP: Final[PieceMoves] = (BISHOP, NO_STEPS, SLANTED)
_ROOK: Final[PieceMoves] = (ROOK, NO_STEPS, STRAIGHT)
_CROWNED_BISHOP: Final[PieceMoves] = (CROWNED_BISHOP, STRAIGHT_STEPS, SLANTED)
_CROWNED_ROOK: Final[PieceMoves] = (CROWNED_ROOK, SLANTED_STEPS, STRAIGHT)
_QUEEN: Final[PieceMoves] = (QUEEN, NO_STEPS, (*STRAIGHT, *SLANTED))


@dataclass(frozen=True, slots=True)
class Variant:
    """What differs between the games that Boreas plays.

    Attributes:
        area: the bitboard of the squares that the game uses.
        pieces: the kinds of pieces except pawns, each with its leaps and its lines.
        promotions: the kinds that a pawn may become, as far as the quiescence search tries them.
        lesser_promotions: the other kinds that a pawn may become.
        crowned: what a kind of piece becomes on its player's last rank (C4).
        values: the packed piece-square values, by piece code and square.
        full_phase: the phase of the first position.
        mobility: kinds of pieces, each with the packed value of a square that it reaches; empty if mobility does not
            count.
        bare_king_loses: whether a bare king has lost (C6); otherwise too few pieces to mate are a draw.
        stalemate_loses: whether a side without a legal move has lost even if it is not in check (C6).
    """

    area: int
    pieces: tuple[PieceMoves, ...]
    promotions: tuple[int, ...]
    lesser_promotions: tuple[int, ...]
    crowned: Mapping[int, int]
    values: tuple[tuple[int, ...], ...]
    full_phase: int
    mobility: tuple[tuple[int, PieceMoves], ...]
    bare_king_loses: bool
    stalemate_loses: bool


CAPTAINS: Final = Variant(
    area=FULL,
    pieces=(_KNIGHT, _CAPTAIN, _KING, _BISHOP, _ROOK, _CROWNED_BISHOP, _CROWNED_ROOK, _QUEEN),
    promotions=(CAPTAIN,),
    lesser_promotions=(),
    crowned={kind: CROWNED[kind] for kind in (BISHOP, ROOK)},
    values=CAPTAINS_VALUES,
    full_phase=CAPTAINS_FULL_PHASE,
    mobility=(),
    bare_king_loses=True,
    stalemate_loses=True,
)
CHESS: Final = Variant(
    area=NOT_LAST_FILE,
    pieces=(_KNIGHT, _KING, _BISHOP, _ROOK, _QUEEN),
    promotions=(QUEEN, KNIGHT),
    lesser_promotions=(ROOK, BISHOP),
    crowned={},
    values=CHESS_VALUES,
    full_phase=CHESS_FULL_PHASE,
    mobility=tuple((CHESS_MOBILITY[piece[0]], piece) for piece in (_KNIGHT, _BISHOP, _ROOK, _QUEEN)),
    bare_king_loses=False,
    stalemate_loses=False,
)


class CastlingWay(NamedTuple):
    """One way to castle in a match; king and rook may change places, pass each other or stay (Chess960).

    Attributes:
        right: the bit in the castling rights.
        white: whether White castles.
        king: the king's start square.
        king_to: the king's end square.
        rook: the rook's start square.
        rook_to: the rook's end square.
        path: the squares that the king passes and reaches, which must not be attacked.
        vacant: the bitboard of the squares that must be vacant.
        named: the end square in the move's id.
    """

    right: int
    white: bool
    king: int
    king_to: int
    rook: int
    rook_to: int
    path: tuple[int, ...]
    vacant: int
    named: int


def castling_way(right: int, king: tuple[int, int], rook: tuple[int, int], named: int) -> CastlingWay:
    """Return a way to castle.

    Args:
        right: the number of the right to castle, in the order KQkq.
        king: the king's start and end.
        rook: the rook's start and end.
        named: the end square in the move's id.
    """
    path = _squares_on_way(*king)
    vacant = {*path, *_squares_on_way(*rook)} - {king[0], rook[0]}
    return CastlingWay(1 << right, right < 2, *king, *rook, path, sum(BIT72[square] for square in vacant), named)  # noqa: PLR2004 - White's rights come first


def _squares_on_way(start: int, end: int) -> tuple[int, ...]:
    """Return the squares after the start of a way along a rank, its end included."""
    return tuple(range(start + 1, end + 1)) if end >= start else tuple(range(end, start))


class BoreasSetup(NamedTuple):
    """A position from which a board is built.

    Attributes:
        variant: the game.
        squares: the piece code on each of the 72 squares.
        white: whether White is to move.
        rights: the rights to castle as bits, in the order KQkq.
        passed: the square on which a pawn can be captured en passant, if such a capture is legal; else `NO_SQUARE`.
        quiet: the plies since the last capture, pawn move or promotion.
        castlings: the match's ways to castle.
    """

    variant: Variant
    squares: Sequence[int]
    white: bool
    rights: int = 0
    passed: int = NO_SQUARE
    quiet: int = 0
    castlings: tuple[CastlingWay, ...] = ()
