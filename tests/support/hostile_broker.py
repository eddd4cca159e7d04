"""Brokers as nobody wants them: they accept a table, and then do what their name says."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from captains_table.reporting.messages import FromClub, Topic

Hostility = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]

CONNACK = b"\x20\x02\x00\x00"
CHUNK = bytes(1 << 16)


def published(topic: str, payload: bytes, claimed: int | None = None) -> bytes:
    """Return a publication of MQTT 3.1.1 without an answer to it; `claimed`: how long it says its payload is."""
    head = len(topic).to_bytes(2, "big") + topic.encode()
    length, digits = len(head) + (len(payload) if claimed is None else claimed), b""
    while True:
        length, digit = divmod(length, 128)
        digits += bytes([digit | (0x80 if length else 0)])
        if not length:
            return b"\x30" + digits + head + payload


async def welcome(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Let a table in, and answer its subscriptions and what it publishes until it has said `ready`."""
    await reader.read(1 << 16)
    writer.write(CONNACK)
    for _ in range(4):  # two subscriptions, discovery, status
        data = await reader.read(1 << 20)
        for mark, answer in ((0x82, 0x90), (0x32, 0x40), (0x33, 0x40)):
            if data[:1] == bytes([mark]):
                writer.write(_answer(data, answer))
        await writer.drain()


def _answer(data: bytes, answer: int) -> bytes:
    place = 2
    while data[place - 1] & 0x80:
        place += 1
    if answer == 0x90:
        return bytes([answer, 3]) + data[place : place + 2] + b"\x01"
    length = int.from_bytes(data[place : place + 2], "big")
    return bytes([answer, 2]) + data[place + 2 + length : place + 4 + length]


async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:  # noqa: ARG001
    await asyncio.Event().wait()


async def gone_at_once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Accept, and close."""


async def babbling(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await welcome(reader, writer)
    writer.write(bytes(range(256)) * 64)
    await writer.drain()
    await asyncio.Event().wait()


async def half_open(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await welcome(reader, writer)
    await asyncio.Event().wait()


async def flooding(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Say as much as the line takes, all of it addressed to the table."""
    await welcome(reader, writer)
    topics = [str(Topic("table-3", order)) for order in FromClub]
    while True:
        for payload in (b"{}", b'{"v":1,"match":"' + b"cd" * 32 + b'","rev":1}', b'{"v":1,"pairings":[]}'):
            writer.write(b"".join(published(topic, payload) for topic in topics) * 100)
        await writer.drain()


async def overwhelming(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await welcome(reader, writer)
    writer.write(published(str(Topic("table-3", FromClub.PAIRINGS)), b"", 268_000_000))
    while True:
        writer.write(CHUNK)
        await writer.drain()


HOSTILE: dict[str, Hostility] = {
    each.__name__: each for each in (silent, gone_at_once, babbling, half_open, flooding, overwhelming)
}


@asynccontextmanager
async def hostile_broker(hostility: Hostility) -> AsyncIterator[int]:
    at_work: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if (task := asyncio.current_task()) is not None:
            at_work.add(task)
        try:
            with contextlib.suppress(OSError, asyncio.CancelledError):
                await hostility(reader, writer)
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield int(server.sockets[0].getsockname()[1])
    finally:
        server.close()
        for task in at_work:
            task.cancel()
        await asyncio.gather(*at_work, return_exceptions=True)


async def _serve_for_ever(name: str) -> None:
    async with hostile_broker(HOSTILE[name]) as port:
        print(port, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_serve_for_ever(sys.argv[1]))
