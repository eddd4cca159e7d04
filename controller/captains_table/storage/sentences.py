"""What SQLite says of a read or a write that failed, as a sentence of ours."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from captains_table.devices.ports import JournalUnwritable
from captains_table.storage.opening import way_on
from captains_table.storage.schema import JournalUnreadable


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn what SQLite says about a write that failed into a sentence."""
    try:
        yield
    except sqlite3.IntegrityError as error:
        raise JournalUnwritable(f"{path}: another program went on with this match ({error})") from error
    except sqlite3.Error as error:
        raise JournalUnwritable(f"{path} cannot be written: {error}") from error


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn what SQLite says about a read that failed into a sentence."""
    try:
        yield
    except sqlite3.Error as error:
        raise JournalUnreadable(f"{path} cannot be read: {error}{way_on(path)}") from error
