"""A worker thread for a device to which only the latest value matters: what shows, lights or sounds."""

from collections.abc import Callable
from threading import Condition, Thread
from typing import Any, Final, Generic, NamedTuple, TypeVar

T = TypeVar("T")

CLOSING_S: Final = 2.0  # a device that hangs longer than this is left alone: its worker does not hold the process
LONGEST_RETRY_S: Final = 30.0  # what is plugged in again is there within half a minute


class FaultWords(NamedTuple):
    """What is said of a device: that it does not answer, that it cannot be switched off, that its worker ended."""

    silent: str
    stuck: str
    stopped: str


def pause_s(first_s: float, failures: int) -> float:
    """Return how many seconds to wait before the next attempt, after so many failures (1 or more) in a row."""
    return min(LONGEST_RETRY_S, first_s * 2.0 ** min(failures - 1, 30))


def _sentence(what: str, error: Exception) -> str:
    words = f"{what}: {error}"
    return words if words.endswith(("?", ".")) else f"{words}."


class LatestWins(Generic[T]):
    """A thread that handles the latest value it was given; one that it has not begun with is dropped.

    All methods may be called from any thread, and all but `close` and those that wait return at once. What is handed
    in is called by the thread alone.

    Args:
        name: the thread's.
        handle: takes a value, and whether it was put since it was called last; returns after how many seconds it is to
            be called with the same value again, `None`: not before another one is put.
        finish: switches the device off when all is over.
        words: what is said of the device.
        errors: what `handle` and `finish` raise where the device fails; anything else is an error of ours, with which
            the thread ends.
        retry_s: after how many seconds a value that failed is handled again, twice as long after each further failure
            up to LONGEST_RETRY_S; `None`: not before another one is put.
        on_handled: is called after each value that was handled without an error; it must not raise.
        on_fault: is called whenever `fault` changed; it must not raise.

    Attributes:
        fault: a sentence about a device that fails, `None` while all is well.
    """

    def __init__(  # noqa: PLR0913 - one device's ways, most of them left as they are
        self,
        name: str,
        handle: Callable[[T, bool], float | None],
        finish: Callable[[], None],
        words: FaultWords,
        *,
        errors: tuple[type[Exception], ...] = (),
        retry_s: float | None = None,
        on_handled: Callable[[], None] | None = None,
        on_fault: Callable[[], None] | None = None,
    ) -> None:
        self.fault: str | None = None
        self._handle = handle
        self._finish = finish
        self._words = words
        self._errors = errors
        self._retry_s = retry_s
        self._failures = 0  # in a row
        self._on_handled = on_handled
        self._on_fault = on_fault
        self._changed = Condition()
        self._latest: list[T] = []  # one value, or none yet
        self._is_new = False
        self._is_busy = False
        self._is_closing = False
        self._again_s: float | None = None
        self._thread = Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def put(self, value: T) -> None:
        """Handle a value soon, instead of whichever was not handled yet; ignored after closing."""
        with self._changed:
            self._latest = [value]
            self.touch()

    def touch(self) -> None:
        """Handle the latest value once more, as a new one, if there is one."""
        with self._changed:
            self._is_new = bool(self._latest) and not self._is_closing
            self._changed.notify_all()

    def close(self) -> None:
        """Finish and end the thread; a second time does nothing."""
        with self._changed:
            self._is_closing, self._is_new = True, False
            self._changed.notify_all()
        self._thread.join(CLOSING_S)

    def wait_idle(self, timeout_s: float) -> bool:
        """Wait until the latest value was handled, well or not; return whether that came true in time."""
        with self._changed:
            return self._changed.wait_for(lambda: not (self._is_busy or self._is_new), timeout_s)

    def wait_at_rest(self, timeout_s: float) -> bool:
        """Wait until, besides, it is not to be handled again; return whether that came true in time."""
        with self._changed:
            return self._changed.wait_for(
                lambda: not (self._is_busy or self._is_new) and self._again_s is None, timeout_s
            )

    # --- the thread -------------------------------------------------------------------------------------------------

    def _work(self) -> None:
        try:
            while (due := self._next()) is not None:
                self._do(*due)
            self._end()
        finally:
            if not self._is_closing:  # an error of ours: the traceback says which, the table should know
                self._report(self._words.stopped)
            with self._changed:
                self._is_closing, self._is_new = True, False
                self._rest(None)

    def _next(self) -> tuple[T, bool] | None:
        """Wait for a new value, or until the last one is due again; return it and whether it is new, or `None`."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_closing or self._is_new, self._again_s)
            if self._is_closing:
                return None
            is_new, self._is_new, self._is_busy = self._is_new, False, True
            return self._latest[0], is_new

    def _do(self, value: T, is_new: bool) -> None:  # noqa: FBT001 - as `handle` takes it
        again_s = None
        try:
            again_s = self._handle(value, is_new)
        except self._errors as error:
            again_s = self._pause_s()
            self._report(_sentence(self._words.silent, error))
        else:
            self._failures = 0
            self._report(None)
            if self._on_handled is not None:
                self._on_handled()
        with self._changed:
            self._rest(again_s)

    def _pause_s(self) -> float | None:
        """Return how long to wait after one more failure, `None`: until another value is put."""
        self._failures += 1
        return None if self._retry_s is None else pause_s(self._retry_s, self._failures)

    def _report(self, fault: str | None) -> None:
        is_news, self.fault = fault != self.fault, fault
        if is_news and self._on_fault is not None:
            self._on_fault()

    def _rest(self, again_s: float | None) -> None:
        self._is_busy, self._again_s = False, again_s
        self._changed.notify_all()

    def _end(self) -> None:
        try:
            self._finish()
        except self._errors as error:
            self._report(_sentence(self._words.stuck, error))


class WorkerDevice:
    """A device whose bus or pins are its worker's alone. All methods may be called from any thread."""

    _worker: LatestWins[Any]

    @property
    def fault(self) -> str | None:
        """A sentence about a device that fails, `None` while all is well."""
        return self._worker.fault

    def close(self) -> None:
        """Switch the device off, end the worker and let go; a second time does nothing."""
        self._worker.close()

    def wait_idle(self, timeout_s: float) -> bool:
        """Wait until the latest that was asked for was done or failed; return whether that came true in time."""
        return self._worker.wait_idle(timeout_s)

    def wait_at_rest(self, timeout_s: float) -> bool:
        """Wait until, besides, nothing more comes by itself; return whether that came true in time."""
        return self._worker.wait_at_rest(timeout_s)
