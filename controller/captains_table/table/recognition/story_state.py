"""How far a story has come: where it has the pieces, what was paid for, and what it costs if it ends here."""

from collections.abc import Collection
from typing import Final, NamedTuple

from captains_table.games.contract import Square
from captains_table.table.recognition.roles import MISPLACED, PUT_HOME, STRAIGHTENED, TRIED, From, Piece, Price

UNEXPLAINED = 4.0
"""A change nobody made: of a switch that is loose, or of one whose piece was never seen to come."""

NOISE = "noise"
_PRICES = {"home": PUT_HOME, "straightened": STRAIGHTENED, "tried": TRIED, "misplaced": MISPLACED, NOISE: UNEXPLAINED}


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
