"""Many tables at a broker, each showing a recorded match again and again, a view a second."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from captains_table.reporting.broker import Broker, client
from captains_table.reporting.messages import Presence, Seen, Status, written
from captains_table.reporting.table_view import TableView, table_view
from captains_table.reporting.topics import Report, Topic
from tests.support.recorded_views import recorded_views, tapes

EVERY_S = 1.0
CONNECTED_AT_ONCE = 50


def recorded() -> list[list[TableView]]:
    """Return what tables showed, a list for each of some matches of all games."""
    return [[table_view(view) for view in recorded_views(tape)] for tape in tapes()]


@dataclass(slots=True)
class Crowd:
    """So many tables.

    Attributes:
        port: the broker's on loopback.
        count: how many tables.
        matches: what they show.
        sent: how many views each has sent, and the broker acknowledged, by user.
        size: bytes of all views that were sent.
    """

    port: int
    count: int
    matches: Sequence[Sequence[TableView]]
    sent: dict[str, int] = field(default_factory=dict)
    size: int = 0
    _doors: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(CONNECTED_AT_ONCE))

    async def play(self, seconds: float) -> None:
        """Let all tables connect, and then show their matches for so long."""
        everybody = asyncio.Barrier(self.count)
        await asyncio.gather(*(self._table(number, seconds, everybody) for number in range(self.count)))

    async def _table(self, number: int, seconds: float, everybody: asyncio.Barrier) -> None:
        user = f"table-{number + 1}"
        topics = {kind: str(Topic(user, kind)) for kind in (Report.STATUS, Report.VIEW)}
        await self._doors.acquire()
        async with client(Broker("127.0.0.1", self.port), user) as line:
            status = Status(state=Presence.READY, board=number + 1, title=f"Table {number + 1}")
            await line.publish(topics[Report.STATUS], written(status), qos=1, retain=True)
            self._doors.release()
            await everybody.wait()
            loop = asyncio.get_running_loop()
            due_s = loop.time() + EVERY_S * number / self.count  # not all in the same moment
            ends_s = due_s + seconds
            for n, view in enumerate(self._shown(number), start=1):
                await asyncio.sleep(due_s - loop.time())
                if due_s >= ends_s:
                    return
                payload = written(Seen(boot="crowd", n=n, view=view))
                await line.publish(topics[Report.VIEW], payload, qos=1, retain=True)
                self.sent[user] = n
                self.size += len(payload)
                due_s += EVERY_S

    def _shown(self, number: int) -> Iterator[TableView]:
        match = self.matches[number % len(self.matches)]
        while True:
            yield from match
