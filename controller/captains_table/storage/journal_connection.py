"""The journal's database: opened, created, upgraded or refused, and the connection that writes to it during play.

An upgrade first copies the file. Some functions let other modules read a journal without changing it, and read it as it
was at one moment.

SQLite would continue to write to a deleted file without an error. If a write finds that a file is gone or was replaced
during play, the connection saves all matches, in the journal or in a copy, and raises an error that names the place.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

from captains_table.devices.ports import JournalLost, JournalUnwritable
from captains_table.storage import schema
from captains_table.storage.files import (
    make_private,
    make_private_file,
    place_at_free_name,
    suffixed_path,
    sync,
    whole_copy,
)
from captains_table.storage.lock import StateInUse, sole_use

BUSY_S = 5.0
Identity = tuple[int, int]


def upgrade(database: sqlite3.Connection, path: Path, steps: Sequence[schema.Migration], *, has_lock: bool) -> None:
    """Copy a journal and apply its missing migrations; if anything fails, the journal is unchanged.

    Args:
        database: the only connection to the file that may write.
        path: the file; the copy is put next to it.
        steps: the migrations up to the schema version that this program knows.
        has_lock: whether the caller already has exclusive use of the directory.

    Raises:
        StateInUse: a table works with the journal.
        StateUnusable: as in `sole_use`.
        JournalUnwritable: the copy cannot be made, or a migration failed.
    """
    version = schema.version_of(database)
    what = f"{path} is of version {version} and must be upgraded to {len(steps)}"
    with ExitStack() as stack:
        if not has_lock:
            try:
                stack.enter_context(sole_use(path.parent))
            except StateInUse as error:
                raise StateInUse(f"{what}, but a table runs with it: stop that table first") from error
        try:
            with schema.transaction(database):  # nobody can write between the copy and the migrations
                keep_copy(path, len(steps))
                schema.migrate(database, steps)
        except (sqlite3.Error, OSError) as error:
            raise JournalUnwritable(f"{what}, which failed: {error}; its matches are as they were") from error


def keep_copy(path: Path, version: int) -> Path:
    """Copy a journal with its write-ahead log to an unused name next to it; return the copy's path.

    Args:
        path: the journal.
        version: the version to which the journal is upgraded; it becomes part of the copy's name.

    Raises:
        sqlite3.Error, OSError: the copy cannot be made; no part of it remains.
    """
    part = suffixed_path(path, f".before-{version}.part")  # a power cut may leave it; only a complete copy is renamed
    part.unlink(missing_ok=True)
    make_private_file(part)  # a journal holds the seeds of unfinished matches
    try:
        with (
            closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(part)) as target,
        ):
            source.backup(target)
        sync(part)
        return place_at_free_name(part, suffixed_path(path, f".before-{version}"))
    finally:
        part.unlink(missing_ok=True)


def connect_journal(
    path: Path, steps: Sequence[schema.Migration] = schema.MIGRATIONS, *, has_lock: bool = False
) -> sqlite3.Connection:
    """Return a connection to a journal file; the file and its directory are created if they are missing.

    Args:
        path: the file.
        steps: the migrations up to the schema version that this program knows.
        has_lock: whether the caller has exclusive use of the directory, which an upgrade needs.

    Raises:
        JournalUnreadable: the file is no journal, or was written by a newer program.
        JournalUnwritable: the file or its directory cannot be written.
        StateInUse: the journal must be upgraded, but a table works with it.
        StateUnusable: the journal must be upgraded, but the directory cannot be locked.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JournalUnwritable(f"the directory {path.parent} cannot be made: {error}") from error
    check_is_journal(path, len(steps), to_go_on=recovery_hint(path))
    try:
        make_private(path)
        database = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None)
    except (OSError, sqlite3.Error) as error:
        raise JournalUnwritable(f"{path} cannot be opened: {error}") from error
    with ExitStack() as stack:
        stack.callback(database.close)
        _make_ready(database, path, steps, has_lock=has_lock)
        stack.pop_all()
    return database


def recovery_hint(path: Path) -> str:
    """Return the end of the error message about an unreadable journal: how the user can continue."""
    return (
        f"; to go on, put a backup in its place (captains-table restore FILE --state {path.parent}), "
        f"or move {path.name} to another folder, and a new one is begun"
    )


def check_is_journal(path: Path, known: int, *, to_go_on: str = "") -> None:
    """Raise an error unless a file is a journal of a known version, is empty, or does not exist.

    No byte of the file is changed.

    Args:
        path: the file, which may be missing.
        known: the newest version that this program knows.
        to_go_on: words added to the error message about a file that is no journal.

    Raises:
        JournalUnreadable: the file is no journal, or was written by a newer program.
        JournalUnwritable: the file cannot be opened.
    """
    if not path.is_file():
        return
    try:
        with closing(sqlite3.connect(address_at_rest(path), timeout=BUSY_S, uri=True)) as database:
            version = schema.version_of(database)
            [(tables,)] = database.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.OperationalError as error:
        raise JournalUnwritable(f"{path} cannot be opened: {error}") from error
    except sqlite3.Error as error:
        raise schema.JournalUnreadable(f"{path} is no journal: {error}{to_go_on}") from error
    if version > known:
        raise schema.JournalUnreadable(
            f"{path} was written by a newer program (version {version}, this one knows {known}): update this program, "
            "or name another directory by --state; nothing was changed"
        )
    if version == 0 and tables:
        raise schema.JournalUnreadable(f"{path} is no journal but another program's database{to_go_on}")


