"""The club's connection to its MQTT broker: receives the tables' messages, and sends acknowledgements and pairings.

A broken connection is opened again. All retained messages except results are requested anew each minute.
"""

import asyncio
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import aiomqtt

from captains_table.reporting.broker import Broker, keep_connected, mqtt_client, until_one_ends
from captains_table.reporting.messages import (
    ANY_USER,
    SERVER_USER,
    Acknowledged,
    FromClub,
    FromTable,
    Pairings,
    Topic,
    checked_user,
    encode,
)

IDENTIFIER: Final = f"captains-table-{SERVER_USER}"
UNCONFIRMED: Final = 8
"""The number of messages in a batch; the next batch is sent once the broker has confirmed the whole batch."""
SUBSCRIBED: Final = [(str(Topic(ANY_USER, kind)), 0 if kind is FromTable.VIEW else 1) for kind in FromTable]
"""The subscribed topics with their quality of service: 0 for views, as only the latest one is needed."""
ASKED_AGAIN_S: Final = 60.0
"""The time in which all retained messages are requested anew: the broker may drop some while this server is busy."""


@dataclass(eq=False)
class ClubLine:
    """The connection to the broker; `hold` keeps it open.

    Attributes:
        broker: the broker.
        on_message: called with a topic, its payload, and whether it was retained.
        on_connected: called when all topics are subscribed to.
        on_disconnected: called with the reason each time the connection cannot be opened or breaks.
        known_users: returns the user names of all known tables.
    """

    broker: Broker
    on_message: Callable[[str, bytes, bool], None]
    on_connected: Callable[[], None]
    on_disconnected: Callable[[str], None]
    known_users: Callable[[], Sequence[str]]
    _pairings: dict[Topic, bytes] = field(init=False, default_factory=dict)  # sent again after each reconnect
    _waiting: dict[tuple[Topic, str], bytes] = field(init=False, default_factory=dict)  # the latest payload of each
    _woken: asyncio.Event = field(init=False, default_factory=asyncio.Event)
    _is_up: bool = field(init=False, default=False)

    async def hold(self) -> None:
        """Keep the connection open until cancelled; open it again whenever it breaks."""
        await keep_connected(
            lambda: mqtt_client(self.broker, IDENTIFIER, on_message=self._receive), self._serve, self._lost
        )

    def acknowledge(self, user: str, match: str, rev: int) -> None:
        """Confirm to a table that a result is stored.

        Without a connection nothing is sent, and the table sends the result again until it is acknowledged.
        """
        if self._is_up:
            self._send(Topic(user, FromClub.ACKNOWLEDGED), match, encode(Acknowledged(match=match, rev=rev)))

    def publish(self, user: str, pairings: Pairings) -> None:
        """Publish the matches that a table may offer, in place of the earlier ones; raises BadUser.

        Without a connection, the matches are published as soon as there is one.
        """
        topic = Topic(checked_user(user), FromClub.PAIRINGS)
        self._pairings[topic] = encode(pairings)
        if self._is_up:
            self._send(topic, "", self._pairings[topic])

    def _send(self, topic: Topic, about: str, payload: bytes) -> None:
        self._waiting[topic, about] = payload
        self._woken.set()

    async def _serve(self, line: aiomqtt.Client) -> None:
        await line.subscribe(SUBSCRIBED)
        self._is_up = True
        self._waiting = {(topic, ""): payload for topic, payload in self._pairings.items()}
        self._woken.set()
        self.on_connected()
        await until_one_ends(_until_it_breaks(line), self._send_waiting(line), self._request_retained(line))

    def _receive(self, message: aiomqtt.Message) -> None:
        payload = message.payload
        self.on_message(str(message.topic), payload if isinstance(payload, bytes) else b"", message.retain)

    async def _request_retained(self, line: aiomqtt.Client) -> None:
        """Make the broker send all retained messages again each minute, by subscribing to their topics once more.

        The subscriptions are spread over the minute, table by table. All of them at once would keep some brokers so
        busy that they send no live messages for a second.
        """
        while True:
            users = self.known_users()
            for user in users:
                await asyncio.sleep(ASKED_AGAIN_S / len(users))
                topics = [str(Topic(user, kind)) for kind in FromTable if kind is not FromTable.RESULT]
                await line.subscribe([(topic, 0) for topic in topics])
                await line.unsubscribe(topics)
            await asyncio.sleep(0 if users else ASKED_AGAIN_S)
            await line.subscribe(str(Topic(ANY_USER, FromTable.STATUS)), 1)  # for tables that are not known yet

    async def _send_waiting(self, line: aiomqtt.Client) -> None:
        while True:
            await self._woken.wait()
            self._woken.clear()
            while self._waiting:
                upcoming = list(itertools.islice(self._waiting.items(), UNCONFIRMED))
                await asyncio.gather(*(self._publish(line, topic, payload) for (topic, _), payload in upcoming))
                for key, payload in upcoming:
                    if self._waiting.get(key) is payload:
                        del self._waiting[key]

    async def _publish(self, line: aiomqtt.Client, topic: Topic, payload: bytes) -> None:
        await line.publish(str(topic), payload, qos=1, retain=topic.kind is FromClub.PAIRINGS)

    def _lost(self, why: str) -> None:
        self._is_up = False
        self.on_disconnected(why)


async def _until_it_breaks(line: aiomqtt.Client) -> None:
    """Wait until a connection breaks, then raise `aiomqtt.MqttError`."""
    async for _ in line.messages:
        pass  # `_receive` has passed them on already
