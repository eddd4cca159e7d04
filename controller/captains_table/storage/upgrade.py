"""Bringing an earlier program's journal to today's form: a copy first, then everything in one transaction."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, nullcontext
from itertools import count
from pathlib import Path

from captains_table.devices.ports import JournalUnwritable
from captains_table.storage.copies import sync
from captains_table.storage.lock import StateInUse, sole_use
from captains_table.storage.private_files import make_private_file
from captains_table.storage.schema import Step, make_steps, version_of


def upgrade(database: sqlite3.Connection, path: Path, steps: Sequence[Step], *, has_lock: bool) -> None:
    """Keep a copy of a journal and make the steps that its form lacks; where anything fails it is as it was.

    Args:
        database: the only connection to the file that may write.
        path: the file; the copy is put beside it.
        steps: what leads to the form that this program knows.
        has_lock: whether the caller has the sole use of the directory already.

    Raises:
        StateInUse: a table works with the journal.
        JournalUnwritable: no copy can be made, or a step failed.
    """
    version = version_of(database)
    what = f"{path} is of version {version} and must be upgraded to {len(steps)}"
    with nullcontext() if has_lock else _sole_use(path.parent, what):
        try:
            database.execute("BEGIN IMMEDIATE")  # nothing is written any more between the copy and the steps
            keep_copy(path, len(steps))
            make_steps(database, steps)
            database.execute("COMMIT")
        except (sqlite3.Error, OSError) as error:
            raise JournalUnwritable(f"{what}, which failed: {error}; its matches are as they were") from error
        finally:
            if database.in_transaction:
                database.rollback()


@contextmanager
def _sole_use(directory: Path, what: str) -> Iterator[None]:
    with ExitStack() as stack:
        try:
            stack.enter_context(sole_use(directory))
        except StateInUse as error:
            raise StateInUse(f"{what}, but a table runs with it: stop that table first") from error
        yield


def keep_copy(path: Path, version: int) -> Path:
    """Copy a journal, its write-ahead log included, beside itself; return the copy, which replaces no other file.

    Args:
        path: the journal.
        version: what it is to be upgraded to, which the copy is named after.

    Raises:
        sqlite3.Error, OSError: no copy can be made; none is left.
    """
    part = path.with_name(f"{path.name}.before-{version}.part")  # a power cut may leave it; a whole copy is renamed
    part.unlink(missing_ok=True)
    make_private_file(part)  # a journal holds the seeds of matches that are not over
    try:
        with (
            closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(part)) as target,
        ):
            source.backup(target)
        sync(part)
        copy = _reserve(path, version)
        part.replace(copy)
        sync(path.parent)
    finally:
        part.unlink(missing_ok=True)
    return copy


def _reserve(path: Path, version: int) -> Path:
    """Return a name for a copy that was free until now, `.before-2` or else `.before-2.1`, `.before-2.2`, ..."""
    for number in count():
        copy = path.with_name(f"{path.name}.before-{version}{f'.{number}' if number else ''}")
        try:
            copy.open("x").close()
        except FileExistsError:
            continue
        break
    return copy
