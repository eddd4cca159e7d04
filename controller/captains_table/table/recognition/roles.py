"""Who does what in a move: which piece goes where, which is taken, and what it costs to set one down elsewhere."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import product
from typing import NamedTuple

from captains_table.games.contract import Square
from captains_table.table.recognition.footprint import Footprint, lies_between

PUT_HOME = 0.5
STRAIGHTENED = 1.0
TRIED = 1.0
MISPLACED = 2.0

PASSING_MS = 250
"""A piece that is slid over a square where it might stay rests there no longer."""

BOW_MS = 600
"""A piece that is slid in a bow rests no longer on a square beside its way."""


class From(StrEnum):
    """Where a piece was when the search began."""

    BOARD = "board"
    BESIDE = "beside"
    TAKEN = "taken"


class Piece(NamedTuple):
    """A piece, known by where it stood at first; one from beside the board by where it goes."""

    square: Square
    whence: From = From.BOARD


class Price(NamedTuple):
    """What setting a piece down costs, and for what: the same thing is paid for once."""

    cost: float
    reason: str = ""


FREE = Price(0.0)


@dataclass(frozen=True, slots=True)
class Roles:
    """The parts that pieces have in one end of a story.

    Attributes:
        move: what the end changes.
        goals: where each piece goes that goes elsewhere on the board.
        taken: the pieces that leave the board, a promoted pawn among them.
        retired: those of them that are moved themselves, as a pawn that another piece replaces.
        beside: the squares that get a piece from beside the board.
        may_go: where pieces may go by any other end.
        plays_nothing: whether it is the end at which nothing was played; whoever was to move may then have tried.
    """

    move: Footprint
    goals: Mapping[Square, frozenset[Square]] = field(hash=False)
    taken: frozenset[Square]
    retired: frozenset[Square]
    beside: frozenset[Square]
    may_go: Mapping[Square, frozenset[Square]] = field(hash=False)
    plays_nothing: bool

    @classmethod
    def of(cls, move: Footprint, occupied: frozenset[Square], may_go: Mapping[Square, frozenset[Square]]) -> "Roles":
        """Return the roles of a move.

        Args:
            move: what it changes.
            occupied: where pieces stand before it.
            may_go: where pieces may go by any move.
        """
        goals = {
            start: frozenset(put for put, starts in move.origins.items() if start in starts) for start in move.carried
        }
        beside = frozenset(put for put, starts in move.origins.items() if not starts)
        taken = (move.changed & occupied) - goals.keys()
        retired = taken & move.left if beside and not goals else frozenset[Square]()
        return cls(move, goals, taken, retired, beside, may_go, not move.changed)

    def price(self, piece: Piece, square: Square, stayed_ms: int | None) -> Price:
        """Return what it costs to set a piece down on a square.

        Args:
            piece: which one.
            square: where.
            stayed_ms: for how long; `None` where it is not lifted again.
        """
        start = piece.square
        if piece.whence is not From.BOARD:
            is_meant = piece.whence is From.BESIDE and square == start
            return FREE if is_meant else Price(MISPLACED, f"misplaced {square}")
        if square == start:
            return Price(PUT_HOME, "home") if self.moves(start) else Price(STRAIGHTENED, "straightened")
        if self.moves(start):
            return self._price_on_the_way(start, square, stayed_ms)
        return Price(MISPLACED, f"misplaced {square}")

    def moves(self, start: Square) -> bool:
        """Return whether the piece of a square is moved; where nothing was played, whether it might have been."""
        return start in self.goals or start in self.retired or (self.plays_nothing and start in self.may_go)

    def _price_on_the_way(self, start: Square, square: Square, stayed_ms: int | None) -> Price:
        goals = self.goals.get(start) or (self.beside if start in self.retired else frozenset())
        may_go = square in self.may_go.get(start, ())
        if square in goals or any(lies_between(start, square, goal) for goal in goals):
            return FREE
        if stayed_ms is not None and stayed_ms <= BOW_MS and any(_is_beside(start, square, goal) for goal in goals):
            return FREE
        if may_go:
            return FREE if stayed_ms is not None and stayed_ms <= PASSING_MS else Price(TRIED, f"tried {square}")
        return Price(MISPLACED, f"misplaced {square}")


def _is_beside(start: Square, square: Square, goal: Square) -> bool:
    """Return whether a square touches one that a piece slid from one square to another may cross."""
    touching = (
        Square(square.file + files, square.rank + ranks)
        for files, ranks in product((-1, 0, 1), repeat=2)
        if (files, ranks) != (0, 0)
    )
    return square != start and any(other != goal and lies_between(start, other, goal) for other in touching)
