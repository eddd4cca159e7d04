"""A board on the Pi's pins that is opened and reopened until it works; failures are reported meanwhile."""

import asyncio
from collections.abc import Callable
from typing import Final

from captains_table.devices.ports import BoardDevice, BoardEvent, OnEvent
from captains_table.devices.worker_device import backoff_s
from captains_table.phrases import message_of, say
from captains_table.table.model.events import BoardLost, BoardRead

FIRST_PAUSE_S: Final = 1.0


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
            self._lose(say("No board: {error}", error=message_of(error)), asyncio.get_running_loop().time() * 1000)
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
