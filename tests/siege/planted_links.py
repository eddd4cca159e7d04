"""The service's user plants what may mislead root, again and again, while root runs a command in the user's folder.

The folder is as a service's below /var/lib/private: its user cannot come to it by its path. What is planted, and what
must hold, is written in docs/siege.md; what stands there before the command is tested by tests/storage.
"""

import ctypes
import os
import random
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from typing import Final, NamedTuple

from captains_table.storage.backup import back_up
from tests.siege.attack import Fault, Found, Trial
from tests.siege.kills_below import command_in_fork, forked
from tests.support.journals import EARLIER, journal_with
from tests.support.outsider import NOBODY
from tests.support.table_process import run_here

NAME: Final = "journal.sqlite3"
EXCHANGE: Final = 2  # RENAME_EXCHANGE of <linux/fs.h>
HERE: Final = -100  # AT_FDCWD
SWAPPED: Final = (NAME, f"{NAME}-wal", f"{NAME}-shm", "lock", "profile-override.toml", "doctor-report.txt")

_libc = ctypes.CDLL(None, use_errno=True)


class Place(NamedTuple):
    """Where one command runs: the user's folder, below one of root's that the user may not enter, and root's own."""

    home: Path
    state: Path
    roots: Path
    backup: Path

    def files_of_root(self) -> dict[str, tuple[object, ...]]:
        """Return what root's folder holds: names, owners, modes, times and content."""
        files = {file.name: (file, file.lstat()) for file in self.roots.iterdir()}
        return {
            name: (found.st_uid, found.st_gid, found.st_mode, found.st_mtime_ns, file.read_bytes())
            for name, (file, found) in files.items()
        }


def made(place: Path, rng: random.Random) -> Place:
    at = Place(place / "private" / "home", place / "private" / "home" / "state", place / "roots", place / "a.sqlite3")
    for folder in (at.state, at.roots):
        folder.mkdir(parents=True)
    (place / "private").chmod(0o700)
    if rng.random() < 1 / 2:
        shutil.copy(EARLIER, at.state / NAME)
    else:
        journal_with(at.state / NAME, "Anne")
    (at.roots / "secret").write_text("root's own\n")
    journal_with(at.roots / NAME, "Mary")
    for file in at.roots.iterdir():
        file.chmod(0o600)
    back_up(journal_with(place / "other" / NAME, "Grace"), at.backup)
    for path in (at.home, at.state, *at.state.iterdir()):
        os.chown(path, NOBODY, NOBODY)
    return at


def words_of(rng: random.Random, at: Place) -> tuple[str | Path, ...]:
    config = at.roots.parent / "config.toml"
    config.write_text(f'[table]\nstate_dir = "{at.state}"\n[web]\nhost = "0.0.0.0"\nport = 1\n')
    state = ("--state", at.state)
    return rng.choice(
        (
            *(("matches", *state), ("matches", "export", "1", *state), ("review", "1", *state)),
            *(("backup", at.roots.parent / "copy.sqlite3", *state), ("restore", at.backup, *state)),
            *(("doctor", "simulated", "--checks", *state), ("run", "--check", config)),
        )
    )


# --- what the user does meanwhile -------------------------------------------------------------------------------------


def plant(rng: random.Random, at: Place, path: Path) -> None:
    kind = rng.randrange(3)
    if kind == 0:
        path.symlink_to(at.roots / rng.choice(("secret", NAME, "new")))
    elif kind == 1:  # root makes it: a kernel may let users do so too (fs.protected_hardlinks)
        path.hardlink_to(at.roots / rng.choice(("secret", NAME)))
        return
    else:
        os.mkfifo(path)
    os.chown(path, NOBODY, NOBODY, follow_symlinks=False)


def exchange(one: str, other: str) -> None:
    """Let two names change places at one stroke, where both are there."""
    _libc.renameat2(HERE, os.fsencode(one), HERE, os.fsencode(other), EXCHANGE)


def snatch(known: set[str], target: Path) -> None:
    """Replace each new file in this folder by a link."""
    for path in Path().iterdir():
        if path.name in known:
            continue
        with suppress(OSError):
            link = Path(".snatch")
            link.unlink(missing_ok=True)
            link.symlink_to(target)
            link.replace(path)
            known.add(path.name)


@contextmanager
def by_the_user(folder: Path, do: Callable[[], None]) -> Iterator[None]:
    """Let the folder's user do something in it meanwhile, again and again."""

    def become_the_user() -> None:
        os.chdir(folder)
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)

    def keep_on() -> None:
        while True:
            do()

    child = forked(become_the_user, keep_on)
    try:
        yield
    finally:
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status):
            raise ChildProcessError(f"the user did nothing: it ended with {os.waitstatus_to_exitcode(status)}")


def planting(at: Place, rng: random.Random) -> tuple[str, Path, Callable[[], None]]:
    """Return what is planted, in which folder, and how: it is done again and again."""
    planted = at.home / "planted"
    match rng.randrange(3):
        case 0:
            name = rng.choice(SWAPPED)
            (at.state / name).touch()
            os.chown(at.state / name, NOBODY, NOBODY)
            plant(rng, at, planted)
            return "a swapped file", at.state, partial(exchange, name, "../planted")
        case 1:
            planted.symlink_to(at.roots)
            os.chown(planted, NOBODY, NOBODY, follow_symlinks=False)
            return "a swapped parent", at.home, partial(exchange, "state", "planted")
    known = {path.name for path in at.state.iterdir()} | {".snatch"}
    return "snatched files", at.state, partial(snatch, known, at.roots / rng.choice(("secret", NAME, "new")))


# --- what must hold ---------------------------------------------------------------------------------------------------


def run(trial: Trial) -> None:
    """Run one command of root's while the user plants something, and look."""
    if os.geteuid() != 0:
        trial.counts["not tried: only root has more rights than the user"] += 1
        return
    warm(trial.place.parent)
    at = made(trial.place, trial.rng)
    before = at.files_of_root()
    what, folder, do = planting(at, trial.rng)
    try:
        with by_the_user(folder, do):
            answer = command_in_fork(words_of(trial.rng, at), trial.place)
    except TimeoutError as error:
        raise Found(Fault.HANG, str(error)) from error
    trial.complain(answer.stderr, " ".join(answer.args))
    if at.files_of_root() != before:
        raise Found(Fault.LOST, f"{answer.args}: root's files are not as they were; {answer.stderr}")
    known = {file.lstat().st_ino for file in at.roots.iterdir()}
    for path in at.home.rglob("*"):
        found = path.lstat()
        if found.st_uid == 0 and found.st_ino not in known:
            raise Found(Fault.WRONG, f"{path} is root's")
    if answer.returncode and not answer.stderr.startswith("captains-table: "):
        raise Found(Fault.WRONG, f"{answer.args}: {answer.returncode}, {answer.stderr}")
    trial.counts.update([what, "refused" if answer.returncode else "done"])


@cache
def warm(folder: Path) -> None:
    """Read the program, so that the forks need not."""
    run_here("doctor", "simulated", "--checks", "--state", folder / "warm")
