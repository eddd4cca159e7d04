"""How the club's file is opened, made, brought up or refused."""

import sqlite3
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from captains_table.club.store.schema import APPLICATION_ID, STEPS
from captains_table.storage.private_files import make_private
from captains_table.storage.schema import Step, make_steps, version_of

BUSY_S: Final = 60.0
"""So long one connection waits for another: as long as the slowest card takes to write what the other has."""


class StoreUnusable(OSError):
    """The club's file cannot be used; the message says why, and nothing was changed in it."""


def open_store(path: Path, steps: Sequence[Step] = STEPS) -> sqlite3.Connection:
    """Return a connection to the club's file, which is made if it is not there; what is deleted in it is overwritten.

    Args:
        path: the file, in a folder that is there, of which the caller has the sole use.
        steps: what leads to the form that this program knows.

    Raises:
        StoreUnusable: it is another program's, a newer one's, damaged, or takes no writing.
    """
    with ExitStack() as stack:
        try:
            make_private(path)
            database = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None)
            stack.callback(database.close)
            _check(database, path, len(steps))
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = FULL")  # a result is acknowledged when a power cut cannot take it
            database.execute("PRAGMA foreign_keys = ON")
            database.execute("PRAGMA secure_delete = ON")
            _bring_up(database, steps)
        except (sqlite3.Error, OSError) as error:
            if isinstance(error, StoreUnusable):
                raise
            raise StoreUnusable(f"{path} cannot be used: {error}") from error
        stack.pop_all()
    return database


def _check(database: sqlite3.Connection, path: Path, known: int) -> None:
    """Raise StoreUnusable where a file is not the club's, or a newer program's."""
    version = version_of(database)
    [(application,)] = database.execute("PRAGMA application_id")
    [(tables,)] = database.execute("SELECT count(*) FROM sqlite_master")
    if tables and application != APPLICATION_ID:
        raise StoreUnusable(f"{path} is another program's database: expected a club's; nothing was changed")
    if version > known:
        raise StoreUnusable(
            f"{path} was written by a newer program (version {version}, this one knows {known}): update this program, "
            "or name another folder by state_dir; nothing was changed"
        )


def _bring_up(database: sqlite3.Connection, steps: Sequence[Step]) -> None:
    """Make the steps that the file's form lacks, in one transaction."""
    database.execute("BEGIN IMMEDIATE")
    try:
        make_steps(database, steps)
        database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        database.execute("COMMIT")
    finally:
        if database.in_transaction:
            database.rollback()
