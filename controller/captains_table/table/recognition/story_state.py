"""The parts of a story: pieces, their roles in a move, the state they are in, and the cost of each event.

A story is one hypothesis of what hands did: it gives each change of a switch a cause. docs/recognition.md lists the
costs. The module also defines the ending of a story, the start of a search (with what earlier moves left on the board
and the move that a person claims), and the record of switch changes for a resumed match.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import product
from typing import Any, Final, NamedTuple

from captains_table.games.contract import Square
from captains_table.table.model.match import Match
from captains_table.table.model.steps import Step
from captains_table.table.recognition.board_reports import SwitchChange
from captains_table.table.recognition.footprint import Footprint, footprint, lies_between

PUT_HOME = 0.5
STRAIGHTENED = 1.0
TRIED = 1.0
MISPLACED = 2.0
PASSING_MS = 250
"""A piece that is slid across a square where it might stay rests there at most this long."""
BOW_MS = 600
"""A piece that is slid in a curve rests at most this long on a square next to its path."""
UNEXPLAINED = 4.0
"""The cost of a change that no hand made: of a loose switch, or of one whose piece was never seen to arrive."""
NOISE = "noise"
MISREAD = 3.0
"""The cost of a piece that the board read as another one."""
_PRICES = {
    "home": PUT_HOME,
    "straightened": STRAIGHTENED,
    "tried": TRIED,
    "misplaced": MISPLACED,
    "misread": MISREAD,
    NOISE: UNEXPLAINED,
}
CLAIM_LEAD_MS = 1000
"""A move that a person claims counts as made this long before the next touch."""
NOTHING_MADE = footprint({}, {})


class PieceSource(StrEnum):
    """Where a piece was when the search began: on the board, off the board, or captured by an earlier move."""

    BOARD = "board"
    OFF_BOARD = "off-board"
    TAKEN = "taken"


class Piece(NamedTuple):
    """A piece, identified by its source and a square.

    The square is where the piece stood when the search began. For a piece from off the board, it is the square that the
    piece enters; for a piece that an earlier move captured, the square where it stood before the capture.
    """

    square: Square
    source: PieceSource = PieceSource.BOARD


class Price(NamedTuple):
    """The cost of setting a piece down, and the reason; each reason is charged only once for each piece."""

    cost: float
    reason: str = ""


FREE = Price(0.0)


@dataclass(frozen=True, slots=True)
class Roles:
    """The roles of the pieces in the move with which a story ends.

    Attributes:
        move: the footprint of the move: the squares that the move changes.
        goals: for each piece that moves to another square, the squares to which it may go.
        taken: the squares of the pieces that leave the board, including promoted pawns.
        retired: the squares of pieces that are exchanged for another piece of the same side, such as a promoted pawn;
            part of `taken`.
        entering: the squares that receive a piece from off the board.
        may_go: for each piece, the squares to which any possible move may take it.
        plays_nothing: whether the story ends without a move.
    """

    move: Footprint
    goals: Mapping[Square, frozenset[Square]] = field(hash=False)
    taken: frozenset[Square]
    retired: frozenset[Square]
    entering: frozenset[Square]
    may_go: Mapping[Square, frozenset[Square]] = field(hash=False)
    plays_nothing: bool

    @classmethod
    def of(cls, move: Footprint, occupied: frozenset[Square], may_go: Mapping[Square, frozenset[Square]]) -> "Roles":
        """Return the roles of the pieces in a move.

        Args:
            move: the footprint of the move (the squares that the move changes).
            occupied: the squares occupied before the move.
            may_go: for each piece, the squares to which any possible move may take it.
        """
        goals = {
            start: frozenset(put for put, starts in move.origins.items() if start in starts) for start in move.carried
        }
        entering = frozenset(put for put, starts in move.origins.items() if not starts)
        taken = (move.changed & occupied) - goals.keys()
        retired = taken & move.left if entering and not goals else frozenset[Square]()
        return cls(move, goals, taken, retired, entering, may_go, not move.changed)

    def price(self, piece: Piece, square: Square, stayed_ms: int | None) -> Price:
        """Return the cost of setting a piece down on a square.

        Args:
            piece: the piece.
            square: the square on which it is set down.
            stayed_ms: how long the piece stays there; `None` if it is not lifted again.
        """
        start = piece.square
        if piece.source is not PieceSource.BOARD:
            is_meant = piece.source is PieceSource.OFF_BOARD and square == start
            return FREE if is_meant else Price(MISPLACED, f"misplaced {square}")
        if square == start:
            return Price(PUT_HOME, "home") if self.moves(start) else Price(STRAIGHTENED, "straightened")
        if self.moves(start):
            return self._price_on_the_way(start, square, stayed_ms)
        return Price(MISPLACED, f"misplaced {square}")

    def moves(self, start: Square) -> bool:
        """Return whether the move moves the piece of a square, or replaces it by another piece (promotion).

        If the assumption is that no move was made, return whether a hand may have tried to move the piece.
        """
        return start in self.goals or start in self.retired or (self.plays_nothing and start in self.may_go)

    def _price_on_the_way(self, start: Square, square: Square, stayed_ms: int | None) -> Price:
        goals = self.goals.get(start) or (self.entering if start in self.retired else frozenset())
        may_go = square in self.may_go.get(start, ())
        if square in goals or any(lies_between(start, square, goal) for goal in goals):
            return FREE
        if (
            stayed_ms is not None
            and stayed_ms <= BOW_MS
            and any(_is_next_to_path(start, square, goal) for goal in goals)
        ):
            return FREE
        if may_go:
            return FREE if stayed_ms is not None and stayed_ms <= PASSING_MS else Price(TRIED, f"tried {square}")
        return Price(MISPLACED, f"misplaced {square}")


def _is_next_to_path(start: Square, square: Square, goal: Square) -> bool:
    """Return whether a square is next to the path of a piece that slides from `start` to `goal`.

    The path consists of the squares that the piece may cross before it reaches `goal`.
    """
    touching = (
        Square(square.file + files, square.rank + ranks)
        for files, ranks in product((-1, 0, 1), repeat=2)
        if (files, ranks) != (0, 0)
    )
    return square != start and any(other != goal and lies_between(start, other, goal) for other in touching)


class Echo(NamedTuple):
    """A closed switch that is explained by the magnet of a piece on a neighbouring square.

    Attributes:
        since_ms: when the switch closed.
        price: the cost of the echo; `None` until the neighbouring piece is seen to be set down.
        of: the square of the neighbouring piece; `None` if unknown.
        left_ms: when the neighbouring piece was lifted again; `None` while it is on its square.
        reading: what the board reads there; then no magnet closed the switch, but a piece whose first square is still
            to open.
    """

    since_ms: int
    price: float | None
    of: Square | None = None
    left_ms: int | None = None
    reading: str = ""


class TouchedSquare(NamedTuple):
    """A touched square that holds a piece, or whose switch was closed by the magnet of a neighbouring piece.

    Attributes:
        square: the square.
        what: the piece on the square, or the echo that explains the closed switch.
        since_ms: when the square's switch closed.
        may_rock: whether the piece returned so soon after it was lifted that it may only have been rocking. The cost
            of the return is then not counted yet.
    """

    square: Square
    what: Piece | Echo
    since_ms: int
    may_rock: bool = False


class HeldPiece(NamedTuple):
    """A piece in somebody's hand.

    Attributes:
        piece: the piece.
        square: the square from which it was lifted.
        since_ms: when it was lifted.
        reading: what the board read there; empty if it reads only that a piece is there.
    """

    piece: Piece
    square: Square
    since_ms: int
    reading: str = ""


class StoryState(NamedTuple):
    """The positions of the pieces in a story; pieces that were never touched are omitted.

    Attributes:
        standing: the touched squares, each with what is on it.
        hand: the pieces in somebody's hand or off the board.
        paid: the charges already paid; each charge is a pair of the charged piece or square and the reason.
        reached: whether a piece that moves has stood on its target square.
        began: the number of changes before the reply began; 0 if the story has no reply.
    """

    standing: frozenset[TouchedSquare]
    hand: frozenset[HeldPiece]
    paid: frozenset[tuple[Piece | Square, str]]
    reached: bool = False
    began: int = 0


class StoryEnding(NamedTuple):
    """The cost of a story that ends now, and what it leaves on the board.

    Attributes:
        cost: the total cost.
        held: the number of pieces that must still be set down or lifted.
        echoes: the squares whose switch is closed only by the magnet of a neighbouring piece.
        strays: the squares on which a captured piece was left.
        unexplained: the squares whose switch changed although no hand caused that.
        is_begun: whether the move is incomplete because a piece that the move moves or replaces was never lifted.
        is_complete: whether the next player may begin to move.
        is_unseen: whether the switch of a captured piece never opened.
        began: the number of changes before the reply began; 0 if the story has no reply.
    """

    cost: float
    held: int
    echoes: frozenset[Square]
    strays: frozenset[Square]
    unexplained: frozenset[Square]
    is_begun: bool = False
    is_complete: bool = True
    is_unseen: bool = False
    began: int = 0

    def rests_on_noise(self, moved: frozenset[Square]) -> bool:
        """Return whether an unexplained switch change makes this ending doubtful.

        Only unexplained changes on the squares of the move (`moved`), `echoes` or `strays` count.
        """
        return bool(self.unexplained & (moved | self.echoes | self.strays))

    @property
    def is_open(self) -> bool:
        """Whether a piece still has to be set down or taken off the board."""
        return bool(self.held or self.strays)


UNTOUCHED: Final = StoryEnding(0.0, 0, frozenset(), frozenset(), frozenset())


class Leftovers(NamedTuple):
    """What earlier moves left behind: closed switches that the match does not explain, and pieces just taken off.

    Attributes:
        echoes: the squares whose switch is closed by a neighbouring piece.
        strays: the squares on which a captured piece was left, each with that piece's original square.
        taken: the original squares of pieces that were just captured and are now off the board or in a hand.
    """

    echoes: frozenset[Square] = frozenset()
    strays: frozenset[tuple[Square, Square]] = frozenset()
    taken: frozenset[Square] = frozenset()

    @classmethod
    def of(cls, state: StoryState) -> "Leftovers":
        """Return the leftovers of a move that ends in this state: squares closed by neighbours, and captured pieces."""
        strays = frozenset((each.square, each.what.square) for each in state.standing if isinstance(each.what, Piece))
        echoes = frozenset(each.square for each in state.standing if not isinstance(each.what, Piece))
        return cls(echoes, strays, frozenset(held.piece.square for held in state.hand))

    def closed(self) -> frozenset[Square]:
        """Return the squares whose switch is closed by an echo or by a captured piece that was left there."""
        return self.echoes.union(square for square, _ in self.strays)

    def without(self, squares: Collection[Square]) -> "Leftovers":
        """Return the leftovers without the echoes and the strays on the given squares."""
        strays = frozenset((square, first) for square, first in self.strays if square not in squares)
        return self._replace(echoes=self.echoes.difference(squares), strays=strays)

    def state(self) -> StoryState:
        """Return the first state of a story (a hypothesis of what hands did) that begins with these leftovers."""
        strays = {(square, Piece(first, PieceSource.TAKEN)) for square, first in self.strays}
        return StoryState(
            frozenset(TouchedSquare(square, Echo(0, 0.0), 0) for square in self.echoes)
            | frozenset(TouchedSquare(square, piece, 0) for square, piece in strays),
            frozenset(HeldPiece(Piece(first, PieceSource.TAKEN), first, 0) for first in self.taken),
            frozenset((piece, f"misplaced {square}") for square, piece in strays),
        )


NO_LEFTOVERS: Final = Leftovers()


def charge_piece(state: StoryState, price: Price, piece: Piece) -> tuple[StoryState, float]:
    """Return the state after a price is charged to a piece, and the amount charged.

    The amount is 0 if the price is 0, or if the piece was charged for the same reason before.
    """
    if not price.cost or (piece, price.reason) in state.paid:
        return state, 0.0
    return state._replace(paid=state.paid | {(piece, price.reason)}), price.cost


def charge_unexplained(state: StoryState, square: Square) -> tuple[StoryState, float]:
    """Return the state after a change of a square's switch is left unexplained, and the cost that this adds.

    The cost is added only once for each square; it is 0 for every further unexplained change.
    """
    paid = (square, NOISE)
    return (state, 0.0) if paid in state.paid else (state._replace(paid=state.paid | {paid}), UNEXPLAINED)


def extra_charges(state: StoryState, other: StoryState) -> float:
    """Return the total cost of the charges that are in `state.paid` and not in `other.paid`."""
    return sum(_PRICES[reason.partition(" ")[0]] for _, reason in state.paid - other.paid)


def was_never_lifted(state: StoryState, occupied: frozenset[Square], square: Square) -> bool:
    """Return whether a square held a piece at the start of the search, and the piece was never lifted."""
    if square not in occupied:
        return False
    piece = Piece(square)
    return all(held.piece != piece for held in state.hand) and all(each.what != piece for each in state.standing)


class ClaimedMove(NamedTuple):
    """A move that a person says was made: the option's id and the move's footprint."""

    id: str
    made: Footprint


class SearchStart(NamedTuple):
    """The state of the match and the board with which a story search begins.

    Attributes:
        base: the state of the match.
        before: the squares occupied in that state.
        found: pieces and closed switches left from earlier moves, which the match does not show; see `Leftovers`.
        claimed: the first move of the search if a person said that this move was made; otherwise `None`.
    """

    base: Any
    before: frozenset[Square]
    found: Leftovers = NO_LEFTOVERS
    claimed: ClaimedMove | None = None

    @classmethod
    def at(cls, match: Match, state: object, found: Leftovers = NO_LEFTOVERS) -> "SearchStart":
        """Return the start of a search at a state of the match.

        `found` are the leftovers of earlier moves. Leftovers on squares that are occupied in the match are dropped.
        """
        before = frozenset(match.game.pieces(state))
        return cls(state, before, found.without(before))


class SwitchRecord(NamedTuple):
    """The switch changes since a state of the match, from which moves can be recognised again, e.g. after a power cut.

    Attributes:
        base: the state of the match before the changes.
        changes: the debounced changes; empty if at most one move explains them well.
        echoes: the squares whose switch was closed before the changes although they were vacant in the match. A
            neighbouring piece's magnet or a captured piece kept the switch closed.
    """

    base: Any
    changes: tuple[SwitchChange, ...]
    echoes: frozenset[Square]


def move_of(match: Match, step: Step) -> Footprint:
    """Return the footprint of the last move, made in `step`; the footprint includes the changes by later actions."""
    return footprint(match.game.pieces(step.before), match.pieces())


def claimed_changes(made: Footprint, before: frozenset[Square], next_ms: int) -> list[SwitchChange]:
    """Return the switch changes that a claimed move would have caused: first all pieces lifted, then all set down.

    A claimed move is a move that a person says was made.

    Args:
        made: the footprint of the move, that is, the squares that the move changes.
        before: the squares occupied before the move.
        next_ms: the time of the next real touch of the board; all returned changes are earlier.
    """
    lifted = [
        SwitchChange(next_ms - 2 * CLAIM_LEAD_MS, square, closed=False) for square in sorted(made.changed & before)
    ]
    return [*lifted, *(SwitchChange(next_ms - CLAIM_LEAD_MS, square, closed=True) for square in sorted(made.filled))]
