"""The speaker: a low-priority process that holds a table's MQTT connection to the broker of its club.

The speaker shields the table from the broker: the table only exchanges lines with this process. The memory of the
process is limited, so that an oversized payload ends the speaker and nothing else; the table then starts it again. On
each connection the speaker publishes the table's presence and its Home Assistant discovery. It limits the pace of
messages in both directions, and drops a connection whose broker sends too many.
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

from captains_table.process.worker_side import BEAT_S, encode_answer, limit_resources, write_line
from captains_table.reporting import messages
from captains_table.reporting.broker import (
    ANSWER_S,
    Broker,
    BrokerUnusable,
    cancel_all,
    keep_connected,
    mqtt_client,
    read_authority,
    read_password,
    until_one_ends,
)
from captains_table.runtime.club_line import speaker_messages

MOST_MEMORY: Final = 64 << 20
"""Bytes of memory that the process may use beyond those at its start; MQTT's largest packet is four times as large."""
LONGEST_LINE: Final = 2 << 20
LARGEST_ORDER: Final = 1 << 16
"""The most bytes of a club's message to a table; the pairings of one table need far fewer."""
MOST_WAITING: Final = 32  # messages of the broker in the queue
PACE_S: Final = 0.1
"""The least seconds between two views, and between two results: the club accepts twenty a second from a table."""
NEWS_PACE_S: Final = 1.0
"""The least seconds between two batches of news for the table; in a batch, only the last news about a topic is sent."""
MOST_RECEIVED: Final = 200
"""The most messages of the broker within WHILE_S: a club sends a table a few in an evening, two when it connects."""
WHILE_S: Final = 10.0
LEAVING_S: Final = 1.5
TRIED_AGAIN_S: Final = 30.0
LONGEST_WORDS: Final = 200
RETAINED: Final = frozenset({messages.FromTable.VIEW, messages.FromTable.NEEDS, messages.FromTable.STATUS})


class BrokerConnection:
    """Publishes and receives a table's messages through one MQTT broker, with one connection at a time.

    Args:
        setup: the first message from the table: the broker's address and the first payloads.
        answer: sends a message to the table.
    """

    def __init__(
        self, setup: speaker_messages.SpeakerSetup, answer: Callable[[speaker_messages.FromSpeaker], None]
    ) -> None:
        self._setup = setup
        self._answer = answer
        self._line = 0
        self._views: asyncio.Queue[speaker_messages.Publish] = asyncio.Queue()
        self._others: asyncio.Queue[speaker_messages.Publish] = asyncio.Queue()
        self._client: aiomqtt.Client | None = None
        self._while_began_s = 0.0  # start of the interval in which messages are counted
        self._received_in_while = 0
        self._refused = 0
        self._pairings: messages.Pairings | None = None
        self._news: dict[str, speaker_messages.FromSpeaker] = {}
        self._has_news = asyncio.Event()

    async def hold(self) -> None:
        """Keep a connection to the broker until cancelled.

        If a wrong setting or a missing file makes the connection impossible, report the problem, and try again after
        TRIED_AGAIN_S.
        """
        setup = self._setup
        while True:
            try:
                password = read_password(Path(setup.password_file)) if setup.password_file else ""
                tls = read_authority(Path(setup.ca)) if setup.ca else None
                broker = Broker(setup.host, setup.port, setup.user, password, tls)
                await keep_connected(partial(self._open, broker), self._speak, self._lose, jitter=random.random)
            except (BrokerUnusable, ValueError) as error:  # ValueError: from socket, for an invalid host name
                self._answer(speaker_messages.ConnectionImpossible(str(error)))
            await asyncio.sleep(TRIED_AGAIN_S)

    def say(self, said: speaker_messages.Publish) -> None:
        """Queue a message for publishing; ignore a message for a connection that has been lost."""
        if said.line == self._line and self._client is not None:
            (self._views if said.kind == messages.FromTable.VIEW else self._others).put_nowait(said)

    async def leave(self) -> None:
        """Publish that the table leaves; do nothing without a connection.

        If the connection is lost without this call, the broker publishes the last will.
        """
        if self._client is None:
            return
        with contextlib.suppress(aiomqtt.MqttError, OSError):
            async with asyncio.timeout(LEAVING_S):
                left = self._status(messages.Presence.DISCONNECTED)
                await self._client.publish(self._topic(messages.FromTable.STATUS), left, 1, retain=True)

    def _open(self, broker: Broker) -> aiomqtt.Client:
        will = aiomqtt.Will(
            self._topic(messages.FromTable.STATUS), self._status(messages.Presence.LOST), 1, retain=True
        )
        return mqtt_client(broker, f"captains-table-{self._setup.user}", will, most_waiting=MOST_WAITING)

    async def _speak(self, line: aiomqtt.Client) -> None:
        """Publish and receive messages on a new connection until it breaks; raises MqttError."""
        self._line += 1
        self._views, self._others = asyncio.Queue(), asyncio.Queue()
        for topic in messages.subscribed_topics(self._setup.user):
            await line.subscribe(topic, qos=1)
        await line.publish(messages.discovery_topic(self._setup.user), bytes(self._setup.discovery), 1, retain=True)
        await line.publish(
            self._topic(messages.FromTable.STATUS), self._status(messages.Presence.READY), 1, retain=True
        )
        self._client = line
        self._answer(speaker_messages.BrokerConnected(self._line))
        telling = (self._tell(line, queue) for queue in (self._views, self._others))
        try:
            await until_one_ends(*telling, self._listen(line), self._pass_on())
        finally:
            self._client = None

    async def _tell(self, line: aiomqtt.Client, queue: asyncio.Queue[speaker_messages.Publish]) -> None:
        """Publish the queued messages one by one, at least PACE_S apart, and confirm each message to the table.

        The table sends the next message of a kind only after the confirmation.
        """
        while True:
            said = await queue.get()
            kind = messages.FromTable(said.kind)
            await line.publish(self._topic(kind), bytes(said.payload), 1, retain=kind in RETAINED)
            await asyncio.sleep(PACE_S)
            self._answer(speaker_messages.Published(said.line, said.kind))

    async def _listen(self, line: aiomqtt.Client) -> None:
        loop = asyncio.get_running_loop()
        async for message in line.messages:
            if loop.time() - self._while_began_s >= WHILE_S:
                self._while_began_s, self._received_in_while = loop.time(), 0
            self._received_in_while += 1
            if self._received_in_while > MOST_RECEIVED:
                raise aiomqtt.MqttError(f"the broker is flooding: more than {MOST_RECEIVED} messages in {WHILE_S:g} s")
            self._take(message)

    def _take(self, message: aiomqtt.Message) -> None:
        """Handle a message from the club; ignore a message that is not for this table.

        If a message cannot be decoded, report the error to the table.
        """
        found = messages.read_topic(str(message.topic))
        if found is None or found.user != self._setup.user or not isinstance(found.kind, messages.FromClub):
            return
        try:
            order = _read(found.kind, message.payload)
        except messages.BadPayload as error:
            self._refused += 1
            self._know(
                "refused",
                speaker_messages.UnusableMessages(
                    self._refused, str(error)[:LONGEST_WORDS], isinstance(error, messages.NewerMessage)
                ),
            )
            return
        if isinstance(order, messages.Acknowledged):
            self._answer(speaker_messages.ResultAcknowledged(order.match, order.rev))
        elif isinstance(order, messages.Pairings):
            self._take_pairings(order, is_retained=message.retain)

    def _take_pairings(self, pairings: messages.Pairings, *, is_retained: bool) -> None:
        if not is_retained:
            self._know("present", speaker_messages.ServerPresent())
        if pairings != self._pairings:
            self._pairings = pairings
            self._know("pairings", speaker_messages.PairingsChanged(pairings))

    def _know(self, topic: str, news: speaker_messages.FromSpeaker) -> None:
        """Queue news for the table, in place of unsent news about the same topic."""
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
        self._answer(speaker_messages.BrokerDisconnected(why[:LONGEST_WORDS]))

    def _topic(self, kind: messages.FromTable) -> str:
        return str(messages.Topic(self._setup.user, kind))

    def _status(self, state: messages.Presence) -> bytes:
        return messages.encode(
            msgspec.structs.replace(msgspec.json.decode(self._setup.status, type=messages.Status), state=state)
        )


