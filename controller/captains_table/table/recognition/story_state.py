"""What a story is made of: who does what in a move, where it began, where it has the pieces, and what that costs."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import product
from typing import Any, Final, NamedTuple

from captains_table.games.contract import Square
from captains_table.table.model.match import Match
from captains_table.table.model.steps import Step
from captains_table.table.recognition.footprint import Footprint, footprint, lies_between
from captains_table.table.recognition.switch_history import Change

PUT_HOME = 0.5
STRAIGHTENED = 1.0
TRIED = 1.0
MISPLACED = 2.0
PASSING_MS = 250
"""A piece that is slid over a square where it might stay rests there no longer."""
BOW_MS = 600
"""A piece that is slid in a bow rests no longer on a square beside its way."""
UNEXPLAINED = 4.0
"""A change nobody made: of a switch that is loose, or of one whose piece was never seen to come."""
NOISE = "noise"
_PRICES = {"home": PUT_HOME, "straightened": STRAIGHTENED, "tried": TRIED, "misplaced": MISPLACED, NOISE: UNEXPLAINED}
TOLD_MS = 1000
"""What somebody said was done counts as done so long before what is touched next."""
NOTHING_MADE = footprint({}, {})


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


class Echo(NamedTuple):
    """A magnet beside a square holds its switch.

    Attributes:
        since_ms: since when.
        price: what that costs; `None` until the magnet is seen to be set down.
        of: where it was set down; `None` where that is not known.
        left_ms: when it was lifted again; `None` while it stands there.
    """

    since_ms: int
    price: float | None
    of: Square | None = None
    left_ms: int | None = None


class Standing(NamedTuple):
    """What is on a square that was touched: a piece, or nothing but the echo of a magnet beside it.

    `may_rock`: the piece is back on its own square so soon that it may only rock; nothing is paid for that yet.
    """

    square: Square
    what: Piece | Echo
    since_ms: int
    may_rock: bool = False


class Held(NamedTuple):
    """A piece in somebody's hand, and from which square it was lifted when."""

    piece: Piece
    square: Square
    since_ms: int


class State(NamedTuple):
    """The pieces as a story has them: those that stand where they were at first are left out.

    Attributes:
        standing: what is on the squares that were touched.
        hand: the pieces in somebody's hand, or beside the board.
        paid: what was paid for already.
        reached: whether a piece of the move has stood where it goes.
        began: after how many changes the story began, where another move was made before.
    """

    standing: frozenset[Standing]
    hand: frozenset[Held]
    paid: frozenset[tuple[Piece | Square, str]]
    reached: bool = False
    began: int = 0


class Ending(NamedTuple):
    """What a story costs if it ends here.

    Attributes:
        cost: the whole of it.
        held: how many pieces are still to be set down, or to be lifted even.
        besides: further squares that are closed by a magnet beside them.
        strays: further squares on which a taken piece was left.
        is_begun: whether one of its pieces was not even lifted.
        is_complete: whether the pieces stand so that the next player may begin.
        is_unseen: whether the switch of a taken piece never opened.
        began: after how many changes the story began, where another move was made before.
        unexplained: the squares whose switch changed though nobody did that.
    """

    cost: float
    held: int
    besides: frozenset[Square]
    strays: frozenset[Square]
    unexplained: frozenset[Square]
    is_begun: bool = False
    is_complete: bool = True
    is_unseen: bool = False
    began: int = 0

    def rests_on_noise(self, moved: frozenset[Square]) -> bool:
        """Return whether a switch that changed though nobody did that has a part in a move of these squares."""
        return bool(self.unexplained & (moved | self.besides | self.strays))

    @property
    def is_open(self) -> bool:
        """Whether something is still to be done: a piece to be set down, or to be taken off."""
        return bool(self.held or self.strays)


UNTOUCHED: Final = Ending(0.0, 0, frozenset(), frozenset(), frozenset())


