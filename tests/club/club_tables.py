"""What tables of a club say, as tests let them say it."""

import asyncio
import base64
import json
import zlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiomqtt

from captains_table.club.intake.mailbox import Arrival
from captains_table.reporting.broker import Broker, mqtt_client
from captains_table.reporting.messages import (
    FinalScore,
    FromClub,
    FromTable,
    MatchReport,
    Message,
    Presence,
    Status,
    Topic,
    ViewMessage,
    encode,
    subscribed_topics,
)
from captains_table.reporting.table_view import spectator_view
from captains_table.table.model.view import Phase, View
from tests.support.patience import PATIENCE_S

SEAL = "5ea1" * 16
NOON_S = 1_800_000_000.0


def arrival(
    user: str, message: Message | bytes, kind: FromTable | None = None, *, retained: bool = False, at_s: float = 0.0
) -> Arrival:
    """Return a message, or any bytes, as they arrive of a table so many seconds after noon."""
    kinds: dict[type, FromTable] = {
        Status: FromTable.STATUS,
        ViewMessage: FromTable.VIEW,
        MatchReport: FromTable.RESULT,
    }
    payload = message if isinstance(message, bytes) else encode(message)
    return Arrival(Topic(user, kind or kinds.get(type(message), FromTable.NEEDS)), payload, retained, NOON_S + at_s)


def ready(board: int = 0, title: str = "") -> Status:
    """Return what a table says that is there."""
    return Status(state=Presence.READY, board=board, title=title)


def seen(n: int, heading: str = "", boot: str = "boot", match: str = "") -> ViewMessage:
    """Return a view of a table, known by its heading."""
    return ViewMessage(
        boot=boot,
        n=n,
        match=match,
        view=spectator_view(View(phase=Phase.PLAYING, game="legend", heading=heading or f"View {n}")),
    )


def outcome(match: str = SEAL, rev: int = 1, scores: tuple[int, ...] = (3, 1), **more: Any) -> MatchReport:  # noqa: ANN401 - any of its fields
    """Return a result."""
    values: dict[str, Any] = {
        "game": "captains-chess",
        "seats": ("Anne", "Bart"),
        "ending": FinalScore(winner=0, scores=scores),
        **more,
    }
    return MatchReport(match=match, rev=rev, **values)


def packed(export: object) -> str:
    """Return an export as it travels."""
    return base64.b64encode(zlib.compress(json.dumps(export).encode())).decode()


class Teller:
    """A table's end of the broker, to be used in `telling`.

    Attributes:
        told: what the club told it, by what it is about; the payload as it came.
    """

    def __init__(self, line: aiomqtt.Client, user: str) -> None:
        self._line = line
        self._user = user
        self.told: asyncio.Queue[tuple[FromClub, bytes]] = asyncio.Queue()

    async def say(self, message: Message | bytes, kind: FromTable | None = None, *, retain: bool | None = None) -> None:
        """Say something, retained where a table says it so."""
        said = arrival(self._user, message, kind)
        keep = said.topic.kind is not FromTable.RESULT if retain is None else retain
        await self._line.publish(str(said.topic), said.payload, qos=1, retain=keep)

    async def listen(self) -> None:
        """Take what the club tells."""
        async for message in self._line.messages:
            assert isinstance(message.payload, bytes)
            self.told.put_nowait((FromClub(str(message.topic).rpartition("/")[2]), message.payload))


@asynccontextmanager
async def telling(port: int, user: str) -> AsyncIterator[Teller]:
    """Let a table be at the broker."""
    async with mqtt_client(Broker("127.0.0.1", port), f"test-{user}") as line:
        await line.subscribe([(topic, 1) for topic in subscribed_topics(user)])
        teller = Teller(line, user)
        listening = asyncio.ensure_future(teller.listen())
        try:
            yield teller
        finally:
            listening.cancel()
            await asyncio.wait([listening])


async def until(holds: Callable[[], object]) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(PATIENCE_S):
        while not holds():  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0.02)
