"""Boreas's piece-square values, packed so that one addition updates opening value, endgame value and phase.

The values are in hundredths of a pawn. A packed number holds the opening value, the endgame value, and the game phase
(`PHASES`). White's pieces count positive and Black's negative, except in the phase, which the pieces of both sides
increase.

Source: docs/rules/captains-chess.md.
"""

from typing import Final

from captains_table.games.captains_chess.position import (
    BISHOP,
    CAPTAIN,
    CROWNED_BISHOP,
    CROWNED_ROOK,
    FILES,
    KING,
    KNIGHT,
    LAST_RANK,
    PAWN,
    QUEEN,
    ROOK,
    SQUARES,
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
FULL_PHASE: Final = 28  # the sum over both sides' pieces at the start
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


def _nearness(file: int, rank: int) -> int:
    """Return how near a square is to the centre, from 0 in a corner to 7."""
    return MIDDLE_FILE - abs(file - MIDDLE_FILE) + min(rank, LAST_RANK - rank)


def _placed(kind: int, file: int, rank: int) -> tuple[int, int]:
    """Return two bonuses of a white piece for its square: in the opening, and in the endgame."""
    near = _nearness(file, rank) - 3
    if kind == PAWN:
        opening, endgame = _PAWN_RANKS[rank]
        return opening + (6 * (rank - 1) if abs(file - MIDDLE_FILE) <= 1 and rank in (2, 3) else 0), endgame
    opening, endgame = (each * near for each in _CENTRE[kind])
    if kind == KING:
        opening += -18 * rank if rank else 8
    elif kind in (KNIGHT, BISHOP, CAPTAIN) and rank == 0:
        opening -= 8  # not developed
    elif kind == ROOK and rank == LAST_RANK - 1:
        opening, endgame = opening + 12, endgame + 12
    return opening, endgame


def _value(kind: int, square: int, sign: int) -> int:
    """Return the packed value of a piece on a square; `sign` is 1 for White's pieces and -1 for Black's."""
    rank, file = divmod(square, FILES)
    opening, endgame = _placed(kind, file, rank if sign > 0 else LAST_RANK - rank)
    return pack(sign * (WORTH[kind] + opening), sign * (WORTH[kind] + endgame), PHASES.get(kind, 0))


# by piece code and square; 0 for the code of a vacant square
PACKED_VALUES: Final = (
    (0,) * SQUARES,
    *(tuple(_value(kind, square, sign) for square in range(SQUARES)) for sign in (1, -1) for kind in WORTH),
)
WORTH_OF: Final = (0, *WORTH.values(), *WORTH.values())  # by piece code
