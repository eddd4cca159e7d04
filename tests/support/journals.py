"""Journals on the disk: with matches in them, looked at without a trace, and lost under a table."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from captains_table.games.contract import Pick
from captains_table.storage.journal_file import JournalFile
from captains_table.table.model.entries import Acted, MatchEnded, MatchStarted

EARLIER = Path(__file__).parents[1] / "outward" / "earlier" / "journal.sqlite3"
"""A journal of version 1, as the first release wrote it."""

Row = tuple[object, ...]


def journal_with(path: Path, *firsts: str) -> Path:
    """Make a journal with a finished match for each of these names; return its path."""
    with closing(JournalFile(path)) as file:
        for first in firsts:
            journal = file.start(MatchStarted("legend", (first, "Bart"), {}), bytes(32))
            journal.append(Acted(1, 0, 5, Pick("roll")))
            journal.append(MatchEnded(0, (9, 1)))
    return path


def rows_of(path: Path) -> list[Row]:
    """Return every row of a journal, its write-ahead log included."""
    with closing(sqlite3.connect(path)) as database:
        return [
            *database.execute("SELECT number, began, seed FROM matches ORDER BY number"),
            *database.execute("SELECT id, match, position, kind, body FROM entries ORDER BY id"),
        ]


def version_of_file(path: Path) -> int:
    with closing(sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)) as database:
        [(version,)] = database.execute("PRAGMA user_version")
    return int(version)


def damage(path: Path) -> None:
    """Overwrite the journal's pages but the first, as a failing card does; it still looks like a database."""
    content = path.read_bytes()
    path.write_bytes(content[:4096] + bytes(len(content) - 4096))


def names_in(directory: Path) -> list[str]:
    return sorted(file.name for file in directory.iterdir())


# --- how a journal loses its place ------------------------------------------------------------------------------------


def log_of(path: Path) -> Path:
    """Return where a journal's write-ahead log is."""
    return path.with_name(f"{path.name}-wal")


def delete_it(path: Path) -> None:
    path.unlink()


def delete_it_with_its_log(path: Path) -> None:
    path.unlink()
    log_of(path).unlink()


def delete_everything(path: Path) -> None:
    shutil.rmtree(path.parent)


def move_the_directory(path: Path) -> None:
    path.parent.rename(path.parent.with_name("elsewhere"))


def replace_it(path: Path) -> None:
    """Put another journal in the journal's place."""
    journal_with(path.with_name("other"), "Grace").replace(path)


def replace_it_by_its_own_copy(path: Path) -> None:
    """Put a copy in a file's place, the same to the byte."""
    shutil.copy(path, path.with_name("other"))
    path.with_name("other").replace(path)


MOVED, REPLACED = "was moved or deleted", "was replaced by another file"
LOSSES = [
    *((lose, MOVED) for lose in (delete_it, delete_it_with_its_log, delete_everything, move_the_directory)),
    *((lose, REPLACED) for lose in (replace_it, replace_it_by_its_own_copy)),
]
"""Each way in which a journal is lost, and how the table reports it."""
