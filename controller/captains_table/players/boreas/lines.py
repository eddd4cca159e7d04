"""Bitboard tables for the board of nine files: leaps from each square, and sliding moves for each occupancy.

Bit n is square n in the game's numbering. Sliding moves are looked up by the occupied inner squares of a line, so that
a slider's moves cost one look-up for each line. A further table has the squares between two squares in line.
"""

from collections.abc import Collection, Sequence
from typing import Final

from captains_table.games.captains_chess.position import BOARD_9X8, FILES, SQUARES
from captains_table.games.common.movement import DIAGONAL, KNIGHTLY, ORTHOGONAL, Offset, ray_from

Masks = tuple[int, ...]
# for each square: the mask of its line's inner squares, and the reachable squares by their occupancy
SliderLine = tuple[Masks, tuple[dict[int, int], ...]]

BIT72: Final = tuple(1 << square for square in range(SQUARES))
FULL: Final = (1 << SQUARES) - 1
NOT_FIRST_FILE: Final = sum(BIT72[square] for square in range(SQUARES) if square % FILES)
NOT_LAST_FILE: Final = sum(BIT72[square] for square in range(SQUARES) if square % FILES != FILES - 1)


def rank_bits(rank: int) -> int:
    """Return the bitboard of a rank, which is numbered from 0 to 7."""
    return ((1 << FILES) - 1) << FILES * rank


def leaps(offsets: Collection[Offset]) -> Masks:
    """Return, for each square, the bitboard of the squares that a piece with these leaps reaches from there."""
    return tuple(
        sum(BIT72[to] for leap in offsets for to in ray_from(BOARD_9X8, square, leap)[:1]) for square in range(SQUARES)
    )


KNIGHT_LEAPS: Final = leaps(KNIGHTLY)
STRAIGHT_STEPS: Final = leaps(ORTHOGONAL)
SLANTED_STEPS: Final = leaps(DIAGONAL)
CAPTAIN_LEAPS: Final = leaps(KNIGHTLY | ORTHOGONAL)
KING_STEPS: Final = leaps(ORTHOGONAL | DIAGONAL)
NO_STEPS: Final = (0,) * SQUARES
PAWN_TAKES: Final = (leaps([(-1, -1), (1, -1)]), leaps([(-1, 1), (1, 1)]))  # Black's, White's


def _line(offset: Offset) -> SliderLine:
    """Return the tables of sliding moves in a direction and its opposite.

    Both tables are indexed by the slider's square. The first contains the masks of the line's inner squares. The second
    maps the occupied inner squares to the reachable squares, both as bitboards.
    """
    masks, reaches = [], []
    for square in range(SQUARES):
        arms = [ray_from(BOARD_9X8, square, offset), ray_from(BOARD_9X8, square, (-offset[0], -offset[1]))]
        inner = sum(BIT72[to] for arm in arms for to in arm[:-1])
        masks.append(inner)
        reach, taken = dict[int, int](), 0
        while True:  # every subset of the inner squares, the empty one first
            reached = sum(_reached(arm, taken) for arm in arms)
            reach[_kept.setdefault(taken, taken)] = _kept.setdefault(reached, reached)
            taken = (taken - inner) & inner
            if not taken:
                break
        reaches.append(reach)
    return tuple(masks), tuple(reaches)


def _reached(arm: Sequence[int], taken: int) -> int:
    reached = 0
    for square in arm:
        reached |= BIT72[square]
        if taken & BIT72[square]:
            break
    return reached


_kept: dict[int, int] = {}  # interns equal numbers, which most lines share, to save memory
STRAIGHT: Final = _line((1, 0)), _line((0, 1))
SLANTED: Final = _line((1, 1)), _line((1, -1))
_kept.clear()


def reach(square: int, occupied: int, lines: tuple[SliderLine, SliderLine]) -> int:
    """Return the bitboard of the squares that a slider attacks along two lines.

    In each direction the attack ends at the first occupied square, which is included.
    """
    (one_masks, one_reaches), (other_masks, other_reaches) = lines
    return one_reaches[square][occupied & one_masks[square]] | other_reaches[square][occupied & other_masks[square]]


STRAIGHT_LINES: Final = tuple(reach(square, 0, STRAIGHT) for square in range(SQUARES))
SLANTED_LINES: Final = tuple(reach(square, 0, SLANTED) for square in range(SQUARES))


def _betweens() -> tuple[dict[int, int], ...]:
    """Return, for each square, the bitboards of the squares between it and every other square in line with it.

    Two squares are in line if they are on the same rank, file or diagonal. The bitboards are keyed by the other square.
    """
    found = []
    for square in range(SQUARES):
        between = dict[int, int]()
        for offset in ORTHOGONAL | DIAGONAL:
            passed = 0
            for to in ray_from(BOARD_9X8, square, offset):
                between[to] = passed
                passed |= BIT72[to]
        found.append(between)
    return tuple(found)


BETWEEN: Final = _betweens()
