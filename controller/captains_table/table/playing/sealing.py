"""Sealing: what would make the last move final waits while it is not clear which move that was, and is done afterwards.

Source: docs/architecture.md Contract 2.
"""

from collections.abc import Callable

from captains_table.games.contract import IllegalAction
from captains_table.table.model.settings import Settings
from captains_table.table.recognition.board_monitor import BoardMonitor, MonitorState

Deed = Callable[[], object]


class Sealing:
    """The deed that waits for an answer, if one does.

    Args:
        monitor: what is known about the board.
        settings: how long hands that go on are waited for.
    """

    def __init__(self, monitor: BoardMonitor, settings: Settings) -> None:
        self._monitor = monitor
        self._settings = settings
        self._deed: Deed | None = None
        self._owed = False
        self._considered_ms: int | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether something waits for an answer: no clock runs meanwhile."""
        return self._deed is not None

    @property
    def is_owed(self) -> bool:
        """Whether what waits may not be displaced by what somebody else does meanwhile, such as a bid."""
        return self._deed is not None and self._owed

    def asks_first(self, deed: Deed, *, owed: bool = False) -> bool:
        """Ask what was done on the board if several stories fit, and return whether something waits for the answer.

        Args:
            deed: what waits, in place of what waited before, unless that is owed.
            owed: whether it may not be displaced.
        """
        if not self._monitor.ask_stories():
            return False
        if not self.is_owed:
            self._deed, self._owed = deed, owed
        self._considered_ms = None
        return True

    def forget(self) -> None:
        """Do nothing after all: the question was left, or another match is played."""
        self._deed = None

    def carry_out(self) -> None:
        """Do what waited, now that it is clear what was done on the board and no hand is at work on it."""
        deed = self._deed
        if deed is None or self._monitor.is_unfinished():
            return
        self._deed = None
        try:
            deed()
        except IllegalAction:
            return  # after another move than the one believed it is not offered any more

    def due_ms(self) -> int | None:
        """Return when hands that went on instead of answering have rested; `None` while they are waited for."""
        has_changed = self._considered_ms != self._monitor.changed_ms
        if self._deed is None or self._monitor.state is not MonitorState.WATCHING or not has_changed:
            return None
        return self._monitor.changed_ms + self._settings.slide_ms

    def reconsider(self) -> None:
        """Ask again once the hands rest, or do what waited if it is clear by now."""
        deed = self._deed
        self._considered_ms = self._monitor.changed_ms
        if deed is not None and not self.asks_first(deed):
            self.carry_out()
