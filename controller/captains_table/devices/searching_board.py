"""Boards that are tried until they work: one on a port is searched for, the Pi's pins are opened again after errors."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeVar

from captains_table.devices.ports import BoardDevice, BoardEvent, OnEvent
from captains_table.devices.serial_port import DevicePort, PortGone
from captains_table.devices.worker_device import backoff_s
from captains_table.phrases import message_of, say
from captains_table.table.model.events import BoardLost, BoardRead

D = TypeVar("D")

LOOK_MS: Final = 500
BUSY_MS: Final = 20
FIRST_PAUSE_S: Final = 1.0

OpenBoardPort = Callable[[str, Callable[[bytes], None], Callable[[], None]], DevicePort]
"""Opens a device by its path, with callbacks for bytes read and for the device being gone; raises PortGone."""


class SearchingBoard(ABC, Generic[D]):
    """The search for a board, and the timer of its driver, which says how to speak to it.

    Args:
        find: returns the devices to try, in this order; called at each search for the board.
        sought: the name of the sought board for messages.
    """

    def __init__(self, find: Callable[[], Sequence[D]], sought: str) -> None:
        self._find = find
        self._sought = sought
        self._on_event: OnEvent = lambda _, __: None
        self._port: DevicePort | None = None
        self._path = ""  # of the device that was tried last
        self._timer: asyncio.Handle | None = None
        self._look_ms = 0
        self._trouble = self.missing

    @property
    def missing(self) -> str:
        """Return the message to show until the board first answers."""
        return say("No board found: looking for {board}", self._sought)

    def open(self, on_event: OnEvent) -> None:
        """Start to search for the board; from now on, `on_event` is called with each event of the board."""
        self._loop = asyncio.get_running_loop()
        self._on_event = on_event
        self._work()

    def close(self) -> None:
        """Stop reporting, switch the lights off and close the port."""
        self._on_event = lambda _, __: None
        self._come_back(None)
        port, self._port = self._port, None
        if port is not None:
            port.write(self._last_bytes(self._now_ms()))
            port.close()

    # --- what a driver says -----------------------------------------------------------------------------------------

    @abstractmethod
    def _next_device(self, devices: Sequence[D]) -> tuple[str, OpenBoardPort]:
        """Return the path of the device to be tried now, one of those that were found, and how it is opened."""

    @abstractmethod
    def _begin(self, now_ms: int) -> None:
        """Begin to speak to the device that has just been opened."""

    @abstractmethod
    def _last_bytes(self, now_ms: int) -> bytes:
        """Return what to send before the port is closed."""

    @abstractmethod
    def _speak(self, port: DevicePort, now_ms: int) -> None:
        """Send, receive and give up as due."""

    @abstractmethod
    def _next_ms(self) -> int:
        """Return when to speak again; called while the port is open."""

    @abstractmethod
    def _lose_device(self, now_ms: int) -> None:
        """Forget what was on its way to and from a device that is not read any more."""

    # --- at work ----------------------------------------------------------------------------------------------------

    def _now_ms(self) -> int:
        return int(asyncio.get_running_loop().time() * 1000)

    def _soon(self) -> None:
        """Schedule `_work` for the next iteration of the event loop."""
        if self._timer is not None:
            self._come_back(self._loop.call_soon(self._work))

    def _come_back(self, timer: asyncio.Handle | None) -> None:
        """Cancel the timer for the next call of `_work`, and replace it with `timer`; `None` sets no timer."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = timer

    def _work(self) -> None:
        """Search and speak as due, and set the timer for the next due time."""
        now_ms = self._now_ms()
        if self._port is None and now_ms >= self._look_ms:
            self._look(now_ms)
        if self._port is not None:
            self._speak(self._port, now_ms)
        self._come_back(self._loop.call_at(max(self._due_ms(now_ms), now_ms + 1) / 1000, self._work))

    def _due_ms(self, now_ms: int) -> int:
        if self._port is None:
            return self._look_ms
        return now_ms + BUSY_MS if self._port.is_busy else self._next_ms()

    def _look(self, now_ms: int) -> None:
        """Open the next device; if none is found or it cannot be opened, search again later."""
        self._look_ms = now_ms + LOOK_MS
        devices = self._find()
        if not devices:
            self._lose(self.missing, now_ms)
            return
        self._path, open_port = self._next_device(devices)
        try:
            self._port = open_port(self._path, self._on_data, self._gone)
        except PortGone as error:
            self._lose(say("No board: cannot open {error}", error.strerror or ""), now_ms)
            return
        self._begin(now_ms)
        if self._trouble == self.missing:
            self._lose(say("Waiting for the board on {path}", self._path), now_ms)

    def _on_data(self, data: bytes) -> None:
        self._receive(data, self._now_ms())
        self._work()

    @abstractmethod
    def _receive(self, data: bytes, now_ms: int) -> None:
        """Report what bytes of the device say."""

    def _gone(self) -> None:
        now_ms = self._now_ms()
        self._port, self._look_ms = None, now_ms + LOOK_MS
        self._lose_device(now_ms)
        self._lose(say("The board is gone from {path}: is it plugged in?", self._path), now_ms)
        self._soon()

    def _give_up(self, question: str, now_ms: int) -> None:
        """Close a device that does not answer, so that the next one is tried at once."""
        if self._port is not None:
            self._port.close()
        self._port, self._look_ms = None, now_ms
        self._lose_device(now_ms)
        self._lose(say("No answer from {path}: {question}", self._path, question), now_ms)

    def _lose(self, trouble: str, now_ms: int) -> None:
        if trouble != self._trouble:
            self._trouble = trouble
            self._on_event(BoardLost(trouble), now_ms)


