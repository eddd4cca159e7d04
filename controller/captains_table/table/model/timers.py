"""Time to bid and to act that a game master stops: what the journal says of it, and how much of it there is left."""

from collections.abc import Iterable, Sequence

from captains_table.games.contract import goes_on_with_time
from captains_table.table.model.entries import Entry, TimersStopped, TimersWentOn
from captains_table.table.model.steps import Step


class Timers:
    """When the timers of a match were stopped and started.

    Args:
        entries: what the journal says so far.
    """

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._entries: list[TimersStopped | TimersWentOn] = []
        for entry in entries:
            self.note(entry)

    def note(self, entry: Entry) -> None:
        """Know of an entry."""
        if isinstance(entry, TimersStopped | TimersWentOn):
            self._entries.append(entry)

    @property
    def are_stopped(self) -> bool:
        """Whether no time runs."""
        return bool(self._entries) and isinstance(self._entries[-1], TimersStopped)

    def left_ms(self, deadline_ms: int, history: Sequence[Step]) -> int:
        """Return how long there still is before the bell rings, as of the last entry that says so.

        What passed from the action that began the turn to the last bid or correction is used; whatever came after that
        is given back, because a power cut may have been in it. An auction that begins the match begins with its first
        bid. While the timers stand still nothing is used, and they go on with what was left.

        Args:
            deadline_ms: how long there was at first.
            history: the actions that stand.
        """
        times, began_seq = _times(history)
        left_ms, since_ms = deadline_ms, times[0] if times else None
        for entry in self._entries:
            if isinstance(entry, TimersWentOn):
                since_ms = entry.at_ms if entry.after_seq >= began_seq else since_ms
            elif entry.after_seq >= began_seq and entry.left_ms is not None:
                left_ms = entry.left_ms
        if self.are_stopped or since_ms is None or not times:
            return left_ms
        return max(0, left_ms - max(0, times[-1] - since_ms))


def _times(history: Sequence[Step]) -> tuple[list[int], int]:
    """Return when the turn in hand began and what was done in it since, in order, and the `seq` of what began it."""
    times: list[int] = []
    for step in reversed(history):
        times.insert(0, step.acted.at_ms)
        if not goes_on_with_time(step.acted.action):
            return times, step.acted.seq
    return times, 0
