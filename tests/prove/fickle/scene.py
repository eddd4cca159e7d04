"""The position before a move as a hand sees it: what may be played, and what stands and lies near."""

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from captains_table.games.contract import Game, Shape, Square
from tests.prove.offers import ends_of

Pieces = Mapping[Square, str]


@dataclass(frozen=True, slots=True)
class Move:
    """One move on offer.

    Attributes:
        id: what it is called.
        after: the pieces afterwards.
        origin: where its one piece stood; None where more than one moves.
        target: where that piece goes.
        victim: the square of the piece it takes; None where it takes none.
        becomes: the piece that is promoted to; None without a promotion.
    """

    id: str
    after: Pieces
    origin: Square | None
    target: Square | None
    victim: Square | None
    becomes: str | None

    @classmethod
    def between(cls, id_: str, before: Pieces, after: Pieces) -> "Move":
        """Return the move that leads from one position to another."""
        changed = squares_changed(before, after)
        filled = [square for square in changed if square in after]
        left = [square for square in changed if square in before]
        if len(filled) != 1:
            return cls(id_, after, None, None, None, None)
        (target,) = filled
        leaving = [square for square in left if square != target]
        movers = [square for square in leaving if before[square] == after[target]] or _of_colour(
            leaving, before, after[target]
        )
        if len(movers) != 1:
            return cls(id_, after, None, None, None, None)
        victim = next((square for square in left if square != movers[0]), None)
        becomes = None if before[movers[0]] == after[target] else after[target]
        return cls(id_, after, movers[0], target, victim, becomes)

    @property
    def is_plain(self) -> bool:
        """Whether a piece goes to a vacant square and nothing else happens."""
        return self.origin is not None and self.victim is None and self.becomes is None

    @property
    def takes(self) -> bool:
        """Whether a piece takes another where that stands, and nothing else happens."""
        return self.victim is not None and self.victim == self.target and self.becomes is None


def squares_changed(before: Pieces, after: Pieces) -> frozenset[Square]:
    """Return the squares whose piece differs between two positions."""
    return frozenset(square for square in {*before, *after} if before.get(square) != after.get(square))


def _of_colour(squares: Iterable[Square], before: Pieces, piece: str) -> list[Square]:
    return [square for square in squares if _is_white(before[square]) == _is_white(piece)]


def _is_white(piece: str) -> bool:
    return piece.lstrip("+").isupper()


class Scene:
    """A position in which somebody must move.

    Args:
        game: the game that is played.
        state: where it stands.
        rng: where all chance comes from.
    """

    def __init__(self, game: Game[Any], state: object, rng: random.Random) -> None:
        self.rng = rng
        self.shape = game.shape or Shape(0, 0)
        self.before: Pieces = dict(game.pieces(state))
        self._ends = {end.id: end for end in ends_of(game, state)}
        self.moves = [Move.between(end.id, self.before, end.pieces) for end in self._ends.values()]

    def drawn(self, moves: Iterable[Move]) -> Move | None:
        """Return one of these moves, None where there is none."""
        found = list(moves)
        return self.rng.choice(found) if found else None

    def plain(self) -> list[Move]:
        """Return the moves to vacant squares."""
        return [move for move in self.moves if move.is_plain]

    def captures(self) -> list[Move]:
        """Return the captures that take a piece where it stands."""
        return [move for move in self.moves if move.takes]

    def simple(self) -> list[Move]:
        """Return the moves and captures of one piece."""
        return [*self.plain(), *self.captures()]

    def replies(self, move: Move) -> list[Move]:
        """Return what the next player may play after a move, where that is a move or a capture of one piece."""
        following = self._ends[move.id].following()
        replies = [Move.between(end.id, move.after, end.pieces) for end in following]
        return [reply for reply in replies if reply.is_plain or reply.takes]

    def pairs_of_captures(self) -> list[tuple[Move, Move]]:
        """Return two captures each that one piece may make."""
        takes = self.captures()
        return [(one, other) for one in takes for other in takes if one.origin == other.origin and one is not other]

    def of_piece(self, square: Square | None) -> list[Move]:
        """Return the plain moves of the piece of a square."""
        return [move for move in self.plain() if move.origin == square]

    def vacant(self) -> list[Square]:
        """Return the squares where nothing stands."""
        return [square for square in self.shape.squares() if square not in self.before]

    def near(self, square: Square, reach: int = 2) -> list[Square]:
        """Return the squares around one."""
        return list(self._near(square, reach))

    def _near(self, square: Square, reach: int) -> Iterator[Square]:
        for files in range(-reach, reach + 1):
            for ranks in range(-reach, reach + 1):
                near = Square(square.file + files, square.rank + ranks)
                if near != square and near in self.shape:
                    yield near
