"""The footprint of a move: the squares that it changes and the squares from which each piece may come.

Two footprints show whether one move may be only the beginning of the other, such as a shorter slide.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from captains_table.games.contract import Square, parse_square

Placement = Mapping[Square, str]
_FROM_TO: Final = re.compile(r"([a-z][1-9])([a-z][1-9])")


@dataclass(frozen=True, slots=True)
class Footprint:
    """The difference between the positions before and after a move.

    Attributes:
        changed: the squares whose piece differs; all of them must be touched to make the move.
        left: the changed squares that become vacant.
        filled: the changed squares that hold a different piece afterwards.
        origins: for each filled square, the changed squares from which its piece may have come; empty for a piece that
            comes from off the board (a promotion).
        origin: the square vacated by the one piece that moves; `None` if no piece or several pieces vacate their
            squares.
        target: the square to which that piece moves; `None` without `origin`.
        puts: the piece on each filled square afterwards.
    """

    changed: frozenset[Square]
    left: frozenset[Square]
    filled: frozenset[Square]
    origins: Mapping[Square, frozenset[Square]] = field(hash=False)
    origin: Square | None
    target: Square | None
    puts: dict[Square, str] = field(default_factory=dict, hash=False)

    @property
    def carried(self) -> frozenset[Square]:
        """The squares whose piece moves to another square."""
        return frozenset().union(*self.origins.values())

    @property
    def displaced(self) -> frozenset[Square]:
        """The squares from which a piece moves to another square while a different piece takes its place."""
        return self.carried - self.left

    @property
    def is_exchange(self) -> bool:
        """Whether pieces only swap places, so that the same squares are occupied before and after."""
        return bool(self.filled) and not self.left and all(self.origins.values()) and self.filled <= self.carried

    @property
    def movers(self) -> frozenset[Square]:
        """The squares from which pieces are lifted: one for an ordinary move, several for a swap.

        Empty for any other move of several pieces, such as castling.
        """
        if self.origin is not None:
            return frozenset({self.origin})
        return self.carried if self.is_exchange else frozenset()

    def targets(self, lifted: Collection[Square]) -> frozenset[Square]:
        """Return the squares of the move to which the pieces of the lifted squares may go.

        While none of the lifted pieces has a target of its own, and the move leaves one of their squares vacant, the
        result is the targets of all other squares that become vacant, and the squares that a piece enters from off the
        board. So the rook's square is no target while the king is lifted to castle.
        """
        own = frozenset(put for put in self.filled if not self.origins[put].isdisjoint(lifted))
        if own:
            return own
        vacates = not self.left.isdisjoint(lifted)
        moving = self.left.union(lifted) if vacates else frozenset(lifted)
        return frozenset(
            put for put in self.filled if self.origins[put] & moving or (vacates and not self.origins[put])
        )

    def extends(self, shorter: "Footprint") -> bool:
        """Return whether `shorter` may be only the beginning of this move.

        True if this move takes the same piece further along its possible path, or if `shorter` is a part of this move
        (castling).
        """
        if shorter.changed < self.changed:
            return True
        if self.origin is None or self.target is None or shorter.target is None or shorter.origin != self.origin:
            return False
        return self.target != shorter.target and lies_between(self.origin, shorter.target, self.target)


def footprint(before: Placement, after: Placement) -> Footprint:
    """Return the squares that a move changes, and how, from the positions before and after the move."""
    changed = differing_squares(before, after)
    left = frozenset(square for square in changed if square not in after)
    filled = changed - left
    origins = {
        put: frozenset(square for square in changed if before.get(square) == after[put]) for put in sorted(filled)
    }
    origin, target = _mover(left, origins)
    return Footprint(changed, left, filled, origins, origin, target, {put: after[put] for put in sorted(filled)})


def named_squares(id_: str) -> tuple[Square, Square] | None:
    """Return the two squares with which the id of a move begins, such as e2 and e4; `None` if it names none."""
    named = _FROM_TO.match(id_)
    return None if named is None else (parse_square(named[1]), parse_square(named[2]))


def differing_squares(before: Placement, after: Placement) -> frozenset[Square]:
    return frozenset(square for square in {*before, *after} if before.get(square) != after.get(square))


def _mover(
    left: frozenset[Square], origins: Mapping[Square, frozenset[Square]]
) -> tuple[Square, Square] | tuple[None, None]:
    """Return the start and end of a move in which exactly one piece vacates its square.

    Otherwise both are `None`. If a pawn promotes, the end is the square of the new piece.
    """
    moves = [(min(start & left), put) for put, start in origins.items() if start & left]
    if not moves and left and len(origins) == 1:
        (put,) = origins
        return min(left), put
    return moves[0] if len(moves) == 1 else (None, None)


def lies_between(start: Square, square: Square, end: Square) -> bool:
    """Return whether a piece that slides from `start` to `end` may cross a square; `end` counts, `start` does not.

    On a rank, file or diagonal, only the squares of that line count. Otherwise all squares of the rectangle between
    `start` and `end` count.
    """
    files, ranks = end.file - start.file, end.rank - start.rank
    step_files, step_ranks = square.file - start.file, square.rank - start.rank
    if not (_within(step_files, files) and _within(step_ranks, ranks)) or square == start:
        return False
    straight = files == 0 or ranks == 0 or abs(files) == abs(ranks)
    return not straight or step_files * ranks == step_ranks * files


def _within(step: int, whole: int) -> bool:
    return min(0, whole) <= step <= max(0, whole)
