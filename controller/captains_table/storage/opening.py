"""How a journal file is opened, made, upgraded or refused."""

import sqlite3
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path

from captains_table.devices.ports import JournalUnwritable
from captains_table.storage.private_files import make_private
from captains_table.storage.schema import STEPS, JournalUnreadable, Step, bring_up, version_of
from captains_table.storage.upgrade import upgrade

BUSY_S = 5.0


def prepare(path: Path, steps: Sequence[Step] = STEPS, *, has_lock: bool = False) -> sqlite3.Connection:
    """Return a connection to a journal file, which is made with its directory if it is not there.

    Args:
        path: the file.
        steps: what leads to the form that this program knows.
        has_lock: whether the caller has the sole use of the directory, which an upgrade needs.

    Raises:
        JournalUnreadable: the file is no journal or a newer program's.
        JournalUnwritable: file or directory take no writing.
        StateInUse: the journal must be upgraded, but a table works with it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JournalUnwritable(f"the directory {path.parent} cannot be made: {error}") from error
    check_is_journal(path, len(steps), to_go_on=way_on(path))
    try:
        make_private(path)
    except OSError as error:
        raise JournalUnwritable(f"{path} cannot be opened: {error}") from error
    with ExitStack() as stack:
        try:
            database = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None)
        except sqlite3.Error as error:
            raise JournalUnwritable(f"{path} cannot be opened: {error}") from error
        stack.callback(database.close)
        _make_ready(database, path, steps, has_lock=has_lock)
        stack.pop_all()
    return database


def way_on(path: Path) -> str:
    """Return how a table goes on whose journal cannot be read."""
    return (
        f"; to go on, put a backup in its place (captains-table restore FILE --state {path.parent}), "
        f"or move {path.name} to another folder, and a new one is begun"
    )


def check_is_journal(path: Path, known: int, *, to_go_on: str = "") -> None:
    """Look at a file without a trace: one that is refused stays as it is, to the byte.

    Args:
        path: the file; one that is not there is none to refuse.
        known: the newest version that this program knows.
        to_go_on: what is said of a file that is no journal, beside that.

    Raises:
        JournalUnreadable: it is no journal or a newer program's.
        JournalUnwritable: it cannot be opened.
    """
    if not path.is_file():
        return
    try:
        with closing(sqlite3.connect(address_at_rest(path), timeout=BUSY_S, uri=True)) as database:
            version = version_of(database)
            [(tables,)] = database.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.OperationalError as error:
        raise JournalUnwritable(f"{path} cannot be opened: {error}") from error
    except sqlite3.Error as error:
        raise JournalUnreadable(f"{path} is no journal: {error}{to_go_on}") from error
    if version > known:
        raise JournalUnreadable(
            f"{path} was written by a newer program (version {version}, this one knows {known}): update this program, "
            "or name another directory by --state; nothing was changed"
        )
    if version == 0 and tables:
        raise JournalUnreadable(f"{path} is no journal but another program's database{to_go_on}")


def address_at_rest(path: Path) -> str:
    """Return where SQLite finds a file that is only read, and at rest without a trace."""
    log = path.with_name(f"{path.name}-wal")
    is_at_rest = not log.exists() or not log.stat().st_size  # nothing but the file itself needs to be read
    return f"{path.resolve().as_uri()}?{'immutable=1' if is_at_rest else 'mode=ro'}"


def hold(database: sqlite3.Connection) -> None:
    """Begin a snapshot: until it ends nothing is opened by name any more, and writers change nothing in it."""
    database.execute("BEGIN")
    version_of(database)


def _make_ready(database: sqlite3.Connection, path: Path, steps: Sequence[Step], *, has_lock: bool) -> None:
    try:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")  # NORMAL may lose the last moves at a power cut
        database.execute("PRAGMA foreign_keys = ON")
        if 0 < version_of(database) < len(steps):
            upgrade(database, path, steps, has_lock=has_lock)
        else:
            bring_up(database, steps)  # where nothing is to be done: say now, not at the first move, if it is read-only
    except sqlite3.OperationalError as error:
        raise JournalUnwritable(f"{path} cannot be written: {error}") from error
    except sqlite3.Error as error:
        raise JournalUnwritable(f"{path} cannot be written: {error}{way_on(path)}") from error
