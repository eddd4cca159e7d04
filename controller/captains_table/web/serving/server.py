"""Opens the page's listening socket, accepts its connections, and runs uvicorn on them, with limited logs.

Each connection is counted before anything is read from it. The server of asyncio is not used, because it accepts
connections without a limit. When the process has no file descriptors left, that server tries again as many times in a
row as its backlog allows, with a traceback each time. The `Door` instead closes one connection, and accepts none for a
moment.
"""

import asyncio
import contextlib
import errno
import logging
import socket
import ssl
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import uvicorn
from starlette.applications import Starlette

from captains_table.web.serving.connection import Connection
from captains_table.web.serving.guests import ConnectionPhase, Guests, Rank

AT_ONCE: Final = 8  # connections accepted before the loop runs other tasks, such as closing those that made room
PAUSE_S: Final = 0.2
HANDSHAKE_S: Final = 5.0  # of TLS
LINES: Final = 5
WITHIN_S: Final = 60.0
SUMMARY: Final = "%d more such lines within %d s were left out; the last: %s"
_log = logging.getLogger(__name__)


class QuietLog(logging.Filter):
    """A log filter that passes the first LINES lines of each message template within WITHIN_S, and leaves out the rest.

    After WITHIN_S it logs how many lines of the template were left out, and the last of them.

    Args:
        logger: the logger to filter; `close` removes the filter from it.
        call_later: calls a function after a delay in seconds, as an event loop does.
    """

    def __init__(self, logger: logging.Logger, call_later: Callable[[float, Callable[[], None]], object]) -> None:
        super().__init__()
        self._logger = logger
        self._call_later = call_later
        self._kinds: dict[str, tuple[int, logging.LogRecord]] = {}  # the number of lines and the last one
        logger.addFilter(self)

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a line is logged, and count the line; a summary is always logged, and not counted."""
        kind = str(record.msg)
        if kind == SUMMARY:
            return True
        if kind not in self._kinds:
            self._call_later(WITHIN_S, lambda: self._sum_up(kind))
        count, _ = self._kinds.get(kind, (0, record))
        self._kinds[kind] = count + 1, record
        return count < LINES

    def close(self) -> None:
        """Log how many lines were left out so far, and remove the filter from the logger."""
        for kind in list(self._kinds):
            self._sum_up(kind)
        self._logger.removeFilter(self)

    def _sum_up(self, kind: str) -> None:
        count, last = self._kinds.pop(kind, (0, None))
        if last is not None and count > LINES:
            self._logger.log(last.levelno, SUMMARY, count - LINES, WITHIN_S, last.getMessage())


LARGEST_PORT = 65_535

BACKLOG = 2048  # connections that wait to be accepted; beyond that a phone's could be lost


NOISY_LOGS = (  # logs about requests that cannot be read or served
    "uvicorn.error",
    "captains_table.web.serving.connection",
    "captains_table.web.serving.server",
    "captains_table.web.security",
    "captains_table.club.pages.login",
)


class CannotListen(OSError):
    """The page cannot listen on its address."""


class PortTaken(CannotListen):
    """Another program already listens on the page's address and port."""


class _Server(uvicorn.Server):
    """A uvicorn server without signal handlers: the daemon handles signals, because it must stop more than the page."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Install no signal handlers."""
        yield


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 takes any free one.

    Raises:
        PortTaken: another program listens on the address and port.
        CannotListen: the port is out of range or needs more rights, or the address is not this machine's.
    """
    if not 0 <= port <= LARGEST_PORT:
        raise CannotListen(f"port {port}: expected 0 to {LARGEST_PORT}")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PortTaken(f"port {port} on {host} is taken: stop what listens there, or name another port") from None
        raise CannotListen(f"cannot listen on {host} port {port}: {error.strerror}") from None
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # asyncio leaves it off for a given socket
    return listener


class CertificateUnusable(OSError):
    """The certificate of the encrypted pages, or its key, cannot be used; the message says which and why."""


def tls_of(certificate: Path, key: Path) -> ssl.SSLContext:
    """Return how pages are encrypted (TLS 1.2 and later) with a certificate and its key; raises CertificateUnusable."""
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        tls.load_cert_chain(certificate, key, password="")  # or OpenSSL would ask the terminal for one
    except OSError as error:
        raise CertificateUnusable(
            f"{certificate} and its key {key} cannot be used ({error.strerror or error}): expected a certificate in "
            "PEM and its key without a password, which the server's user may read"
        ) from error
    return tls


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


async def serve_page(
    app: Starlette,
    listener: socket.socket,
    *,
    stopping: asyncio.Event,
    encrypted: tuple[socket.socket, ssl.SSLContext] | None = None,
) -> None:
    """Serve the page until `stopping` is set, then end all event streams and close the sockets.

    Args:
        app: an application made by `create_app`.
        listener: a socket made by `listen`.
        stopping: the event that stops the server.
        encrypted: a second such socket, on which the page is served by https, and how it is encrypted.
    """
    listeners: list[tuple[socket.socket, ssl.SSLContext | None]] = [(listener, None)]
    if encrypted is not None:
        listeners.append(encrypted)
    guests = app.state.guests
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="off",
        ws="none",
        http="h11",
        timeout_graceful_shutdown=1,
        forwarded_allow_ips=list(guests.proxies),
    )
    server = _Server(config)
    call_later = asyncio.get_running_loop().call_later
    with contextlib.ExitStack() as stack:
        for name in NOISY_LOGS:
            stack.enter_context(contextlib.closing(QuietLog(logging.getLogger(name), call_later)))
        doors = [
            Door(each, guests, lambda rank, holder: Connection(config, server.server_state, guests, rank, holder), tls)
            for each, tls in listeners
        ]
        serving = asyncio.ensure_future(server.serve(sockets=[]))
        stopped = asyncio.ensure_future(stopping.wait())
        try:
            await asyncio.wait({serving, stopped}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            stopped.cancel()
            for door, (each, _) in zip(doors, listeners, strict=True):
                door.close()
                each.close()
            guests.close()
            server.should_exit = True
            await serving
