"""What a move does to the board: the squares it changes, where each piece comes from, and whether another goes on."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from captains_table.games.contract import Square

Pieces = Mapping[Square, str]


@dataclass(frozen=True, slots=True)
class Footprint:
    """The difference between two positions.

    Attributes:
        changed: the squares whose piece differs: all must have been touched.
        left: those of them that are vacated.
        filled: those of them that get another piece.
        origins: for each filled square the changed squares that its piece may have come from; nothing where it comes
            from beside the board (a promotion), which may be before the one it replaces is taken off.
        origin: where the one piece stood that is moved to vacate its square; None where none or more than one is.
        target: where that piece goes.
    """

    changed: frozenset[Square]
    left: frozenset[Square]
    filled: frozenset[Square]
    origins: Mapping[Square, frozenset[Square]] = field(hash=False)
    origin: Square | None
    target: Square | None

    @property
    def carried(self) -> frozenset[Square]:
        """The squares whose piece goes to another one."""
        return frozenset().union(*self.origins.values())

    @property
    def displaced(self) -> frozenset[Square]:
        """The squares whose piece is set elsewhere while another one takes its place."""
        return self.carried - self.left

    @property
    def is_exchange(self) -> bool:
        """Whether pieces only change places, so that the same squares are occupied afterwards."""
        return bool(self.filled) and not self.left and all(self.origins.values()) and self.filled <= self.carried

    @property
    def movers(self) -> frozenset[Square]:
        """The squares whose piece is taken up to make the move; where pieces only change places, all of these."""
        if self.origin is not None:
            return frozenset({self.origin})
        return self.carried if self.is_exchange else frozenset()

    def targets(self, lifted: Collection[Square]) -> frozenset[Square]:
        """Return where the pieces lifted from some squares go, and with one that vacates its square all that do.

        A victim that is set elsewhere on the board goes there only once it was lifted itself.
        """
        vacates = not self.left.isdisjoint(lifted)
        moving = self.left.union(lifted) if vacates else frozenset(lifted)
        return frozenset(
            put for put in self.filled if self.origins[put] & moving or (vacates and not self.origins[put])
        )

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
    origins = {
        put: frozenset(square for square in changed if before.get(square) == after[put]) for put in sorted(filled)
    }
    origin, target = _mover(left, origins)
    return Footprint(changed, left, filled, origins, origin, target)


def difference(before: Pieces, after: Pieces) -> frozenset[Square]:
    """Return the squares whose piece differs between two positions."""
    return frozenset(square for square in {*before, *after} if before.get(square) != after.get(square))


def _mover(
    left: frozenset[Square], origins: Mapping[Square, frozenset[Square]]
) -> tuple[Square, Square] | tuple[None, None]:
    """Return from where to where the one piece goes that vacates its square; a promoted one is another piece there."""
    moves = [(min(start & left), put) for put, start in origins.items() if start & left]
    if not moves and left and len(origins) == 1:
        (put,) = origins
        return min(left), put
    return moves[0] if len(moves) == 1 else (None, None)


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
