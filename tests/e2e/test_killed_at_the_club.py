"""A table of a club whose power is cut as a match ends, or later: its results are told all the same, each once."""

import asyncio
from contextlib import closing
from pathlib import Path

import pytest

from captains_table.reporting.messages import FromClub, FromTable, MatchReport, Presence, Status
from tests.support.club_side import USER, club_side
from tests.support.mosquitto import Mosquitto
from tests.support.table_process import Caller, TableProcess

pytestmark = pytest.mark.slow
FIRST = ("Anne", "Berta", "Clara")


def configured(folder: Path, port: int) -> Path:
    """Write the configuration of a table without a board, at a broker on loopback."""
    lines = ("[table]", f'state_dir = "{folder}/state"', 'board = "none"', "[web]", "port = 0")
    club = ("[club]", 'host = "127.0.0.1"', f"port = {port}", f'user = "{USER}"', "names = true")
    file = folder / "table.toml"
    file.write_text("\n".join((*lines, *club)), encoding="utf-8")
    return file


def test_a_result_is_told_once_by_a_table_that_was_killed_as_its_match_ended(tmp_path: Path) -> None:
    with Mosquitto(tmp_path / "broker") as mosquitto:
        config = configured(tmp_path, mosquitto.port)
        killed = TableProcess("run", config, logs=tmp_path / "first")
        try:
            with closing(Caller(killed.origin)) as page:
                asyncio.run(_there(mosquitto.port))
                assert page.post("/new", {"game": "captains-chess", "name1": "Anne", "name2": "Bart"}).is_success
                page.pick("e2e4", "resign")
                killed.kill()
        finally:
            killed.kill()
        asyncio.run(_lost(mosquitto.port))
        again = TableProcess("run", config, logs=tmp_path / "again")
        try:
            told = asyncio.run(_told(mosquitto.port))
        finally:
            again.stop()
        assert (told.seats, told.rev, told.ending is not None) == (("Anne", "Bart"), 1, True)


def test_results_that_wait_for_the_line_are_told_by_a_table_that_was_switched_off_meanwhile(tmp_path: Path) -> None:
    with Mosquitto(tmp_path / "broker") as mosquitto:
        config = configured(tmp_path, mosquitto.port)
        killed = TableProcess("run", config, logs=tmp_path / "first")
        try:
            with closing(Caller(killed.origin)) as page:
                asyncio.run(_there(mosquitto.port))
                mosquitto.kill()
                for first in FIRST:
                    assert page.post("/new", {"game": "captains-chess", "name1": first, "name2": "Bart"}).is_success
                    page.pick("e2e4", "resign")
        finally:
            killed.kill()
        mosquitto.start()
        again = TableProcess("run", config, logs=tmp_path / "again")
        try:
            told = asyncio.run(_all_told(mosquitto.port))
        finally:
            again.stop()
        assert sorted(outcome.seats for outcome in told.values()) == [(first, "Bart") for first in FIRST]
        assert {(outcome.rev, outcome.ending is not None) for outcome in told.values()} == {(1, True)}


async def _all_told(port: int) -> dict[str, MatchReport]:
    """Return what is told of each match, once all of them were."""
    async with club_side(port) as side:
        await side.wait_for(lambda side: len({outcome.match for outcome in side.results()}) == len(FIRST))
        told = {outcome.match: outcome for outcome in side.results()}
        assert all(outcome == told[outcome.match] for outcome in side.results())
        return told


async def _there(port: int) -> None:
    """Wait until the table speaks."""
    async with club_side(port) as side:
        await side.wait_for(lambda side: side.of(FromTable.VIEW))


async def _lost(port: int) -> None:
    """Wait until the broker says that the table is lost, which spoke to it before."""
    async with club_side(port) as side:
        await side.wait_for(
            lambda side: Presence.LOST in [s.state for s in side.of(FromTable.STATUS) if isinstance(s, Status)]
        )


async def _told(port: int) -> MatchReport:
    """Return the one result that is told, and see that there is no other once it was acknowledged."""
    async with club_side(port) as side:
        await side.wait_for(lambda side: side.results())
        first = side.results()[0]
        await side.acknowledge(first)
        await side.order(b'{"v":2}', FromClub.PAIRINGS)  # seen at the table: all before it was taken in
        await side.wait_for(lambda side: "needs an update" in str(side.of(FromTable.VIEW)[-1:]))
        assert {(outcome.match, outcome.rev) for outcome in side.results()} == {(first.match, first.rev)}
        return first
