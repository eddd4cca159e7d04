"""The position before a move as a hand sees it, and what hands do with its pieces: a deed, and what it may mean."""

import random
from collections import Counter
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
    """A magnet comes to a square, or leaves it, so long after the handling before.

    Attributes:
        of: the first square of the piece that comes, where hands may mean another one than that of the square itself.
    """

    after_ms: int
    square: Square
    comes: bool
    of: Square | None = None


class Truth(NamedTuple):
    """What the hands mean: a move, or nothing, and what is still to be done after the rest to complete it."""

    id: str | None
    then: Sequence[Handling] = ()


class Deed(NamedTuple):
    """What hands do, and what they may mean by it: each of the truths leaves just the same switches."""

    handlings: Sequence[Handling]
    truths: Sequence[Truth]


class Carried(NamedTuple):
    """A piece in hands, by what it is and where it stood at first, None for one from off the board."""

    piece: str
    home: Square | None


class SetDown(NamedTuple):
    """A piece that comes to a square; `across`: the square on which it stands already, if it is set across a border."""

    piece: str
    across: Square | None


def set_down(handlings: Sequence[Handling], before: Pieces, after: Pieces) -> list[SetDown]:
    """Return which piece comes by each handling that brings one, so that these pieces stand in the end."""
    entering = Counter(after.values()) - Counter(before.values())
    standing = {square: Carried(piece, square) for square, piece in before.items()}
    found = _carry(handlings, standing, [Carried(piece, None) for piece in entering.elements()], after)
    if found is None:
        raise ValueError("hands cannot have done that")
    return found


def _carry(
    handlings: Sequence[Handling], standing: Mapping[Square, Carried], held: Sequence[Carried], after: Pieces
) -> list[SetDown] | None:
    if not handlings:
        return [] if {square: carried.piece for square, carried in standing.items()} == after else None
    (_, square, comes, of), rest = handlings[0], handlings[1:]
    if not comes:
        left = {other: carried for other, carried in standing.items() if other != square}
        taken = standing[square]
        return _carry(rest, left, held if taken in left.values() else [*held, taken], after)
    for carried in _likely(square, of, standing, held):
        found = _carry(rest, {**standing, square: carried}, [each for each in held if each != carried], after)
        if found is not None:
            across = next((other for other, stands in standing.items() if stands == carried), None)
            return [SetDown(carried.piece, across), *found]
    return None


def _likely(
    square: Square, of: Square | None, standing: Mapping[Square, Carried], held: Sequence[Carried]
) -> list[Carried]:
    """Return the pieces that may come to a square: first the one that is meant, then what stood there, then others."""
    lifted = [carried for carried in reversed(held) if carried.home is not None]
    across = [carried for carried in standing.values() if of is not None and carried.home == of]
    lifted.sort(key=lambda carried: (carried.home != of, carried.home != square))
    from_beside = [carried for carried in held if carried.home is None]
    return list(dict.fromkeys([*(across if not lifted or lifted[0].home != of else []), *lifted, *from_beside]))


@dataclass(frozen=True, slots=True)
class Hands:
    """Writes down what hands do, one thing after the other."""

    rng: random.Random
    handlings: list[Handling] = field(default_factory=list)

    def lift(self, *squares: Square, after: tuple[int, int] = BETWEEN_MS) -> "Hands":
        return self._handle(squares, after, comes=False)

    def place(self, *squares: Square, after: tuple[int, int] = BETWEEN_MS, of: Square | None = None) -> "Hands":
        return self._handle(squares, after, comes=True, of=of)

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
        return self.lift(*lifts).place(move.target, of=move.origin)

    def _handle(
        self, squares: Iterable[Square], after: tuple[int, int], *, comes: bool, of: Square | None = None
    ) -> "Hands":
        for square in squares:
            lo, hi = after
            self.handlings.append(Handling(round(lo * (hi / lo) ** self.rng.random()), square, comes, of))
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
