"""The grids of pieces: the dots and arrows that define how a piece moves, with their costs, discounts and notation.

Rules: docs/rules/crowns.md D1 to D4 and "Designs".
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import gcd
from typing import Final

from captains_table.games.common.movement import Movement, Offset
from captains_table.games.contract import did_you_mean
from captains_table.phrases import message, say

SIDE: Final = 5
CENTRE: Final = SIDE // 2
ARROWS: Final[dict[str, Offset]] = {
    "n": (0, 1),
    "ne": (1, 1),
    "e": (1, 0),
    "se": (1, -1),
    "s": (0, -1),
    "sw": (-1, -1),
    "w": (-1, 0),
    "nw": (-1, 1),
}
HALVES: Final = 2
"""Half points in a point; costs are counted in half points, so that they are whole numbers."""

_DOT_ROWS: Final = (
    (7, 6, 7, 6, 7),
    (6, 5, 6, 5, 6),
    (5, 4, 0, 4, 5),
    (4, 3, 4, 3, 4),
    (3, 2, 3, 2, 3),
)  # D2, in half points
_AHEAD, _ASIDE, _BACK = 24, 20, 16
QUARTER: Final = 4
QUARTER_DISCOUNT: Final = 10 * HALVES
COLOUR_DISCOUNT: Final = 5 * HALVES

DOTS: Final[dict[str, Offset]] = {
    f"{'abcde'[file]}{rank + 1}": (file - CENTRE, rank - CENTRE)
    for rank in reversed(range(SIDE))
    for file in range(SIDE)
    if (file, rank) != (CENTRE, CENTRE)
}


class BadGrid(ValueError):
    """A grid's text contains an unknown move, or the same move twice."""


def dot_cost(dot: Offset) -> int:
    """Return the cost of a dot in half points (D2); a dot in a piece's grid is a square to which the piece leaps."""
    file, rank = dot
    return _DOT_ROWS[CENTRE - rank][file + CENTRE]


def arrow_cost(arrow: Offset) -> int:
    """Return the cost of an arrow in half points (D2); an arrow is a direction in which the piece rides."""
    return _AHEAD if arrow[1] > 0 else _BACK if arrow[1] < 0 else _ASIDE


@dataclass(frozen=True)
class MoveGrid:
    """The moves of a piece, seen from its own side: a positive rank offset leads forward.

    Attributes:
        dots: the offsets by which it leaps (or steps, if adjacent).
        arrows: the directions in which it rides up to the first occupied square.
    """

    dots: frozenset[Offset] = frozenset()
    arrows: frozenset[Offset] = frozenset()

    @cached_property
    def cost(self) -> int:
        """The cost of all moves of the grid in half points, before the discount (D2)."""
        return sum(map(dot_cost, self.dots)) + sum(map(arrow_cost, self.arrows))

    @cached_property
    def discount(self) -> int:
        """The discount for squares that the piece can never reach, in half points (D3).

        The discount is 10 points (20 half points) if the index of the moves (see `index_of`) is at least 4. Otherwise
        the discount is 5 points if every move leads to a square of the same colour. Any other piece has no discount.
        """
        if self._index >= QUARTER:
            return QUARTER_DISCOUNT
        return COLOUR_DISCOUNT if self._keeps_colour else 0

    @property
    def why_discount(self) -> str:
        """The reason for the discount in words (D3); empty without a discount."""
        if self._index >= QUARTER:
            return say("it reaches one square in {count}", self._index)
        return say("every move keeps the colour") if self._keeps_colour else ""

    @cached_property
    def _index(self) -> int:
        return index_of(self.moves)

    @property
    def _keeps_colour(self) -> bool:
        return bool(self.moves) and all((file + rank) % 2 == 0 for file, rank in self.moves)

    @property
    def moves(self) -> frozenset[Offset]:
        """The offsets of all dots and arrows."""
        return self.dots | self.arrows

    @property
    def net(self) -> int:
        """The cost minus the discount, in half points; at least 0 (D3)."""
        return max(0, self.cost - self.discount)

    @property
    def price(self) -> int:
        """The cost after the discount in whole points, rounded up: what players pay in gold (D4)."""
        return -(-self.net // HALVES)

    @property
    def movement(self) -> Movement:
        """The grid's moves in the form that move generation needs: dots as leaps, arrows as rides."""
        return Movement(self.dots, self.arrows)

    def __str__(self) -> str:
        dots = [name for name, offset in DOTS.items() if offset in self.dots]
        return " ".join([*dots, *(name for name, offset in ARROWS.items() if offset in self.arrows)])


def index_of(moves: Collection[Offset]) -> int:
    """Return the index n of the lattice that the moves span: the piece reaches one in n squares of an endless board.

    Returns:
        The index: 1 if every square is reached, 2 for a bishop; 0 if the moves span no lattice, because they all lie
        on one line or there are fewer than two moves.
    """
    return gcd(*(one[0] * other[1] - one[1] * other[0] for one, other in combinations(sorted(moves), 2)))


def parse_grid(text: str) -> MoveGrid:
    """Parse a grid from a text such as `b4 d4 n`; an empty text gives an empty grid.

    Raises:
        BadGrid: a word is not a move, or occurs twice.
    """
    words = text.split()
    for word in words:
        _check_word(word)
        if words.count(word) > 1:
            raise BadGrid(say("{move} is named twice: expected each move once", word))
    return MoveGrid(_offsets(words, DOTS), _offsets(words, ARROWS))


def _offsets(words: Iterable[str], known: dict[str, Offset]) -> frozenset[Offset]:
    return frozenset(known[word] for word in words if word in known)


def _check_word(word: str) -> None:
    if word in DOTS or word in ARROWS:
        return
    if word == "c3":
        raise BadGrid(say("c3 is where the piece stands: expected the squares around it"))
    text = message(
        "{word} is no move: expected a square from a1 to e5, forward towards 5, or one of the arrows "
        "{arrows}{did_you_mean}"
    )
    meant = did_you_mean(word, [*DOTS, *ARROWS])
    raise BadGrid(say(text, word=repr(word[:20]), arrows=" ".join(ARROWS), did_you_mean=meant))
