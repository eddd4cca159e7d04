"""The club's line to its broker: what tables say is handed on as it comes, and what they are told goes out in order."""

import asyncio
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import aiomqtt

from captains_table.reporting.broker import Broker, client, end_all, hold_line
from captains_table.reporting.messages import (
    SERVER_USER,
    Acknowledged,
    Order,
    Pairings,
    Report,
    Topic,
    checked_user,
    topic_of_all,
    written,
)

IDENTIFIER: Final = f"captains-table-{SERVER_USER}"
UNCONFIRMED: Final = 8
"""So much goes out before the broker has confirmed any of it: one that confirms late delays no acknowledgement."""
SUBSCRIBED: Final = [(topic_of_all(kind), 0 if kind is Report.VIEW else 1) for kind in Report]
"""What is heard of, and with which quality of service: views come by the shortest way, as the latest one is enough."""
ASKED_AGAIN_S: Final = 60.0
"""So often the broker is asked for what is retained: it may have dropped what came while this server was busy."""


@dataclass(frozen=True, slots=True)
class LineEnds:
    """Whom the line tells what.

    Attributes:
        arrived: told a topic, its payload, and whether it was retained.
        came_up: told when everything is subscribed to.
        was_lost: told why, each time it could not be opened, or broke.
        heard_of: returns the users of all tables that are known.
    """

    arrived: Callable[[str, bytes, bool], None]
    came_up: Callable[[], None]
    was_lost: Callable[[str], None]
    heard_of: Callable[[], Sequence[str]]


class ClubLine:
    """The line; `hold` keeps it up.

    Args:
        broker: the broker.
        ends: whom it tells what.
    """

    def __init__(self, broker: Broker, ends: LineEnds) -> None:
        self._broker = broker
        self._ends = ends
        self._pairings: dict[Topic, bytes] = {}  # told again whenever the line comes up
        self._waiting: dict[tuple[Topic, str], bytes] = {}  # what is to go out, the latest of each
        self._woken = asyncio.Event()
        self._is_up = False

    async def hold(self) -> None:
        """Keep the line up until this is cancelled."""
        await hold_line(lambda: client(self._broker, IDENTIFIER, hand_on=self._take), self._speak, self._lost)

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
        self._ends.came_up()
        ways = [asyncio.ensure_future(way) for way in (_until_it_breaks(line), self._tell(line), self._ask_again(line))]
        try:
            done, _ = await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for way in done:
                way.result()
        finally:
            await end_all(ways)

    def _take(self, message: aiomqtt.Message) -> None:
        payload = message.payload
        self._ends.arrived(str(message.topic), payload if isinstance(payload, bytes) else b"", message.retain)

    async def _ask_again(self, line: aiomqtt.Client) -> None:
        """Have what tables said last told again, one after the other: who subscribes anew is told what is retained.

        All at once would be a second's work for some brokers, and then nothing comes of what happens meanwhile.
        """
        while True:
            users = self._ends.heard_of()
            for user in users:
                await asyncio.sleep(ASKED_AGAIN_S / len(users))
                topics = [str(Topic(user, kind)) for kind in Report if kind is not Report.RESULT]
                await line.subscribe([(topic, 0) for topic in topics])
                await line.unsubscribe(topics)
            await asyncio.sleep(0 if users else ASKED_AGAIN_S)
            await line.subscribe(topic_of_all(Report.STATUS), 1)  # a table that was not heard of yet

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
        self._ends.was_lost(why)


async def _until_it_breaks(line: aiomqtt.Client) -> None:
    """Wait until a line breaks; raises `aiomqtt.MqttError` then."""
    async for _ in line.messages:
        pass  # they were handed on when they were read
