"""Records the end of a match.

An end by an action that cannot be changed is recorded at once. A move on the board that ends the match may still be
changed: displays show the end at once, but it is recorded only when the board has been quiet for a while, when a player
confirms the end, or when the players leave the match or resume it after a power cut. If that move is ambiguous, the
table first asks which move was made.

Source: docs/contracts.md Contract 2.
"""

from typing import TYPE_CHECKING

from captains_table.games.contract import Over
from captains_table.table.model.entries import MatchEnded, ResumeInfo
from captains_table.table.model.view import Phase

if TYPE_CHECKING:
    from captains_table.table.playing.match_play import MatchPlay


class EndRecorder:
    """Records the end of the current match in the journal.

    Args:
        play: the match in progress.
    """

    def __init__(self, play: "MatchPlay") -> None:
        self._play = play

    def is_open(self) -> bool:
        """Return whether the match has ended with a move on the board, and this move may still be changed."""
        match = self._play.match
        return match is not None and isinstance(match.turn, Over) and match.provisional is not None

    def due_ms(self) -> int | None:
        """Return when to record the end if the board stays untouched.

        `None` if no end is pending, or while an action waits for an answer.
        """
        play = self._play
        rested_since_ms = max(play.decided_ms, play.monitor.changed_ms)
        is_waited_for = self.is_open() and not play.sealing.is_waiting
        return rested_since_ms + play.settings.end_ms if is_waited_for else None

    def resume(self, resume_info: ResumeInfo) -> None:
        """Record the end of a resumed match that is over, unless the journal records the end already.

        If the last move is ambiguous, ask first which move was made.
        """
        match = self._play.match
        if match is None or not isinstance(match.turn, Over) or resume_info.ended:
            return
        if resume_info.unsure is None:
            self.write()
        else:
            self._play.asks_first(self.write_if_open)

    def write_if_open(self) -> None:
        """Record the end of the match if a move on the board has ended it and the end is not recorded yet."""
        if self.is_open():
            self.write()
            self._play.decide(Phase.PLAYING)

    def confirm(self) -> bool:
        """Record the end that a player confirms; return True if the table must first ask which move was made.

        In that case the end is recorded once the players have answered. Nothing is recorded while pieces are being
        moved on the board, or if no end is pending.
        """
        if not self.is_open():
            return False
        if self._play.asks_first(self.write_if_open):
            return True
        if not self._play.monitor.is_unfinished():
            self.write_if_open()
        return False

    def write(self) -> None:
        """Record the end of the match if it is over."""
        play, match = self._play, self._play.match
        if match is not None and isinstance(match.turn, Over):
            play.announce_now()
            match.is_ended = True
            result = match.turn.result
            play.record(MatchEnded(result.winner, result.scores))