class Found(NamedTuple):
    """What a story finds beside the pieces that stand on their squares.

    Attributes:
        echoes: the squares whose switch is held by a piece beside them.
        strays: the squares on which a piece was left that was taken before, each with its first square.
        taken: the first squares of the pieces that were just taken, and are beside the board or in a hand.
    """

    echoes: frozenset[Square] = frozenset()
    strays: frozenset[tuple[Square, Square]] = frozenset()
    taken: frozenset[Square] = frozenset()

    @classmethod
    def of(cls, state: State) -> "Found":
        """Return what the story after a move finds that left the pieces so."""
        strays = frozenset((each.square, each.what.square) for each in state.standing if isinstance(each.what, Piece))
        echoes = frozenset(each.square for each in state.standing if not isinstance(each.what, Piece))
        return cls(echoes, strays, frozenset(held.piece.square for held in state.hand))

    def closed(self) -> frozenset[Square]:
        """Return the squares whose switch is closed by something else than a piece that stands there."""
        return self.echoes.union(square for square, _ in self.strays)

    def without(self, squares: Collection[Square]) -> "Found":
        """Return what is left of it where there is nothing on some squares."""
        strays = frozenset((square, first) for square, first in self.strays if square not in squares)
        return self._replace(echoes=self.echoes.difference(squares), strays=strays)

    def state(self) -> State:
        """Return the state in which nothing was touched yet."""
        strays = {(square, Piece(first, From.TAKEN)) for square, first in self.strays}
        return State(
            frozenset(Standing(square, Echo(0, 0.0), 0) for square in self.echoes)
            | frozenset(Standing(square, piece, 0) for square, piece in strays),
            frozenset(Held(Piece(first, From.TAKEN), first, 0) for first in self.taken),
            frozenset((piece, f"misplaced {square}") for square, piece in strays),
        )


NOTHING_FOUND: Final = Found()


def noted(state: State, price: Price, piece: Piece) -> tuple[State, float]:
    """Return the state in which something is paid for, and what is due: nothing for what was paid before."""
    if not price.cost or (piece, price.reason) in state.paid:
        return state, 0.0
    return state._replace(paid=state.paid | {(piece, price.reason)}), price.cost


def unexplained(state: State, square: Square) -> tuple[State, float]:
    """Return the state in which a change that nobody made is paid for, and what is due for it."""
    paid = (square, NOISE)
    return (state, 0.0) if paid in state.paid else (state._replace(paid=state.paid | {paid}), UNEXPLAINED)


def paid_beside(state: State, other: State) -> float:
    """Return what a state has paid for beside another one."""
    return sum(_PRICES[reason.partition(" ")[0]] for _, reason in state.paid - other.paid)


def stands_as_at_first(state: State, occupied: frozenset[Square], square: Square) -> bool:
    """Return whether the piece of a square was never lifted."""
    if square not in occupied:
        return False
    piece = Piece(square)
    return all(held.piece != piece for held in state.hand) and all(each.what != piece for each in state.standing)


class Said(NamedTuple):
    """A move that somebody said was made, and what it changes."""

    id: str
    made: Footprint


class Beginning(NamedTuple):
    """Where a search begins.

    Attributes:
        base: the state of the match.
        before: the squares that are occupied then.
        found: what the stories find beside the pieces that stand on their squares.
        said: what somebody said was done first.
    """

    base: Any
    before: frozenset[Square]
    found: Found = NOTHING_FOUND
    said: Said | None = None

    @classmethod
    def at(cls, match: Match, state: object, found: Found = NOTHING_FOUND) -> "Beginning":
        """Return the beginning at a state of a match."""
        before = frozenset(match.game.pieces(state))
        return cls(state, before, found.without(before))


class Testimony(NamedTuple):
    """What the switches said since a state of the match: enough to tell its stories once more.

    Attributes:
        base: the state with which the search begins.
        changes: what settled since; none where it leaves nothing open.
        beside: the squares whose switch was held by a piece beside them at first.
    """

    base: Any
    changes: tuple[Change, ...]
    beside: frozenset[Square]


def move_of(match: Match, step: Step) -> Footprint:
    """Return what the last move changes, and all that followed it."""
    return footprint(match.game.pieces(step.before), match.pieces())


def as_told(made: Footprint, before: frozenset[Square], next_ms: int) -> list[Change]:
    """Return how a move is made with nothing beside it: what leaves its square is lifted, then all is set down.

    Args:
        made: the move.
        before: where pieces stood before it.
        next_ms: when something is touched next.
    """
    lifted = [Change(next_ms - 2 * TOLD_MS, square, closed=False) for square in sorted(made.changed & before)]
    return [*lifted, *(Change(next_ms - TOLD_MS, square, closed=True) for square in sorted(made.filled))]
