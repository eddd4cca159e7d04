"""Many tables on one event loop: each shows a recorded match again and again, and tells how it ended."""

import asyncio
import contextlib
import hashlib
import random
import threading
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

import aiomqtt
import msgspec

from captains_table.reporting.broker import ANSWER_S, Broker, keep_connected, mqtt_client, until_one_ends
from captains_table.reporting.messages import (
    Acknowledged,
    FromClub,
    FromTable,
    Presence,
    Status,
    Topic,
    decode,
    encode,
    read_topic,
    subscribed_topics,
)
from tests.club_load.recorded import Frame, Reel, frame_of
from tests.support.patience import PATIENCE_S

EVERY_S: Final = 1.0
AT_ONCE: Final = 50
TOLD_AGAIN_S: Final = 5.0


class CrowdTable:
    """A table as its club sees it.

    Args:
        number: its number, from 1.
        broker: the broker.
        reel: the match it shows, again and again.
        frames: that match's views.
        first: which view it begins with.

    Attributes:
        n: how many views it showed.
        latest_ms: when it showed the last of them, in Unix milliseconds.
        size: bytes of all that were handed to the broker.
        results: the seals of the matches whose results it told.
        tellings: how often it told results in all.
        unacknowledged: results that nobody acknowledged, by their seals.
        lost: how often its line broke, or could not be opened.
    """

    def __init__(self, number: int, broker: Broker, reel: Reel, frames: Sequence[Frame], first: int) -> None:
        self.user = f"table-{number}"
        self.n = self.latest_ms = self.size = self.tellings = self.lost = 0
        self.results: set[str] = set()
        self.unacknowledged: dict[str, bytes] = {}
        self.is_there = asyncio.Event()
        self.is_done = asyncio.Event()  # the last view is out, and all results are acknowledged
        self._status = Status(state=Presence.READY, board=number, title=f"Table {number}")
        self._broker, self._reel, self._frames = broker, reel, frames
        self._first = first
        self._at = first
        self._due: list[str] = []
        self._view: bytes | None = None
        self._is_over = False
        self._woken = asyncio.Event()

    async def hold(self) -> None:
        """Be at the broker until this is cancelled."""
        await keep_connected(self._open, self._speak, self._lose, jitter=random.random)

    def play_on(self, *, ends: bool) -> None:
        """Show the next view, and at a match's end tell its result; `ends`: this is the last view of all."""
        at_ms = int(time.time() * 1000)
        self.n += 1
        self.latest_ms = at_ms
        self._view = self._frames[self._at].payload("crowd", self.n, self._seal, at_ms)
        self._is_over = ends
        if self._at == len(self._frames) - 1 or ends:
            self._tell_result()
        self._at = (self._at + 1) % len(self._frames)
        self._woken.set()

    def tell_again(self) -> None:
        """Tell all results again that nobody acknowledged."""
        self._due = list(self.unacknowledged)
        self._woken.set()

    @property
    def _seal(self) -> str:
        """The seal of the match in hand; matches are told apart by where they began."""
        began = (self.n + self._first - 1) // len(self._frames)
        return hashlib.sha256(f"{self.user} {began}".encode()).hexdigest()

    def _tell_result(self) -> None:
        self.results.add(self._seal)
        self.unacknowledged[self._seal] = encode(self._reel.outcome(self._seal))
        self._due.append(self._seal)

    def _open(self) -> aiomqtt.Client:
        lost = encode(msgspec.structs.replace(self._status, state=Presence.LOST))
        will = aiomqtt.Will(str(Topic(self.user, FromTable.STATUS)), lost, 1, retain=True)
        return mqtt_client(self._broker, f"crowd-{self.user}", will)

    def _lose(self, _: str) -> None:
        self.lost += 1

    async def _speak(self, line: aiomqtt.Client) -> None:
        await line.subscribe([(topic, 1) for topic in subscribed_topics(self.user)])
        await line.publish(str(Topic(self.user, FromTable.STATUS)), encode(self._status), 1, retain=True)
        self.is_there.set()
        self.tell_again()
        await until_one_ends(self._listen(line), self._tell(line), again_s=ANSWER_S)

    async def _tell(self, line: aiomqtt.Client) -> None:
        view, result = str(Topic(self.user, FromTable.VIEW)), str(Topic(self.user, FromTable.RESULT))
        while True:
            await self._woken.wait()
            self._woken.clear()
            if self._view is not None:
                told = self._view
                self.size += len(told)
                await line.publish(view, told, 1, retain=True)
                self._view = None if self._view is told else self._view
                self._look_whether_done()
            while self._due:
                payload = self.unacknowledged.get(self._due.pop(0))
                if payload is not None:
                    self.tellings += 1
                    await line.publish(result, payload, 1)
            if self._view is not None:
                self._woken.set()

    async def _listen(self, line: aiomqtt.Client) -> None:
        async for message in line.messages:
            topic = read_topic(str(message.topic))
            if topic is None or topic.kind is not FromClub.ACKNOWLEDGED or not isinstance(message.payload, bytes):
                continue
            order = decode(topic.kind, message.payload)
            if isinstance(order, Acknowledged):
                self.unacknowledged.pop(order.match, None)
                self._look_whether_done()

    def _look_whether_done(self) -> None:
        if self._is_over and self._view is None and not self.unacknowledged:
            self.is_done.set()