def address_at_rest(path: Path) -> str:
    """Return the URI with which SQLite reads a database without changing it.

    If the database has no write-ahead log, or an empty one, SQLite also creates no files next to it.
    """
    log = suffixed_path(path, "-wal")
    is_at_rest = not log.exists() or not log.stat().st_size  # no other file needs to be read
    return f"{path.resolve().as_uri()}?{'immutable=1' if is_at_rest else 'mode=ro'}"


def begin_snapshot(database: sqlite3.Connection) -> None:
    """Begin a snapshot: later writes by other connections do not affect what is read.

    All files are open when this returns, so that SQLite needs no access by file name later.
    """
    database.execute("BEGIN")
    schema.version_of(database)


def _make_ready(database: sqlite3.Connection, path: Path, steps: Sequence[schema.Migration], *, has_lock: bool) -> None:
    try:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")  # NORMAL may lose the last moves at a power cut
        database.execute("PRAGMA foreign_keys = ON")
        if 0 < schema.version_of(database) < len(steps):
            upgrade(database, path, steps, has_lock=has_lock)
        else:
            # If no migration is missing, this finds out now, not at the first move, that the file is read-only.
            with schema.transaction(database):
                schema.migrate(database, steps)
    except sqlite3.OperationalError as error:
        raise JournalUnwritable(f"{path} cannot be written: {error}") from error
    except sqlite3.Error as error:
        raise JournalUnwritable(f"{path} cannot be written: {error}{recovery_hint(path)}") from error


class JournalConnection:
    """An open journal; each write checks that the journal and its write-ahead log were not moved, deleted or replaced.

    Args:
        path: the journal.
        database: the connection to the journal, which has already created the write-ahead log.
    """

    def __init__(self, path: Path, database: sqlite3.Connection) -> None:
        self._path = path
        self._database = database
        self._log = suffixed_path(path.resolve(), "-wal")
        self._index = suffixed_path(path.resolve(), "-shm")
        self._opened = {file: _identity(file) for file in (path, self._log, self._index)}
        self._error: JournalUnwritable | None = None

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query; raises JournalUnreadable."""
        path = self._path
        try:
            return self._database.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise schema.JournalUnreadable(f"{path} cannot be read: {error}{recovery_hint(path)}") from error

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Yield the connection for writing; check before and after that the journal's files are still in place.

        After a file was found gone or replaced, every further call raises the same error.

        Raises:
            JournalUnwritable: the journal cannot be written; or one of its files is gone or was replaced, in which case
                all matches are saved and the message says where.
            JournalLost: a file is gone or was replaced, and the matches could not be saved.
        """
        self._check()
        try:
            yield self._database
        except sqlite3.IntegrityError as error:
            raise JournalUnwritable(f"{self._path}: another program went on with this match ({error})") from error
        except sqlite3.Error as error:
            raise JournalUnwritable(f"{self._path} cannot be written: {error}") from error
        self._check()

    def _check(self) -> None:
        if self._error is None and self._moved(self._path):
            self._error = self._rescue(_what_happened(self._path))
        elif self._error is None and self._moved(self._log):
            self._error = self._fold_in_log(_what_happened(self._log))
        if self._error is not None:
            raise self._error

    def _moved(self, file: Path) -> bool:
        return self._opened[file] is not None and _identity(file) != self._opened[file]

    def _fold_in_log(self, happened: str) -> JournalUnwritable:
        """Merge the write-ahead log into the journal after the log was moved or deleted; return the error to raise.

        If another file now has the log's name, rename that file. If the merge fails, copy the journal to a new file.
        """
        try:
            [(is_busy, _, _)] = self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            if is_busy:
                return self._rescue(happened)
            if self._log.exists():
                _set_aside(self._log)
        except (sqlite3.Error, OSError):
            return self._rescue(happened)
        return JournalUnwritable(f"{happened}; every match is whole in {self._path}: start the table again")

    def _rescue(self, happened: str) -> JournalUnwritable:
        """Copy the journal from its moved, deleted or replaced files to a new file; return the error to raise.

        The error is JournalLost if the copy cannot be made, else a JournalUnwritable that names the copy.
        """
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with whole_copy(self._database, self._path) as part:
                saved = place_at_free_name(part, suffixed_path(self._path, ".rescued"))
            if self._moved(self._path):
                self._drop_log()
        except (sqlite3.Error, OSError) as error:
            return JournalLost(f"{happened}, and the matches in it could not be saved: {error}")
        return JournalUnwritable(
            f"{happened}; every match is saved in {saved}: stop the table, and put them back by "
            f"`captains-table restore {saved} --state {self._path.parent}`"
        )

    def _drop_log(self) -> None:
        """Remove SQLite's write-ahead log and its index after a rescue.

        SQLite would otherwise apply the log to a new journal.
        """
        for file in (self._log, self._index):
            if self._opened[file] is not None and not self._moved(file):
                file.unlink()


def _identity(file: Path) -> Identity | None:
    """Return the device and inode number of a file; `None` if the file does not exist."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _what_happened(file: Path) -> str:
    if file.exists():
        return f"{file} was replaced by another file while the table played"
    return f"{file} was moved or deleted while the table played"


def _set_aside(log: Path) -> None:
    """Rename the log of another database, so that SQLite does not apply it to this journal."""
    place_at_free_name(log, suffixed_path(log, ".foreign"))
    log.unlink(missing_ok=True)
    sync(log.parent)
