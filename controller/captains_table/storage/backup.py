"""Backing up a journal, also while a table writes to it."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from captains_table.storage.copies import place, whole_copy
from captains_table.storage.opening import BUSY_S, check_is_journal, way_on
from captains_table.storage.schema import STEPS, JournalUnreadable


class CannotBackUp(OSError):  # noqa: N818 - named by its condition
    """No copy can be made under that name."""


def back_up(path: Path, target: Path) -> int:
    """Copy a journal, in whatever form it is, to a file that is not there yet; return how many matches the copy holds.

    Raises:
        JournalUnreadable: the journal is damaged, is none, or was written by a newer program.
        JournalUnwritable: it cannot be opened.
        CannotBackUp: the target is there already, or cannot be written.
    """
    check_is_journal(path, len(STEPS), to_go_on=way_on(path))
    if os.path.lexists(target):
        raise _taken(target)
    if not target.parent.is_dir():
        raise CannotBackUp(f"{path} cannot be backed up to {target}: there is no directory {target.parent}")
    try:
        with (
            closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=rw", timeout=BUSY_S, uri=True)) as source,
            whole_copy(source, target) as part,
        ):
            matches = count_matches(part)
            place(part, target)
    except JournalUnreadable as error:
        raise JournalUnreadable(f"{path} cannot be backed up: {error}; {target} was not written") from error
    except FileExistsError:
        raise _taken(target) from None
    except (sqlite3.Error, OSError) as error:
        raise CannotBackUp(f"{path} cannot be backed up to {target}: {error}") from error
    return matches


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
