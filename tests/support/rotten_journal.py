"""A journal's file rots: entries are changed below the program, as a failing disk or a careless hand changes them."""

import sqlite3
from contextlib import closing
from pathlib import Path

from captains_table.runtime.table import Table
from tests.support.service_at_work import answer, at_a_table

NAMES = ("Anne", "Bart")


def lay_down_three(folder: Path) -> None:
    """Make a journal of three unfinished matches: the first rotten in its midst, one foreign, the last rotten."""
    folder.mkdir(parents=True, exist_ok=True)
    at_a_table(folder, _begin)
    file = folder / "journal.sqlite3"
    rot(file, 1, 2, "no entry at all")
    rot(file, 2, 0, body_of(file, 2, 0).replace("captains-chess", "mermaid-chess"))
    rot(file, 3, 2, '{"entry":"prophecy"}')


def _begin(table: Table) -> None:
    for _ in range(3):
        table.matches.new_match("captains-chess", NAMES, {})
        answer(table, "e2e4", "e7e5")


def rot(file: Path, match: int, position: int, body: str) -> None:
    _below(file, "UPDATE entries SET body = ? WHERE match = ? AND position = ?", (body, match, position))


def lose(file: Path, match: int, position: int) -> None:
    _below(file, "DELETE FROM entries WHERE match = ? AND position = ?", (match, position))


def tear_row(file: Path, match: int, column: str, value: object) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        database.execute("PRAGMA writable_schema = ON")
        database.execute("UPDATE sqlite_master SET sql = replace(sql, ') STRICT', ')') WHERE name = 'matches'")
        database.execute("DROP TRIGGER matches_stay")
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        database.execute(f"UPDATE matches SET {column} = ? WHERE number = ?", (value, match))  # noqa: S608 - a column of ours


def body_of(file: Path, match: int, position: int) -> str:
    with closing(sqlite3.connect(file)) as database:
        query = "SELECT body FROM entries WHERE match = ? AND position = ?"
        [(body,)] = database.execute(query, (match, position)).fetchall()
    return str(body)


def _below(file: Path, statement: str, values: tuple[object, ...]) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        guards = database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in guards:
            database.execute(f"DROP TRIGGER {name}")
        database.execute(statement, values)
        for _, text in guards:
            database.execute(text)
