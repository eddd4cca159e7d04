"""The one worker behind glass, lights and buzzer."""

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from threading import Event

import pytest

from captains_table.devices import worker_device
from captains_table.devices.worker_device import FaultMessages, WorkerDevice
from tests.devices.reports import wait_at_rest
from tests.support.patience import PATIENCE_S


class Lamp:
    """A device that notes what it is given, hangs until it is let go, and fails where it is told to."""

    def __init__(self) -> None:
        self.handled: list[tuple[str, bool]] = []
        self.reached, self.let_go = Event(), Event()
        self.let_go.set()
        self.error: Exception | None = None
        self.again_s: float | None = None
        self.finished = 0

    def handle(self, value: str, is_new: bool) -> float | None:  # noqa: FBT001 - as a device takes it
        self.reached.set()
        assert self.let_go.wait(PATIENCE_S)
        self.handled.append((value, is_new))
        if self.error is not None:
            raise self.error
        return self.again_s

    def finish(self) -> None:
        self.finished += 1
        if self.error is not None:
            raise self.error


class Worker(WorkerDevice[str]):
    """Does the work of a lamp; it is closed after the test."""

    name = "lamp"
    words = FaultMessages("The lamp does not answer", "The lamp could not be put out", "The lamp stopped working.")
    errors = (OSError,)

    def __init__(self, lamp: Lamp, retry_s: float | None = None, on_handled: Callable[[], None] | None = None) -> None:
        self._handle, self._finish = lamp.handle, lamp.finish  # type: ignore[method-assign]
        self.retry_s = retry_s
        super().__init__(on_handled)

    def take(self, value: str) -> None:
        """Put a value and wait until it was handled."""
        self._put(value)
        assert self.wait_idle(PATIENCE_S)


@pytest.fixture
def lamp() -> Lamp:
    return Lamp()


@pytest.fixture
def worker(lamp: Lamp) -> Iterator[Worker]:
    with closing(Worker(lamp)) as worker:
        yield worker


def test_values_put_while_the_device_hangs_are_dropped_but_for_the_last(lamp: Lamp, worker: Worker) -> None:
    lamp.let_go.clear()
    worker._put("red")
    assert lamp.reached.wait(PATIENCE_S)
    for value in ("blue", "green", "white"):
        worker._put(value)  # returns although the device hangs, or the test would time out here
    assert not worker.wait_idle(0)
    lamp.let_go.set()
    assert worker.wait_idle(PATIENCE_S)
    assert lamp.handled == [("red", True), ("white", True)]


def test_a_value_is_handled_again_when_it_asks_for_it_and_until_another_comes(lamp: Lamp) -> None:
    lamp.again_s = 0.001
    repeats = threading.Semaphore(0)
    worker = Worker(lamp, on_handled=repeats.release)
    worker._put("blinking")
    for _ in range(4):
        assert repeats.acquire(timeout=PATIENCE_S)
    assert not wait_at_rest(worker, 0)
    lamp.again_s = None
    worker._put("steady")
    assert wait_at_rest(worker)
    assert lamp.handled[:2] == [("blinking", True), ("blinking", False)]
    assert lamp.handled[-1] == ("steady", True)
    worker.close()


def test_a_touch_handles_the_latest_value_anew_and_nothing_before_the_first(lamp: Lamp, worker: Worker) -> None:
    worker._touch()
    assert worker.wait_idle(PATIENCE_S)
    assert lamp.handled == []
    worker.take("red")
    worker._touch()
    assert worker.wait_idle(PATIENCE_S)
    assert lamp.handled == [("red", True), ("red", True)]


def test_a_device_that_fails_is_a_fault_until_a_value_is_handled_again(lamp: Lamp) -> None:
    lamp.error = OSError("no current")
    handled: list[bool] = []
    device = Worker(lamp, on_handled=lambda: handled.append(device.fault is None))
    device._put("red")
    assert wait_at_rest(device)
    assert (device.fault, handled) == ("The lamp does not answer: no current.", [])
    lamp.error = None
    device.take("red")
    assert (device.fault, handled) == (None, [True])
    device.close()


def test_a_value_that_failed_is_tried_again_by_itself_where_that_is_wanted(lamp: Lamp) -> None:
    lamp.error = OSError("no current")
    recovered = Event()
    worker = Worker(lamp, retry_s=0.001, on_handled=recovered.set)
    worker.take("red")
    lamp.error = None
    assert recovered.wait(PATIENCE_S)
    assert worker.fault is None
    assert set(lamp.handled) == {("red", True), ("red", False)}
    worker.close()


def test_a_device_that_has_answered_is_tried_again_as_soon_as_one_that_fails_for_the_first_time(
    lamp: Lamp,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    failures: list[int] = []

    def noted(first_s: float, in_a_row: int) -> float:
        failures.append(in_a_row)
        return first_s

    monkeypatch.setattr(worker_device, "backoff_s", noted)
    recovered = Event()
    worker = Worker(lamp, retry_s=PATIENCE_S, on_handled=recovered.set)
    for error in (OSError("no current"), OSError("still none"), None, OSError("none again")):
        lamp.error = error
        worker.take("red")
    assert recovered.is_set()
    assert failures == [1, 2, 1]
    worker.close()


def test_an_error_of_ours_ends_the_worker_loudly_and_is_a_fault(
    lamp: Lamp, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    raised: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", raised.append)
    lamp.error = ZeroDivisionError("a bug")
    worker._put("red")
    worker._thread.join(PATIENCE_S)
    assert worker.fault == "The lamp stopped working."
    assert [str(args.exc_value) for args in raised] == ["a bug"]
    worker.take("blue")
    worker.close()
    assert (len(lamp.handled), lamp.finished) == (1, 0)


def test_closing_finishes_once_and_drops_what_comes_after(lamp: Lamp, worker: Worker) -> None:
    worker.take("red")
    worker.close()
    worker.close()
    worker.take("blue")
    assert (lamp.handled, lamp.finished, worker.fault) == ([("red", True)], 1, None)
    assert not worker._thread.is_alive()


def test_a_device_that_cannot_be_switched_off_is_a_fault(lamp: Lamp, worker: Worker) -> None:
    lamp.error = OSError("no current")
    worker.close()
    assert not worker._thread.is_alive()
    assert worker.fault == "The lamp could not be put out: no current."
