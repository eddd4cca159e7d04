"""Advice on what the game asks: given at once, or thought about elsewhere; the match records that it was asked for."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from captains_table.games.contract import Decide
from captains_table.table.model.entries import Advised
from captains_table.table.model.match import Match
from captains_table.table.model.view import THINKING, Hint
from captains_table.table.playing.computer_turn import Question

if TYPE_CHECKING:
    from captains_table.table.playing.match_play import MatchPlay

Adviser = Callable[[str, Any], Hint | None]
NO_ADVICE: Final = Hint("No advice on this")


class Advising:
    """Advises whoever must decide.

    Args:
        play: the match in hand.
        adviser: is given a game's key and state, and returns what it advises: `None` where it knows nothing, `THINKING`
            where that is thought about elsewhere.

    Attributes:
        hint: the advice that is shown; `None` where none is, as when another decision is taken.
    """

    def __init__(self, play: "MatchPlay", adviser: Adviser) -> None:
        self._play = play
        self._adviser = adviser
        self.hint: Hint | None = None

    def advise(self) -> None:
        """Show advice on what the game asks, and record that it was asked for; once a decision."""
        match = self._play.match
        if match is None or not isinstance(match.turn, Decide) or self.hint is not None or match.absent_decides:
            return
        hint = self._adviser(match.game.key, match.state)
        if hint is THINKING:
            self.hint = hint
        else:
            self._show(match, match.turn.seat, hint)

    def question(self) -> Question | None:
        """Return that advice is to be thought about; `None` where none is waited for."""
        match = self._play.match
        if match is None or self.hint is not THINKING or not isinstance(match.turn, Decide):
            return None
        return Question("", match.turn.seat, match.revision)

    def take(self, revision: int, hint: Hint | None) -> None:
        """Show advice that was thought about, if it is still waited for."""
        match = self._play.match
        if match is None or self.hint is not THINKING or match.revision != revision:
            return
        if isinstance(match.turn, Decide):
            self._show(match, match.turn.seat, hint)

    def _show(self, match: Match, seat: int, hint: Hint | None) -> None:
        """Show advice and record that it was asked for."""
        self.hint = hint or NO_ADVICE
        if hint is not None:
            self._play.record(Advised(seat, match.revision, hint.words))
            self._play.event_log.advise(match, seat, hint.words)
