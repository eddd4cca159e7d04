"""Opens the club's database, and defines its schema as a list of migrations.

Every change of the schema is one more step at the end of `STEPS`. Earlier steps are never changed. Every row that
belongs to an evening is deleted with the evening (ON DELETE CASCADE).
"""

import sqlite3
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from captains_table.storage.files import make_private
from captains_table.storage.schema import Migration, migrate, script, transaction, version_of

APPLICATION_ID: Final = 0x43_54_43_31
"""SQLite's application id of the file ("CTC1"), which identifies it as a club's."""
RESULTS: Final = """
CREATE TABLE evenings (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL,
    began_s REAL NOT NULL,
    ended_s REAL
) STRICT;
CREATE TABLE results (
    receipt INTEGER PRIMARY KEY AUTOINCREMENT,
    evening INTEGER NOT NULL REFERENCES evenings (number) ON DELETE CASCADE,
    match TEXT NOT NULL,
    rev INTEGER NOT NULL,
    user TEXT NOT NULL,
    pairing TEXT NOT NULL,
    outcome BLOB NOT NULL,
    export BLOB NOT NULL,
    received_s REAL NOT NULL,
    proof TEXT NOT NULL,
    proof_words TEXT NOT NULL DEFAULT '',
    UNIQUE (match, rev)
) STRICT;
CREATE INDEX results_by_evening ON results (evening);
CREATE INDEX results_by_pairing ON results (pairing) WHERE pairing <> '';
CREATE INDEX results_to_prove ON results (receipt) WHERE proof = 'pending';
CREATE TRIGGER results_stay BEFORE UPDATE OF receipt, match, rev, user, pairing, outcome, export, received_s ON results
BEGIN SELECT raise(ABORT, 'results stay as they were told'); END;
CREATE TABLE corrections (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    evening INTEGER NOT NULL REFERENCES evenings (number) ON DELETE CASCADE,
    match TEXT NOT NULL,
    was BLOB NOT NULL,
    ending BLOB NOT NULL,
    why TEXT NOT NULL,
    at_s REAL NOT NULL
) STRICT;
CREATE INDEX corrections_by_match ON corrections (match);
CREATE INDEX corrections_by_evening ON corrections (evening);
CREATE TRIGGER corrections_stay BEFORE UPDATE ON corrections
BEGIN SELECT raise(ABORT, 'corrections are a log'); END;
"""
EVENTS: Final = """
CREATE TABLE players (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    rating INTEGER
) STRICT;
CREATE TABLE events (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    evening INTEGER NOT NULL REFERENCES evenings (number) ON DELETE CASCADE,
    prefix TEXT NOT NULL UNIQUE
) STRICT;
CREATE INDEX events_by_evening ON events (evening);
CREATE TABLE event_entries (
    event INTEGER NOT NULL REFERENCES events (number) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    at_s REAL NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (event, position)
) STRICT;
CREATE TRIGGER event_entries_stay BEFORE UPDATE ON event_entries
BEGIN SELECT raise(ABORT, 'entries are append-only'); END;
CREATE TRIGGER event_entries_remain BEFORE DELETE ON event_entries
WHEN EXISTS (SELECT 1 FROM events WHERE number = OLD.event)
BEGIN SELECT raise(ABORT, 'entries go with their evening alone'); END;
"""
# Proven exports are verified once more, to fill the new column.
SEASONS: Final = """
ALTER TABLE results ADD COLUMN remembered BLOB NOT NULL DEFAULT x'';
UPDATE results SET proof = 'pending' WHERE proof = 'proven';
"""
# The user name of the table that the arbiter chose to show large on the wall; no row: the wall chooses.
SHOWN_LARGE: Final = """
CREATE TABLE shown_large (
    number INTEGER PRIMARY KEY CHECK (number = 1),
    user TEXT NOT NULL
) STRICT;
"""
# Exports that failed because a clock went on are verified once more: it may have been stopped legitimately.
STOPPED_CLOCKS: Final = """
UPDATE results SET proof = 'pending'
WHERE proof = 'failed' AND instr(proof_words, 'the clock went on without an interruption');
"""
# Members of one name are told apart by their number (`name`); a former member has no name. A proof of an export that
# was deleted with a former member's name stays as it was found.
MEMBERS: Final = """
CREATE TABLE members (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    own_name TEXT NOT NULL,
    rating INTEGER,
    club_number TEXT NOT NULL DEFAULT '',
    national_id TEXT NOT NULL DEFAULT '',
    fide_id TEXT NOT NULL DEFAULT '',
    is_former INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO members (number, name, own_name, rating) SELECT number, name, name, rating FROM players;
UPDATE sqlite_sequence SET seq = (SELECT seq FROM sqlite_sequence WHERE name = 'players') WHERE name = 'members';
DROP TABLE players;
ALTER TABLE members RENAME TO players;
CREATE TRIGGER proofs_stay_without_export BEFORE UPDATE OF proof ON results
WHEN OLD.export = x'' AND NEW.proof IN ('pending', 'failed')
BEGIN SELECT raise(IGNORE); END;
"""
# Who wrote an entry of an event or a correction: an arbiter, or the holder of the token; empty: the server, or unknown.
ARBITERS: Final = """
CREATE TABLE arbiters (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    password TEXT NOT NULL
) STRICT;
CREATE TABLE sessions (
    key BLOB PRIMARY KEY,
    arbiter INTEGER NOT NULL REFERENCES arbiters (number) ON DELETE CASCADE,
    ends_s REAL NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TRIGGER sessions_end AFTER UPDATE OF password ON arbiters
BEGIN DELETE FROM sessions WHERE arbiter = NEW.number; END;
CREATE TABLE revoked_token (
    number INTEGER PRIMARY KEY CHECK (number = 1)
) STRICT;
ALTER TABLE event_entries ADD COLUMN arbiter TEXT NOT NULL DEFAULT '';
ALTER TABLE corrections ADD COLUMN arbiter TEXT NOT NULL DEFAULT '';
"""
# When a match was played by its table's clock, in Unix seconds (NULL for results of before); the matches that count
# although they overlap another of their table; what the arbiter struck; and what the club decided about its tables.
# The indices hold all that is asked of many results, so that no export is read for it.
SWEEPING: Final = """
ALTER TABLE results ADD COLUMN began_s REAL;
ALTER TABLE results ADD COLUMN ended_s REAL;
CREATE INDEX results_by_time ON results (evening, user, began_s, ended_s, match, rev, proof);
CREATE INDEX results_by_size ON results (evening, user, length(export)) WHERE proof <> 'proven' AND length(export) > 0;
CREATE TABLE taken_matches (
    match TEXT PRIMARY KEY,
    evening INTEGER NOT NULL REFERENCES evenings (number) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE TABLE strikes (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    evening INTEGER NOT NULL REFERENCES evenings (number) ON DELETE CASCADE,
    user TEXT NOT NULL,
    since_s REAL NOT NULL,
    why TEXT NOT NULL,
    at_s REAL NOT NULL,
    results INTEGER NOT NULL,
    arbiter TEXT NOT NULL,
    taken_back_s REAL
) STRICT;
CREATE TABLE struck_results (
    receipt INTEGER PRIMARY KEY,
    evening INTEGER NOT NULL REFERENCES evenings (number) ON DELETE CASCADE,
    match TEXT NOT NULL,
    rev INTEGER NOT NULL,
    user TEXT NOT NULL,
    pairing TEXT NOT NULL,
    outcome BLOB NOT NULL,
    export BLOB NOT NULL,
    received_s REAL NOT NULL,
    proof TEXT NOT NULL,
    proof_words TEXT NOT NULL,
    remembered BLOB NOT NULL,
    began_s REAL,
    ended_s REAL,
    strike INTEGER NOT NULL REFERENCES strikes (number) ON DELETE CASCADE
) STRICT;
CREATE INDEX struck_results_by_match ON struck_results (match);
CREATE TABLE club_tables (
    user TEXT PRIMARY KEY,
    board INTEGER NOT NULL DEFAULT 0,
    title TEXT NOT NULL DEFAULT '',
    is_muted INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
"""
# The secret in the address of a table's overlay; no row: the table has no overlay.
OVERLAYS: Final = """
CREATE TABLE overlays (
    user TEXT PRIMARY KEY,
    secret TEXT NOT NULL
) STRICT, WITHOUT ROWID;
"""
STEPS: Final[tuple[Migration, ...]] = (
    script(RESULTS),
    script(EVENTS),
    script(SEASONS),
    script(SHOWN_LARGE),
    script(STOPPED_CLOCKS),
    script(MEMBERS),
    script(ARBITERS),
    script(SWEEPING),
    script(OVERLAYS),
)
BUSY_S: Final = 60.0
"""How long a connection waits for a lock: the time that another connection's writes take on the slowest SD card."""


