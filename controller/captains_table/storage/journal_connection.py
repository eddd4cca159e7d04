"""The journal's database connection, which notices if its files are moved, deleted or replaced during play.

SQLite would continue to write to a deleted file without an error. If a write finds that a file is gone or was replaced,
the connection saves all matches, in the journal or in a copy, and raises an error that names the place.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from captains_table.devices.ports import JournalLost, JournalUnwritable
from captains_table.storage.files import place_at_free_name, suffixed_path, sync, whole_copy
from captains_table.storage.opening import reading, writing

Identity = tuple[int, int]


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
        with reading(self._path):
            return self._database.execute(query, values).fetchall()

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
        with writing(self._path):
            yield self._database
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
