"""The pieces of Captain's Chess as codes, and what each does, as tables (docs/rules/captains-chess.md C1 - C4)."""

from typing import Final

from captains_table.games.common.movement import DIAGONAL, KNIGHTLY, ORTHOGONAL, VACANT, Attacks, Movement, Reach
from captains_table.games.contract import Shape

SHAPE: Final = Shape(9, 8)
FILES: Final = SHAPE.files
SQUARES: Final = FILES * SHAPE.ranks
LAST_RANK: Final = SHAPE.ranks - 1

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, CAPTAIN, CROWNED_BISHOP, CROWNED_ROOK, KING = range(1, 10)
BLACK: Final = 9  # what is added to a code of White's
KINDS: Final = ("P", "N", "B", "R", "Q", "C", "+B", "+R", "K")
LETTERS: Final = ("", *KINDS, *(kind.lower() for kind in KINDS))
CODES: Final = {letter: code for code, letter in enumerate(LETTERS) if code != VACANT}

OWN: Final = (frozenset(range(1 + BLACK, 1 + 2 * BLACK)), frozenset(range(1, 1 + BLACK)))  # Black's, White's

MOVEMENTS: Final = {
    KNIGHT: Movement(leaps=KNIGHTLY),
    BISHOP: Movement(rides=DIAGONAL),
    ROOK: Movement(rides=ORTHOGONAL),
    QUEEN: Movement(rides=DIAGONAL | ORTHOGONAL),
    CAPTAIN: Movement(leaps=KNIGHTLY | ORTHOGONAL),  # C2
    CROWNED_BISHOP: Movement(leaps=ORTHOGONAL, rides=DIAGONAL),  # C4
    CROWNED_ROOK: Movement(leaps=DIAGONAL, rides=ORTHOGONAL),
    KING: Movement(leaps=DIAGONAL | ORTHOGONAL),
}
_PAWN_TAKES: Final = Movement(leaps=frozenset({(-1, 1), (1, 1)}))
_TAKES: Final = {PAWN: _PAWN_TAKES, **MOVEMENTS}

ATTACKS: Final = (  # by Black, by White
    Attacks.of(SHAPE, {code + BLACK: movement.mirrored() for code, movement in _TAKES.items()}),
    Attacks.of(SHAPE, _TAKES),
)


def _reaches() -> tuple[Reach, ...]:
    """Return each code's reach; a pawn's is what it takes, the vacant code's is empty."""
    white = [Reach(SHAPE, movement) for _, movement in sorted(_TAKES.items())]
    black = [Reach(SHAPE, movement.mirrored()) for _, movement in sorted(_TAKES.items())]
    return (Reach(SHAPE, Movement()), *white, *black)


REACHES: Final = _reaches()

CROWNED: Final = {  # C4
    BISHOP: CROWNED_BISHOP,
    ROOK: CROWNED_ROOK,
    BISHOP + BLACK: CROWNED_BISHOP + BLACK,
    ROOK + BLACK: CROWNED_ROOK + BLACK,
}
PROMOTED: Final = {PAWN: CAPTAIN, PAWN + BLACK: CAPTAIN + BLACK, **CROWNED}  # C3, C4


def rank_of(square: int) -> int:
    """Return a square's rank, zero-based."""
    return square // FILES


def name_of(square: int) -> str:
    """Return a square's name."""
    return str(SHAPE.square_at(square))
