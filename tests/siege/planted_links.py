"""The service's user plants what may mislead root: at random names in the state folder, before a command or during it.

The folder is as a service's below /var/lib/private: its user cannot come to it by its path. The user plants

- a *symlink* to a file of root's, or to a name in a folder of root's where there is none; a *hard link*; a *FIFO*;
- a *linked parent*: the way to the state is the user's own link, to the state or to a folder of root's;
- a *swapped* file: a link or a FIFO changes places with a true file, again and again;
- a *swapped parent*: the folder changes places with a link to a folder of root's, again and again;
- *snatched* files: each file that the command makes is replaced by a link to root's.

Then root runs what documents tell root to run. It must refuse in a sentence that names what was planted, or do its work
truly; no file of root's may change, and none may appear in the user's folder.
"""

import ctypes
import os
import random
import shutil
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from subprocess import CompletedProcess
from typing import Final, NamedTuple

from captains_table.cli.main import main
from captains_table.storage.backup import back_up
from captains_table.storage.files import PART
from captains_table.storage.schema import MIGRATIONS
from tests.siege.attack import Fault, Found, Trial
from tests.siege.killing import forked
from tests.support.journals import EARLIER, Row, journal_with, rows_of
from tests.support.outsider import NOBODY
from tests.support.table_process import run_here

NAME: Final = "journal.sqlite3"
OWN_WORDS: Final = "root's own\n"
ANSWERS_WITHIN_S: Final = 60
REFUSED: Final = 2
EXCHANGE: Final = 2  # RENAME_EXCHANGE of <linux/fs.h>
HERE: Final = -100  # AT_FDCWD
SWAPPED: Final = (NAME, f"{NAME}-wal", f"{NAME}-shm", "lock", "profile-override.toml", "doctor-report.txt")

_libc = ctypes.CDLL(None, use_errno=True)


Answer = CompletedProcess[str]


class Place(NamedTuple):
    """Where one command runs.

    Attributes:
        home: a folder of the user's, below one of root's that the user may not enter; `state` is in it.
        given: the path that root names the state by.
        roots: a folder of root's, with a secret and a journal in it.
    """

    home: Path
    state: Path
    given: Path
    roots: Path
    backup: Path


def made(place: Path, rng: random.Random) -> Place:
    home, roots = place / "private" / "home", place / "roots"
    for folder in (home / "state", roots):
        folder.mkdir(parents=True)
    (place / "private").chmod(0o700)
    journal = home / "state" / NAME
    if rng.random() < 1 / 2:
        shutil.copy(EARLIER, journal)
    else:
        journal_with(journal, "Anne")
    (roots / "secret").write_text(OWN_WORDS)
    journal_with(roots / NAME, "Mary")
    for file in roots.iterdir():
        file.chmod(0o600)
    back_up(journal_with(place / "other" / NAME, "Grace"), place / "evening.sqlite3")
    for path in (home, home / "state", *(home / "state").iterdir()):
        os.chown(path, NOBODY, NOBODY)
    return Place(home, home / "state", home / "state", roots, place / "evening.sqlite3")


def words_of(rng: random.Random, at: Place) -> tuple[str | Path, ...]:
    """Return a command that documents tell root to run."""
    config = at.roots.parent / "config.toml"
    config.write_text(f'[table]\nstate_dir = "{at.given}"\n[web]\nhost = "0.0.0.0"\nport = 1\n')
    state = ("--state", at.given)
    return rng.choice(
        (
            ("matches", *state),
            ("matches", "export", "1", *state),
            ("review", "1", *state),
            ("backup", at.roots.parent / "copy.sqlite3", *state),
            ("restore", at.backup, *state),
            ("doctor", "simulated", "--checks", *state),
            ("run", "--check", config),
        )
    )


def any_name(rng: random.Random) -> str:
    database = rng.choice(
        (
            *(NAME, f"{NAME}.replaced-2026-11-24-120000", f"{NAME}.before-{len(MIGRATIONS)}"),
            *(f"{NAME}.before-{len(MIGRATIONS)}.part", f"{PART}{rng.randbytes(8).hex()}.part"),
        )
    )
    others = ("address", "doctor-report.txt", "lock", "profile-override.toml", "token", rng.randbytes(4).hex())
    return rng.choice((*others, *(f"{database}{end}" for end in ("", "-journal", "-shm", "-wal"))))


# --- what is planted --------------------------------------------------------------------------------------------------


def plant(rng: random.Random, at: Place, path: Path) -> str:
    """Plant a link or a FIFO; return what it is, as the refusal says it."""
    path.unlink(missing_ok=True)
    kind = rng.choice(("a link", "a hard link", "a FIFO"))
    if kind == "a link":
        path.symlink_to(at.roots / rng.choice(("secret", NAME, "new")))
        os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
    elif kind == "a hard link":  # root makes it: a kernel may let users do so too (fs.protected_hardlinks)
        path.hardlink_to(at.roots / rng.choice(("secret", NAME)))
    else:
        os.mkfifo(path)
        os.chown(path, NOBODY, NOBODY)
    return kind


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


# --- what must hold ---------------------------------------------------------------------------------------------------


def roots_files(at: Place) -> dict[str, tuple[object, ...]]:
    """Return what root's folder holds: names, owners, modes, times and content."""
    files = {file.name: (file, file.lstat()) for file in at.roots.iterdir()}
    return {
        name: (found.st_uid, found.st_gid, found.st_mode, found.st_mtime_ns, file.read_bytes())
        for name, (file, found) in files.items()
    }