class Crowd:
    """So many tables that play for so long.

    Args:
        ports: of brokers on loopback; the tables are spread over them.
        tables: how many there are.
        seconds: how long they play.
        reels: what they show.

    Attributes:
        there: set when every table has a line.
    """

    def __init__(self, ports: Sequence[int], tables: int, seconds: float, reels: Sequence[Reel]) -> None:
        frames = [[frame_of(view) for view in reel.views] for reel in reels]
        self._seconds = seconds
        self.there = threading.Event()
        self.tables: list[CrowdTable] = []
        for place in range(tables):
            broker = Broker("127.0.0.1", ports[place % len(ports)])
            own = place % len(reels)
            first = place * 31 % len(frames[own])  # matches do not end all at once
            self.tables.append(CrowdTable(place + 1, broker, reels[own], frames[own], first))

    async def play(self) -> float:
        """Let all tables come, play, and wait until their results are acknowledged; return the processor time taken."""
        async with self._there():
            self.there.set()
            began_s = time.thread_time()
            telling_again = asyncio.ensure_future(self._tell_again())
            await asyncio.gather(*(self._play(table, place) for place, table in enumerate(self.tables)))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PATIENCE_S):
                    await asyncio.gather(*(table.is_done.wait() for table in self.tables))
            telling_again.cancel()
            return time.thread_time() - began_s

    @asynccontextmanager
    async def _there(self) -> AsyncIterator[None]:
        """Have all tables at their brokers, so many coming at once."""
        doors = asyncio.Semaphore(AT_ONCE)
        holding: list[asyncio.Future[None]] = []

        async def come(table: CrowdTable) -> None:
            async with doors:
                holding.append(asyncio.ensure_future(table.hold()))
                await table.is_there.wait()

        await asyncio.gather(*(come(table) for table in self.tables))
        try:
            yield
        finally:
            for line in holding:
                line.cancel()
            await asyncio.wait(holding)

    async def _play(self, table: CrowdTable, place: int) -> None:
        loop = asyncio.get_running_loop()
        due_s = loop.time() + EVERY_S * place / len(self.tables)  # not all in the same moment
        count = max(1, int(self._seconds / EVERY_S))
        for number in range(1, count + 1):
            await asyncio.sleep(due_s - loop.time())
            table.play_on(ends=number == count)
            due_s += EVERY_S

    async def _tell_again(self) -> None:
        while True:
            await asyncio.sleep(TOLD_AGAIN_S)
            for table in self.tables:
                table.tell_again()
