"""The board of Crowns: size, special squares, each party's direction, and the pawns' first squares, values and steps.

Functions mirror a square and turn a movement for Black.

Rules: docs/rules/crowns.md B1, B2, T4.
"""

from typing import Final

from captains_table.games.common.movement import DIAGONAL, ORTHOGONAL, Movement, Offset
from captains_table.games.contract import Shape, Square, parse_square
from captains_table.phrases import noun

SIDE: Final = 7
CROWNS_SHAPE: Final = Shape(SIDE, SIDE)
WHITE, BLACK = 0, 1
PARTIES: Final = (noun("White"), noun("Black"))
CROWN_WORDS: Final = (noun("White's crown"), noun("Black's crown"))
FORWARD: Final = (1, -1)
FAR_RANK: Final = (SIDE - 1, 0)
KING_LEAPS: Final = ORTHOGONAL | DIAGONAL


def _squares(names: str) -> frozenset[Square]:
    return frozenset(map(parse_square, names.split()))


def mirrored(square: Square) -> Square:
    """Return the square mirrored for the other party: on the same file, with the rank counted from the other side."""
    return Square(square.file, SIDE - 1 - square.rank)


_WHITE_SUMMONS: Final = _squares("a1 b1 c1 e1 f1 g1 a2 g2")
SUMMONING: Final = (_WHITE_SUMMONS, frozenset(map(mirrored, _WHITE_SUMMONS)))
HALF_PRICE: Final = _squares("b4 c4 d4 e4 f4")
CROWN_SQUARES: Final = (parse_square("d1"), parse_square("d7"))

PLAIN: Final = ("P", "p")
PAWN_VALUE: Final = {"P": 1, "p": 1, "G": 3, "g": 3}
PARTY_OF_PAWN: Final = {"P": WHITE, "G": WHITE, "p": BLACK, "g": BLACK}
PAWN_LETTERS: Final = "PpGg"
FIRST_PAWNS: Final = {
    **{Square(file, 1): "P" for file in range(SIDE)},
    **{Square(file, SIDE - 2): "p" for file in range(SIDE)},
    **dict.fromkeys(_squares("b1 f1"), "G"),
    **dict.fromkeys(_squares("b7 f7"), "g"),
}


def pawn_leaps(letter: str) -> tuple[Offset, ...]:
    """Return the steps of a pawn: one square forward; a coloured pawn also steps diagonally forward (T4)."""
    forward = FORWARD[PARTY_OF_PAWN[letter]]
    return ((0, forward),) if letter in PLAIN else ((0, forward), (-1, forward), (1, forward))


def is_adjacent(one: Square, other: Square) -> bool:
    """Return whether two squares touch at a side or a corner."""
    return max(abs(one.file - other.file), abs(one.rank - other.rank)) == 1


def turned_for(party: int, movement: Movement) -> Movement:
    """Return a movement as a party makes it: for Black it is turned by 180 degrees."""
    return movement if party == WHITE else movement.reversed()
