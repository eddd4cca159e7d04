"""A table of a club whose power is cut as a match ends, or later: its results are told all the same, each once."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from captains_table.reporting.messages import FromClub, FromTable, MatchReport, Presence, Status
from tests.e2e.conftest import Call, OpenTable
from tests.support.club_side import USER, ClubSide, club_side
from tests.support.mosquitto import Mosquitto
from tests.support.table_process import Caller, write_config

T = TypeVar("T")
FIRST = ("Anne", "Berta", "Clara")


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    with Mosquitto(tmp_path / "broker") as mosquitto:
        yield mosquitto


@pytest.fixture
def config(tmp_path: Path, mosquitto: Mosquitto) -> Path:
    """Return the configuration of a table without a board, at the broker."""
    club = ("[club]", 'host = "127.0.0.1"', f"port = {mosquitto.port}", f'user = "{USER}"', "names = true")
    return write_config(tmp_path, *club, table=('board = "none"',))


def test_a_result_is_told_once_by_a_table_that_was_killed_as_its_match_ended(
    mosquitto: Mosquitto, config: Path, open_table: OpenTable, call: Call
) -> None:
    killed = open_table("run", config)
    at_club(mosquitto.port, is_there)
    end_matches(call(killed), "Anne")
    killed.kill()
    killed.expected_complaints = None  # what spoke for it outlives it by a sentence
    at_club(mosquitto.port, is_lost)
    open_table("run", config)
    told = at_club(mosquitto.port, told_once)
    assert (told.seats, told.rev, told.ending is not None) == (("Anne", "Bart"), 1, True)


def test_results_that_wait_for_the_line_are_told_by_a_table_that_was_switched_off_meanwhile(
    mosquitto: Mosquitto, config: Path, open_table: OpenTable, call: Call
) -> None:
    killed = open_table("run", config)
    at_club(mosquitto.port, is_there)
    mosquitto.kill()
    end_matches(call(killed), *FIRST)
    killed.kill()
    killed.expected_complaints = None  # the broker is out of reach
    mosquitto.start()
    open_table("run", config)
    told = at_club(mosquitto.port, all_told)
    assert sorted(outcome.seats for outcome in told.values()) == [(first, "Bart") for first in FIRST]
    assert {(outcome.rev, outcome.ending is not None) for outcome in told.values()} == {(1, True)}


def end_matches(page: Caller, *firsts: str) -> None:
    """Begin a match against Bart for each first player, and give it up."""
    for first in firsts:
        assert page.post("/new", {"game": "captains-chess", "name1": first, "name2": "Bart"}).is_success
        page.pick("e2e4", "resign")


def at_club(port: int, look: Callable[[ClubSide], Awaitable[T]]) -> T:
    """Listen at the broker until something is seen there."""

    async def listen() -> T:
        async with club_side(port) as side:
            return await look(side)

    return asyncio.run(listen())


async def is_there(side: ClubSide) -> None:
    await side.wait_for(lambda side: side.of(FromTable.VIEW))


async def is_lost(side: ClubSide) -> None:
    """Wait until the broker says that the table is lost, which spoke to it before."""
    await side.wait_for(
        lambda side: Presence.LOST in [each.state for each in side.of(FromTable.STATUS) if isinstance(each, Status)]
    )


async def told_once(side: ClubSide) -> MatchReport:
    """Return the one result that is told, and see that there is no other once it was acknowledged."""
    await side.wait_for(lambda side: side.results())
    first = side.results()[0]
    await side.acknowledge(first)
    await side.order(b'{"v":2}', FromClub.PAIRINGS)  # seen at the table: all before it was taken in
    await side.wait_for(lambda side: "needs an update" in str(side.of(FromTable.VIEW)[-1:]))
    assert {(outcome.match, outcome.rev) for outcome in side.results()} == {(first.match, first.rev)}
    return first


async def all_told(side: ClubSide) -> dict[str, MatchReport]:
    """Return what is told of each match, once all of them were."""
    await side.wait_for(lambda side: len({outcome.match for outcome in side.results()}) == len(FIRST))
    told = {outcome.match: outcome for outcome in side.results()}
    assert all(outcome == told[outcome.match] for outcome in side.results())
    return told
