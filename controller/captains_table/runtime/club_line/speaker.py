"""The speaker: a process of low priority that holds the line to a club's broker for its table.

Whatever a broker does, it does to this process: the table writes a few lines, and the next once it was told what became
of them. It has memory for its work and little more, so that a payload of any size ends it and nothing else; the table
starts it again.
"""

import asyncio
import contextlib
import logging
import os
import random
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import aiomqtt
import msgspec

from captains_table.process.answering import BEAT_S, give_way, line_of, say
from captains_table.reporting.broker import (
    ANSWER_S,
    Broker,
    BrokerUnusable,
    client,
    end_all,
    hold_line,
    read_authority,
    read_password,
)
from captains_table.reporting.messages import (
    Acknowledged,
    BadMessage,
    Message,
    NewerMessage,
    Order,
    Pairings,
    Presence,
    Report,
    Status,
    Topic,
    discovery_topic,
    orders_to,
    read,
    read_topic,
    written,
)
from captains_table.runtime.club_line import lines

MOST_MEMORY: Final = 64 << 20
"""Bytes it may take beyond what it has when it begins; the largest packet of MQTT has four times as many."""
LONGEST_LINE: Final = 2 << 20
LARGEST_ORDER: Final = 1 << 16
"""Bytes of a message to a table: the pairings of one table are few."""
MOST_WAITING: Final = 32  # of the broker's messages
PACE_S: Final = 0.1
"""Between one view and the next, and between one result and the next: the club takes twenty a second of a table."""
NEWS_PACE_S: Final = 1.0
"""Between one thing the table is to know of what the broker says and the next: of several only the last one is told."""
MOST_TOLD: Final = 200
"""The broker's messages in a while: a club says a few to a table in an evening, and two when a line begins."""
WHILE_S: Final = 10.0
LEAVING_S: Final = 1.5
TRIED_AGAIN_S: Final = 30.0
LONGEST_WORDS: Final = 200
RETAINED: Final = frozenset({Report.VIEW, Report.NEEDS, Report.STATUS})


class Speaker:
    """What is said on the lines to one broker, one line after the other.

    Args:
        setup: the broker, and what is told first.
        answer: tells the table something.
    """

    def __init__(self, setup: lines.Setup, answer: Callable[[lines.FromSpeaker], None]) -> None:
        self._setup = setup
        self._answer = answer
        self._line = 0
        self._views: asyncio.Queue[lines.Say] = asyncio.Queue()
        self._others: asyncio.Queue[lines.Say] = asyncio.Queue()
        self._client: aiomqtt.Client | None = None
        self._while_began_s = 0.0  # in which messages are counted
        self._told_in_while = 0
        self._refused = 0
        self._pairings: Pairings | None = None
        self._news: dict[str, lines.FromSpeaker] = {}
        self._has_news = asyncio.Event()

    async def hold(self) -> None:
        """Hold a line for as long as nobody cancels that; what leads to the broker may be put right meanwhile."""
        setup = self._setup
        while True:
            try:
                password = read_password(Path(setup.password_file)) if setup.password_file else ""
                tls = read_authority(Path(setup.ca)) if setup.ca else None
                broker = Broker(setup.host, setup.port, setup.user, password, tls)
                await hold_line(partial(self._open, broker), self._speak, self._lose, jitter=random.random)
            except (BrokerUnusable, ValueError) as error:  # of a name that is none, says socket
                self._answer(lines.Unusable(str(error)))
            await asyncio.sleep(TRIED_AGAIN_S)

    def say(self, said: lines.Say) -> None:
        """Take in what is to be published; what was meant for an earlier line is not."""
        if said.line == self._line and self._client is not None:
            (self._views if said.kind == Report.VIEW else self._others).put_nowait(said)

    async def leave(self) -> None:
        """Say that the table leaves in order, if a line stands; where that cannot be said, the will says it."""
        if self._client is None:
            return
        with contextlib.suppress(aiomqtt.MqttError, OSError):
            async with asyncio.timeout(LEAVING_S):
                left = self._status(Presence.DISCONNECTED)
                await self._client.publish(self._topic(Report.STATUS), left, 1, retain=True)

    def _open(self, broker: Broker) -> aiomqtt.Client:
        will = aiomqtt.Will(self._topic(Report.STATUS), self._status(Presence.LOST), 1, retain=True)
        return client(broker, f"captains-table-{self._setup.user}", will, most_waiting=MOST_WAITING)

    async def _speak(self, line: aiomqtt.Client) -> None:
        """Speak and listen until the line breaks; raises MqttError."""
        self._line += 1
        self._views, self._others = asyncio.Queue(), asyncio.Queue()
        for topic in orders_to(self._setup.user):
            await line.subscribe(topic, qos=1)
        await line.publish(discovery_topic(self._setup.user), bytes(self._setup.discovery), 1, retain=True)
        await line.publish(self._topic(Report.STATUS), self._status(Presence.READY), 1, retain=True)
        self._client = line
        self._answer(lines.Linked(self._line))
        tasks = [
            asyncio.ensure_future(each)
            for each in (
                self._tell(line, self._views),
                self._tell(line, self._others),
                self._listen(line),
                self._pass_on(),
            )
        ]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            self._client = None
            await end_all(tasks)

    async def _tell(self, line: aiomqtt.Client, queue: asyncio.Queue[lines.Say]) -> None:
        """Publish what is to be said, one after the other; the table waits for the answer to each of them."""
        while True:
            said = await queue.get()
            kind = Report(said.kind)
            await line.publish(self._topic(kind), bytes(said.payload), 1, retain=kind in RETAINED)
            await asyncio.sleep(PACE_S)
            self._answer(lines.Told(said.line, said.kind))

    async def _listen(self, line: aiomqtt.Client) -> None:
        loop = asyncio.get_running_loop()
        async for message in line.messages:
            if loop.time() - self._while_began_s >= WHILE_S:
                self._while_began_s, self._told_in_while = loop.time(), 0
            self._told_in_while += 1
            if self._told_in_while > MOST_TOLD:  # more than anybody has to say to a table
                raise aiomqtt.MqttError(f"the broker is flooding: more than {MOST_TOLD} messages in {WHILE_S:g} s")
            self._take(message)

    def _take(self, message: aiomqtt.Message) -> None:
        """Take in an order, or say what is wrong with it."""
        found = read_topic(str(message.topic))
        if found is None or found.user != self._setup.user or not isinstance(found.kind, Order):
            return
        try:
            order = _read(found.kind, message.payload)
        except BadMessage as error:
            self._refused += 1
            self._know(
                "refused",
                lines.Refused(self._refused, str(error)[:LONGEST_WORDS], isinstance(error, NewerMessage)),
            )
            return
        if isinstance(order, Acknowledged):
            self._answer(lines.Kept(order.match, order.rev))
        elif isinstance(order, Pairings):
            self._take_pairings(order, is_retained=message.retain)

    def _take_pairings(self, pairings: Pairings, *, is_retained: bool) -> None:
        if not is_retained:
            self._know("present", lines.Present())
        if pairings != self._pairings:
            self._pairings = pairings
            self._know("pairings", lines.Paired(pairings))

    def _know(self, topic: str, news: lines.FromSpeaker) -> None:
        """Let the table know something soon, in place of what it does not know yet of the same."""
        self._news[topic] = news
        self._has_news.set()

    async def _pass_on(self) -> None:
        while True:
            await self._has_news.wait()
            self._has_news.clear()
            news, self._news = tuple(self._news.values()), {}
            for each in news:
                self._answer(each)
            await asyncio.sleep(NEWS_PACE_S)

    def _lose(self, why: str) -> None:
        self._answer(lines.Lost(why[:LONGEST_WORDS]))

    def _topic(self, kind: Report) -> str:
        return str(Topic(self._setup.user, kind))

    def _status(self, state: Presence) -> bytes:
        return written(msgspec.structs.replace(msgspec.json.decode(self._setup.status, type=Status), state=state))


