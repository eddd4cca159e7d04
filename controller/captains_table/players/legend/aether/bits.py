"""Bitboards for Aether: numbered squares (a1 is 0, h8 is 63), sets of squares as 64-bit integers, and attacks.

Sliding moves are looked up by the occupied squares of a line. The tables are filled on first use, so that importing the
module is fast.
"""

from collections.abc import Sequence
from typing import Final

from captains_table.games.common.movement import Offset, ray_from
from captains_table.games.contract import Shape

SHAPE: Final = Shape(8, 8)
Target = tuple[int, int, int]  # a square, its bit, and its bit combined with that of the origin
# the empty targets, the last targets of each ray (the board's edge or an occupied square), and the set of all targets
LineTargets = tuple[tuple[Target, ...], tuple[Target, ...], int]
Lines = tuple[
    Sequence[dict[int, LineTargets]], tuple[int, ...]
]  # by origin: targets by occupancy, and the occupancy's mask
BIT64: Final = tuple(1 << square for square in range(64))
ALL: Final = (1 << 64) - 1
RANK_1: Final = 0xFF
RANK_2, RANK_3, RANK_6, RANK_7, RANK_8 = (RANK_1 << 8 * rank for rank in (1, 2, 5, 6, 7))
LAST_RANKS: Final = RANK_1 | RANK_8
NOT_A: Final = ALL ^ 0x0101010101010101
NOT_H: Final = ALL ^ 0x8080808080808080
KNIGHT_STEPS: Final = ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1))
KING_STEPS: Final = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1))
_SQUARES = range(64)
SidePieces = tuple[int, int, int, int, int, int]  # pawns, knights, bishops, rooks, king, queens of one side


def set_of(squares: Sequence[int]) -> int:
    """Return the bitboard of some squares."""
    return sum(BIT64[square] for square in squares)


def _targets(origin: int, squares: Sequence[int]) -> tuple[Target, ...]:
    return tuple((square, BIT64[square], BIT64[square] | BIT64[origin]) for square in squares)


def _leaps(origin: int, steps: Sequence[Offset]) -> list[int]:
    return [square for step in steps for square in ray_from(SHAPE, origin, step)[:1]]


class LazyLine(dict[int, LineTargets]):
    """A slider's targets on one line through its square, keyed by the occupied squares between the line's ends.

    Each entry is computed at its first use.
    """

    def __init__(self, origin: int, step: Offset) -> None:
        super().__init__()
        self._origin = origin
        self._rays = (ray_from(SHAPE, origin, step), ray_from(SHAPE, origin, (-step[0], -step[1])))
        self.inner = set_of([square for ray in self._rays for square in ray[:-1]])

    def __missing__(self, standing: int) -> LineTargets:
        free: list[int] = []
        ends: list[int] = []
        for ray in self._rays:
            for square in ray:
                if standing & BIT64[square] or square == ray[-1]:
                    ends.append(square)
                    break
                free.append(square)
        found = _targets(self._origin, free), _targets(self._origin, ends), set_of(free + ends)
        self[standing] = found
        return found


def _leapers(steps: Sequence[Offset]) -> Lines:
    """Return the leaps from each square in the format of sliding lines; each mask is 0, as nothing blocks a leap."""
    leaps = [_leaps(square, steps) for square in _SQUARES]
    return tuple({0: ((), _targets(origin, ends), set_of(ends))} for origin, ends in enumerate(leaps)), (0,) * 64


def _sliders(step: Offset) -> Lines:
    lines = tuple(LazyLine(square, step) for square in _SQUARES)
    return lines, tuple(line.inner for line in lines)


_KNIGHT: Final = _leapers(KNIGHT_STEPS)
_KING: Final = _leapers(KING_STEPS)
KNIGHT_TARGETS, KING_TARGETS = (tuple(by_standing[0][1] for by_standing in leaps) for leaps, _ in (_KNIGHT, _KING))
KNIGHT_SET, KING_SET = (tuple(by_standing[0][2] for by_standing in leaps) for leaps, _ in (_KNIGHT, _KING))

# the squares from which a pawn attacks a square: Black's, White's
PAWNS_AT: Final = tuple(
    tuple(set_of(_leaps(square, ((1, back), (-1, back)))) for square in _SQUARES) for back in (1, -1)
)

STRAIGHT: Final = _sliders((1, 0)), _sliders((0, 1))
SLANTED: Final = _sliders((1, 1)), _sliders((1, -1))
(RANKS, RANK_INNER), (FILES, FILE_INNER) = STRAIGHT
(DIAGONALS, DIAGONAL_INNER), (ANTIDIAGONALS, ANTIDIAGONAL_INNER) = SLANTED
# the lines of each class of piece, without pawn moves and castling
LINES: Final[tuple[tuple[Lines, ...], ...]] = ((), (), (_KNIGHT,), SLANTED, STRAIGHT, (_KING,), (*STRAIGHT, *SLANTED))


def name_of_square(square: int) -> str:
    """Return a square's name, such as e4."""
    return "abcdefgh"[square & 7] + "12345678"[square >> 3]


def orthogonal(square: int, occupied: int) -> int:
    """Return the bitboard of the squares that a rook attacks from a square."""
    return RANKS[square][occupied & RANK_INNER[square]][2] | FILES[square][occupied & FILE_INNER[square]][2]


def diagonal(square: int, occupied: int) -> int:
    """Return the bitboard of the squares that a bishop attacks from a square."""
    return (
        DIAGONALS[square][occupied & DIAGONAL_INNER[square]][2]
        | ANTIDIAGONALS[square][occupied & ANTIDIAGONAL_INNER[square]][2]
    )


def attack_set(square: int, occupied: int, pieces: SidePieces, white: int) -> int:
    """Return the bitboard of the squares from which a side's pieces attack a square.

    `white` is 1 for White's pieces, 0 for Black's.
    """
    p, n, b, r, k, q = pieces
    found = (PAWNS_AT[white][square] & p) | (KNIGHT_SET[square] & n) | (KING_SET[square] & k)
    if b | q:
        found |= (
            DIAGONALS[square][occupied & DIAGONAL_INNER[square]][2]
            | ANTIDIAGONALS[square][occupied & ANTIDIAGONAL_INNER[square]][2]
        ) & (b | q)
    if r | q:
        found |= (RANKS[square][occupied & RANK_INNER[square]][2] | FILES[square][occupied & FILE_INNER[square]][2]) & (
            r | q
        )
    return found


def least_class(squares: int, pieces: SidePieces) -> int:
    """Return the lowest class (1 pawn to 6 queen) among a side's pieces on some squares; 0 if there are none."""
    if not squares:
        return 0
    for kind, of_kind in enumerate(pieces, start=1):
        if squares & of_kind:
            return kind
    return 0


def pawn_target_sets(pawns: int, occupied: int, prey: int, white: int) -> tuple[tuple[int, int], ...]:
    """Return the targets of pawns for a single step, a double step, and a capture in each of the two directions.

    Each item is a pair: a bitboard of target squares, and the number of a target square minus that of its origin.
    `prey` is the bitboard of the squares where a pawn may capture.
    """
    if white:
        single = pawns << 8 & ~occupied & ALL
        double = (single & RANK_3) << 8 & ~occupied
        return (single, 8), (double, 16), ((pawns & NOT_A) << 7 & prey, 7), ((pawns & NOT_H) << 9 & prey, 9)
    single = pawns >> 8 & ~occupied
    double = (single & RANK_6) >> 8 & ~occupied
    return (single, -8), (double, -16), ((pawns & NOT_A) >> 9 & prey, -9), ((pawns & NOT_H) >> 7 & prey, -7)
