"""The club's line to its broker: what tables say is handed on as it comes, and what they are told goes out in order."""

import asyncio
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import aiomqtt

from captains_table.reporting.broker import Broker, client, hold_line, until_one_ends
from captains_table.reporting.messages import (
    ANY,
    SERVER_USER,
    Acknowledged,
    Order,
    Pairings,
    Report,
    Topic,
    checked_user,
    written,
)

IDENTIFIER: Final = f"captains-table-{SERVER_USER}"
UNCONFIRMED: Final = 8
"""So much goes out before the broker has confirmed any of it: one that confirms late delays no acknowledgement."""
SUBSCRIBED: Final = [(str(Topic(ANY, kind)), 0 if kind is Report.VIEW else 1) for kind in Report]
"""What is heard of, and with which quality of service: views come by the shortest way, as the latest one is enough."""
ASKED_AGAIN_S: Final = 60.0
"""So often the broker is asked for what is retained: it may have dropped what came while this server was busy."""


@dataclass(eq=False)
class ClubLine:
    """The line; `hold` keeps it up.

    Attributes:
        broker: the broker.
        arrived: told a topic, its payload, and whether it was retained.
        came_up: told when everything is subscribed to.
        was_lost: told why, each time it could not be opened, or broke.
        heard_of: returns the users of all tables that are known.
    """

    broker: Broker
    arrived: Callable[[str, bytes, bool], None]
    came_up: Callable[[], None]
    was_lost: Callable[[str], None]
    heard_of: Callable[[], Sequence[str]]
    _pairings: dict[Topic, bytes] = field(init=False, default_factory=dict)  # told again whenever the line comes up
    _waiting: dict[tuple[Topic, str], bytes] = field(init=False, default_factory=dict)  # the latest of each
    _woken: asyncio.Event = field(init=False, default_factory=asyncio.Event)
    _is_up: bool = field(init=False, default=False)

    async def hold(self) -> None:
        """Keep the line up until this is cancelled."""
        await hold_line(lambda: client(self.broker, IDENTIFIER, on_message=self._take), self._speak, self._lost)

    def acknowledge(self, user: str, match: str, rev: int) -> None:
        """Tell a table that a result is kept; without a line not at all, since it tells the result again."""
        if self._is_up:
            self._send(Topic(user, Order.ACKNOWLEDGED), match, written(Acknowledged(match=match, rev=rev)))

    def publish(self, user: str, pairings: Pairings) -> None:
        """Let a table offer these matches and no others; raises BadUser."""
        topic = Topic(checked_user(user), Order.PAIRINGS)
        self._pairings[topic] = written(pairings)
        if self._is_up:
            self._send(topic, "", self._pairings[topic])

    def _send(self, topic: Topic, about: str, payload: bytes) -> None:
        self._waiting[topic, about] = payload
        self._woken.set()

    async def _speak(self, line: aiomqtt.Client) -> None:
        await line.subscribe(SUBSCRIBED)
        self._is_up = True
        self._waiting = {(topic, ""): payload for topic, payload in self._pairings.items()}
        self._woken.set()
        self.came_up()
        await until_one_ends(_until_it_breaks(line), self._tell(line), self._ask_again(line))

    def _take(self, message: aiomqtt.Message) -> None:
        payload = message.payload
        self.arrived(str(message.topic), payload if isinstance(payload, bytes) else b"", message.retain)

    async def _ask_again(self, line: aiomqtt.Client) -> None:
        """Have what tables said last told again, one after the other: who subscribes anew is told what is retained.

        All at once would be a second's work for some brokers, and then nothing comes of what happens meanwhile.
        """
        while True:
            users = self.heard_of()
            for user in users:
                await asyncio.sleep(ASKED_AGAIN_S / len(users))
                topics = [str(Topic(user, kind)) for kind in Report if kind is not Report.RESULT]
                await line.subscribe([(topic, 0) for topic in topics])
                await line.unsubscribe(topics)
            await asyncio.sleep(0 if users else ASKED_AGAIN_S)
            await line.subscribe(str(Topic(ANY, Report.STATUS)), 1)  # a table that was not heard of yet

    async def _tell(self, line: aiomqtt.Client) -> None:
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
        await line.publish(str(topic), payload, qos=1, retain=topic.kind is Order.PAIRINGS)

    def _lost(self, why: str) -> None:
        self._is_up = False
        self.was_lost(why)


async def _until_it_breaks(line: aiomqtt.Client) -> None:
    """Wait until a line breaks; raises `aiomqtt.MqttError` then."""
    async for _ in line.messages:
        pass  # they were handed on when they were read
