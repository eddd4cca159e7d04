"""A move of several pieces of which some have been set down: what is still to be done, in words and as marks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from captains_table.games.common.pieces import piece_name
from captains_table.games.contract import Square
from captains_table.table.model.view import Mark
from captains_table.table.recognition.candidates import Candidate


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