class RetryingBoard:
    """A `BoardDevice` that tries to open its pins until it succeeds, and reopens them after the scan has failed.

    The pauses between attempts grow exponentially, up to LONGEST_RETRY_S.

    Args:
        make: opens the board; raises OSError.
    """

    missing: Final = "The switches have not been read yet"

    def __init__(self, make: Callable[[], BoardDevice]) -> None:
        self._make = make
        self._board: BoardDevice | None = None
        self._on_event: OnEvent | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._failures = 0  # since the board's last `BoardRead`
        self._trouble = ""

    def open(self, on_event: OnEvent) -> None:
        """Start trying to open the pins; the callback gets the board's events."""
        self._on_event = on_event
        self._try()

    def close(self) -> None:
        """Stop reporting and release the pins; calling it again does nothing."""
        self._on_event = None
        if self._timer is not None:
            self._timer.cancel()
        self._let_go()

    def _try(self) -> None:
        try:
            self._board = self._make()
        except OSError as error:
            self._lose(say("No board: {error}", message_of(error)), asyncio.get_running_loop().time() * 1000)
        else:
            self._board.open(self._pass_on)

    def _pass_on(self, event: BoardEvent, at_ms: float) -> None:
        if self._on_event is None:
            return
        if isinstance(event, BoardLost):
            self._let_go()
            self._lose(event.words, at_ms)
            return
        if isinstance(event, BoardRead):
            self._failures, self._trouble = 0, ""
        self._on_event(event, at_ms)

    def _lose(self, trouble: str, at_ms: float) -> None:
        """Schedule a retry, and report the failure if it differs from the last reported failure."""
        self._failures += 1
        pause = backoff_s(FIRST_PAUSE_S, self._failures)
        self._timer = asyncio.get_running_loop().call_later(pause, self._try)
        if trouble != self._trouble and self._on_event is not None:
            self._trouble = trouble
            self._on_event(BoardLost(trouble), at_ms)

    def _let_go(self) -> None:
        board, self._board = self._board, None
        if board is not None:
            board.close()
