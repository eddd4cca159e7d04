"""How the journal file is laid out, and how one is opened or refused."""

import sqlite3
from pathlib import Path

from captains_table.devices.ports import JournalUnwritable

VERSION = 1  # as SCHEMA sets it
BUSY_S = 5.0

# Triggers make "append-only" a property of the file, not a promise of the program; those before an insert stop REPLACE.
SCHEMA = """
BEGIN IMMEDIATE;
CREATE TABLE matches (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    began TEXT NOT NULL,
    seed BLOB
) STRICT;
CREATE TABLE entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    match INTEGER NOT NULL REFERENCES matches (number),
    position INTEGER NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (match, position)
) STRICT;
CREATE INDEX entries_by_kind ON entries (match, kind);
CREATE TRIGGER entries_stay BEFORE UPDATE ON entries BEGIN SELECT raise(ABORT, 'entries are append-only'); END;
CREATE TRIGGER entries_remain BEFORE DELETE ON entries BEGIN SELECT raise(ABORT, 'entries are append-only'); END;
CREATE TRIGGER entries_once BEFORE INSERT ON entries
WHEN EXISTS (SELECT 1 FROM entries WHERE id = NEW.id OR (match = NEW.match AND position = NEW.position))
BEGIN SELECT raise(ABORT, 'entries are append-only'); END;
CREATE TRIGGER matches_stay BEFORE UPDATE ON matches BEGIN SELECT raise(ABORT, 'matches are append-only'); END;
CREATE TRIGGER matches_remain BEFORE DELETE ON matches BEGIN SELECT raise(ABORT, 'matches are append-only'); END;
CREATE TRIGGER matches_once BEFORE INSERT ON matches
WHEN EXISTS (SELECT 1 FROM matches WHERE number = NEW.number)
BEGIN SELECT raise(ABORT, 'matches are append-only'); END;
PRAGMA user_version = 1;
COMMIT;
"""


class JournalUnreadable(OSError):  # noqa: N818 - named by its condition
    """The journal's file cannot be understood; nothing was changed in it."""


def prepare(path: Path) -> sqlite3.Connection:
    """Return a connection to a journal file, which is created with its directory if it is not there.

    Raises:
        JournalUnreadable: the file is no journal or a newer program's.
        JournalUnwritable: file or directory take no writing.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JournalUnwritable(f"the directory {path.parent} cannot be made: {error}") from error
    try:
        database = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None)
    except sqlite3.Error as error:
        raise JournalUnwritable(f"{path} cannot be opened: {error}") from error
    try:
        _check_is_journal(database, path)
        _make_ready(database, path)
    except OSError:
        database.close()
        raise
    return database


def _check_is_journal(database: sqlite3.Connection, path: Path) -> None:
    try:
        (version,) = database.execute("PRAGMA user_version").fetchone()
        (tables,) = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error as error:
        raise JournalUnreadable(f"{path} is no journal: {error}") from error
    if version > VERSION:
        raise JournalUnreadable(
            f"{path} was written by a newer program (version {version}, this one knows {VERSION}): update this program"
        )
    if version == 0 and tables:
        raise JournalUnreadable(f"{path} is no journal but another program's database")


def _make_ready(database: sqlite3.Connection, path: Path) -> None:
    try:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")  # NORMAL may lose the last moves at a power cut
        database.execute("PRAGMA foreign_keys = ON")
        if database.execute("PRAGMA user_version").fetchone() == (0,):
            database.executescript(SCHEMA)
        else:
            database.executescript("BEGIN IMMEDIATE; ROLLBACK;")  # say now, not at the first move, if it is read-only
    except sqlite3.Error as error:
        raise JournalUnwritable(f"{path} cannot be written: {error}") from error
