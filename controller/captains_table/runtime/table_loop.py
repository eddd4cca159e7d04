"""A table in real time: what happens happens now, what is due happens by itself, a journal that fails ends it."""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from typing import TypeVar

from captains_table.devices.ports import JournalUnwritable
from captains_table.runtime.match_archive import CannotRead, reading_journal
from captains_table.runtime.session import Session
from captains_table.table.model.events import TimePassed

T = TypeVar("T")


class TableStopped(RuntimeError):
    """The table does nothing more, because what is done can no longer be kept."""


class TableLoop:
    """Lets things happen at a table on the running event loop.

    Args:
        session: the table at work.

    Attributes:
        attend: carries out what was asked for by what happened; the journal may fail in that.
        follow: lets computers think about what is to be decided now.
        notify: wakes everyone who watches.
        fail: stops the table, as its journal takes no more.
        stopped: whether nothing happens any more.
        rests: whether nothing happens for now, as the machine is being switched off.
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
        """Return the table's time, in milliseconds."""
        return int((self._loop.time() - self._began) * 1000)

    def at_ms(self, loop_ms: float) -> int:
        """Return the table's time at a time of the event loop's clock, both in milliseconds."""
        return int(loop_ms - self._began * 1000)

    def leap(self, ms: int) -> None:
        """Let the table's time be later by so much from now on."""
        self._began -= ms / 1000

    def later(self, seconds: float, act: Callable[[], None]) -> None:
        """Do something in a while."""
        self._loop.call_later(seconds, act)

    def do(self, act: Callable[[int], T]) -> T | None:
        """Let something happen now, and return what it does; nothing happens while the table rests or has stopped.

        Raises:
            TableStopped, CannotRead: see `happening`.
        """
        if self.stopped or self.rests:
            return None
        with self.happening() as now_ms:
            return act(now_ms)

    @contextlib.contextmanager
    def happening(self) -> Iterator[int]:
        """Yield the table's time, in which something happens; set the next timer after it and wake those who watch.

        Raises:
            TableStopped: the journal cannot be written, and the table has stopped.
            CannotRead: it cannot be read.
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
        """Let a journal that takes no more stop the table, and the page know of one that cannot be read.

        Raises:
            TableStopped: the journal cannot be written.
            CannotRead: it cannot be read.
        """
        try:
            with reading_journal():
                yield
        except JournalUnwritable as error:
            self.fail(error)
            raise TableStopped(f"The table has stopped: {error.words}") from error

    def stop(self) -> None:
        """Let nothing happen any more."""
        self.stopped = True
        self._cancel_timer()

    def _set_timer(self) -> None:
        self._cancel_timer()
        due_ms = self._session.due_ms()
        if due_ms is not None and not self.stopped:
            self._timer = self._loop.call_at(self._began + (due_ms + 1) / 1000, self._pass_time)

    def _pass_time(self) -> None:
        """Let happen what is due; a journal that fails then is told to whoever asks for something next."""
        with contextlib.suppress(TableStopped, CannotRead):
            self.do(lambda now_ms: self._session.handle(TimePassed(), now_ms))

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
