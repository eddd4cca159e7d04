"""The last move while it may still be changed: what was touched for it, and whether a switch spoke for it in vain."""

from collections.abc import Collection

from captains_table.games.contract import Square
from captains_table.table.model.match import Match
from captains_table.table.recognition.footprint import difference
from captains_table.table.recognition.touches import Touches


class LastMove:
    """The move that may still be changed, if there is one.

    Attributes:
        touches: what was touched since the board last was as before that move.
        before: the squares occupied before it; none where no move may still be changed.
        invalidated: whether a switch that spoke for it was found to chatter since, so that its word is void.
    """

    def __init__(self) -> None:
        self.touches = Touches()
        self.before: frozenset[Square] | None = None
        self.invalidated = False
        self._changed: frozenset[Square] = frozenset()
        self._state: object = None

    def follow(self, match: Match | None, touches: Touches) -> None:
        """Take up a move that was just accepted, keep one that still may be changed, and forget one that was sealed.

        Args:
            match: the match on the board; none when none is played on it.
            touches: what was touched since the board last was as the decision began that is over now.
        """
        self.invalidated = False
        last = match.provisional if match is not None else None
        if match is None or last is None:
            self.touches, self.before, self._changed, self._state = Touches(), None, frozenset(), None
            return
        before = match.game.pieces(last.before)
        self._changed = difference(before, match.game.pieces(last.after))
        if last.before is not self._state:  # else one choice was changed for another, and the touches go on
            self.touches, self.before, self._state = touches.copy(), frozenset(before), last.before

    def note_chatter(self, squares: Collection[Square]) -> None:
        """Know that switches were found to chatter."""
        self.invalidated = self.invalidated or not self._changed.isdisjoint(squares)
