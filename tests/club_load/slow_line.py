"""A line between two programs that can be slow, and cut: a proxy on loopback."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

CHUNK: Final = 1 << 16


class SlowLine:
    """All lines that lead to one port by way of another.

    Attributes:
        port: the other one.
        delay_s: how much later everything arrives, each piece of it after the one before.
        is_shut: whether new lines are refused.
    """

    def __init__(self, to: int) -> None:
        self.port = 0
        self.delay_s = 0.0
        self.is_shut = False
        self._to = to
        self._at_work: set[asyncio.Task[None]] = set()

    async def cut(self) -> None:
        """Break all lines there are, in the middle of what is on its way."""
        for task in self._at_work:
            task.cancel()
        await asyncio.gather(*self._at_work, return_exceptions=True)

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry a line to the port, both ways."""
        if self.is_shut:
            writer.transport.abort()
            return
        task = asyncio.current_task()
        assert task is not None
        self._at_work.add(task)
        try:
            with contextlib.suppress(OSError, asyncio.CancelledError):
                await self._carry(reader, writer)
        finally:
            self._at_work.discard(task)
            writer.transport.abort()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._to)
        ways = [asyncio.ensure_future(way) for way in (self._way(reader, far_writer), self._way(far_reader, writer))]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            far_writer.transport.abort()

    async def _way(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(CHUNK):
            await asyncio.sleep(self.delay_s)
            writer.write(data)
            await writer.drain()


@asynccontextmanager
async def slow_line(to: int) -> AsyncIterator[SlowLine]:
    """Have another port of loopback lead to a port."""
    line = SlowLine(to)
    server = await asyncio.start_server(line.carry, "127.0.0.1", 0)
    line.port = int(server.sockets[0].getsockname()[1])
    try:
        yield line
    finally:
        server.close()
        await line.cut()
