"""Gives advice on the current decision, computed at once or by a background worker, and records it in the journal."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from captains_table.games.contract import Decide
from captains_table.phrases import say
from captains_table.table.lessons.lesson_game import lesson_of
from captains_table.table.model.entries import Advised
from captains_table.table.model.match import Match
from captains_table.table.model.view import THINKING, Hint
from captains_table.table.playing.computer_turn import ThinkRequest

if TYPE_CHECKING:
    from captains_table.table.playing.match_play import MatchPlay

AdviceFunction = Callable[[str, Any], Hint | None]
NO_ADVICE: Final = Hint(say("No advice on this"))


class Advising:
    """Gives advice when the player who must decide asks for it.

    Args:
        play: the match in progress.
        adviser: called with a game's key and state; returns the advice, `None` if there is none, or `THINKING` if a
            background worker computes the advice and delivers it to `take`.

    Attributes:
        hint: the advice that is shown, or `THINKING`, or `NO_ADVICE`; `None` if nothing is shown, for example because a
            new decision began.
    """

    def __init__(self, play: "MatchPlay", adviser: AdviceFunction) -> None:
        self._play = play
        self._adviser = adviser
        self.hint: Hint | None = None

    def advise(self) -> None:
        """Show advice on the current decision and record the advice in the journal; in a lesson, do what is wanted.

        Nothing happens if no person must decide, or if advice on this decision was asked for already. If a background
        worker computes the advice, show `THINKING` until `take` receives the advice.
        """
        match = self._play.match
        if match is not None and lesson_of(match.game) is not None:
            self._play.show_lesson(match)
            return
        if match is None or not isinstance(match.turn, Decide) or self.hint is not None or match.absent_decides:
            return
        hint = self._adviser(match.game.key, match.state)
        if hint is THINKING:
            self.hint = hint
        else:
            self._show(match, match.turn.seat, hint)

    def question(self) -> ThinkRequest | None:
        """Return the pending request to the background worker that computes advice; `None` if there is none."""
        match = self._play.match
        if match is None or self.hint is not THINKING or not isinstance(match.turn, Decide):
            return None
        return ThinkRequest("", match.turn.seat, match.revision)

    def take(self, revision: int, hint: Hint | None) -> None:
        """Show advice that a background worker computed, if advice is still pending at this revision."""
        match = self._play.match
        if match is None or self.hint is not THINKING or match.revision != revision:
            return
        if isinstance(match.turn, Decide):
            self._show(match, match.turn.seat, hint)

    def _show(self, match: Match, seat: int, hint: Hint | None) -> None:
        """Show advice and record it in the journal and the log; for `None`, only show that there is no advice."""
        self.hint = hint or NO_ADVICE
        if hint is not None:
            self._play.record(Advised(seat, match.revision, hint.words))
            self._play.event_log.advise(match, seat, hint.words)
