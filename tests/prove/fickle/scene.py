"""The position before a move as a hand sees it, and what hands do with its pieces: a deed, and what it may mean."""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, NoReturn, TypeVar

from captains_table.games.contract import Game, Shape, Square
from tests.prove.offers import ends_of
from tests.prove.stories.judge import End
from tests.prove.stories.roles import changed_between

T = TypeVar("T")
Pieces = Mapping[Square, str]
BETWEEN_MS = (120, 900)
REST_MS = (300, 2500)


class Unusable(Exception):
    """A scene has no use for some kind of hands."""


@dataclass(frozen=True, slots=True)
class Move:
    """One move on offer, of one piece.

    Attributes:
        victim: the square of the piece it takes, if any.
        becomes: the piece that is promoted to, if any.
    """

    id: str
    after: Pieces
    origin: Square
    target: Square
    victim: Square | None
    becomes: str | None

    @classmethod
    def of(cls, end: End, before: Pieces) -> "Move | None":
        """Return the move that leads to this end; None if more than one piece moves."""
        after, changed = end.pieces, changed_between(before, end.pieces)
        filled = [square for square in changed if square in after]
        if len(filled) != 1:
            return None
        (target,) = filled
        left = [square for square in changed if square in before]
        leaving = [square for square in left if square != target]
        movers = [square for square in leaving if before[square] == after[target]] or [
            square for square in leaving if is_white(before[square]) == is_white(after[target])
        ]
        if len(movers) != 1:
            return None
        victim = next((square for square in left if square != movers[0]), None)
        becomes = None if before[movers[0]] == after[target] else after[target]
        return cls(end.id, after, movers[0], target, victim, becomes)

    @property
    def is_plain(self) -> bool:
        """Whether a piece goes to a vacant square and nothing else happens."""
        return self.victim is None and self.becomes is None

    @property
    def takes(self) -> bool:
        """Whether a piece takes another where that stands, and nothing else happens."""
        return self.victim == self.target and self.becomes is None

    @property
    def lifts(self) -> list[Square]:
        """The squares whose pieces are lifted: the victim's, then the mover's."""
        return [self.origin] if self.victim is None else [self.victim, self.origin]


def is_white(piece: str) -> bool:
    return piece.lstrip("+").isupper()


class Handling(NamedTuple):
    """A magnet comes to a square, or leaves it, so long after the handling before."""

    after_ms: int
    square: Square
    comes: bool


class Truth(NamedTuple):
    """What the hands mean: a move, or nothing, and what is still to be done after the rest to complete it."""

    id: str | None
    then: Sequence[Handling] = ()


class Deed(NamedTuple):
    """What hands do, and what they may mean by it: each of the truths leaves just the same switches."""

    handlings: Sequence[Handling]
    truths: Sequence[Truth]


@dataclass(frozen=True, slots=True)
class Hands:
    """Writes down what hands do, one thing after the other."""

    rng: random.Random
    handlings: list[Handling] = field(default_factory=list)

    def lift(self, *squares: Square, after: tuple[int, int] = BETWEEN_MS) -> "Hands":
        return self._handle(squares, after, comes=False)

    def place(self, *squares: Square, after: tuple[int, int] = BETWEEN_MS) -> "Hands":
        return self._handle(squares, after, comes=True)

    def straighten(self, *squares: Square, after: tuple[int, int] = BETWEEN_MS) -> "Hands":
        """Lift the pieces of some squares and set each back at once."""
        for square in squares:
            self.lift(square, after=after).place(square, after=after)
        return self

    def make(self, move: Move) -> "Hands":
        """Make a move as it should be made: the victim is taken off before or after the piece is lifted."""
        lifts = move.lifts
        if self.rng.random() < 0.4:
            lifts.reverse()
        return self.lift(*lifts).place(move.target)

    def _handle(self, squares: Iterable[Square], after: tuple[int, int], *, comes: bool) -> "Hands":
        for square in squares:
            lo, hi = after
            self.handlings.append(Handling(round(lo * (hi / lo) ** self.rng.random()), square, comes))
        return self

    def meaning(self, *truths: Move | Truth | None) -> Deed:
        """Return what was done as a deed with these truths."""
        return Deed(self.handlings, [truth if isinstance(truth, Truth) else self._made(truth) for truth in truths])

    def _made(self, move: Move | None) -> Truth:
        return Truth(None if move is None else move.id)


class Scene:
    """A position in which somebody must move."""

    def __init__(self, game: Game[Any], state: object, rng: random.Random) -> None:
        self.rng = rng
        self.shape = game.shape or Shape(0, 0)
        self.before: Pieces = dict(game.pieces(state))
        self.ends = {end.id: end for end in ends_of(game, state)}
        self.moves = [move for end in self.ends.values() if (move := Move.of(end, self.before)) is not None]

    def hands(self) -> Hands:
        return Hands(self.rng)

    def draw(self, found: Iterable[T]) -> T:
        """Return one of them; raises Unusable if there is none."""
        return self.rng.choice(list(found) or _unusable())

    def draw_each(self, *pools: Sequence[T]) -> list[T]:
        """Return one of each pool, drawn from all of them; raises Unusable if one is empty."""
        drawn = [self.rng.choice(pool) for pool in pools if pool]
        return drawn if len(drawn) == len(pools) else _unusable()

    def plain(self) -> list[Move]:
        return [move for move in self.moves if move.is_plain]

    def captures(self) -> list[Move]:
        """Return the captures that take a piece where it stands."""
        return [move for move in self.moves if move.takes]

    def simple(self) -> list[Move]:
        return [*self.plain(), *self.captures()]

    def castlings(self) -> list[Pieces]:
        """Return the positions after moves of more than one piece that take nothing."""
        of_one = {move.id for move in self.moves}
        afters = [end.pieces for end in self.ends.values() if end.id not in of_one]
        return [after for after in afters if len(after) == len(self.before)]

    def replies(self, move: Move) -> list[Move]:
        """Return what the next player may play after a move, where that is a move or a capture of one piece."""
        replies = [Move.of(end, move.after) for end in self.ends[move.id].following()]
        return [reply for reply in replies if reply is not None and (reply.is_plain or reply.takes)]

    def pairs_of_captures(self) -> list[tuple[Move, Move]]:
        """Return two captures each that one piece may make."""
        takes = self.captures()
        return [(one, other) for one in takes for other in takes if one.origin == other.origin and one is not other]

    def of_piece(self, square: Square) -> list[Move]:
        return [move for move in self.plain() if move.origin == square]

    def vacant(self) -> list[Square]:
        return [square for square in self.shape.squares() if square not in self.before]

    def near(self, square: Square, reach: int = 2) -> list[Square]:
        steps = range(-reach, reach + 1)
        around = [Square(square.file + files, square.rank + ranks) for files in steps for ranks in steps]
        return [near for near in around if near != square and near in self.shape]


def _unusable() -> NoReturn:
    raise Unusable
