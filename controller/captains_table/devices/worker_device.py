"""A base class for devices with a worker thread that handles only the latest value: display, lights, buzzer, speech.

It also reports faults. If a device says so, a value that failed is handled again after pauses that grow. `Reopening`
opens a resource of such a device on first use, and again after an error: it may have been plugged in again.
"""

import contextlib
from collections.abc import Callable
from threading import Condition, Thread
from typing import ClassVar, Final, Generic, NamedTuple, TypeVar

from captains_table.phrases import message_of, say

T = TypeVar("T")
R = TypeVar("R")

CLOSING_S: Final = 2.0  # after this the thread of a hanging device is abandoned (it is a daemon thread)
LONGEST_RETRY_S: Final = 30.0  # a device that is plugged in again works within half a minute


class FaultMessages(NamedTuple):
    """The fault messages of a device.

    Attributes:
        silent: the device does not answer.
        stuck: the device cannot be switched off.
        stopped: the device's worker thread ended.
    """

    silent: str
    stuck: str
    stopped: str


def backoff_s(first_s: float, failures: int) -> float:
    """Return the exponential backoff in seconds, at most LONGEST_RETRY_S.

    Args:
        first_s: the backoff after the first failure.
        failures: the number of consecutive failures, at least 1.
    """
    return min(LONGEST_RETRY_S, first_s * 2.0 ** min(failures - 1, 30))


def _sentence(what: str, error: Exception) -> str:
    words = message_of(error)
    if words.endswith(("?", ".")):
        return say("{problem}: {error}", what, words)
    return say("{problem}: {error}.", what, words)


class WorkerDevice(Generic[T]):
    """A device with a worker thread that handles the value put last; only that thread uses the bus or pins.

    A value that is still waiting when the next one is put is dropped. All methods may be called from any thread and
    return at once, except `close` and the `wait_` methods. Only the worker thread calls `_handle` and `_finish`. The
    thread starts in `__init__`, so a subclass must call `super().__init__` last.

    Args:
        on_handled: called after each value that was handled without an error; it must not raise.
        on_fault: called whenever `fault` changed; it must not raise.

    Attributes:
        name: the name of the thread.
        words: the fault messages of the device.
        errors: the exceptions by which `_handle` and `_finish` report that the device failed; any other exception is a
            bug and ends the thread.
        retry_s: seconds until a value that failed is handled again, doubled after each further failure up to
            LONGEST_RETRY_S; `None` if a failed value is not handled again.
    """

    name: ClassVar[str]
    words: ClassVar[FaultMessages]
    errors: tuple[type[Exception], ...] = ()
    retry_s: float | None = None

    def __init__(
        self, on_handled: Callable[[], None] | None = None, on_fault: Callable[[], None] | None = None
    ) -> None:
        self._fault: str | None = None
        self._failures = 0  # in a row
        self._on_handled = on_handled
        self._on_fault = on_fault
        self._changed = Condition()
        self._latest: list[T] = []  # one value, or none yet
        self._is_new = False
        self._is_busy = False
        self._is_closing = False
        self._again_s: float | None = None
        self._thread = Thread(target=self._work, name=self.name, daemon=True)
        self._thread.start()

    def _handle(self, value: T, is_new: bool) -> float | None:  # noqa: FBT001 - in every device
        """Handle a value; return the seconds until the value must be handled again, `None` if it need not be.

        Args:
            value: the latest value.
            is_new: whether the value was put or touched since the last call.
        """
        raise NotImplementedError

    def _finish(self) -> None:
        """Switch the device off; called once before the thread ends."""
        raise NotImplementedError

    @property
    def fault(self) -> str | None:
        """Return a sentence about the current failure; `None` while the device works."""
        return self._fault

    def _put(self, value: T) -> None:
        """Pass a value to the thread, and drop an earlier value that still waits; ignored after closing."""
        with self._changed:
            self._latest = [value]
            self._touch()

    def _touch(self) -> None:
        """Make the worker handle the latest value again, like a new value.

        Do nothing if there is no value yet, or after closing.
        """
        with self._changed:
            self._is_new = bool(self._latest) and not self._is_closing
            self._changed.notify_all()

    def close(self) -> None:
        """Switch the device off and end the thread, waiting at most CLOSING_S; calling it again does nothing."""
        with self._changed:
            self._is_closing, self._is_new = True, False
            self._changed.notify_all()
        self._thread.join(CLOSING_S)

    def wait_idle(self, timeout_s: float) -> bool:
        """Wait until the latest value was handled, even if that failed; return False on timeout."""
        with self._changed:
            return self._changed.wait_for(lambda: not (self._is_busy or self._is_new), timeout_s)

    # --- the thread -------------------------------------------------------------------------------------------------

    def _work(self) -> None:
        try:
            while (due := self._next()) is not None:
                self._do(*due)
            try:
                self._finish()
            except self.errors as error:
                self._report(_sentence(self.words.stuck, error))
        finally:
            if not self._is_closing:  # a bug: the traceback goes to the log, the players see that the device stopped
                self._report(self.words.stopped)
            with self._changed:
                self._is_closing, self._is_new = True, False
                self._rest(None)

    def _next(self) -> tuple[T, bool] | None:
        """Wait for a new value, or until the last one is due again.

        Return the value and whether it is new; `None` when the device is being closed.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._is_closing or self._is_new, self._again_s)
            if self._is_closing:
                return None
            is_new, self._is_new, self._is_busy = self._is_new, False, True
            return self._latest[0], is_new

    def _do(self, value: T, is_new: bool) -> None:  # noqa: FBT001 - as in `_handle`
        again_s = None
        try:
            again_s = self._handle(value, is_new)
        except self.errors as error:
            self._failures += 1
            again_s = None if self.retry_s is None else backoff_s(self.retry_s, self._failures)
            self._report(_sentence(self.words.silent, error))
        else:
            self._failures = 0
            self._report(None)
            if self._on_handled is not None:
                self._on_handled()
        with self._changed:
            self._rest(again_s)

    def _report(self, fault: str | None) -> None:
        is_news, self._fault = fault != self._fault, fault
        if is_news and self._on_fault is not None:
            self._on_fault()

    def _rest(self, again_s: float | None) -> None:
        self._is_busy, self._again_s = False, again_s
        self._changed.notify_all()


class Reopening(Generic[T]):
    """A resource that is opened on first use and closed after an error. Only one thread may use it.

    Args:
        open_: opens the resource.
        close: closes the resource.
        errors: the exceptions that mean that opening or using it failed.
    """

    def __init__(
        self, open_: Callable[[], T], close: Callable[[T], object], errors: tuple[type[Exception], ...]
    ) -> None:
        self._open = open_
        self._close = close
        self._errors = errors
        self._opened: list[T] = []  # at most one

    def use(self, act: Callable[[T], R]) -> R:
        """Call `act` with the resource, which is opened first if necessary, and return the result.

        If one of the `errors` is raised, close the resource and raise the error again.
        """
        try:
            if not self._opened:
                self._opened.append(self._open())
            return act(self._opened[0])
        except self._errors:
            self.drop()
            raise

    def drop(self) -> None:
        """Close the resource and ignore its errors; the next `use` opens it again."""
        while self._opened:
            with contextlib.suppress(*self._errors):
                self._close(self._opened.pop())
