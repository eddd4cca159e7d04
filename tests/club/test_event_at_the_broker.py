"""A Swiss over the real broker: the arbiter at his pages, tables that tell their results, a server that is killed."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from hashlib import sha256
from pathlib import Path

import pytest

from captains_table.club.events.entries import Edition, Made, System
from captains_table.club.events.trf import trf_of
from captains_table.reporting.messages import Acknowledged, FinalScore, MatchReport, Pairing, Pairings, decode
from tests.support.club_arbiter import Arbiter
from tests.support.club_event import Running, begun as running_event, by_chance
from tests.support.club_process import ClubProcess
from tests.support.club_tables import Teller, ready, telling
from tests.support.mosquitto import Mosquitto
from tests.support.patience import PATIENCE_S

PLAYERS, ROUNDS, TABLES = 6, 3, 3
AGAIN_S = 0.2


class Table:
    """A table of which a test says how its matches end; it tells a result again until that is acknowledged."""

    def __init__(self, teller: Teller) -> None:
        self._teller = teller
        self.offered: dict[str, Pairing] = {}
        self._untold: dict[str, MatchReport] = {}

    async def work(self) -> None:
        """Hear what the club says, and tell what is not acknowledged."""
        while True:
            for outcome in list(self._untold.values()):
                await self._teller.say(outcome)
            try:
                async with asyncio.timeout(AGAIN_S):
                    order, payload = await self._teller.told.get()
            except TimeoutError:
                continue
            match decode(order, payload):
                case Pairings(pairings=pairings):
                    self.offered = {pairing.id: pairing for pairing in pairings}
                case Acknowledged(match=match):
                    self._untold.pop(match, None)

    def play(self, pairing: Pairing, ending: FinalScore) -> None:
        """End a match."""
        seal = sha256(pairing.id.encode()).hexdigest()
        self._untold[seal] = MatchReport(
            match=seal, rev=1, pairing=pairing.id, game=pairing.game, seats=pairing.seats, ending=ending
        )


def expected() -> Running:
    """Return the same event, undisturbed: whatever it is paired by, and no broker."""
    made = Made(title="Open", game="captains-chess", system=System.SWISS, rounds=ROUNDS, edition=Edition.FIDE_2026)
    running = Running([made, *running_event(System.SWISS, PLAYERS, ROUNDS).entries[1:]])
    for number in range(ROUNDS):
        running.play_round(by_chance(number))
    return running


def ends(undisturbed: Running) -> dict[tuple[str, ...], FinalScore]:
    """Return how a match of these two ends."""
    return {
        tuple(undisturbed.event.name(seat) for seat in match.seated.seats): told.ending
        for round_ in undisturbed.event.rounds
        for match in round_.matches
        for told in match.reports.values()
        if told.ending is not None
    }


@pytest.mark.slow
def test_a_swiss_over_the_broker_whose_server_is_killed_in_mid_round_ends_as_undisturbed(
    mosquitto: Mosquitto, config: Path
) -> None:
    undisturbed = expected()
    with ClubProcess(config, config.parent / "first") as club:
        arbiter = Arbiter(club)
        arbiter.post("/new", title="Open", game="captains-chess", system="swiss", rounds=str(ROUNDS), forfeit_min="0")
        for number in range(1, PLAYERS + 1):
            arbiter.post("/players", name=f"Player {number}", rating=str(2000 - 10 * number))
        arbiter.post("/events/1/enter", **{f"player-{number}": "yes" for number in range(1, PLAYERS + 1)})
        report = asyncio.run(evening(mosquitto.port, arbiter, club, config, ends(undisturbed)))
    assert report == trf_of(undisturbed.event)


async def evening(
    port: int, arbiter: Arbiter, club: ClubProcess, config: Path, endings: dict[tuple[str, ...], FinalScore]
) -> str:
    """Play all rounds and return the report.

    In the second the server is killed while one match is told, one is played, and one goes on.
    """
    servers = [club]
    async with asyncio.timeout(PATIENCE_S), tables_at(port) as tables:
        for number in range(1, ROUNDS + 1):
            await paired(arbiter)
            offered = [await offer(table) for table in tables]
            tables[0].play(offered[0], endings[offered[0].seats])
            await until_open(arbiter, TABLES - 1)
            if number == 2:
                club.process.kill()
                club.process.wait(PATIENCE_S)
                tables[1].play(offered[1], endings[offered[1].seats])
                await asyncio.sleep(2 * AGAIN_S)
                arbiter.close()
                servers.append(await asyncio.to_thread(ClubProcess, config, config.parent / "second"))
                arbiter = Arbiter(servers[-1])
                await until_open(arbiter, 1)
                assert list(tables[2].offered) == [offered[2].id]
            else:
                tables[1].play(offered[1], endings[offered[1].seats])
            tables[2].play(offered[2], endings[offered[2].seats])
            await until_open(arbiter, 0)
        report = await asyncio.to_thread(arbiter.report)
        arbiter.close()
        assert await asyncio.to_thread(servers[-1].stop) == 0
        return report


@asynccontextmanager
async def tables_at(port: int) -> AsyncIterator[list[Table]]:
    """Let the tables be at the broker, each at work."""
    async with AsyncExitStack() as stack:
        tables = []
        for number in range(1, TABLES + 1):
            teller = await stack.enter_async_context(telling(port, f"table-{number}"))
            await teller.say(ready(number))
            tables.append(Table(teller))
        working = [asyncio.ensure_future(table.work()) for table in tables]
        yield tables
        for work in working:
            work.cancel()
        await asyncio.wait(working)


async def paired(arbiter: Arbiter) -> None:
    """Pair the next round, and tell it once all tables are there."""
    await asyncio.to_thread(arbiter.post, "/events/1/pair")
    while await asyncio.to_thread(arbiter.tables) < TABLES:  # noqa: ASYNC110 - a page tells nothing by itself
        await asyncio.sleep(AGAIN_S / 10)
    await asyncio.to_thread(arbiter.post, "/events/1/publish")


async def offer(table: Table) -> Pairing:
    """Return the one match that a table offers, as soon as it does."""
    while not table.offered:  # noqa: ASYNC110 - nor do a test's tables
        await asyncio.sleep(AGAIN_S / 10)
    [pairing] = table.offered.values()
    return pairing


async def until_open(arbiter: Arbiter, count: int) -> None:
    """Wait until so many matches of the round have no result."""
    while (await asyncio.to_thread(arbiter.report)).count(" w   ") != count:  # noqa: ASYNC110 - nor this
        await asyncio.sleep(AGAIN_S / 10)
