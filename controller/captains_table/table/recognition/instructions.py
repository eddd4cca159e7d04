"""Instructions for the players, in words and marks: to put the board right, finish a move, or make a computer's move.

A computer's move is in the match at once. The table waits until every square of the move was touched and the board
agrees with the match. Agreement alone is not enough: as soon as a capturing piece is lifted, the board has the same
occupied squares as after the capture.

The module also finds the squares that are wrong, and the refused move that was made on the board.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

from captains_table.games.common.pieces import piece_name
from captains_table.games.contract import Refused, Square
from captains_table.phrases import listed, say
from captains_table.table.model.view import BoardDifference, Mark
from captains_table.table.recognition.candidates import Candidate
from captains_table.table.recognition.footprint import Footprint, Placement, footprint

MOST_LINES = 4


def wrong_squares(
    pieces: Mapping[Square, str], occupied: Collection[Square], masked: Collection[Square]
) -> BoardDifference:
    """Return the squares where the switches and the expected pieces differ, without masked squares."""
    missing = sorted(square for square in pieces if square not in occupied and square not in masked)
    extra = sorted(square for square in occupied if square not in pieces and square not in masked)
    return BoardDifference(tuple(missing), tuple(extra))


def recovery_steps(wrong: BoardDifference, pieces: Mapping[Square, str]) -> list[str]:
    """Return the instructions that put the board right, in at most `MOST_LINES` lines.

    Pieces to take off come first. If there are too many instructions, the last line says how many are left out. A
    single displaced piece needs only one instruction.
    """
    if len(wrong.missing) == len(wrong.extra) == 1:
        home, stray = wrong.missing[0], wrong.extra[0]
        return [say("Put the {piece} from {square} back on {home}", piece_name(pieces[home]), str(stray), str(home))]
    lines: list[str] = [say("Take the piece off {square}", str(square)) for square in wrong.extra]
    lines += [say("Put the {piece} on {square}", piece_name(pieces[square]), str(square)) for square in wrong.missing]
    if len(lines) <= MOST_LINES:
        return lines
    left = len(lines) - MOST_LINES + 1
    return [*lines[: MOST_LINES - 1], say("and {count} more", left)]


def forbidden_move(
    refused: Iterable[Refused], occupied: Collection[Square], masked: Collection[Square]
) -> Refused | None:
    """Return the refused move that was made on the board; `None` if the board shows none of the refused moves."""
    seen = set(occupied) - set(masked)
    return next((move for move in refused if set(move.pieces) - set(masked) == seen), None)


def recovery_marks(wrong: BoardDifference, *, forbidden_by_dice: bool) -> dict[Square, Mark]:
    """Return the marks that show how to put the board right.

    Args:
        wrong: the squares that are wrong.
        forbidden_by_dice: whether they are wrong because of a move that the dice forbid.
    """
    away = Mark.NOT_THIS_DIE if forbidden_by_dice else Mark.TAKE_AWAY
    return dict.fromkeys(wrong.missing, Mark.PUT_HERE) | dict.fromkeys(wrong.extra, away)


@dataclass(frozen=True, slots=True)
class UnfinishedMove:
    """The remaining steps of a move that was made halfway.

    If several moves have the same beginning, the steps of all these moves are included.

    Attributes:
        to_fill: maps each square that still lacks its piece to the squares from which the piece may come.
        to_lift: the squares from which the missing pieces must still be lifted.
        to_clear: the squares whose piece must still be taken off the board.
    """

    to_fill: Mapping[Square, frozenset[Square]]
    to_lift: frozenset[Square]
    to_clear: frozenset[Square]

    @staticmethod
    def of(
        candidates: Sequence[Candidate], done: Sequence[frozenset[Square]], occupied: frozenset[Square]
    ) -> "UnfinishedMove":
        """Return the steps that are still needed to complete some moves.

        Args:
            candidates: the moves.
            done: for each move, the squares on which its pieces have been set down.
            occupied: the squares occupied now.
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
        """Return the instructions to finish the move."""
        off = [_take_off(pieces[square], square) for square in sorted(self.to_clear)]
        return [*off, *(self._step(put, starts, pieces) for put, starts in sorted(self.to_fill.items()))]

    @staticmethod
    def _step(put: Square, starts: frozenset[Square], pieces: Mapping[Square, str]) -> str:
        if len(starts) != 1:
            return say("Put the piece that goes there on {square}", str(put))
        return _put_from(pieces[next(iter(starts))], starts, put)

    def marks(self) -> dict[Square, Mark]:
        """Return the marks that show how to finish the move."""
        away = dict.fromkeys(self.to_clear, Mark.TAKE_AWAY)
        return away | dict.fromkeys(self.to_lift, Mark.MAY_MOVE) | dict.fromkeys(self.to_fill, Mark.TARGET)


@dataclass(frozen=True, slots=True)
class MoveToMake:
    """A computer's move that a person must make on the board, with its squares that were not touched yet.

    Attributes:
        before: the pieces before the move.
        after: the pieces after the move.
        untouched: the squares of the move that were not touched yet.
    """

    before: Placement = field(hash=False)
    after: Placement = field(hash=False)
    untouched: frozenset[Square]

    @classmethod
    def of(cls, before: Placement, after: Placement, ignored: Collection[Square]) -> "MoveToMake":
        """Return the move from one position to another, before any hand touched its squares.

        Squares whose switch is ignored count as touched, because touches of these squares cannot be seen.
        """
        return cls(before, after, footprint(before, after).changed.difference(ignored))

    def touched(self, squares: Iterable[Square]) -> "MoveToMake":
        """Return the same move with these squares counted as touched."""
        return replace(self, untouched=self.untouched.difference(squares))

    @property
    def footprint(self) -> Footprint:
        return footprint(self.before, self.after)

    @property
    def has_begun(self) -> bool:
        """Whether any square of the move was touched."""
        return self.untouched < self.footprint.changed

    def is_only_difference(self, occupied: Collection[Square]) -> bool:
        """Return whether the board agrees with the match on all squares outside this move."""
        return set(occupied) ^ set(self.after) <= self.footprint.changed

    def steps(self) -> list[str]:
        """Return the instructions for the move; those to take pieces off the board come first.

        A piece to be taken off is left out if its square was touched.
        """
        move = self.footprint
        gone = sorted(square for square in move.changed & set(self.before) - move.carried if square in self.untouched)
        off = [_take_off(self.before[square], square) for square in gone]
        return [*off, *(self._put(square, move) for square in sorted(move.filled))]

    def _put(self, square: Square, move: Footprint) -> str:
        piece, starts = self.after[square], move.origins[square]
        if not starts:
            return say("Put a {piece} on {square}", piece_name(piece), str(square))
        return _put_from(piece, starts, square)

    def marks(self, occupied: Collection[Square]) -> dict[Square, Mark]:
        """Return the marks of the squares that pieces must still leave, and of all squares that pieces enter."""
        move = self.footprint
        standing = move.left.intersection(occupied)
        away = dict.fromkeys(standing - move.carried, Mark.TAKE_AWAY)
        return away | dict.fromkeys(standing & move.carried, Mark.MAY_MOVE) | dict.fromkeys(move.filled, Mark.TARGET)


def _take_off(piece: str, square: Square) -> str:
    return say("Take the {piece} off {square}", piece_name(piece), str(square))


def _put_from(piece: str, starts: Collection[Square], square: Square) -> str:
    """Return the instruction to put a piece on a square from one of others."""
    start = reduce(lambda before, each: listed([before, each], "or"), map(str, sorted(starts)))
    return say("Put the {piece} from {start} on {square}", piece_name(piece), start, str(square))
