"""Serving the page: uvicorn without its hold on signals, on a socket that was bound before anything else started."""

import asyncio
import contextlib
import errno
import socket
from collections.abc import Callable, Iterator

import uvicorn
from starlette.applications import Starlette

from captains_table.kiosk.security import WILDCARDS

LARGEST_PORT = 65_535


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
        host = socket.gethostname()
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


async def serve(
    app: Starlette, host: str, port: int, *, stopping: asyncio.Event, announce: Callable[[str], None] = print
) -> None:
    """Serve the page until it is told to stop; open event streams end at once.

    Args:
        app: what `create_app` returned.
        host: address to listen on.
        port: port to listen on; 0 takes any free one.
        stopping: set by the caller to stop.
        announce: is told the address as soon as it is listened on.

    Raises:
        CannotListen: see `listen`.
    """
    listener = listen(host, port)
    config = uvicorn.Config(
        app, log_config=None, access_log=False, lifespan="off", ws="none", http="h11", timeout_graceful_shutdown=1
    )
    server = _Server(config)
    announce(address_of(listener))
    serving = asyncio.ensure_future(server.serve(sockets=[listener]))
    stopped = asyncio.ensure_future(stopping.wait())
    try:
        await asyncio.wait({serving, stopped}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        stopped.cancel()
        app.state.closing.set()
        server.should_exit = True
        await serving
