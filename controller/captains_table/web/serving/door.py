"""Accepts the page's connections, so that each connection is counted before anything is read from it.

The server of asyncio is not used, because it accepts connections without a limit. When the process has no file
descriptors left, this server tries again as many times in a row as its backlog allows, with a traceback each time.
The door instead closes one connection, and accepts none for a moment.
"""

import asyncio
import logging
import socket
import ssl
from collections.abc import Callable
from typing import Final

from captains_table.web.serving.connection import Connection
from captains_table.web.serving.guests import ConnectionPhase, Guests, Rank

AT_ONCE: Final = 8  # connections accepted before the loop runs other tasks, such as closing those that made room
PAUSE_S: Final = 0.2
HANDSHAKE_S: Final = 5.0  # of TLS
_log = logging.getLogger(__name__)


class Door:
    """Accepts the connections of a listening socket, from when the door is made until `close`.

    Args:
        listener: the socket; it stays open when the door closes.
        guests: counts the connections.
        answer: makes the protocol object of a new connection. The arguments are the connection's rank, and its holder
            (the address or key to which the limit of connections applies).
        tls: how connections are encrypted; `None` if they are not.
    """

    def __init__(
        self,
        listener: socket.socket,
        guests: Guests,
        answer: Callable[[Rank, str], Connection],
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._listener = listener
        self._guests = guests
        self._answer = answer
        self._tls = tls
        self._loop = asyncio.get_running_loop()
        self._connecting: set[asyncio.Task[None]] = set()
        self._closed = False
        listener.settimeout(0)
        self._open()

    def close(self) -> None:
        """Accept no more connections; open ones stay."""
        self._closed = True
        self._loop.remove_reader(self._listener)

    def _open(self) -> None:
        if not self._closed:
            self._loop.add_reader(self._listener, self._accept)

    def _accept(self) -> None:
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
            self._start(connected, str(peer[0]))

    def _pause(self, error: OSError) -> None:
        """Close one connection, and accept none for PAUSE_S: without free file descriptors every attempt would fail."""
        _log.error("No connection can be accepted (%s): one is closed, and others wait a moment.", error.strerror)
        self._guests.make_room()
        self._loop.remove_reader(self._listener)
        self._loop.call_later(PAUSE_S, self._open)

    def _start(self, connected: socket.socket, peer: str) -> None:
        try:
            own = str(connected.getsockname()[0])
        except OSError:  # the client has disconnected already
            connected.close()
            return
        connection = self._answer(*self._guests.rank_of(peer, own))
        if self._tls is not None:
            connection.standing = ConnectionPhase.IDLE  # until the handshake is done it gives way to other newcomers
        self._guests.admit(connection)
        connecting = self._loop.create_task(self._connect(connection, connected))
        self._connecting.add(connecting)
        connecting.add_done_callback(self._connecting.discard)

    async def _connect(self, connection: Connection, connected: socket.socket) -> None:
        connection.connecting = asyncio.current_task()
        try:
            await self._loop.connect_accepted_socket(
                lambda: connection, connected, ssl=self._tls, ssl_handshake_timeout=HANDSHAKE_S if self._tls else None
            )
        except (OSError, asyncio.CancelledError):  # the client has disconnected already, or made no TLS connection
            self._guests.leave(connection)
            connected.close()