class StoreUnusable(OSError):
    """The club's file cannot be used; the message says why. The content of the file is unchanged."""


def open_store(path: Path, steps: Sequence[Migration] = STEPS) -> sqlite3.Connection:
    """Return a connection to the club's file; make the file if it is missing, and migrate it to the latest schema.

    The connection overwrites deleted content in the file.

    Args:
        path: the file. Its folder must exist, and no other process may use the folder.
        steps: the migrations to the schema that this program knows.

    Raises:
        StoreUnusable: the file was made by another program or a newer version, is damaged, or cannot be written.
    """
    with ExitStack() as stack:
        try:
            make_private(path)
            database = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None)
            stack.callback(database.close)
            _check(database, path, len(steps))
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = FULL")  # acknowledged results survive a power cut
            database.execute("PRAGMA foreign_keys = ON")
            database.execute("PRAGMA secure_delete = ON")
            with transaction(database):
                migrate(database, steps)
                database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            database.execute(
                "PRAGMA wal_checkpoint(TRUNCATE)"
            ).fetchall()  # the log of a killed server has what it deleted
        except (sqlite3.Error, OSError) as error:
            if isinstance(error, StoreUnusable):
                raise
            raise StoreUnusable(f"{path} cannot be used: {error}") from error
        stack.pop_all()
    return database


def _check(database: sqlite3.Connection, path: Path, known: int) -> None:
    """Raise StoreUnusable if a file is not a club's, or was written by a newer version."""
    version = version_of(database)
    [(application,)] = database.execute("PRAGMA application_id")
    [(tables,)] = database.execute("SELECT count(*) FROM sqlite_master")
    if tables and application != APPLICATION_ID:
        raise StoreUnusable(f"{path} is another program's database: expected a club's; nothing was changed")
    if version > known:
        raise StoreUnusable(
            f"{path} was written by a newer program (version {version}, this one knows {known}): update this program, "
            "or name another folder by state_dir; nothing was changed"
        )
