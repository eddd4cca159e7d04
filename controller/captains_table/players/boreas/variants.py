"""The games that Boreas plays: what pieces are worth in each, what else differs, and the setups of a board.

All games are played on the same bitboards of nine files. Chess leaves the last file empty and never moves there.

The values of pieces on squares are in hundredths of a pawn, and packed so that one addition updates opening value,
endgame value and game phase (`PHASES`). White's pieces count positive and Black's negative, except in the phase, which
the pieces of both sides increase.

Source: docs/rules/captains-chess.md, docs/rules/chess.md.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from captains_table.games.captains_chess.position import (
    BISHOP,
    CAPTAIN,
    CROWNED,
    CROWNED_BISHOP,
    CROWNED_ROOK,
    FILES,
    KING,
    KNIGHT,
    LAST_RANK,
    NO_SQUARE,
    PAWN,
    QUEEN,
    ROOK,
    SQUARES,
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

WORTH: Final = {
    PAWN: 100,
    KNIGHT: 300,
    BISHOP: 320,
    ROOK: 490,
    QUEEN: 930,
    CAPTAIN: 480,
    CROWNED_BISHOP: 520,
    CROWNED_ROOK: 680,
    KING: 0,
}
PHASES: Final = {KNIGHT: 1, BISHOP: 1, CAPTAIN: 2, CROWNED_BISHOP: 2, ROOK: 2, CROWNED_ROOK: 3, QUEEN: 4}
CAPTAINS_FULL_PHASE: Final = 28  # the sum over both sides' pieces at the start
CHESS_FULL_PHASE: Final = 24
MIDDLE_FILE: Final = FILES // 2

FIELD: Final = 16  # bits of each of the packed values
HALF: Final = 1 << FIELD - 1
FIELD_MASK: Final = (1 << FIELD) - 1

# By rank, seen from the player's own side; a pawn becomes a captain on the eighth (C3).
_PAWN_RANKS: Final = ((0, 0), (0, 0), (2, 5), (6, 12), (14, 26), (28, 50), (55, 95), (0, 0))
_CENTRE: Final = {  # bonus per step nearer to the centre, in the opening and in the endgame
    KNIGHT: (7, 6),
    BISHOP: (4, 4),
    ROOK: (2, 1),
    QUEEN: (2, 5),
    CAPTAIN: (5, 6),
    CROWNED_BISHOP: (4, 6),
    CROWNED_ROOK: (2, 5),
    KING: (-14, 11),
}


def pack(opening: int, endgame: int, phase: int = 0) -> int:
    """Pack an opening value, an endgame value and a phase into one number; packed numbers can be added."""
    return (phase << FIELD << FIELD) + (opening << FIELD) + endgame


def unpack(packed: int) -> tuple[int, int, int]:
    """Return the opening value, the endgame value and the phase of a packed number."""
    endgame = (packed + HALF & FIELD_MASK) - HALF
    rest = packed - endgame >> FIELD
    opening = (rest + HALF & FIELD_MASK) - HALF
    return opening, endgame, rest - opening >> FIELD


def _placed(kind: int, file: int, rank: int) -> tuple[int, int]:
    """Return what a white piece is worth on a square of Captain's Chess: in the opening, and in the endgame."""
    near = MIDDLE_FILE - abs(file - MIDDLE_FILE) + min(rank, LAST_RANK - rank) - 3  # from -3 in a corner to 4
    if kind == PAWN:
        opening, endgame = _PAWN_RANKS[rank]
        opening += 6 * (rank - 1) if abs(file - MIDDLE_FILE) <= 1 and rank in (2, 3) else 0
    else:
        opening, endgame = (each * near for each in _CENTRE[kind])
    if kind == KING:
        opening += -18 * rank if rank else 8
    elif kind in (KNIGHT, BISHOP, CAPTAIN) and rank == 0:
        opening -= 8  # not developed
    elif kind == ROOK and rank == LAST_RANK - 1:
        opening, endgame = opening + 12, endgame + 12
    return WORTH[kind] + opening, WORTH[kind] + endgame


# --- chess ------------------------------------------------------------------------------------------------------------

_CHESS_WORTH: Final = {  # in the opening, and in the endgame
    PAWN: (88, 112),
    KNIGHT: (325, 300),
    BISHOP: (335, 310),
    ROOK: (470, 530),
    QUEEN: (960, 960),
    KING: (0, 0),
}
_CHESS_CENTRE: Final = {KNIGHT: (8, 6), BISHOP: (4, 3), ROOK: (2, 0), QUEEN: (1, 5), KING: (0, 12)}
# By file from the edge to the centre: what a pawn on the third rank or the fourth, and a king at home, is worth.
_CENTRAL_PAWNS: Final = ((-6, -8), (-4, -6), (2, 8), (8, 22))
_KING_AT_HOME: Final = (18, 28, 4, -10)
_KING_PER_RANK: Final = -22  # in the opening


def _placed_in_chess(kind: int, file: int, rank: int) -> tuple[int, int]:
    """Return what a white piece is worth on a square of chess: in the opening, and in the endgame."""
    if kind not in _CHESS_WORTH:
        return 0, 0
    from_edge = max(0, min(file, 7 - file))  # from 0 to 3; no piece is ever on the ninth file
    near = from_edge + min(rank, LAST_RANK - rank) - 3  # from -3 in a corner to 3
    if kind == PAWN:
        opening, endgame = _PAWN_RANKS[rank]
        opening += _CENTRAL_PAWNS[from_edge][rank - 2] if rank in (2, 3) else 0
    else:
        opening, endgame = (each * near for each in _CHESS_CENTRE[kind])
    if kind == KING:
        opening += _KING_AT_HOME[from_edge] + _KING_PER_RANK * rank
    elif kind in (KNIGHT, BISHOP) and rank == 0:
        opening -= 10  # not developed
    elif kind == ROOK and rank == LAST_RANK - 1:
        opening, endgame = opening + 15, endgame + 15
    return _CHESS_WORTH[kind][0] + opening, _CHESS_WORTH[kind][1] + endgame


# A square more that a piece reaches; the squares of pieces of its own side count, for it protects them.
CHESS_MOBILITY: Final = {KNIGHT: pack(3, 3), BISHOP: pack(4, 4), ROOK: pack(2, 4), QUEEN: pack(1, 3)}


# --- the tables -------------------------------------------------------------------------------------------------------

Placed = Callable[[int, int, int], tuple[int, int]]


def _value(kind: int, square: int, sign: int, placed: Placed) -> int:
    """Return the packed value of a piece on a square; `sign` is 1 for White's pieces and -1 for Black's."""
    rank, file = divmod(square, FILES)
    opening, endgame = placed(kind, file, rank if sign > 0 else LAST_RANK - rank)
    return pack(sign * opening, sign * endgame, PHASES.get(kind, 0))


def _values(placed: Placed) -> tuple[tuple[int, ...], ...]:
    """Return the packed values by piece code and square; 0 for the code of a vacant square."""
    return (
        (0,) * SQUARES,
        *(tuple(_value(kind, square, sign, placed) for square in range(SQUARES)) for sign in (1, -1) for kind in WORTH),
    )


CAPTAINS_VALUES: Final = _values(_placed)
CHESS_VALUES: Final = _values(_placed_in_chess)
WORTH_OF: Final = (0, *WORTH.values(), *WORTH.values())  # by piece code

# --- how pieces move, and the games -----------------------------------------------------------------------------------

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
