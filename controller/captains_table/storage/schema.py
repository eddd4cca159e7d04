"""How the journal file is laid out: the steps that lead from an empty file to today's form.

The form's version is the file's `user_version`: how many steps were made. Whatever the program before could not read
is a change of its form, and one more step at the end of `STEPS`, never a change of an earlier one: another table or
column, and another kind of entry or action too (then the step has nothing to do).
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager

Step = Callable[[sqlite3.Connection], None]
"""Makes one version of the form of the one before, within a transaction that is not its own."""


class JournalUnreadable(OSError):
    """The journal's file cannot be understood; nothing was changed in it."""


def script(text: str) -> Step:
    """Return the step that executes these statements."""

    def step(database: sqlite3.Connection) -> None:
        for statement in _statements(text):
            database.execute(statement)

    return step


def _statements(text: str) -> Iterator[str]:
    """Yield statements one by one: `executescript` would end the transaction first."""
    statement = ""
    for part in text.split(";")[:-1]:
        statement += f"{part};"
        if sqlite3.complete_statement(statement):  # a trigger has semicolons of its own
            yield statement
            statement = ""


# Triggers make "append-only" a property of the file, not a promise of the program; those before an insert stop REPLACE.
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

AUCTIONS = script("")  # from here on actions may be `bid` and `bell`; the tables stay as they are

PROOFS = script("")  # and entries `words`, `clock-stopped` and `resumed`; `started` declares who plays

DOUBTS = script("")  # and entries `unsure`

COMPUTERS = script("")  # and entries `seated`

MASTERS = script("")  # and actions `correct` and `end`, and entries `timers-stopped` and `timers-went-on`

REASONS = script("")  # and `clock-stopped` says why, `started` and `resumed` whether there is a game master

# Beside the matches, what a table that belongs to a club owes it: which of them were begun there and by which pairing,
# and what was said of each, revision by revision, until the club has acknowledged it.
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

STEPS: tuple[Step, ...] = (script(TABLES), AUCTIONS, PROOFS, DOUBTS, COMPUTERS, MASTERS, script(CLUB), REASONS)


def version_of(database: sqlite3.Connection) -> int:
    """Return the version of a file's form, 0 for an empty one."""
    [(version,)] = database.execute("PRAGMA user_version")
    return int(version)


def layout_of(database: sqlite3.Connection) -> dict[tuple[str, str], tuple[str, str | None]]:
    """Return every table, index, trigger and view of a file by kind and name: its table, and how it was made."""
    rows = database.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
    return {(kind, name): (table, sql and " ".join(sql.split())) for kind, name, table, sql in rows}


def check_layout(database: sqlite3.Connection) -> None:
    """Refuse a file that is not laid out as the steps to its version lay it out.

    Raises:
        JournalUnreadable: a table, index or trigger is missing, is another, or is one too many.
    """
    with closing(sqlite3.connect(":memory:")) as empty:
        for step in STEPS[: version_of(database)]:
            step(empty)
        expected, found = layout_of(empty), layout_of(database)
    for key in sorted(expected.keys() | found.keys()):
        if found.get(key) != expected.get(key):
            what = "lacks" if key not in found else "has" if key not in expected else "has changed"
            raise JournalUnreadable(f"it is not laid out as a journal of its version is: it {what} the {' '.join(key)}")


@contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[None]:
    """Write all that is written meanwhile, or nothing of it; nobody else writes then."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
        database.execute("COMMIT")
    finally:
        if database.in_transaction:
            database.rollback()


def make_steps(database: sqlite3.Connection, steps: Sequence[Step]) -> None:
    """Make the steps that a file's form lacks; the transaction is the caller's."""
    for step in steps[version_of(database) :]:
        step(database)
    database.execute(f"PRAGMA user_version = {len(steps)}")
