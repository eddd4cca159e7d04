"""Makes backups of a journal, and restores a journal from a backup.

The journal that a restored one replaces is kept under another name. Root makes backups and restores journals with the
rights of the owners of the folders.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from captains_table.devices.ports import JournalUnwritable
from captains_table.storage.files import move_to_unused_name, numbered, restrict, suffixed_path, sync, whole_copy
from captains_table.storage.journal_connection import (
    BUSY_S,
    address_at_rest,
    begin_snapshot,
    check_is_journal,
    recovery_hint,
)
from captains_table.storage.lock import StateInUse, sole_use
from captains_table.storage.ownership import acting_as, as_owner, as_reader
from captains_table.storage.schema import MIGRATIONS, JournalUnreadable, check_layout, version_of

LOGS: Final = ("-wal", "-journal")  # suffixes of the files that SQLite leaves next to a database that was not closed
INDEX: Final = "-shm"


class CannotBackUp(OSError):
    """The copy cannot be made under the requested name."""


def back_up(path: Path, target: Path) -> int:
    """Copy a journal, which may be of an older version, to a new file; return how many matches the copy contains.

    When run as root, open the journal with the rights of its folder's owner, and write the copy with the rights of the
    target folder's owner.

    Raises:
        JournalUnreadable: the journal is damaged, is not a journal, or was written by a newer program.
        JournalUnwritable: the journal cannot be opened.
        Planted: root runs this, and somebody may have planted a link or a file to misdirect root (see `as_owner`).
        CannotBackUp: the target exists already, or cannot be written.
    """
    with as_owner(path.parent, state=True) as folder:
        check_is_journal(folder / path.name, len(MIGRATIONS), to_go_on=recovery_hint(path))
    with as_owner(target.parent) as folder:
        if os.path.lexists(folder / target.name):
            raise _taken(target)
        if not folder.is_dir():
            raise CannotBackUp(f"{path} cannot be backed up to {target}: there is no directory {target.parent}")
    try:
        with _opened(path) as source, as_owner(target.parent) as folder:
            named = folder / target.name
            with whole_copy(source, named) as part:
                matches = count_matches(part)
                move_to_unused_name(part, named)
    except JournalUnreadable as error:
        raise JournalUnreadable(f"{path} cannot be backed up: {error}; {target} was not written") from error
    except FileExistsError:
        raise _taken(target) from None
    except (sqlite3.Error, OSError) as error:
        raise CannotBackUp(f"{path} cannot be backed up to {target}: {error}") from error
    return matches


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a journal with the rights of its folder's owner, begin a snapshot, and yield the connection."""
    with ExitStack() as stack:
        with as_owner(path.parent, state=True) as folder:
            source = _connect(f"{(folder / path.name).resolve().as_uri()}?mode=rw", stack)
            begin_snapshot(source)
        yield source


def _connect(address: str, stack: ExitStack) -> sqlite3.Connection:
    """Open a database; when the stack unwinds, close the database with the rights of now, not with root's.

    When a connection is closed, SQLite may open the files next to the database by name and give them to its owner.
    """
    source = sqlite3.connect(address, timeout=BUSY_S, uri=True)

    def close(user: int, group: int) -> None:
        with acting_as(user, group):
            source.close()

    stack.callback(close, os.geteuid(), os.getegid())
    return source


def _taken(target: Path) -> CannotBackUp:
    return CannotBackUp(f"{target} is there already and was left as it is: expected the name of a file that is not")


def count_matches(path: Path) -> int:
    """Return how many matches a copy contains; raises JournalUnreadable if the copy is no journal."""
    with closing(sqlite3.connect(path)) as copy:
        try:
            copy.execute("SELECT id, match, position, kind, body FROM entries LIMIT 1")
            [(number,)] = copy.execute("SELECT count(began) FROM matches")
        except sqlite3.Error as error:
            raise JournalUnreadable(f"it is no journal ({error})") from error
    return int(number)


@dataclass(frozen=True, slots=True)
class Restored:
    """The result of restoring a backup.

    Attributes:
        matches: how many matches the restored journal contains.
        kept: the path to which the replaced journal was renamed; `None` if there was no journal.
    """

    matches: int
    kept: Path | None


