"""The end of a match by a move on the board: it is shown at once, and written when nobody can mean to change it.

Source: docs/architecture.md Contract 2 rule 10.
"""

from typing import TYPE_CHECKING

from captains_table.games.contract import Over
from captains_table.table.model.entries import MatchEnded, ResumeInfo
from captains_table.table.model.view import Phase

if TYPE_CHECKING:
    from captains_table.table.playing.match_play import MatchPlay


class Ending:
    """Writes the end of the match in hand.

    Args:
        play: the match in hand.
    """

    def __init__(self, play: "MatchPlay") -> None:
        self._play = play

    def is_open(self) -> bool:
        """Return whether the match is over by a move on the board that may still be changed."""
        match = self._play.match
        return match is not None and isinstance(match.turn, Over) and match.provisional is not None

    def due_ms(self) -> int | None:
        """Return when it is written because nobody touches anything any more; `None` if it is not, or it is asked."""
        play = self._play
        rested_since_ms = max(play.decided_ms, play.monitor.changed_ms)
        is_waited_for = self.is_open() and not play.sealing.is_waiting
        return rested_since_ms + play.settings.end_ms if is_waited_for else None

    def take_up(self, resume_info: ResumeInfo) -> None:
        """Write the end that a power cut came before; where it is not clear, ask first once the board rests."""
        match = self._play.match
        if match is None or not isinstance(match.turn, Over) or resume_info.ended:
            return
        if resume_info.unsure is None:
            self.write()
        else:
            self._play.asks_first(self.write_if_open)

    def write_if_open(self) -> None:
        """Write the end of a match that a move on the board has brought about."""
        if self.is_open():
            self.write()
            self._play.decide(Phase.PLAYING)

    def confirm(self) -> bool:
        """Write the end that somebody takes for granted, as by a press, unless hands are at work on the board.

        Returns whether it is asked first what was done on the board.
        """
        if not self.is_open():
            return False
        if self._play.asks_first(self.write_if_open):
            return True
        if not self._play.monitor.is_unfinished():
            self.write_if_open()
        return False

    def write(self) -> None:
        """Write the end of a match that is over."""
        play, match = self._play, self._play.match
        if match is not None and isinstance(match.turn, Over):
            play.announce_now()
            match.is_ended = True
            result = match.turn.result
            play.record(MatchEnded(result.winner, result.scores))
