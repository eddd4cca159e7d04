"""Boreas's static evaluation of a position, in hundredths of a pawn.

The board supplies the piece-square values. This module adds pawn structure, the pawns next to the king, the bishop
pair, and a bonus for the side to move; in Captain's Chess also the danger of a bare king (C6), in chess also mobility,
open files, and what wins or draws in endings of few pieces.

Source: docs/rules/captains-chess.md, docs/rules/chess.md.
"""

from functools import lru_cache
from typing import Final

from captains_table.games.captains_chess.position import (
    BISHOP,
    BLACK,
    CROWNED_BISHOP,
    FILES,
    KNIGHT,
    LAST_RANK,
    PAWN,
    QUEEN,
    ROOK,
    SQUARES,
)
from captains_table.players.boreas.board import KINGS, BoreasBoard
from captains_table.players.boreas.lines import BIT72, KING_STEPS
from captains_table.players.boreas.variants import pack, unpack

TO_MOVE: Final = 12  # bonus for the side to move
PAIR: Final = 25  # two bishops, crowned or not
SHIELD: Final = 11  # a pawn next to its king, in the opening
ISOLATED: Final = pack(-10, -14)
DOUBLED: Final = pack(-8, -18)
PASSED: Final = (0, pack(4, 8), pack(6, 14), pack(12, 24), pack(24, 42), pack(42, 75), pack(70, 115), 0)  # by rank
BARENESS: Final = (0, 0, -220, -110, -50, -20)  # by number of own pieces: a side with only its king has lost (C6)
PAWN_CACHE_SIZE: Final = 4096
UNBOUNDED: Final = 32_000
# Chess:
FAR_OUTSIDE: Final = 150  # a value so far outside the bounds is not changed enough by mobility to matter
OPEN_FILE: Final = pack(22, 10)  # a rook on a file without pawns
HALF_OPEN_FILE: Final = pack(10, 8)  # without own pawns
KING_ZONE: Final = pack(6, 0)  # a square next to the foe's king that a piece reaches
FEW_PIECES: Final = 8  # by phase: two rooks of each side
MATING_VALUE: Final = 400  # a side without pawns needs so much more than the other to win, in hundredths of a pawn
DRAWISH: Final = 8  # by this its lead is divided if it has less
EDGE: Final = 8  # how much a bare king is worse off a square farther from the centre
NEAR_KINGS: Final = 20  # how much a bare king is worse off for each square that the other king is nearer
_LIGHT: Final = sum(BIT72[square] for square in range(SQUARES) if (square // FILES + square % FILES) % 2)

_FILE: Final = tuple(sum(BIT72[file + rank * FILES] for rank in range(LAST_RANK + 1)) for file in range(FILES))
_NEXT_FILES: Final = tuple(
    sum(_FILE[each] for each in (file - 1, file + 1) if 0 <= each < FILES) for file in range(FILES)
)


def _ahead(square: int, *, white: bool) -> int:
    """Return the bitboard of the squares ahead of a pawn, on the pawn's own file and on the neighbouring files."""
    rank, file = divmod(square, FILES)
    beyond = sum(BIT72[each] for each in range(SQUARES) if (each // FILES > rank if white else each // FILES < rank))
    return (_FILE[file] | _NEXT_FILES[file]) & beyond


_AHEAD: Final = tuple(tuple(_ahead(square, white=white) for square in range(SQUARES)) for white in (False, True))


def evaluate(board: BoreasBoard, alpha: int = -UNBOUNDED, beta: int = UNBOUNDED) -> int:
    """Return the static value of a position for the side to move, in hundredths of a pawn.

    In chess, mobility does not count if the value is far outside the bounds without it.

    Args:
        board: the position.
        alpha: the lower bound of values that matter.
        beta: the upper bound of values that matter.
    """
    of, side, variant = board.of, board.side, board.variant
    white_pawns, black_pawns, full_phase = of[PAWN], of[PAWN + BLACK], variant.full_phase
    opening, endgame, phase = unpack(board.value + _pawns(white_pawns, black_pawns))
    opening += _king_shield(of, 0, white_pawns) - _king_shield(of, BLACK, black_pawns)
    phase = min(phase, full_phase)
    value = (opening * phase + endgame * (full_phase - phase)) // full_phase
    value += _bishop_pair(of, 0) - _bishop_pair(of, BLACK)
    if not variant.bare_king_loses:
        if alpha - FAR_OUTSIDE < (value if board.white else -value) < beta + FAR_OUTSIDE:
            opening, endgame, _ = unpack(_activity(board, 0) - _activity(board, BLACK))
            value += (opening * phase + endgame * (full_phase - phase)) // full_phase
        value = _ending(board, value) if phase <= FEW_PIECES else value
        return (value if board.white else -value) + TO_MOVE
    left = side[1].bit_count()
    if left < len(BARENESS):
        value += BARENESS[left]
    left = side[0].bit_count()
    if left < len(BARENESS):
        value -= BARENESS[left]
    return (value if board.white else -value) + TO_MOVE


def _king_shield(of: list[int], base: int, pawns: int) -> int:
    king = of[KINGS[not base]].bit_length() - 1
    return SHIELD * (KING_STEPS[king] & pawns).bit_count()


def _bishop_pair(of: list[int], base: int) -> int:
    return PAIR if (of[base + BISHOP] | of[base + CROWNED_BISHOP]).bit_count() > 1 else 0


def _activity(board: BoreasBoard, base: int) -> int:
    """Return the packed value of what the pieces of a side reach: mobility, squares next to the foe's king, files."""
    of, area, occupied = board.of, board.variant.area, board.side[0] | board.side[1]
    zone = KING_STEPS[of[KINGS[bool(base)]].bit_length() - 1]
    total = _open_files(of[base + ROOK], of[base + PAWN], of[PAWN] | of[PAWN + BLACK])
    near = 0
    for weight, (kind, steps, lines) in board.variant.mobility:
        bits = of[base + kind]
        while bits:
            low = bits & -bits
            bits ^= low
            square = low.bit_length() - 1
            reached = steps[square]
            for masks, reaches in lines:
                reached |= reaches[square][occupied & masks[square]]
            total += weight * (reached & area).bit_count()
            near += (reached & zone).bit_count()
    return total + KING_ZONE * near


@lru_cache(maxsize=PAWN_CACHE_SIZE)
def _open_files(rooks: int, own_pawns: int, pawns: int) -> int:
    """Return the packed value of rooks on files without pawns, or without pawns of their side."""
    total = 0
    while rooks:
        low = rooks & -rooks
        rooks ^= low
        file = _FILE[(low.bit_length() - 1) % FILES]
        if not file & own_pawns:
            total += HALF_OPEN_FILE if file & pawns else OPEN_FILE
    return total


def _ending(board: BoreasBoard, value: int) -> int:
    """Return the value for White of an ending of few pieces in chess: drawish, or a bare king that is driven away."""
    base = 0 if value > 0 else BLACK
    if board.of[base + PAWN]:
        return value
    if abs(value) < MATING_VALUE:
        return value // DRAWISH
    king, bare = (board.of[KINGS[is_white]].bit_length() - 1 for is_white in (not base, bool(base)))
    if board.side[bool(base)] != BIT72[bare]:
        return value
    (rank, file), (own_rank, own_file) = divmod(bare, FILES), divmod(king, FILES)
    off_centre = abs(2 * rank - LAST_RANK) + abs(2 * file - LAST_RANK)  # in half squares, for chess has eight files
    driven = EDGE * off_centre - NEAR_KINGS * (abs(rank - own_rank) + abs(file - own_file))
    return value + driven if base == 0 else value - driven


def cannot_be_won(board: BoreasBoard) -> bool:
    """Return whether no sequence of moves mates in chess: there is one minor piece, or only bishops of one colour."""
    of = board.of
    if any(of[kind] | of[kind + BLACK] for kind in (PAWN, ROOK, QUEEN)):
        return False
    knights, bishops = of[KNIGHT] | of[KNIGHT + BLACK], of[BISHOP] | of[BISHOP + BLACK]
    if knights:
        return not bishops and not knights & knights - 1
    return not bishops & _LIGHT or not bishops & ~_LIGHT


@lru_cache(maxsize=PAWN_CACHE_SIZE)
def _pawns(white: int, black: int) -> int:
    """Return the value of the pawn structure for White, with the opening and endgame values packed in one number."""
    return _structure_of_side(white, black, white_side=True) - _structure_of_side(black, white, white_side=False)


def _structure_of_side(own: int, foes: int, *, white_side: bool) -> int:
    value, bits = 0, own
    while bits:
        low = bits & -bits
        bits ^= low
        square = low.bit_length() - 1
        rank, file = divmod(square, FILES)
        if not own & _NEXT_FILES[file]:
            value += ISOLATED
        if not foes & _AHEAD[white_side][square]:
            value += PASSED[rank if white_side else LAST_RANK - rank]
        if own & _FILE[file] & _AHEAD[white_side][square]:
            value += DOUBLED
    return value
