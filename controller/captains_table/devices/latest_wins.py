"""A worker thread for a device to which only the latest value matters: what shows, lights or sounds."""

from collections.abc import Callable
from threading import Condition, Thread
from typing import ClassVar, Final, Generic, NamedTuple, TypeVar

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


class WorkerDevice(Generic[T]):
    """A device whose bus or pins are its thread's alone, which handles the latest value it was given.

    A value that the thread has not begun with is dropped when another one comes. All methods may be called from any
    thread, and all but `close` and those that wait return at once; `_handle` and `_finish` are called by the device's
    thread alone. It starts with `__init__`, which a device therefore calls last.

    Args:
        on_handled: is called after each value that was handled without an error; it must not raise.
        on_fault: is called whenever `fault` changed; it must not raise.

    Attributes:
        name: the thread's.
        words: what is said of the device.
        errors: what `_handle` and `_finish` raise where the device fails; anything else is an error of ours, with which
            the thread ends.
        retry_s: after how many seconds a value that failed is handled again, twice as long after each further failure
            up to LONGEST_RETRY_S; `None`: not before another one is put.
    """

    name: ClassVar[str]
    words: ClassVar[FaultWords]
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

    def _handle(self, value: T, is_new: bool) -> float | None:  # noqa: FBT001 - of every device
        """Handle a value, and know whether it was put since the last call; return when it is to be handled again.

        The answer is in seconds, `None`: not before another value is put.
        """
        raise NotImplementedError

    def _finish(self) -> None:
        """Switch the device off when all is over."""
        raise NotImplementedError

    @property
    def fault(self) -> str | None:
        """A sentence about a device that fails, `None` while all is well."""
        return self._fault

    def _put(self, value: T) -> None:
        """Have a value handled soon, instead of whichever was not handled yet; ignored after closing."""
        with self._changed:
            self._latest = [value]
            self._touch()

    def _touch(self) -> None:
        """Have the latest value handled once more, as a new one, if there is one."""
        with self._changed:
            self._is_new = bool(self._latest) and not self._is_closing
            self._changed.notify_all()

    def close(self) -> None:
        """Switch the device off, end the thread and let go; a second time does nothing."""
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
            try:
                self._finish()
            except self.errors as error:
                self._report(_sentence(self.words.stuck, error))
        finally:
            if not self._is_closing:  # an error of ours: the traceback says which, the table should know
                self._report(self.words.stopped)
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

    def _do(self, value: T, is_new: bool) -> None:  # noqa: FBT001 - as `_handle` takes it
        again_s = None
        try:
            again_s = self._handle(value, is_new)
        except self.errors as error:
            self._failures += 1
            again_s = None if self.retry_s is None else pause_s(self.retry_s, self._failures)
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
