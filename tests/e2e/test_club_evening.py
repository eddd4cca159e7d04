"""A whole club on one machine: Mosquitto as `club init` sets it up, the server, and a table."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from tests.clubroom.programme import Play
from tests.clubroom.room import Room
from tests.support.club_process import Arbiter
from tests.support.table_process import Caller, soon

CALL: Final = re.compile(r'name="call" value="(?P<call>[^"]+)"')


def kept_at(folder: Path) -> list[tuple[str, int, str]]:
    """Return who told which revision of what the server keeps, and what became of its export."""
    [file] = folder.rglob("club.sqlite3")
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as database:
        return database.execute("SELECT user, rev, proof FROM results").fetchall()


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    with Room(tmp_path_factory.mktemp("club"), [Play("captains-chess", ("Anne", "Bart"), "boreas:1")]) as room:
        room.open_tables()
        yield room
        assert room.club.complaints == ""


def test_a_call_that_the_arbiter_answers_ends_at_the_table(room: Room) -> None:
    arbiter = Arbiter(room.club)
    with closing(Caller(room.crews[0].address)) as page:
        assert page.post("/arbiter/call").status_code == 204
        call = soon(lambda: CALL.search(arbiter.overview()))
        assert "The arbiter is called" in page.get("/table").text
        arbiter.post("/calls/table-1", call=call["call"])
        soon(lambda: "The arbiter is called" not in page.get("/table").text)
        soon(lambda: "asked to come" not in arbiter.overview())


def test_a_match_that_ends_at_a_table_is_told_kept_and_proven(room: Room) -> None:
    with closing(Caller(room.crews[0].address)) as page:
        assert page.post("/new", {"game": "captains-chess", "name1": "Anne", "name2": "Bart"}).status_code == 204
        page.pick("e2e4", "resign")
    soon(lambda: kept_at(room.laid_out.folder) == [("table-1", 1, "proven")])
    with closing(Caller(room.club.wall.rstrip("/"))) as wall:
        shown = wall.get("/tables/table-1").text
    assert "Anne" in shown
    assert "Bart" in shown
