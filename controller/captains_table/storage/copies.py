"""Whole copies of a journal: made through SQLite beside whoever writes to it, durable, and never over another file."""

import fcntl
import os
import secrets
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from captains_table.storage.ownership import open_plain
from captains_table.storage.private_files import make_private_file
from captains_table.storage.schema import JournalUnreadable

PART: Final = ".captains-table-"


@contextmanager
def part_beside(target: Path) -> Iterator[Path]:
    """Yield an empty file of a passing name, which its owner alone may open; it is gone when this ends.

    It is locked while it is at work, so that parts whose process was killed can be told from it: those are removed.

    Raises:
        OSError: it cannot be made.
    """
    _remove_killed(target.parent)
    part, lock = _locked_part(target)
    try:
        yield part
    finally:
        _remove(part)
        os.close(lock)


def _locked_part(target: Path) -> tuple[Path, int]:
    """Make a part and lock it; another one where the process that removes killed parts was faster."""
    while True:
        part = target.with_name(f"{PART}{secrets.token_hex(8)}.part")
        make_private_file(part)
        with suppress(FileNotFoundError):
            lock = open_plain(part, os.O_RDWR)
            if _lock(lock) is not False and os.fstat(lock).st_nlink:
                return part, lock
            os.close(lock)


def _lock(opened: int) -> bool | None:
    """Lock an open file; False where another process has done so, None where the disk knows no locks."""
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def _remove_killed(folder: Path) -> None:
    for part in folder.glob(f"{PART}*.part"):
        with suppress(OSError):
            opened = open_plain(part, os.O_RDWR)
            try:
                if _lock(opened):
                    _remove(part)
            finally:
                os.close(opened)


def _remove(part: Path) -> None:
    for end in ("-journal", "-wal", "-shm", ""):
        part.with_name(f"{part.name}{end}").unlink(missing_ok=True)


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
    with part_beside(target) as part:
        with closing(sqlite3.connect(part)) as copy:
            source.backup(copy)
            _check_is_whole(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, which can be read where nothing can be written
        sync(part)
        yield part


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


def write_whole(path: Path, text: str, *, keeps_mode: bool = False) -> None:
    """Put a text in the place of a file, durably; it is its owner's alone, or keeps the mode it had.

    Raises:
        OSError: it cannot be written, and then what was there is there still.
    """
    path = path.resolve()  # a link goes on leading there
    with part_beside(path) as part:
        part.write_text(text, encoding="utf-8")
        if keeps_mode and path.exists():
            shutil.copymode(path, part)
        sync(part)
        part.replace(path)
    sync(path.parent)
