"""Runs a table in real time: executes actions, fires timers when they are due, and stops if the journal fails.

After each action it has requests carried out, lets computers think, and wakes all subscribers.
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from typing import TypeVar

from captains_table.devices.ports import JournalUnwritable
from captains_table.phrases import say
from captains_table.runtime.match_archive import CannotRead, reading_journal
from captains_table.runtime.session import Session
from captains_table.table.model.events import TimePassed

T = TypeVar("T")


class TableStopped(RuntimeError):
    """The table has stopped, because its journal can no longer be written."""


class TableLoop:
    """Runs a table's actions and timers on the running event loop.

    Args:
        session: the table's session.

    Attributes:
        attend: is called after each action to carry out the requests that the action caused; raises the journal's
            errors.
        follow: is called after each action to let computers think about the next decision.
        notify: is called after each action to wake all subscribers.
        fail: is called with the error when the journal cannot be written; must stop the table.
        stopped: whether the table has stopped permanently.
        rests: whether the table does nothing for now, because the machine is being switched off.
    """

    def __init__(self, session: Session) -> None:
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()
        self._session = session
        self.attend: Callable[[], None] = lambda: None
        self.follow: Callable[[], None] = lambda: None
        self.notify: Callable[[], None] = lambda: None
        self.fail: Callable[[JournalUnwritable], None] = lambda _: None
        self._timer: asyncio.TimerHandle | None = None
        self.stopped = False
        self.rests = False

    def now_ms(self) -> int:
        """Return the table's time: the milliseconds since this loop was made, plus those skipped by `leap`."""
        return int((self._loop.time() - self._began) * 1000)

    def at_ms(self, loop_ms: float) -> int:
        """Convert a time of the event loop's clock to the table's time, both in milliseconds."""
        return int(loop_ms - self._began * 1000)

    def leap(self, ms: int) -> None:
        """Advance the table's time by `ms` milliseconds."""
        self._began -= ms / 1000

    def later(self, seconds: float, act: Callable[[], None]) -> None:
        """Call a function after some seconds."""
        self._loop.call_later(seconds, act)

    def do(self, act: Callable[[int], T]) -> T | None:
        """Call an action with the table's time and return its result.

        While the table rests and once it has stopped, do nothing and return `None`.

        Raises:
            TableStopped, CannotRead: see `happening`.
        """
        if self.stopped or self.rests:
            return None
        with self.happening() as now_ms:
            return act(now_ms)

    @contextlib.contextmanager
    def happening(self) -> Iterator[int]:
        """Run an action in the `with` block, then carry out the requests that the action caused.

        The block gets the table's time in milliseconds. At the end, even after an error, set the next timer, let
        computers think (unless the table has stopped), and wake all subscribers.

        Raises:
            TableStopped: the journal cannot be written, and the table has stopped.
            CannotRead: the journal cannot be read.
        """
        try:
            with self.using_journal():
                yield self.now_ms()
                self.attend()
        finally:
            self._set_timer()
            if not self.stopped:
                self.follow()
            self.notify()

    @contextlib.contextmanager
    def using_journal(self) -> Iterator[None]:
        """Turn the journal's errors into the errors below; if the journal cannot be written, stop the table.

        Raises:
            TableStopped: the journal cannot be written.
            CannotRead: the journal cannot be read.
        """
        try:
            with reading_journal():
                yield
        except JournalUnwritable as error:
            self.fail(error)
            raise TableStopped(say("The table has stopped: {problem}", error.words)) from error

    def stop(self) -> None:
        """Stop permanently: no action and no timer runs any more."""
        self.stopped = True
        self._cancel_timer()

    def _set_timer(self) -> None:
        self._cancel_timer()
        due_ms = self._session.due_ms()
        if due_ms is not None and not self.stopped:
            self._timer = self._loop.call_at(self._began + (due_ms + 1) / 1000, self._pass_time)

    def _pass_time(self) -> None:
        """Handle what is due at this time, and ignore errors of the journal.

        If the journal cannot be written, the table has already stopped.
        """
        with contextlib.suppress(TableStopped, CannotRead):
            self.do(lambda now_ms: self._session.handle(TimePassed(), now_ms))

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
