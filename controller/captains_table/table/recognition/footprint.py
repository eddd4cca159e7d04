"""What a move does to the board: the squares it changes, and whether another goes on where it may stop."""

from collections.abc import Mapping
from dataclasses import dataclass

from captains_table.games.contract import Square

Pieces = Mapping[Square, str]


@dataclass(frozen=True, slots=True)
class Footprint:
    """The difference between two positions.

    Attributes:
        changed: the squares whose piece differs: all must have been touched.
        left: those of them that are vacated.
        filled: those of them that get another piece.
        origin: where the one piece that moves stood; none where none or more than one moves.
        exchanged: whether another piece than the one that stood there arrives (a promotion): it may come first.
    """

    changed: frozenset[Square]
    left: frozenset[Square]
    filled: frozenset[Square]
    origin: Square | None
    exchanged: bool = False

    @property
    def target(self) -> Square | None:
        """Where the one piece that moves goes."""
        return next(iter(self.filled)) if self.origin is not None else None

    def extends(self, shorter: "Footprint") -> bool:
        """Return whether the other may only be a stop on the way to this one.

        The same piece goes further along a path it may be slid on, or the other is half of this one (castling).
        """
        if shorter.changed < self.changed:
            return True
        if self.origin is None or self.target is None or shorter.target is None or shorter.origin != self.origin:
            return False
        return self.target != shorter.target and lies_between(self.origin, shorter.target, self.target)


def footprint(before: Pieces, after: Pieces) -> Footprint:
    """Return what leads from one position to another."""
    changed = difference(before, after)
    left = frozenset(square for square in changed if square not in after)
    filled = changed - left
    origin = _origin(before, after, left, filled)
    exchanged = origin is not None and before[origin] not in {after[square] for square in filled}
    return Footprint(changed, left, filled, origin, exchanged)


def difference(before: Pieces, after: Pieces) -> frozenset[Square]:
    """Return the squares whose piece differs between two positions."""
    return frozenset(square for square in {*before, *after} if before.get(square) != after.get(square))


def _origin(before: Pieces, after: Pieces, left: frozenset[Square], filled: frozenset[Square]) -> Square | None:
    """Return where the piece that fills the one filled square came from; a promoted one is another piece there."""
    if len(filled) != 1 or not left:
        return None
    (target,) = filled
    return next((square for square in left if before[square] == after[target]), min(left))


def lies_between(start: Square, square: Square, end: Square) -> bool:
    """Return whether a piece slid from start to end may cross a square.

    Along a straight line only that line counts; a leaper is slid somewhere within the rectangle of its leap.
    """
    files, ranks = end.file - start.file, end.rank - start.rank
    step_files, step_ranks = square.file - start.file, square.rank - start.rank
    if not (_within(step_files, files) and _within(step_ranks, ranks)) or square == start:
        return False
    straight = files == 0 or ranks == 0 or abs(files) == abs(ranks)
    return not straight or step_files * ranks == step_ranks * files


def _within(step: int, whole: int) -> bool:
    return min(0, whole) <= step <= max(0, whole)
