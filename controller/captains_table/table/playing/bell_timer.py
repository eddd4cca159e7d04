"""When the bell of an auction, or of a decision on time, rings by itself.

The time counts from when the board is as the match has it. Bids do not stop it, every bell begins it anew, and after a
power cut it goes on with what was left at the last bid (`Match.bell_after_ms`).
"""

from captains_table.games.contract import Auction, Bid
from captains_table.table.model.match import Match
from captains_table.table.model.player_clocks import SECOND_MS


class BellTimer:
    """The time that is left to bid, or to decide.

    Attributes:
        due_ms: when the bell rings; `None` while no time runs.
    """

    def __init__(self) -> None:
        self.due_ms: int | None = None

    def forget(self) -> None:
        """Know of no bell, as when another match is loaded."""
        self.due_ms = None

    def decide(self, match: Match | None) -> None:
        """Let the time run on if what is decided now is an auction that a bid was just made in; else begin anew."""
        last = match.history[-1].acted.action if match is not None and match.history else None
        if match is None or not isinstance(match.turn, Auction) or not isinstance(last, Bid):
            self.due_ms = None

    def start(self, match: Match, now_ms: int) -> None:
        """Let the time run, if there is a deadline and it does not run already."""
        left_ms = match.bell_after_ms()
        if self.due_ms is None and left_ms is not None:
            self.due_ms = now_ms + left_ms

    def left_ms(self, match: Match | None, now_ms: int) -> int | None:
        """Return how long there is before the bell rings; `None` where it is only rung by hand."""
        if self.due_ms is not None:
            return max(0, self.due_ms - now_ms)
        return None if match is None else match.bell_after_ms()

    def tick_ms(self, now_ms: int) -> int | None:
        """Return when another second is over, `None` while no time runs."""
        if self.due_ms is None or self.due_ms <= now_ms:
            return None
        return now_ms + (self.due_ms - now_ms - 1) % SECOND_MS + 1
