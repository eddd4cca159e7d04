"""The door of the page: connections are taken in here, and not by asyncio, so that each is counted before it is read.

asyncio's own server takes in whatever comes; where the machine can open nothing more it tries again as often as its
backlog is long, with a traceback each time.
"""

import asyncio
import logging
import socket
from collections.abc import Callable
from typing import Final

from captains_table.web.serving.connection import Connection
from captains_table.web.serving.guests import Guests, Rank

AT_ONCE: Final = 8  # connections taken in before everything else has its turn, and what gives way to them is closed
PAUSE_S: Final = 0.2
_log = logging.getLogger(__name__)


class Door:
    """Takes in connections at a listening socket from when it is made until it is closed.

    Args:
        listener: the socket; it stays open when the door closes.
        guests: counts them.
        answer: makes what answers a connection, which is given as what and for whom it is counted.
    """

    def __init__(self, listener: socket.socket, guests: Guests, answer: Callable[[Rank, str], Connection]) -> None:
        self._listener = listener
        self._guests = guests
        self._answer = answer
        self._loop = asyncio.get_running_loop()
        self._greeting: set[asyncio.Task[None]] = set()
        self._closed = False
        listener.settimeout(0)
        self._open()

    def close(self) -> None:
        """Take nobody in any more; who is in stays."""
        self._closed = True
        self._loop.remove_reader(self._listener)

    def _open(self) -> None:
        if not self._closed:
            self._loop.add_reader(self._listener, self._take_in)

    def _take_in(self) -> None:
        for _ in range(AT_ONCE):
            if self._guests.is_crowded:
                return
            try:
                connected, peer = self._listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                self._pause(error)
                return
            self._welcome(connected, str(peer[0]))

    def _pause(self, error: OSError) -> None:
        """Stop for a moment: the machine can open nothing more, and would say so as often as it is asked."""
        _log.error("No connection can be taken in (%s): one is closed, and others wait a moment.", error.strerror)
        self._guests.make_room()
        self._loop.remove_reader(self._listener)
        self._loop.call_later(PAUSE_S, self._open)

    def _welcome(self, connected: socket.socket, peer: str) -> None:
        try:
            own = str(connected.getsockname()[0])
        except OSError:  # it is gone already
            connected.close()
            return
        connection = self._answer(*self._guests.rank_of(peer, own))
        self._guests.admit(connection)
        greeting = self._loop.create_task(self._greet(connection, connected))
        self._greeting.add(greeting)
        greeting.add_done_callback(self._greeting.discard)

    async def _greet(self, connection: Connection, connected: socket.socket) -> None:
        try:
            await self._loop.connect_accepted_socket(lambda: connection, connected)
        except OSError:  # it is gone already
            self._guests.leave(connection)
            connected.close()
