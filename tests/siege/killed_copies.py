"""Kill backups and restores: at a random system call, or at a random moment; and run the same command again.

As root the state folder is another user's, as a service's is. What must hold is written in docs/siege.md.
"""

import os
import random
import shutil
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

from captains_table.storage.backup import back_up, restore_journal
from captains_table.storage.journal_file import JournalFile
from tests.siege.attack import Fault, Found, Trial
from tests.siege.kills_below import killed_at_call, killed_at_moment
from tests.support.journals import Row, journal_with, rows_of
from tests.support.outsider import NOBODY

NAME: Final = "journal.sqlite3"
STOPS: Final = 1000
LONGEST_S: Final = 0.05
NOW: Final = datetime(2026, 11, 25, tzinfo=UTC)
LOGS: Final = ("-journal", "-wal")


def run(trial: Trial) -> None:
    copying = Copying(trial)
    order = random.Random(f"{trial.case.seed} {trial.case.number}")
    for _ in range(trial.case.units):
        copying.kill(is_restore=order.random() < 2 / 3)


class Copying:
    """A state folder, two backups to restore, and what was killed of the copies between them."""

    def __init__(self, trial: Trial) -> None:
        self._rng, self._counts, place = trial.rng, trial.counts, trial.place
        self._place, self._state = place, place / "private" / "state"
        self._journal = self._state / NAME
        self._target = place / "copies" / "evening.sqlite3"
        self._target.parent.mkdir()
        journal_with(self._journal, *("Anne" for _ in range(self._rng.randint(1, 40))))
        (place / "private").chmod(0o700)
        self._backups = [self._backup_of(name) for name in ("Grace", "Mary")]
        self._known = [self._rows(self._journal), *map(rows_of, self._backups)]
        if os.geteuid() == 0:
            for path in (self._state, *self._state.iterdir()):
                os.chown(path, NOBODY, NOBODY)

    def _backup_of(self, name: str) -> Path:
        copy = self._place / f"{name}.sqlite3"
        back_up(journal_with(self._place / name / NAME, name, name), copy)
        return copy

    def kill(self, *, is_restore: bool) -> None:
        """Kill one backup or restore, look at what there is, and do the same to its end."""
        before = self._rows(self._journal)
        wanted = before
        do: partial[Any] = partial(back_up, self._journal, self._target)
        if is_restore:
            file = self._rng.choice(self._backups)
            wanted, do = rows_of(file), partial(restore_journal, self._journal, file, NOW)
        by_call = self._rng.random() < 1 / 2  # drawn one by one: a case repeats whatever came of the one before
        stop, moment_s = self._rng.randrange(1, STOPS), self._rng.uniform(0, LONGEST_S)
        was_killed = killed_at_call(stop, do) if by_call else killed_at_moment(moment_s, do)
        what = "restore" if is_restore else "backup"
        self._counts[f"{what} killed at a {'system call' if by_call else 'moment'}"] += was_killed
        self._counts["after the end"] += not was_killed
        self._check(before, wanted, is_done=not was_killed)
        self._counts["parts left by the kill"] += len(self._parts())
        self._target.unlink(missing_ok=True)
        killed_at_moment(None, do)
        self._check(self._rows(self._journal), wanted, is_done=True)
        if self._parts():
            raise Found(Fault.WRONG, f"the {what} after the killed one left {self._parts()}")
        with closing(JournalFile(self._copied(self._journal))):
            pass  # or it raises: a table would not start
        for path in (self._target, *self._kept()):
            path.unlink(missing_ok=True)

    def _check(self, before: list[Row], wanted: list[Row], *, is_done: bool) -> None:
        found, kept = self._rows(self._journal), [self._rows(path) for path in self._kept()]
        if found not in ((wanted,) if is_done else (before, wanted)):
            raise Found(Fault.LOST, f"the journal is another one: {found[:3]}")
        if found != before and before not in kept:
            raise Found(Fault.LOST, "the journal that was replaced is not kept")
        if any(rows not in self._known for rows in kept):
            raise Found(Fault.LOST, f"of {self._kept()} one is not whole")
        if self._target.exists() and self._rows(self._target) != before:
            raise Found(Fault.LOST, "the backup is not whole")

    def _rows(self, path: Path) -> list[Row]:
        return rows_of(self._copied(path))

    def _copied(self, path: Path) -> Path:
        """Return a copy to look at, so that nothing is folded in or made next to the file itself."""
        folder = self._place / "looked-at"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for end in ("", *LOGS):
            log = Path(f"{path}{end}")
            if log.exists():
                shutil.copy(log, folder / f"{NAME}{end}")
        return folder / NAME

    def _kept(self) -> list[Path]:
        return [path for path in self._state.glob(f"{NAME}.replaced-*") if not path.name.endswith(LOGS)]

    def _parts(self) -> list[str]:
        return [path.name for folder in (self._state, self._target.parent) for path in folder.glob(".*")]
