"""Whole copies of a journal: made through SQLite beside whoever writes to it, durable, and never over another file."""

import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from captains_table.storage.private_files import make_private_file
from captains_table.storage.schema import JournalUnreadable


@contextmanager
def whole_copy(source: sqlite3.Connection, target: Path) -> Iterator[Path]:
    """Yield a durable copy of a database under a passing name beside its target, to be put there by `place`.

    Args:
        source: a connection to what is copied; whatever is committed when the copy begins is in it.
        target: where the copy is to go.

    Raises:
        JournalUnreadable: what is copied is damaged.
        sqlite3.Error, OSError: no copy can be made.
    """
    part = target.with_name(f".captains-table-{secrets.token_hex(8)}.part")
    make_private_file(part)  # a journal holds the seeds of matches that are not over
    try:
        with closing(sqlite3.connect(part)) as copy:
            source.backup(copy)
            _check_is_whole(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, which can be read where nothing can be written
        sync(part)
        yield part
    finally:
        part.unlink(missing_ok=True)


def _check_is_whole(database: sqlite3.Connection) -> None:
    try:
        [(found,)] = database.execute("PRAGMA integrity_check(1)")
    except sqlite3.DatabaseError as error:
        found = str(error)
    if found != "ok":
        raise JournalUnreadable(f"it is damaged ({' '.join(found.split())})")


def place(part: Path, target: Path) -> None:
    """Give a file its name, which must be free; raises FileExistsError and leaves what has that name."""
    try:
        target.hardlink_to(part)
    except FileExistsError:
        raise
    except OSError:  # a disk without hard links, as most memory sticks are
        make_private_file(target)
        part.replace(target)
    sync(target.parent)


def sync(path: Path) -> None:
    """Make a file, or a directory's names, outlast a power cut."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
