"""Files that are their owner's alone: whoever reads a journal knows the dice of every match that is not over."""

import contextlib
import os
import stat
from pathlib import Path
from typing import Final

OWNER_ALONE: Final = 0o600


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
