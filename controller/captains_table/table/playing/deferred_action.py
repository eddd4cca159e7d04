"""Keeps an action waiting if it would make an ambiguous move final; players must first say which move they made.

Source: docs/contracts.md Contract 2.
"""

from collections.abc import Callable

from captains_table.games.contract import IllegalAction
from captains_table.table.model.settings import Settings
from captains_table.table.recognition.board_monitor import BoardMonitor, MonitorState

DeferredCall = Callable[[], object]


class DeferredAction:
    """Holds the action that waits for the answer to a question about the board; at most one action waits.

    Args:
        monitor: the state of the board.
        settings: the table's settings, including how long the board must be quiet.
    """

    def __init__(self, monitor: BoardMonitor, settings: Settings) -> None:
        self._monitor = monitor
        self._settings = settings
        self._deed: DeferredCall | None = None
        self._owed = False
        self._considered_ms: int | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether an action waits for an answer; meanwhile no clock runs."""
        return self._deed is not None

    @property
    def is_owed(self) -> bool:
        """Whether an action is waiting and no other action may replace it; an example is a bid in an auction."""
        return self._deed is not None and self._owed

    def asks_first(self, deed: DeferredCall, *, owed: bool = False) -> bool:
        """Ask which move was made if several are possible, and let an action wait for the answer.

        The action replaces an action that waits already. If the waiting action is protected (`owed`), the new action is
        dropped instead.

        Args:
            deed: the action.
            owed: whether the action is protected from being replaced while it waits.

        Returns:
            Whether the question is asked.
        """
        if not self._monitor.ask_stories():
            return False
        if not self.is_owed:
            self._deed, self._owed = deed, owed
        self._considered_ms = None
        return True

    def forget(self) -> None:
        """Drop the waiting action, for example because the question was closed."""
        self._deed = None

    def carry_out(self) -> None:
        """Do the waiting action, unless pieces are being moved on the board; drop it if it is not allowed any more."""
        deed = self._deed
        if deed is None or self._monitor.is_unfinished():
            return
        self._deed = None
        try:
            deed()
        except IllegalAction:
            return  # another move was made than assumed, after which the action is not allowed

    def due_ms(self) -> int | None:
        """Return when to reconsider the waiting action; `None` if there is nothing to reconsider.

        If players move pieces instead of answering, the action is reconsidered once the board is quiet again.
        """
        has_changed = self._considered_ms != self._monitor.changed_ms
        if self._deed is None or self._monitor.state is not MonitorState.WATCHING or not has_changed:
            return None
        return self._monitor.changed_ms + self._settings.slide_ms

    def reconsider(self) -> None:
        """Ask again if the last move is still ambiguous, else do the waiting action."""
        deed = self._deed
        self._considered_ms = self._monitor.changed_ms
        if deed is not None and not self.asks_first(deed):
            self.carry_out()
