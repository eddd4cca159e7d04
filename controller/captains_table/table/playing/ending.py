"""The end of a match by a move on the board: shown at once, but recorded only when the move can no longer be changed.

Source: docs/contracts.md Contract 2 rule 10.
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
        """Return whether the match is over by a move on the board that may still be changed."""
        match = self._play.match
        return match is not None and isinstance(match.turn, Over) and match.provisional is not None

    def due_ms(self) -> int | None:
        """Return when the end is recorded because nobody touches the board any more; `None` if nothing is pending."""
        play = self._play
        rested_since_ms = max(play.decided_ms, play.monitor.changed_ms)
        is_waited_for = self.is_open() and not play.sealing.is_waiting
        return rested_since_ms + play.settings.end_ms if is_waited_for else None

    def resume(self, resume_info: ResumeInfo) -> None:
        """Record the end of a resumed match if a power cut prevented that; ask first if its last move is ambiguous."""
        match = self._play.match
        if match is None or not isinstance(match.turn, Over) or resume_info.ended:
            return
        if resume_info.unsure is None:
            self.write()
        else:
            self._play.asks_first(self.write_if_open)

    def write_if_open(self) -> None:
        """Record the end of the match if a move on the board has ended it."""
        if self.is_open():
            self.write()
            self._play.decide(Phase.PLAYING)

    def confirm(self) -> bool:
        """Record the end that a player confirms, such as by a press, unless hands are at work on the board.

        Returns whether the table first asks what was done on the board.
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
