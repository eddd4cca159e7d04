"""A whole club on one machine: Mosquitto as `club init` sets it up, the server, and a table."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path

from tests.clubroom.programme import Play
from tests.clubroom.room import Room
from tests.support.patience import PATIENCE_S
from tests.support.table_process import Caller


def kept_at(folder: Path) -> list[tuple[str, int, str]]:
    """Return who told which revision of what the server keeps, and what became of its export."""
    [file] = folder.rglob("club.sqlite3")
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as database:
        return database.execute("SELECT user, rev, proof FROM results").fetchall()


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
