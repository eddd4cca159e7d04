"""Files: copied whole and over no other, written whole or not at all, or their owner's alone.

A journal is such a file: people who read it would know the dice of every match that is not over.
"""

import contextlib
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
    """Make an empty file that nobody else may ever open, whatever the umask; raises FileExistsError."""
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ALONE)
    try:
        restrict(descriptor)
    finally:
        os.close(descriptor)


def restrict(file: int | Path) -> None:
    """Let nobody else open a file any more; one that is somebody else's, or whose disk knows no modes, stays."""
    with contextlib.suppress(PermissionError):
        os.chmod(file, OWNER_ALONE)  # noqa: PTH101 - a Path has no door for an open file


def make_private(path: Path) -> None:
    """Make a journal's file if it is not there, and take it, its logs and the copies beside it from all others.

    SQLite gives the write-ahead log and its index the mode of the database, so what it makes later is private too.

    Raises:
        OSError: the file cannot be made.
    """
    real = path.resolve()
    with contextlib.suppress(FileExistsError):
        make_private_file(real)
    for file in real.parent.iterdir():
        if file.name.startswith(real.name) and _is_open_to_others(file):
            restrict(file)


def _is_open_to_others(file: Path) -> bool:
    try:
        mode = file.lstat().st_mode
    except FileNotFoundError:  # a log that another program has just folded in
        return False
    return stat.S_ISREG(mode) and bool(mode & ~OWNER_ALONE & 0o777)


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


def place_at_free_name(part: Path, wanted: Path) -> Path:
    """Give a file the first name that is free of those it may have (see `numbered`), and return it."""
    for name in numbered(wanted):
        with suppress(FileExistsError):
            place(part, name)
            break
    return name


def numbered(wanted: Path) -> Iterator[Path]:
    """Yield a name, and then the same with .1, .2, and so on at its end."""
    yield wanted
    yield from (beside(wanted, f".{number}") for number in count(1))


def beside(path: Path, end: str) -> Path:
    """Return the name of a file next to another one, whose name goes on with an end."""
    return path.with_name(f"{path.name}{end}")


def sync(path: Path) -> None:
    """Make a file, or a directory's names, outlast a power cut."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_whole(path: Path, text: str, *, keeps_mode: bool = False, errors: str = "strict") -> None:
    """Put a text in the place of a file, durably; it is its owner's alone, or keeps the mode it had.

    Args:
        path: the file.
        text: what it holds from then on.
        keeps_mode: whether it keeps its mode.
        errors: what becomes of that which UTF-8 cannot write, as `str.encode` takes it.

    Raises:
        OSError: it cannot be written, and then what was there is there still.
    """
    path = path.resolve()  # a link goes on leading there
    with part_beside(path) as part:
        part.write_text(text, encoding="utf-8", errors=errors, newline="")
        if keeps_mode and path.exists():
            shutil.copymode(path, part)
        sync(part)
        part.replace(path)
    sync(path.parent)


def read_as_it_is(path: Path) -> str:
    """Return a file's text, with its own line ends, that `replace_keeping_a_copy` writes back byte by byte."""
    return path.read_bytes().decode("utf-8", "surrogateescape")  # what is no UTF-8 stays what it is


def difference(path: Path, old: str, new: str) -> Iterator[str]:
    """Yield what would change in a file, as lines of a unified diff."""
    before, after = old.splitlines(), new.splitlines()
    for line in difflib.unified_diff(before, after, str(path), f"{path} (new)", lineterm=""):
        yield line.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def replace_keeping_a_copy(path: Path, new: str) -> Path:
    """Put a text in a file's place and return where the copy of the old one is; raises OSError.

    A power cut leaves one of the two whole. The copy's name has no colon: a boot partition is FAT.
    """
    wanted = beside(path, f".before-{datetime.now().astimezone():%Y-%m-%d-%H%M%S}")
    copy = next(name for name in numbered(wanted) if not name.exists())
    shutil.copyfile(path, copy)
    shutil.copymode(path, copy)
    write_whole(path, new, keeps_mode=True, errors="surrogateescape")
    return copy
