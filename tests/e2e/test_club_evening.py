"""A whole club on one machine: Mosquitto as `club init` sets it up, the server, and a table."""

import re
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final, TypeVar

from tests.clubroom.programme import Play
from tests.clubroom.room import Room
from tests.support.club_arbiter import Arbiter
from tests.support.patience import PATIENCE_S
from tests.support.table_process import Caller

CALL: Final = re.compile(r'name="call" value="(?P<call>[^"]+)"')
T = TypeVar("T")


def kept_at(folder: Path) -> list[tuple[str, int, str]]:
    """Return who told which revision of what the server keeps, and what became of its export."""
    [file] = folder.rglob("club.sqlite3")
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as database:
        return database.execute("SELECT user, rev, proof FROM results").fetchall()


def test_a_call_that_the_arbiter_answers_ends_at_the_table(tmp_path: Path) -> None:
    with Room(tmp_path, [Play("captains-chess", ("Anne", "Bart"), "boreas:1")]) as room:
        room.open_tables()
        with closing(Caller(room.crews[0].address)) as page, closing(Arbiter(room.club)) as arbiter:
            assert page.post("/arbiter/call").status_code == 204
            call = _soon(lambda: CALL.search(arbiter.overview()))
            assert "The arbiter is called" in page.get("/table").text
            arbiter.post("/calls/table-1", call=call["call"])
            _soon(lambda: "The arbiter is called" not in page.get("/table").text or None)
            _soon(lambda: "asked to come" not in arbiter.overview() or None)
        assert room.club.complaints == ""


def _soon(found: Callable[[], T | None]) -> T:
    """Return what is found, as soon as it is."""
    patience = time.monotonic() + PATIENCE_S
    while (it := found()) is None:
        assert time.monotonic() < patience
        time.sleep(0.05)
    return it


def test_a_match_that_ends_at_a_table_is_told_kept_and_proven(tmp_path: Path) -> None:
    with Room(tmp_path, [Play("captains-chess", ("Anne", "Bart"), "boreas:1")]) as room:
        room.open_tables()
        with closing(Caller(room.crews[0].address)) as page:
            assert page.post("/new", {"game": "captains-chess", "name1": "Anne", "name2": "Bart"}).status_code == 204
            page.pick("e2e4", "resign")
        with closing(Caller(room.club.wall.rstrip("/"))) as wall:
            patience = time.monotonic() + PATIENCE_S
            while kept_at(tmp_path) != [("table-1", 1, "proven")]:
                assert time.monotonic() < patience, (kept_at(tmp_path), room.club.complaints, wall.get("/health").text)
                time.sleep(0.1)
            shown = wall.get("/tables/table-1").text
        assert "Anne" in shown
        assert "Bart" in shown
        assert room.club.complaints == ""