def restore_journal(path: Path, file: Path, now: datetime) -> Restored:
    """Replace a journal with a copy of a backup; an interruption leaves either the old or the new journal.

    When run as root, open the backup first, then act with the rights of the journal folder's owner.

    Args:
        path: the journal, which need not exist.
        file: the backup, which is not changed.
        now: the current time, which becomes part of the name under which the replaced journal is saved.

    Raises:
        JournalUnreadable: the backup is not a journal, is the journal itself, is damaged, or was written by a newer
            program.
        StateInUse: a table runs with the journal, or another program has it open.
        StateUnusable, JournalUnwritable: the directory or the disk cannot be written, or the backup cannot be opened.
        Planted: as in `as_reader` and `as_owner`.
    """
    with ExitStack() as stack:
        source, identity = stack.enter_context(_opened_source(file))
        folder = stack.enter_context(as_owner(path.parent, state=True))
        journal = folder / path.name
        if journal.exists() and os.path.samestat(journal.stat(), identity):
            raise JournalUnreadable(f"{file} is the journal itself: expected a backup of it")
        stack.enter_context(sole_use(folder))
        try:
            restored = _replace(journal.resolve(), source, now)
        except JournalUnreadable as error:
            raise JournalUnreadable(f"{file} cannot be restored: {error}; nothing was changed") from error
        except StateInUse:
            raise
        except (sqlite3.Error, OSError) as error:
            raise JournalUnwritable(f"{file} cannot be put in the place of {path}: {error}") from error
    kept = restored.kept
    if kept is not None and kept.parent == folder:
        kept = path.with_name(kept.name)
    return Restored(restored.matches, kept)


@contextmanager
def _opened_source(file: Path) -> Iterator[tuple[sqlite3.Connection, os.stat_result]]:
    """Open a backup, begin a snapshot, and yield the connection and the file's status.

    The content of the backup is checked later, in the copy.

    Raises:
        JournalUnreadable: the backup is missing, is empty, is not a journal, or was written by a newer program.
        JournalUnwritable: the backup cannot be opened.
    """
    with ExitStack() as stack:
        with as_reader(file) as read:
            if not read.is_file():
                raise JournalUnreadable(f"{file} is no file: expected one that `captains-table backup` wrote")
            identity = read.stat()
            check_is_journal(read, len(MIGRATIONS))
            source = _connect(address_at_rest(read), stack)
            begin_snapshot(source)
        if version_of(source) == 0:
            raise JournalUnreadable(f"{file} is no journal: it is empty")
        yield source, identity


def _replace(path: Path, source: sqlite3.Connection, now: datetime) -> Restored:
    with whole_copy(source, path) as part:
        matches = count_matches(part)
        with closing(sqlite3.connect(part)) as copy:
            check_layout(copy)
        _fold_in_log(path)
        kept = _keep(path, now)
        part.replace(path)
        sync(path.parent)
    return Restored(matches, kept)


def _fold_in_log(path: Path) -> None:
    """Merge a journal's write-ahead log into the database file, so that the log can be deleted.

    Do nothing if the database file is missing, or if SQLite cannot read the file or merge the log.

    Raises:
        StateInUse: another program has the journal open.
    """
    if not path.exists():
        return
    with suppress(sqlite3.DatabaseError):
        _read_header(path)
        try:
            with closing(sqlite3.connect(f"{path.as_uri()}?mode=rw", timeout=BUSY_S, uri=True)) as database:
                database.execute("PRAGMA journal_mode = DELETE").fetchall()  # needs exclusive access to the file
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
                raise StateInUse(f"another program has {path} open: end it first; nothing was changed") from error
            raise


def _read_header(path: Path) -> None:
    """Check that a file is a database, without writing; raises sqlite3.DatabaseError.

    Opening a file that is no database for writing would delete the write-ahead log next to the file.
    """
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", timeout=BUSY_S, uri=True)) as database:
        database.execute("SELECT count(*) FROM sqlite_master").fetchall()


def _keep(path: Path, now: datetime) -> Path | None:
    """Save a journal and its logs under another name before it is replaced, and return the new path.

    Afterwards the logs exist only under the new name. The journal exists under both names until the restored journal
    replaces it. If none of the files exists, return `None`.
    """
    there = _ends_of(path)
    if not there:
        return None
    kept = next(
        name for name in numbered(suffixed_path(path, f".replaced-{now:%Y-%m-%d-%H%M%S}")) if not _ends_of(name)
    )
    for end in there:
        also = suffixed_path(kept, end)
        also.hardlink_to(suffixed_path(path, end))
        restrict(also)
    sync(path.parent)
    for end in (*LOGS, INDEX):  # a log that stayed would be applied to the new journal
        suffixed_path(path, end).unlink(missing_ok=True)
    sync(path.parent)
    return kept


def _ends_of(path: Path) -> list[str]:
    """Return the suffixes of the existing files of a database: of the database itself (empty) and of its logs."""
    return [end for end in ("", *LOGS) if os.path.lexists(suffixed_path(path, end))]
