"""The door of the page: connections are taken in here, and not by asyncio, to turn away what is beyond the limits.

asyncio's own server takes in whatever comes; where the machine can open nothing more it tries again as often as its
backlog is long, with a traceback each time.
"""

import asyncio
import logging
import socket
from collections import deque
from collections.abc import Callable
from typing import Final

from captains_table.web.serving.connection import Connection
from captains_table.web.serving.guests import Guests, is_home
from captains_table.web.serving.limits import RETRY_AFTER_S

AT_ONCE: Final = 8  # connections taken in before everything else has its turn, and what gives way to them is closed
PAUSE_S: Final = 0.2
LINGERING: Final = 16
LINGER_S: Final = 1.0
_REFUSAL: Final = (
    "HTTP/1.1 503 Service Unavailable\r\nRetry-After: {after}\r\nConnection: close\r\nCache-Control: no-store\r\n"
    "Content-Type: text/plain; charset=utf-8\r\nContent-Length: {length}\r\n\r\n{words}"
)
_log = logging.getLogger(__name__)


class Door:
    """Takes in connections at a listening socket from when it is made until it is closed.

    Args:
        listener: the socket; it stays open when the door closes.
        guests: says for whom there is room.
        answer: makes what answers a connection; it is given whether the call comes from this machine.
    """

    def __init__(self, listener: socket.socket, guests: Guests, answer: Callable[[bool], Connection]) -> None:
        self._listener = listener
        self._guests = guests
        self._answer = answer
        self._loop = asyncio.get_running_loop()
        self._refusals = _Refusals(self._loop)
        self._greeting: set[asyncio.Task[None]] = set()
        self._closed = False
        listener.settimeout(0)
        self._open()

    def close(self) -> None:
        """Take nobody in any more; who is in stays."""
        self._closed = True
        self._loop.remove_reader(self._listener)
        self._refusals.close()

    def _open(self) -> None:
        if not self._closed:
            self._loop.add_reader(self._listener, self._take_in)

    def _take_in(self) -> None:
        for _ in range(AT_ONCE):
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
        connection = self._answer(is_home(peer, own))
        if self._guests.admit(connection):
            greeting = self._loop.create_task(self._greet(connection, connected))
            self._greeting.add(greeting)
            greeting.add_done_callback(self._greeting.discard)
            return
        open_now = self._guests.connections
        _log.warning("%s was turned away: %d connections are open ([web] connections).", peer, open_now)
        self._refusals.refuse(connected, open_now)

    async def _greet(self, connection: Connection, connected: socket.socket) -> None:
        try:
            await self._loop.connect_accepted_socket(lambda: connection, connected)
        except OSError:  # it is gone already
            self._guests.leave(connection)
            connected.close()


class _Refusals:
    """Connections that were told to come later: each is kept for a moment, or the words would be lost on their way.

    A socket that is closed while something of the other side's is unread takes back what it sent.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._lingering: deque[socket.socket] = deque()

    def refuse(self, connected: socket.socket, open_now: int) -> None:
        """Tell a connection to come later."""
        words = (
            f"{open_now} connections are open, as many as this table serves at once: expected to be asked again in "
            f"{RETRY_AFTER_S} s.\n"
        )
        answer = _REFUSAL.format(after=RETRY_AFTER_S, length=len(words), words=words).encode("ascii")
        connected.settimeout(0)
        try:
            connected.send(answer)
            connected.shutdown(socket.SHUT_WR)
        except OSError:  # it is gone already
            connected.close()
            return
        if len(self._lingering) >= LINGERING:
            self._end(self._lingering[0])
        self._lingering.append(connected)
        self._loop.add_reader(connected, self._read, connected)
        self._loop.call_later(LINGER_S, self._end, connected)

    def close(self) -> None:
        """End all."""
        while self._lingering:
            self._end(self._lingering[0])

    def _read(self, connected: socket.socket) -> None:
        try:
            more = connected.recv(65_536)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            more = b""
        if not more:
            self._end(connected)

    def _end(self, connected: socket.socket) -> None:
        if connected in self._lingering:
            self._lingering.remove(connected)
            self._loop.remove_reader(connected)
            connected.close()
