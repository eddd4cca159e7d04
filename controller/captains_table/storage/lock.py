"""The lock of a state directory, because two tables that use the same journal would disturb each other's matches.

Locking also creates a missing directory, and refuses a directory that cannot be used.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from captains_table.storage.ownership import Planted, check_may_keep, open_plain


class StateInUse(OSError):
    """Another table or program uses this state directory or the journal in it."""


class StateUnusable(OSError):
    """The state directory cannot be used, for example because it cannot be written."""


def check_folder(directory: Path) -> None:
    """Raise StateUnusable if a state directory, or one of its parents, is a file."""
    for folder in (directory, *directory.parents):
        if folder.exists() and not folder.is_dir():
            raise StateUnusable(
                f"{directory} cannot be used to keep matches: {folder} is a file, expected a folder (--state DIR)"
            )


@contextmanager
def sole_use(directory: Path, who: str = "table", named_by: str = "--state") -> Iterator[None]:
    """Lock a state directory for this process; the kernel releases the lock however the process ends.

    Args:
        directory: the directory.
        who: the kind of program that uses the directory, for error messages.
        named_by: the command-line option for the directory, for error messages.

    Raises:
        StateInUse: another process holds the lock.
        StateUnusable: the directory cannot be created or written, belongs to another user while this process runs as
            root, or contains a lock that is no regular file.
    """
    check_folder(directory)
    try:
        check_may_keep(directory)
        directory.mkdir(parents=True, exist_ok=True)
        lock = _open_lock(directory / "lock")
    except OSError as error:
        why = str(error) if isinstance(error, Planted) else error.strerror
        raise StateUnusable(f"{directory} cannot be used to keep matches: {why}") from error
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StateInUse(f"another {who} runs with {directory}: stop it, or name another by {named_by}") from None
        yield
    finally:
        os.close(lock)


def _open_lock(path: Path) -> int:
    """Open a lock file; if only reading is permitted, open it for reading, because a lock file is never written."""
    try:
        return open_plain(path, os.O_RDWR | os.O_CREAT)
    except PermissionError:
        return open_plain(path, os.O_RDONLY)