def _read(kind: Order, payload: object) -> Message:
    """Return an order to a table; raises BadMessage."""
    if not isinstance(payload, bytes) or len(payload) > LARGEST_ORDER:
        raise BadMessage(f"'{kind}' is too large: expected at most {LARGEST_ORDER:,} bytes")
    return read(kind, payload)


async def serve(read_line: Callable[[], Awaitable[bytes]], answer: Callable[[lines.FromSpeaker], None]) -> bool:
    """Do what the table says, line by line; return whether it said that it leaves, else it is gone without a word."""
    setup = lines.TO_SPEAKER.decode(await read_line())
    if not isinstance(setup, lines.Setup):
        raise TypeError(f"{setup} came first: expected Setup")
    speaker = Speaker(setup, answer)
    held = asyncio.ensure_future(speaker.hold())
    while line := await read_line():
        match lines.TO_SPEAKER.decode(line):
            case lines.Say() as said:
                speaker.say(said)
            case lines.End():
                await speaker.leave()
                await end_all([held], 2 * ANSWER_S)
                return True
    return False


def end_at_once(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """End this process, as a broker made the library do what it cannot: the table begins anew with another one."""
    os.write(sys.stderr.fileno(), f"captains-table: the club's broker: {context.get('exception')!r}\n".encode())
    os._exit(1)


async def _main() -> None:
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(end_at_once)
    reader = asyncio.StreamReader(limit=LONGEST_LINE)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)

    beating = loop.create_task(_beat())
    if not await serve(reader.readline, lambda message: say(line_of(message))):
        os._exit(0)  # without a word to the broker either, which then says that the table is lost
    beating.cancel()


async def _beat() -> None:
    """Say to the table that this process is at work."""
    while True:
        say(b"\n")
        await asyncio.sleep(BEAT_S)


def main() -> int:
    """Speak until standard input ends."""
    logging.disable()  # of what is discarded there may be much
    give_way(more_bytes=MOST_MEMORY)
    asyncio.run(_main())
    return 0


if __name__ == "__main__":
    sys.exit(main())
