"""File operations that survive a power cut, such as atomic writes, verified database copies and private files.

A journal must be private, because its readers would know the future dice of every match that is not over. Temporary
files that a killed process left are removed. A file's text can also be compared with a new text, and replaced while a
copy of the old text is kept.
"""

import difflib
import fcntl
import os
import secrets
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Final

from captains_table.storage.ownership import open_plain
from captains_table.storage.schema import JournalUnreadable

OWNER_ALONE: Final = 0o600
PART: Final = ".captains-table-"


def make_private_file(path: Path) -> None:
    """Create an empty file that only its owner may open, regardless of the umask; raises FileExistsError."""
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ALONE)
    try:
        restrict(descriptor)
    finally:
        os.close(descriptor)


def restrict(file: int | Path) -> None:
    """Make a file accessible only to its owner; do nothing for another user's file, or on a disk without modes."""
    with suppress(PermissionError):
        os.chmod(file, OWNER_ALONE)  # noqa: PTH101 - Path.chmod does not take a descriptor


def make_private(path: Path) -> None:
    """Create a journal's file if it is missing; make the journal, its logs and the copies next to it private.

    Every file in the folder whose name begins with the journal's name is made private. SQLite gives the
    write-ahead log and its index the mode of the database, so that logs created later are private too.

    Raises:
        OSError: the file cannot be created.
    """
    real = path.resolve()
    with suppress(FileExistsError):
        make_private_file(real)
    for file in real.parent.iterdir():
        if file.name.startswith(real.name) and _is_open_to_others(file):
            restrict(file)


def _is_open_to_others(file: Path) -> bool:
    try:
        mode = file.lstat().st_mode
    except FileNotFoundError:  # a log that another program has just merged and deleted
        return False
    return stat.S_ISREG(mode) and bool(mode & ~OWNER_ALONE & 0o777)


@contextmanager
def temporary_file(target: Path) -> Iterator[Path]:
    """Yield an empty private file with a temporary name next to the target; remove the file at the end if it remains.

    The file is locked meanwhile. A temporary file without a lock was left by a killed process; these leftovers are
    removed first.

    Raises:
        OSError: the file cannot be created.
    """
    _remove_killed(target.parent)
    part, lock = _locked_part(target)
    try:
        yield part
    finally:
        _remove(part)
        os.close(lock)


def _locked_part(target: Path) -> tuple[Path, int]:
    """Create and lock a temporary file; try again if another process removed it as a leftover."""
    while True:
        part = target.with_name(f"{PART}{secrets.token_hex(8)}.part")
        make_private_file(part)
        with suppress(FileNotFoundError):
            lock = open_plain(part, os.O_RDWR)
            if _lock(lock) is not False and os.fstat(lock).st_nlink:
                return part, lock
            os.close(lock)


def _lock(opened: int) -> bool | None:
    """Lock an open file, and return whether that succeeded.

    Returns:
        False if another process holds the lock; `None` if the disk has no locks.
    """
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
    """Yield a durable copy of a database under a temporary name; the caller must give it its final name.

    The temporary name is removed at the end, if it remains.

    Args:
        source: a connection to the database; the copy contains everything committed when copying begins.
        target: a path in the folder in which the copy is made.

    Raises:
        JournalUnreadable: the database is damaged.
        sqlite3.Error, OSError: the copy cannot be made.
    """
    with temporary_file(target) as part:
        with closing(sqlite3.connect(part)) as copy:
            source.backup(copy)
            _check_is_whole(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # a single file, readable on a read-only disk too
        sync(part)
        yield part


def _check_is_whole(database: sqlite3.Connection) -> None:
    try:
        [(found,)] = database.execute("PRAGMA integrity_check(1)")
    except sqlite3.DatabaseError as error:
        found = str(error)
    if found != "ok":
        raise JournalUnreadable(f"it is damaged ({' '.join(found.split())})")


def move_to_unused_name(part: Path, target: Path) -> None:
    """Give the file `part` the name `target`; raises FileExistsError if that name is in use.

    An existing file is never changed. On a disk with hard links, the file keeps its old name too.
    """
    try:
        target.hardlink_to(part)
    except FileExistsError:
        raise
    except OSError:  # a disk without hard links, such as most USB sticks
        make_private_file(target)
        part.replace(target)
    sync(target.parent)


def place_at_free_name(part: Path, wanted: Path) -> Path:
    """Move a file to the first unused name of `numbered(wanted)`; return the new path."""
    for name in numbered(wanted):
        with suppress(FileExistsError):
            move_to_unused_name(part, name)
            break
    return name


def numbered(wanted: Path) -> Iterator[Path]:
    """Yield a path, then the same path with .1, .2, and so on appended."""
    yield wanted
    yield from (suffixed_path(wanted, f".{number}") for number in count(1))


def suffixed_path(path: Path, end: str) -> Path:
    """Return a path with a suffix appended to the file's name."""
    return path.with_name(f"{path.name}{end}")


def sync(path: Path) -> None:
    """Write a file, or the names in a directory, through to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_whole(path: Path, text: str, *, keeps_mode: bool = False, errors: str = "strict") -> None:
    """Replace a file's content durably and atomically; the file becomes private, unless it keeps its mode.

    Args:
        path: the file.
        text: the new content.
        keeps_mode: whether an existing file keeps its mode.
        errors: how to encode characters that UTF-8 cannot represent, as in `str.encode`.

    Raises:
        OSError: the file cannot be written; its old content is unchanged.
    """
    path = path.resolve()  # a symbolic link stays, and its target is replaced
    with temporary_file(path) as part:
        part.write_text(text, encoding="utf-8", errors=errors, newline="")
        if keeps_mode and path.exists():
            shutil.copymode(path, part)
        sync(part)
        part.replace(path)
    sync(path.parent)


def read_as_it_is(path: Path) -> str:
    """Return a file's text with its line ends unchanged, so that `replace_keeping_a_copy` can restore every byte."""
    return path.read_bytes().decode("utf-8", "surrogateescape")  # bytes that are not UTF-8 survive


def diff_lines(path: Path, old: str, new: str) -> Iterator[str]:
    """Yield the lines of a unified diff between a file's old and new text."""
    before, after = old.splitlines(), new.splitlines()
    for line in difflib.unified_diff(before, after, str(path), f"{path} (new)", lineterm=""):
        yield line.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def replace_keeping_a_copy(path: Path, new: str) -> Path:
    """Replace a file's text and return the path of a copy of the old text; raises OSError.

    After a power cut at least one of the two files is complete. The copy's name has no colon, because boot partitions
    use FAT.
    """
    wanted = suffixed_path(path, f".before-{datetime.now().astimezone():%Y-%m-%d-%H%M%S}")
    copy = next(name for name in numbered(wanted) if not name.exists())
    shutil.copyfile(path, copy)
    shutil.copymode(path, copy)
    write_whole(path, new, keeps_mode=True, errors="surrogateescape")
    return copy
