"""Boreas's static evaluation of a position, in hundredths of a pawn.

The board supplies the piece-square values. This module adds pawn structure, the pawns next to the king, the bishop
pair, the danger of a bare king (C6), and a bonus for the side to move.

Source: docs/rules/captains-chess.md.
"""

from functools import lru_cache
from typing import Final

from captains_table.games.captains_chess.position import BISHOP, BLACK, CROWNED_BISHOP, FILES, LAST_RANK, PAWN, SQUARES
from captains_table.players.captains_chess.boreas.board import KINGS, BoreasBoard
from captains_table.players.captains_chess.boreas.lines import BIT72, KING_STEPS
from captains_table.players.captains_chess.boreas.values import FULL_PHASE, pack, unpack

TO_MOVE: Final = 12  # bonus for the side to move
PAIR: Final = 25  # two bishops, crowned or not
SHIELD: Final = 11  # a pawn next to its king, in the opening
ISOLATED: Final = pack(-10, -14)
DOUBLED: Final = pack(-8, -18)
PASSED: Final = (0, pack(4, 8), pack(6, 14), pack(12, 24), pack(24, 42), pack(42, 75), pack(70, 115), 0)  # by rank
BARENESS: Final = (0, 0, -220, -110, -50, -20)  # by number of own pieces: a side with only its king has lost (C6)
PAWN_CACHE_SIZE: Final = 4096

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


def evaluate(board: BoreasBoard) -> int:
    """Return the static value of a position for the side to move, in hundredths of a pawn."""
    of, side = board.of, board.side
    white_pawns, black_pawns = of[PAWN], of[PAWN + BLACK]
    opening, endgame, phase = unpack(board.value + _pawns(white_pawns, black_pawns))
    opening += _king_shield(of, 0, white_pawns) - _king_shield(of, BLACK, black_pawns)
    phase = min(phase, FULL_PHASE)
    value = (opening * phase + endgame * (FULL_PHASE - phase)) // FULL_PHASE
    value += _bishop_pair(of, 0) - _bishop_pair(of, BLACK)
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
