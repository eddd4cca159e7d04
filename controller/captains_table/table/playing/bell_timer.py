"""When the bell of an auction, or of a decision on time, rings by itself.

The time counts from when the board is as the match has it. Bids and a game master's corrections do not stop it, every
bell begins it anew, and after a power cut it goes on with what was left at the last of them (`Match.bell_after_ms`). A
game master may let it stand still, also what begins meanwhile (`Match.timers`).
"""

from captains_table.games.contract import deadline_of, goes_on_with_time
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
        """Let the time run on if a bid or a correction was just made in what is decided now; else begin anew."""
        last = match.history[-1].acted.action if match is not None and match.history else None
        if match is None or last is None or deadline_of(match.turn) is None or not goes_on_with_time(last):
            self.due_ms = None

    def start(self, match: Match, now_ms: int) -> None:
        """Let the time run, if there is a deadline, it does not run already and no game master has stopped it."""
        left_ms = None if match.timers.are_stopped else match.bell_after_ms()
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
