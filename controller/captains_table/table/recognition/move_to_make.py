"""A computer's move that a hand is still to make on the board: what is left of it, in words and as marks.

It is in the match already. The table waits until every square of it was touched and the board is as the match has it;
so a piece that is lifted to take another one does not pass for the capture.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace

from captains_table.games.common.pieces import piece_name
from captains_table.games.contract import Square
from captains_table.table.model.view import Mark
from captains_table.table.recognition.footprint import Footprint, Pieces, footprint


@dataclass(frozen=True, slots=True)
class MoveToMake:
    """A move, and which of its squares are still to be touched.

    Attributes:
        before: the pieces before it.
        after: the pieces after it.
        untouched: the squares of it that no hand has touched yet.
    """

    before: Pieces = field(hash=False)
    after: Pieces = field(hash=False)
    untouched: frozenset[Square]

    @classmethod
    def of(cls, before: Pieces, after: Pieces, ignored: Collection[Square]) -> "MoveToMake":
        """Return what leads from one position to another, nothing of it done; an ignored switch tells of no touch."""
        return cls(before, after, footprint(before, after).changed.difference(ignored))

    def touched(self, squares: Iterable[Square]) -> "MoveToMake":
        """Return what is left once some squares were touched."""
        return replace(self, untouched=self.untouched.difference(squares))

    @property
    def footprint(self) -> Footprint:
        """What it changes."""
        return footprint(self.before, self.after)

    @property
    def has_begun(self) -> bool:
        """Whether a hand has touched any of it."""
        return self.untouched < self.footprint.changed

    def is_all_there_is(self, occupied: Collection[Square]) -> bool:
        """Return whether the board differs from the match by nothing but this move."""
        return set(occupied) ^ set(self.after) <= self.footprint.changed

    def steps(self) -> list[str]:
        """Return in words what is left to do: first what is taken off the board."""
        move = self.footprint
        gone = sorted(square for square in move.changed & set(self.before) - move.carried if square in self.untouched)
        off = [f"Take the {piece_name(self.before[square])} off {square}" for square in gone]
        return [*off, *(self._put(square, move) for square in sorted(move.filled))]

    def _put(self, square: Square, move: Footprint) -> str:
        piece, starts = piece_name(self.after[square]), move.origins[square]
        if not starts:
            return f"Put a {piece} on {square}"
        return f"Put the {piece} of {' or '.join(map(str, sorted(starts)))} on {square}"

    def marks(self, occupied: Collection[Square]) -> dict[Square, Mark]:
        """Return the marks of where its pieces stand and where they go."""
        move = self.footprint
        standing = move.left.intersection(occupied)
        away = dict.fromkeys(standing - move.carried, Mark.TAKE_AWAY)
        return away | dict.fromkeys(standing & move.carried, Mark.MAY_MOVE) | dict.fromkeys(move.filled, Mark.TARGET)
