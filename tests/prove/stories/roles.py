"""Who does what in a move: which pieces go where, which are taken, and where the movers may go at all."""

from collections.abc import Collection, Iterable, Mapping
from functools import cache

from captains_table.games.contract import Square

Pieces = Mapping[Square, str]
Legal = Mapping[Square, Collection[Square]]


class Roles:
    """What one move, or nothing played, makes of the pieces before it.

    Args:
        before: what stands where before it.
        after: what stands where after it.
        legal: where each piece may go by any move.
        toyed: the piece somebody had in mind to move where nothing was played.

    Attributes:
        movers: the first squares of the pieces that move.
        goals: where each of them may end.
        taken: the first squares of the pieces that leave the board.
        promoted: the pieces that come from off the board, by where they are set.
    """

    def __init__(self, before: Pieces, after: Pieces, legal: Legal, toyed: Square | None = None) -> None:
        self.before = before
        self.after = after
        self.changed = changed_between(before, after)
        left = frozenset(square for square in self.changed if square in before)
        filled = [square for square in self.changed if square in after]
        self.goals = {square: frozenset(put for put in filled if after[put] == before[square]) for square in left}
        self.goals = {square: goals for square, goals in self.goals.items() if goals}
        reached = frozenset().union(*self.goals.values())
        self.promoted = {put: after[put] for put in filled if put not in reached}
        if self.promoted and not self.goals:  # the pawn that becomes another piece may be pushed there first
            self.goals = {square: frozenset(self.promoted) for square in left if square not in after}
        self.movers = frozenset(self.goals) if self.changed else frozenset(() if toyed is None else (toyed,))
        self.taken = left - self.movers
        self.legal = legal
        self._way = cache(lambda start: _way_of(start, self.goals.get(start, ())))

    def is_on_the_way(self, start: Square, square: Square) -> bool:
        """Return whether a mover crosses a square where it is slid."""
        return square in self._way(start)[0]

    def is_beside_the_way(self, start: Square, square: Square) -> bool:
        """Return whether a mover crosses a square where it is slid in a bow."""
        return square in self._way(start)[1]

    def may_go(self, start: Square, square: Square) -> bool:
        return square in self.legal.get(start, ())


def changed_between(before: Pieces, after: Pieces) -> frozenset[Square]:
    return frozenset(square for square, _ in before.items() ^ after.items())


def _way_of(start: Square, goals: Iterable[Square]) -> tuple[frozenset[Square], frozenset[Square]]:
    way = frozenset(square for goal in goals for square in squares_between(start, goal))
    beside = frozenset(
        Square(square.file + files, square.rank + ranks)
        for square in way
        for files in (-1, 0, 1)
        for ranks in (-1, 0, 1)
    )
    return way, beside - way - {start}


def squares_between(start: Square, end: Square) -> list[Square]:
    """Return the squares a slide may cross: those of a straight line, else all within the rectangle of the leap."""
    files, ranks = end.file - start.file, end.rank - start.rank
    if files == 0 or ranks == 0 or abs(files) == abs(ranks):
        steps = max(abs(files), abs(ranks))
        return [Square(start.file + files * i // steps, start.rank + ranks * i // steps) for i in range(1, steps)]
    between = [Square(file, rank) for file in _range(start.file, end.file) for rank in _range(start.rank, end.rank)]
    return [square for square in between if square not in (start, end)]


def _range(one: int, other: int) -> range:
    return range(min(one, other), max(one, other) + 1)


def are_neighbours(square: Square, other: Square) -> bool:
    """Return whether two squares touch, if only at a corner."""
    return max(abs(square.file - other.file), abs(square.rank - other.rank)) == 1
