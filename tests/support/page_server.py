"""The page of a table served for real, and callers who are at home (127.0.0.1) or guests (127.0.0.2)."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from captains_table.page.app import create_app
from captains_table.runtime.table import Table
from captains_table.web.serving.guests import Guests
from captains_table.web.serving.limits import PageLimits
from captains_table.web.serving.server import listen, serve_page
from tests.support.patience import PATIENCE_S

HOME, GUEST = "127.0.0.1", "127.0.0.2"
FOLLOW = b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"
ASK = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Call:
    """A connection to the page, byte by byte."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    def send(self, data: bytes) -> None:
        """Send some bytes."""
        self._writer.write(data)

    async def head(self) -> str:
        """Return the status line and the headers of an answer; nothing if the connection was closed."""
        async with asyncio.timeout(PATIENCE_S):
            try:
                return (await self._reader.readuntil(b"\r\n\r\n")).decode()
            except (asyncio.IncompleteReadError, ConnectionError):
                return ""

    async def rest(self) -> bytes:
        """Return all that still comes until the connection is closed."""
        async with asyncio.timeout(PATIENCE_S):
            try:
                return await self._reader.read()
            except ConnectionError:
                return b""

    async def status(self, request: bytes) -> int:
        """Ask, and return the status of the answer."""
        self.send(request)
        return int((await self.head()).split()[1])

    def close(self) -> None:
        """Hang up."""
        self._writer.close()


class PageServer:
    """A page that is being served."""

    def __init__(self, port: int, guests: Guests) -> None:
        self.port = port
        self.guests = guests
        self._calls: list[Call] = []

    async def call(self, source: str = GUEST) -> Call:
        """Connect to the page."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(source, 0))
        self._calls.append(Call(reader, writer))
        return self._calls[-1]

    def hang_up(self) -> None:
        """Close all connections."""
        for call in self._calls:
            call.close()


@asynccontextmanager
async def serving(
    table: Table, limits: PageLimits, *, token: str | None = None, proxies: Sequence[str] = ()
) -> AsyncIterator[PageServer]:
    """Serve the page of a table within limits."""
    guests, stopping = Guests(limits, proxies), asyncio.Event()
    listener = listen("127.0.0.1", 0)
    page = PageServer(listener.getsockname()[1], guests)
    server = asyncio.ensure_future(
        serve_page(create_app(table, token=token, guests=guests), listener, stopping=stopping)
    )
    try:
        yield page
    finally:
        page.hang_up()
        stopping.set()
        await server


async def until(page: PageServer, connections: int, streams: int | None = None) -> None:
    """Wait until so many connections are open, and so many event streams if that matters."""

    def is_so() -> bool:
        return page.guests.connections == connections and streams in {None, page.guests.streams}

    async with asyncio.timeout(PATIENCE_S):
        while not is_so():  # noqa: ASYNC110 - nothing of the page says so
            await asyncio.sleep(0.005)