def _read(kind: messages.FromClub, payload: object) -> messages.Message:
    """Decode the payload of a message to a table; raises BadPayload if it is too large or invalid."""
    if not isinstance(payload, bytes) or len(payload) > LARGEST_ORDER:
        raise messages.BadPayload(f"'{kind}' is too large: expected at most {LARGEST_ORDER:,} bytes")
    return messages.decode(kind, payload)


async def run_speaker(
    read_line: Callable[[], Awaitable[bytes]], answer: Callable[[speaker_messages.FromSpeaker], None]
) -> bool:
    """Carry out the table's messages, line by line, until the message EndSpeaker has been carried out or the lines end.

    Return whether the message EndSpeaker came.

    Args:
        read_line: returns the next line from the table; empty at the end.
        answer: sends a message to the table.

    Raises:
        TypeError: the first message is no SpeakerSetup.
    """
    setup = speaker_messages.TO_SPEAKER.decode(await read_line())
    if not isinstance(setup, speaker_messages.SpeakerSetup):
        raise TypeError(f"{setup} came first: expected Setup")
    speaker = BrokerConnection(setup, answer)
    held = asyncio.ensure_future(speaker.hold())
    while line := await read_line():
        match speaker_messages.TO_SPEAKER.decode(line):
            case speaker_messages.Publish() as said:
                speaker.say(said)
            case speaker_messages.EndSpeaker():
                await speaker.leave()
                await cancel_all([held], 2 * ANSWER_S)
                return True
    return False


def end_at_once(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """End this process after an unhandled error in the MQTT library; the table then starts a new process."""
    os.write(sys.stderr.fileno(), f"captains-table: the club's broker: {context.get('exception')!r}\n".encode())
    os._exit(1)


async def _main() -> None:
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(end_at_once)
    reader = asyncio.StreamReader(limit=LONGEST_LINE)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)

    beating = loop.create_task(_beat())
    if not await run_speaker(reader.readline, lambda message: write_line(encode_answer(message))):
        os._exit(0)  # without disconnecting, so that the broker publishes the table's loss
    beating.cancel()


async def _beat() -> None:
    """Send heartbeats (empty lines) to the table until cancelled."""
    while True:
        write_line(b"\n")
        await asyncio.sleep(BEAT_S)


def main() -> int:
    """Run this process until the table sends EndSpeaker, or standard input ends; return the exit code."""
    logging.disable()  # the MQTT library logs every discarded message
    limit_resources(more_bytes=MOST_MEMORY)
    asyncio.run(_main())
    return 0


if __name__ == "__main__":
    sys.exit(main())
