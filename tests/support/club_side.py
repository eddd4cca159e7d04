"""The club's end of the line, for tests of a table: what it says is gathered, orders are given to it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import aiomqtt

from captains_table.reporting.messages import (
    Acknowledged,
    FromClub,
    FromTable,
    MatchReport,
    Message,
    Pairings,
    Topic,
    decode,
    encode,
    read_topic,
)
from tests.support.patience import PATIENCE_S

USER = "table-3"


@dataclass
class ClubSide:
    """What a table said so far, and a line on which it is told something."""

    line: aiomqtt.Client
    said: list[tuple[FromTable, Message]] = field(default_factory=list)
    news: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def listen(self) -> None:
        async for message in self.line.messages:
            topic = read_topic(str(message.topic))
            if topic is not None and isinstance(topic.kind, FromTable) and isinstance(message.payload, bytes):
                async with self.news:
                    self.said.append((topic.kind, decode(topic.kind, message.payload)))
                    self.news.notify_all()

    def of(self, kind: FromTable) -> list[Message]:
        return [message for each, message in self.said if each is kind]

    def results(self) -> list[MatchReport]:
        return [message for message in self.of(FromTable.RESULT) if isinstance(message, MatchReport)]

    async def wait_for(self, is_so: Callable[["ClubSide"], object]) -> None:
        async with asyncio.timeout(PATIENCE_S), self.news:
            await self.news.wait_for(lambda: is_so(self))

    async def order(self, payload: bytes | Acknowledged | Pairings, kind: FromClub) -> None:
        """Tell the table something: a message, or any bytes."""
        content = payload if isinstance(payload, bytes) else encode(payload)
        await self.line.publish(str(Topic(USER, kind)), content, qos=1, retain=kind is FromClub.PAIRINGS)

    async def acknowledge(self, outcome: MatchReport) -> None:
        await self.order(Acknowledged(match=outcome.match, rev=outcome.rev), FromClub.ACKNOWLEDGED)


@asynccontextmanager
async def club_side(port: int) -> AsyncIterator[ClubSide]:
    """Listen to a table at a broker on loopback."""
    async with aiomqtt.Client("127.0.0.1", port, timeout=PATIENCE_S) as line:
        await line.subscribe(f"captains-table/{USER}/+", qos=1)
        side = ClubSide(line)
        listening = asyncio.ensure_future(side.listen())
        try:
            yield side
        finally:
            listening.cancel()
            await asyncio.wait([listening])
