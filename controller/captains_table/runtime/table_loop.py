"""A table in real time: what happens happens now, what is due happens by itself, a journal that fails ends it."""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from captains_table.devices.ports import JournalUnwritable
from captains_table.runtime.driver import TableDriver
from captains_table.runtime.match_archive import reading_journal
from captains_table.web.port import CannotRead, TableStopped


@dataclass(frozen=True, slots=True)
class Consequences:
    """What follows from whatever happens at a table.

    Attributes:
        attend: carries out what was asked for by it; the journal may fail in that.
        follow: lets computers think about what is to be decided now.
        notify: wakes everyone who watches.
        fail: stops the table, as its journal takes no more.
    """

    attend: Callable[[], None]
    follow: Callable[[], None]
    notify: Callable[[], None]
    fail: Callable[[JournalUnwritable], None]


class TableLoop:
    """Lets things happen at a table on the running event loop.

    Args:
        table: the table that is played at.
        consequences: what follows from them.

    Attributes:
        stopped: whether nothing happens any more.
        rests: whether nothing happens for now, as the machine is being switched off.
    """

    def __init__(self, table: TableDriver, consequences: Consequences) -> None:
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()
        self._table = table
        self._consequences = consequences
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

    def do(self, act: Callable[[int], None]) -> None:
        """Let something happen, set the next timer, wake those who watch; a journal that fails stops the table.

        Raises:
            TableStopped: the journal cannot be written.
            CannotRead: it cannot be read.
        """
        if self.stopped or self.rests:
            return
        try:
            with self.using_journal():
                act(self.now_ms())
                self._consequences.attend()
        finally:
            self._set_timer()
            if not self.stopped:
                self._consequences.follow()
            self._consequences.notify()

    def do_unasked(self, act: Callable[[int], None]) -> None:
        """Let something happen that nobody waits for: a journal that fails is told elsewhere, or to whoever asks it."""
        with contextlib.suppress(TableStopped, CannotRead):
            self.do(act)

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
            self._consequences.fail(error)
            raise TableStopped(f"The table has stopped: {error.words}") from error

    def stop(self) -> None:
        """Let nothing happen any more."""
        self.stopped = True
        self._cancel_timer()

    def _set_timer(self) -> None:
        self._cancel_timer()
        due_ms = self._table.due_ms()
        if due_ms is not None and not self.stopped:
            self._timer = self._loop.call_at(self._began + (due_ms + 1) / 1000, self.do_unasked, self._table.tick)

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
