"""Serving the page: uvicorn without its hold on signals, on a socket that was bound before anything else started."""

import asyncio
import contextlib
import errno
import logging
import socket
from collections.abc import Iterator

import uvicorn
from starlette.applications import Starlette

from captains_table.web.security import WILDCARDS
from captains_table.web.serving.connection import Connection
from captains_table.web.serving.door import Door
from captains_table.web.serving.quiet_log import QuietLog

LARGEST_PORT = 65_535

ELSEWHERE = ("192.0.2.1", 9)  # an address for documentation: only the way there is looked up


NOISY_LOGS = (
    "uvicorn.error",  # requests that cannot be read
    "captains_table.web.serving.connection",
    "captains_table.web.serving.door",
    "captains_table.web.rights",
)


class CannotListen(OSError):  # noqa: N818 - named by its condition
    """The page's address cannot be listened on."""


class PortTaken(CannotListen):
    """Another program listens there already."""


class _Server(uvicorn.Server):
    """A uvicorn that leaves signals to the daemon, which has more to stop than a page."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens on an address; port 0 takes any free one.

    Raises:
        PortTaken: another program listens there.
        CannotListen: the address is not this machine's, or the port needs more rights.
    """
    if not 0 <= port <= LARGEST_PORT:
        raise CannotListen(f"port {port}: expected 0 to {LARGEST_PORT}")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PortTaken(f"port {port} on {host} is taken: stop what listens there, or name another port") from None
        raise CannotListen(f"cannot listen on {host} port {port}: {error.strerror}") from None
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # asyncio leaves it off for a socket it is given
    return listener


def address_of(listener: socket.socket) -> str:
    """Return the address to open in a browser, such as `http://127.0.0.1:8080/`."""
    host, port = listener.getsockname()[:2]
    if host in WILDCARDS:
        host = network_address() or socket.gethostname()
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def own_address_of(listener: socket.socket) -> str:
    """Return the address by which this machine itself opens it."""
    host, port = listener.getsockname()[:2]
    return f"http://127.0.0.1:{port}/" if host in WILDCARDS else address_of(listener)


def network_address() -> str | None:
    """Return the address others on the net reach this machine by, `None` where it has none; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
        except OSError:
            return None
        return str(probe.getsockname()[0])


async def serve(app: Starlette, listener: socket.socket, *, stopping: asyncio.Event) -> None:
    """Serve the page until `stopping` is set; open event streams end at once.

    Args:
        app: what `create_app` returned.
        listener: what `listen` returned.
        stopping: set by the caller to stop.
    """
    guests = app.state.guests
    config = uvicorn.Config(
        app, log_config=None, access_log=False, lifespan="off", ws="none", http="h11", timeout_graceful_shutdown=1
    )
    server = _Server(config)
    with _quiet_logs():
        door = Door(
            listener,
            guests,
            lambda at_home: Connection(config, server.server_state, guests, at_home=at_home),
        )
        serving = asyncio.ensure_future(server.serve(sockets=[]))
        stopped = asyncio.ensure_future(stopping.wait())
        try:
            await asyncio.wait({serving, stopped}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            stopped.cancel()
            door.close()
            listener.close()
            guests.close()
            server.should_exit = True
            await serving


@contextlib.contextmanager
def _quiet_logs() -> Iterator[None]:
    """Let nobody fill the log with requests that cannot be served."""
    call_later = asyncio.get_running_loop().call_later
    filters = [QuietLog(logging.getLogger(name), call_later) for name in NOISY_LOGS]
    try:
        yield
    finally:
        for each in filters:
            each.close()
