"""The club's service and the real Mosquitto."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager, closing
from pathlib import Path

import pytest

from captains_table.club import service
from captains_table.club.intake.mailbox import AT_ONCE
from captains_table.club.service import BadCorrection, ClubChanges, ClubService, NoSuchCall
from captains_table.club.store.store import FILE, Proof, Store
from captains_table.reporting.broker import Broker
from captains_table.reporting.messages import (
    Acknowledged,
    ArbiterCall,
    FinalScore,
    FromClub,
    FromTable,
    Pairing,
    Pairings,
    Presence,
    Status,
    decode,
    encode,
)
from tests.club.club_tables import SEAL, Teller, outcome, ready, seen, telling, until
from tests.club.recorded_matches import proven, recorded
from tests.support.mosquitto import Mosquitto

FLOODED = 10 * int(AT_ONCE)
HOSTILE = (b"", b'{"v":1,"', b"\xff\x00", b"[" * 2000, b"1e999", encode(outcome())[:-9])


@asynccontextmanager
async def club_at(mosquitto: Mosquitto, folder: Path) -> AsyncIterator[ClubService]:
    """Let a club be at the broker; a failure of its store fails the test."""
    failures: list[Exception] = []
    (folder / "club").mkdir()
    with closing(Store(folder / "club")) as store:
        club = ClubService("Harbour", Broker("127.0.0.1", mosquitto.port), store, {}, failures.append)
        working = asyncio.ensure_future(club.run())
        try:
            await until(lambda: club.line.is_up)
            yield club
        finally:
            working.cancel()
            await asyncio.wait([working])
    assert failures == []


@asynccontextmanager
async def club_and_table(mosquitto: Mosquitto, folder: Path) -> AsyncIterator[tuple[ClubService, Teller]]:
    """Let a club and a table be at the broker."""
    async with club_at(mosquitto, folder) as club, telling(mosquitto.port, "table-1") as table:
        yield club, table


async def acknowledged(told: asyncio.Queue[tuple[FromClub, bytes]]) -> tuple[str, int]:
    order, payload = await told.get()
    message = decode(order, payload)
    assert isinstance(message, Acknowledged)
    return message.match, message.rev


async def test_a_call_that_the_arbiter_answers_is_named_to_the_table_with_what_it_is_to_offer(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    offered = (Pairing(id="1", heading="Round 1", game="legend", seats=("Anne", "Bart")),)
    async with club_and_table(mosquitto, tmp_path) as (club, table):
        await table.say(ArbiterCall(arbiter=True, call="boot 1"))
        await until(lambda: club.tables.all() and club.tables.all()[0].call)
        club.publish("table-1", Pairings(pairings=offered))
        assert decode(*await table.told.get()) == Pairings(pairings=offered)
        for other in ("boot 2", ""):
            with pytest.raises(NoSuchCall):
                club.answer("table-1", other)
        club.answer("table-1", "boot 1")
        assert decode(*await table.told.get()) == Pairings(pairings=offered, answered="boot 1")
        assert club.table("table-1").needs  # until the table says that it does not
        club.publish("table-1", Pairings())
        assert decode(*await table.told.get()) == Pairings(answered="boot 1")


async def test_who_looks_is_told_what_changed_and_of_much_at_once_that_it_did(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    async with club_and_table(mosquitto, tmp_path) as (club, table):
        await table.say(ready())
        await until(club.tables.all)
        async with aclosing(club.changes()) as changes:
            first = await anext(changes)
            assert first == ClubChanges({"table-1"}, results=True)
            for n in range(10):
                await table.say(seen(n))
            await until(lambda: club.table("table-1").n == 9)
            assert await anext(changes) == ClubChanges({"table-1"})
            await table.say(b"nonsense", FromTable.VIEW)
            assert not (await anext(changes)).results
            assert club.refused.counts()
            club.stop()
            with pytest.raises(StopAsyncIteration):
                await anext(changes)


async def test_while_the_disk_takes_no_result_what_is_seen_goes_on(mosquitto: Mosquitto, tmp_path: Path) -> None:
    """It is acknowledged when it is kept, and not before."""
    async with club_and_table(mosquitto, tmp_path) as (club, table):
        with closing(sqlite3.connect(tmp_path / "club" / FILE, isolation_level=None)) as disk:
            disk.execute("BEGIN IMMEDIATE")
            await table.say(outcome())
            await table.say(outcome("07ea" * 16))
            for _ in range(10):
                taken = club.tables.taken.views
                await table.say(seen(taken + 1))
                await until(lambda taken=taken: club.tables.taken.views > taken)  # type: ignore[misc]
            assert table.told.empty()
            disk.execute("ROLLBACK")
        assert {await acknowledged(table.told) for _ in range(2)} == {(SEAL, 1), ("07ea" * 16, 1)}
        assert [kept.outcome.match for kept in club.store.results()] == [SEAL, "07ea" * 16]


async def test_forged_and_hostile_results_are_refused_counted_and_unacknowledged(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    async with (
        club_at(mosquitto, tmp_path) as club,
        telling(mosquitto.port, "table-1") as honest,
        telling(mosquitto.port, "table-2") as forger,
    ):
        await honest.say(outcome())
        assert await acknowledged(honest.told) == (SEAL, 1)
        await forger.say(outcome(rev=2, scores=(0, 9)))
        await honest.say(outcome(scores=(9, 0)))
        await until(lambda: len(club.refused.counts()) == 2)
        for hostile in HOSTILE:
            await honest.say(hostile, FromTable.RESULT)
        await until(lambda: club.refused.counts()[0].count == 1 + len(HOSTILE))
        assert [each.user for each in club.refused.counts()] == ["table-1", "table-2"]
        assert "was told by table 'table-1'" in club.refused.counts()[1].last[0].words
        assert club.store.result(SEAL).outcome == outcome()
        assert honest.told.empty()
        assert forger.told.empty()


@pytest.mark.slow
async def test_a_match_that_was_played_is_proven_and_remembered(mosquitto: Mosquitto, tmp_path: Path) -> None:
    async with club_and_table(mosquitto, tmp_path) as (club, table):
        told = recorded("ship-captain-crew-alone")
        await table.say(told)
        assert await acknowledged(table.told) == (told.match, 1)
        await until(lambda: club.store.result(told.match).proof is Proof.PROVEN)
        assert club.store.result(told.match).remembered == proven("ship-captain-crew-alone")
        with pytest.raises(BadCorrection, match="3 scores of 1 seats"):
            club.correct(told.match, FinalScore(winner=0, scores=(1, 2, 3)), "misread")
        version = club.store_version
        club.delete_evening(1)
        assert club.store_version > version
        assert (club.store.results(), club.store.evenings()) == ([], [])


async def test_after_the_broker_was_killed_everything_is_there_again(mosquitto: Mosquitto, tmp_path: Path) -> None:
    pairings = Pairings(pairings=(Pairing(id="e1-r1-b1", heading="Round 1", game="legend", seats=("Anne", "Bart")),))
    async with club_at(mosquitto, tmp_path) as club:
        club.publish("table-1", pairings)
        async with telling(mosquitto.port, "table-1") as table:
            assert await table.told.get() == (FromClub.PAIRINGS, encode(pairings))
            await table.say(ready(1))
            await until(club.tables.all)
        mosquitto.kill()
        await until(lambda: not club.line.is_up)
        assert club.line.words
        mosquitto.start()
        async with telling(mosquitto.port, "table-1") as table:
            await table.say(outcome(), retain=False)
            await table.say(seen(7))
            await until(lambda: club.table("table-1").n == 7)
            assert club.line.is_up
            assert await table.told.get() == (FromClub.PAIRINGS, encode(pairings))
            await table.say(outcome())
            assert await acknowledged(table.told) == (SEAL, 1)
            assert len(club.store.results()) == 1


async def test_who_went_away_while_the_line_was_down_and_the_broker_forgot_it_is_away_since_then(
    mosquitto: Mosquitto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "SETTLING_S", 0.3)
    async with club_at(mosquitto, tmp_path) as club:
        async with telling(mosquitto.port, "table-1") as table:
            await table.say(ready(1))
            await until(club.tables.all)
        mosquitto.kill()
        await until(lambda: not club.line.is_up)
        lost_s = club.line.since_s
        mosquitto.start()
        await until(lambda: club.tables.all()[0].is_away)
        assert club.tables.all()[0].away_since_s == lost_s


async def test_what_was_retained_of_an_evening_before_is_shown_as_away(mosquitto: Mosquitto, tmp_path: Path) -> None:
    async with telling(mosquitto.port, "table-1") as table:
        await table.say(seen(5, "Round 9"))
        await table.say(Status(state=Presence.DISCONNECTED, board=1))
        await table.say(b"not even JSON", FromTable.NEEDS)
    async with club_at(mosquitto, tmp_path) as club:
        await until(lambda: club.tables.all() and club.tables.all()[0].presence and club.tables.all()[0].n)
        await until(club.refused.counts)
        [left] = club.tables.all()
        assert (left.is_away, left.away_since_s, left.needs) == (True, None, False)
        async with telling(mosquitto.port, "table-1") as table:
            await table.say(ready(1))
            await until(lambda: not club.tables.all()[0].is_away)


async def test_a_table_that_floods_is_held_to_its_pace_and_what_it_said_last_is_shown(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    async with club_and_table(mosquitto, tmp_path) as (club, flooding), telling(mosquitto.port, "table-2") as calm:
        for n in range(1, FLOODED + 1):
            await flooding.say(seen(n))
        await calm.say(seen(1))
        await until(lambda: len(club.tables.all()) == 2 and club.table("table-1").n == FLOODED)
        assert club.tables.taken.views < FLOODED
