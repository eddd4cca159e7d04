"""What hands are still to do on the board, in words and marks: the way home, the rest of a move, a computer's move.

A computer's move is in the match already. The table waits until every square of it was touched and the board is as the
match has it; so a piece that is lifted to take another one does not pass for the capture.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from captains_table.games.common.pieces import piece_name
from captains_table.games.contract import Refused, Square
from captains_table.table.model.view import Mark, Wrong
from captains_table.table.recognition.candidates import Candidate
from captains_table.table.recognition.footprint import Footprint, Pieces, footprint

MOST_LINES = 4


def wrong_squares(pieces: Mapping[Square, str], occupied: Collection[Square], masked: Collection[Square]) -> Wrong:
    """Return how the switches differ from where the pieces should stand; masked squares say nothing."""
    missing = sorted(square for square in pieces if square not in occupied and square not in masked)
    extra = sorted(square for square in occupied if square not in pieces and square not in masked)
    return Wrong(tuple(missing), tuple(extra))


def recovery_steps(wrong: Wrong, pieces: Mapping[Square, str]) -> list[str]:
    """Return in words what to do so that the board is right again, most helpful line first."""
    if len(wrong.missing) == len(wrong.extra) == 1:
        home, stray = wrong.missing[0], wrong.extra[0]
        return [f"Put the {piece_name(pieces[home])} from {stray} back on {home}"]
    lines = [f"Take the piece off {square}" for square in wrong.extra]
    lines += [f"Put the {piece_name(pieces[square])} on {square}" for square in wrong.missing]
    if len(lines) <= MOST_LINES:
        return lines
    left = len(lines) - MOST_LINES + 1
    return [*lines[: MOST_LINES - 1], f"and {left} more"]


def refusal(refused: Iterable[Refused], occupied: Collection[Square], masked: Collection[Square]) -> Refused | None:
    """Return the move on the board that only the dice forbid, none if it is not one."""
    seen = set(occupied) - set(masked)
    return next((move for move in refused if set(move.pieces) - set(masked) == seen), None)


def recovery_marks(wrong: Wrong, *, forbidden_by_dice: bool) -> dict[Square, Mark]:
    """Return the marks that show the way home."""
    away = Mark.NOT_THIS_DIE if forbidden_by_dice else Mark.TAKE_AWAY
    return dict.fromkeys(wrong.missing, Mark.PUT_HERE) | dict.fromkeys(wrong.extra, away)


@dataclass(frozen=True, slots=True)
class UnfinishedMove:
    """What is left of a move, or of several that have begun alike.

    Attributes:
        to_fill: the squares where pieces are to be set down yet, and where each may come from.
        to_lift: those of their pieces that still stand where they stood.
        to_clear: the squares whose piece is to be taken off the board yet.
    """

    to_fill: Mapping[Square, frozenset[Square]]
    to_lift: frozenset[Square]
    to_clear: frozenset[Square]

    @staticmethod
    def of(
        candidates: Sequence[Candidate], done: Sequence[frozenset[Square]], occupied: frozenset[Square]
    ) -> "UnfinishedMove":
        """Return what is left of moves.

        Args:
            candidates: the moves.
            done: of each of them the squares on which its pieces have been set down.
            occupied: the squares where a piece stands.
        """
        to_fill: dict[Square, frozenset[Square]] = {}
        for candidate, filled in zip(candidates, done, strict=True):
            for put in candidate.footprint.filled - filled:
                to_fill[put] = to_fill.get(put, frozenset()) | candidate.footprint.origins[put]
        set_down = frozenset[Square]().union(*done)
        to_lift = (frozenset[Square]().union(*to_fill.values()) & occupied) - set_down
        to_leave = frozenset[Square]().union(*(candidate.footprint.left for candidate in candidates))
        return UnfinishedMove(to_fill, to_lift, (to_leave & occupied) - to_lift)

    def steps(self, pieces: Mapping[Square, str]) -> list[str]:
        """Return in words what is left to do."""
        off = [f"Take the {piece_name(pieces[square])} of {square} off the board" for square in sorted(self.to_clear)]
        return [*off, *(self._step(put, starts, pieces) for put, starts in sorted(self.to_fill.items()))]

    @staticmethod
    def _step(put: Square, starts: frozenset[Square], pieces: Mapping[Square, str]) -> str:
        if len(starts) != 1:
            return f"Put the piece that goes there on {put}"
        (start,) = starts
        return f"Put the {piece_name(pieces[start])} of {start} on {put}"

    def marks(self) -> dict[Square, Mark]:
        """Return the marks that show what is left to do."""
        away = dict.fromkeys(self.to_clear, Mark.TAKE_AWAY)
        return away | dict.fromkeys(self.to_lift, Mark.MAY_MOVE) | dict.fromkeys(self.to_fill, Mark.TARGET)


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
