"""The journal file's schema, as migrations from an empty file to the current version.

The version is the file's `user_version`: the number of applied migrations. A change that an older program could not
read must be a new step at the end of `MIGRATIONS`; earlier steps never change. Examples are a new table, a new column,
and a new kind of entry or action. The step for a new kind does nothing.
Triggers keep matches and entries append-only. `check_layout` compares a file's layout with the schema of its version.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager

Migration = Callable[[sqlite3.Connection], None]
"""A migration from one version to the next, run within the caller's transaction."""


class JournalUnreadable(OSError):
    """The journal file cannot be read as a journal; nothing was changed in it."""


def script(text: str) -> Migration:
    """Return the migration that executes these SQL statements."""

    def step(database: sqlite3.Connection) -> None:
        for statement in _statements(text):
            database.execute(statement)

    return step


def _statements(text: str) -> Iterator[str]:
    """Yield the SQL statements one by one, because `executescript` would commit the transaction first."""
    statement = ""
    for part in text.split(";")[:-1]:
        statement += f"{part};"
        if sqlite3.complete_statement(statement):  # a trigger has semicolons of its own
            yield statement
            statement = ""


# Triggers enforce append-only in the file itself; those before an insert also stop REPLACE.
TABLES = """
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
"""

# For a table that belongs to a club: the matches that were started there with their pairings, and each revision of a
# result until the club has acknowledged it.
CLUB = """
CREATE TABLE club_matches (
    match INTEGER PRIMARY KEY REFERENCES matches (number),
    pairing TEXT NOT NULL
) STRICT;
CREATE INDEX club_matches_by_pairing ON club_matches (pairing);
CREATE TABLE club_results (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    match INTEGER NOT NULL REFERENCES club_matches (match),
    rev INTEGER NOT NULL,
    seal TEXT NOT NULL,
    entries INTEGER NOT NULL,
    payload BLOB NOT NULL,
    acknowledged INTEGER NOT NULL DEFAULT 0,
    UNIQUE (match, rev)
) STRICT;
"""

SAME_TABLES = script("")

MIGRATIONS: tuple[Migration, ...] = (
    script(TABLES),
    SAME_TABLES,  # adds actions `bid` and `bell`
    SAME_TABLES,  # adds entries `words`, `clock-stopped` and `resumed`; `started` names the players
    SAME_TABLES,  # adds entries `unsure`
    SAME_TABLES,  # adds entries `seated`
    SAME_TABLES,  # adds actions `correct` and `end`, and entries `timers-stopped` and `timers-went-on`
    script(CLUB),
    SAME_TABLES,  # `clock-stopped` gives a reason; `started` and `resumed` say whether there is a game master
    SAME_TABLES,  # `unsure` may say what the board read of the pieces
)


def version_of(database: sqlite3.Connection) -> int:
    """Return the schema version of a file; 0 if the file is empty."""
    [(version,)] = database.execute("PRAGMA user_version")
    return int(version)


def layout_of(database: sqlite3.Connection) -> dict[tuple[str, str], tuple[str, str | None]]:
    """Return the table and the SQL of every table, index, trigger and view, keyed by kind and name.

    The table of an index or a trigger is the one to which it belongs. The SQL is `None` for an index that SQLite made
    by itself.
    """
    rows = database.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
    return {(kind, name): (table, sql and " ".join(sql.split())) for kind, name, table, sql in rows}


def check_layout(database: sqlite3.Connection) -> None:
    """Raise an error unless a file's schema is exactly that of its version.

    Raises:
        JournalUnreadable: a table, index or trigger is missing, different, or unknown.
    """
    with closing(sqlite3.connect(":memory:")) as empty:
        for step in MIGRATIONS[: version_of(database)]:
            step(empty)
        expected, found = layout_of(empty), layout_of(database)
    for key in sorted(expected.keys() | found.keys()):
        if found.get(key) != expected.get(key):
            what = "lacks" if key not in found else "has" if key not in expected else "has changed"
            raise JournalUnreadable(f"it is not laid out as a journal of its version is: it {what} the {' '.join(key)}")


@contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[None]:
    """Run the block in an exclusive write transaction; roll it back if the block raises an error."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
        database.execute("COMMIT")
    finally:
        if database.in_transaction:
            database.rollback()


def migrate(database: sqlite3.Connection, steps: Sequence[Migration]) -> None:
    """Apply the missing migrations within the transaction of the caller."""
    for step in steps[version_of(database) :]:
        step(database)
    database.execute(f"PRAGMA user_version = {len(steps)}")
