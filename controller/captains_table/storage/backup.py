"""Backing up a journal, also while a table writes to it."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from captains_table.storage.copies import place, whole_copy
from captains_table.storage.opening import BUSY_S, check_is_journal, hold, way_on
from captains_table.storage.ownership import as_owner
from captains_table.storage.schema import STEPS, JournalUnreadable


class CannotBackUp(OSError):
    """No copy can be made under that name."""


def back_up(path: Path, target: Path) -> int:
    """Copy a journal, in whatever form it is, to a file that is not there yet; return how many matches the copy holds.

    As root the journal is opened as the owner of its folder, and the copy is made as the owner of the target's.

    Raises:
        JournalUnreadable: the journal is damaged, is none, or was written by a newer program.
        JournalUnwritable: it cannot be opened.
        CannotBackUp: the target is there already, or cannot be written.
    """
    with as_owner(path.parent, state=True) as folder:
        check_is_journal(folder / path.name, len(STEPS), to_go_on=way_on(path))
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
                place(part, named)
    except JournalUnreadable as error:
        raise JournalUnreadable(f"{path} cannot be backed up: {error}; {target} was not written") from error
    except FileExistsError:
        raise _taken(target) from None
    except (sqlite3.Error, OSError) as error:
        raise CannotBackUp(f"{path} cannot be backed up to {target}: {error}") from error
    return matches


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a journal and begin a snapshot; it is closed as its owner too, as the last to close folds in the log."""
    with ExitStack() as stack:
        with as_owner(path.parent, state=True) as folder:
            real = (folder / path.name).resolve()
            source = stack.enter_context(closing(sqlite3.connect(f"{real.as_uri()}?mode=rw", timeout=BUSY_S, uri=True)))
            hold(source)
        try:
            yield source
        finally:
            with as_owner(path.parent):
                source.close()


def _taken(target: Path) -> CannotBackUp:
    return CannotBackUp(f"{target} is there already and was left as it is: expected the name of a file that is not")


def count_matches(path: Path) -> int:
    """Return how many matches a copy holds; raises JournalUnreadable."""
    with closing(sqlite3.connect(path)) as copy:
        try:
            copy.execute("SELECT id, match, position, kind, body FROM entries LIMIT 1")
            [(number,)] = copy.execute("SELECT count(began) FROM matches")
        except sqlite3.Error as error:
            raise JournalUnreadable(f"it is no journal ({error})") from error
    return int(number)