def answer_of(words: tuple[str | Path, ...], at: Place) -> Answer:
    """Run a command in a fork, which has not to read the program again; raises Found where it does not end."""
    out, err = (at.roots.parent / name for name in ("stdout", "stderr"))

    def redirect() -> None:
        signal.alarm(ANSWERS_WITHIN_S)
        with out.open("w") as told, err.open("w") as complained, Path(os.devnull).open() as nothing:
            for number, file in enumerate((nothing, told, complained)):
                os.dup2(file.fileno(), number)
        sys.stdin, sys.stdout, sys.stderr = (os.fdopen(number, "r" if number == 0 else "w") for number in range(3))

    _, status = os.waitpid(forked(redirect, lambda: _run_and_exit([str(word) for word in words])), 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM:
        raise Found(Fault.HANG, f"{words} did not end in {ANSWERS_WITHIN_S} s")
    code = os.waitstatus_to_exitcode(status)
    return CompletedProcess([str(word) for word in words], code, out.read_text(), err.read_text())


def _run_and_exit(words: list[str]) -> None:
    code = 1
    try:
        code = main(words)
    except SystemExit as ended:  # argparse ends so
        code = ended.code if isinstance(ended.code, int) else 1
    except BaseException:  # noqa: BLE001 - whatever escapes is what is looked for
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def check_nothing_of_roots(at: Place) -> None:
    """Raise Found where a file of root's lies in the user's folder that the user did not plant."""
    known = {file.lstat().st_ino for file in at.roots.iterdir()}
    for path in at.home.rglob("*"):
        found = path.lstat()
        if found.st_uid == 0 and found.st_ino not in known:
            raise Found(Fault.WRONG, f"{path} is root's")


def run(trial: Trial) -> None:
    """Plant for one command of root's, run it and look."""
    if os.geteuid() != 0:
        trial.counts["not tried: only root has more rights than the user"] += 1
        return
    warm(trial.place.parent)
    at, rng = made(trial.place, trial.rng), trial.rng
    before = roots_files(at)
    ways = (_standing, _standing, _linked_parent, _swapped_file, _swapped_parent, _snatched_files)
    answer = rng.choice(ways)(at, rng, trial.counts)
    trial.complain(answer.stderr, " ".join(answer.args))
    if roots_files(at) != before:
        raise Found(Fault.LOST, f"{answer.args}: root's files are not as they were; {answer.stderr}")
    check_nothing_of_roots(at)
    if answer.returncode and not answer.stderr.startswith("captains-table: "):
        raise Found(Fault.WRONG, f"{answer.args}: {answer.returncode}, {answer.stderr}")
    trial.counts["refused" if answer.returncode else "done"] += 1


@cache
def warm(folder: Path) -> None:
    """Read the program, so that the forks need not."""
    run_here("doctor", "simulated", "--checks", "--state", folder / "warm")


def _standing(at: Place, rng: random.Random, counts: Counter[str]) -> Answer:
    path, journal = at.state / any_name(rng), at.state / NAME
    rows = rows_of_whole(journal)
    kind = plant(rng, at, path)
    words = words_of(rng, at)
    answer = answer_of(words, at)
    if answer.returncode != REFUSED or f"{path} is {kind}" not in answer.stderr:
        raise Found(Fault.WRONG, f"{words} with {kind} at {path.name}: {answer.returncode}, {answer.stderr}")
    path.unlink()
    if path != journal and rows_of_whole(journal) != rows:
        raise Found(Fault.LOST, f"{words} with {kind} at {path.name}: the journal is not as it was")
    counts[kind] += 1
    return answer


def _linked_parent(at: Place, rng: random.Random, counts: Counter[str]) -> Answer:
    way = at.home / "way"
    way.symlink_to(rng.choice((at.home, at.roots.parent)))
    os.chown(way, NOBODY, NOBODY, follow_symlinks=False)
    words = words_of(rng, at._replace(given=way / rng.choice(("state", "roots", "new"))))
    answer = answer_of(words, at)
    if answer.returncode != REFUSED or "'way', a link that is not root's" not in answer.stderr:
        raise Found(Fault.WRONG, f"{words} through a linked parent: {answer.returncode}, {answer.stderr}")
    counts["a linked parent"] += 1
    return answer


def _swapped_file(at: Place, rng: random.Random, counts: Counter[str]) -> Answer:
    name = rng.choice(SWAPPED)
    (at.state / name).touch()
    os.chown(at.state / name, NOBODY, NOBODY)
    plant(rng, at, at.home / "planted")
    counts["a swapped file"] += 1
    with by_the_user(at.state, partial(exchange, name, "../planted")):
        return answer_of(words_of(rng, at), at)


def _swapped_parent(at: Place, rng: random.Random, counts: Counter[str]) -> Answer:
    planted = at.home / "planted"
    planted.symlink_to(at.roots)
    os.chown(planted, NOBODY, NOBODY, follow_symlinks=False)
    counts["a swapped parent"] += 1
    with by_the_user(at.home, partial(exchange, "state", "planted")):
        return answer_of(words_of(rng, at), at)


def _snatched_files(at: Place, rng: random.Random, counts: Counter[str]) -> Answer:
    known = {path.name for path in at.state.iterdir()} | {".snatch"}
    target = at.roots / rng.choice(("secret", NAME, "new"))
    with by_the_user(at.state, partial(snatch, known, target)):
        answer = answer_of(words_of(rng, at), at)
    counts["snatched files"] += sum(path.is_symlink() for path in at.state.iterdir())
    return answer


def rows_of_whole(journal: Path) -> list[Row]:
    """Return a journal's rows, read in a copy: nothing is made next to the journal itself."""
    copy = journal.parents[3] / "looked-at"
    shutil.copy(journal, copy)
    rows = rows_of(copy)
    copy.unlink()
    return rows
