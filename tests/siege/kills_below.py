"""Child processes: of a command; killed at a system call or a moment; and a match that is killed so, below the page.

`ptrace` stops a child before and after each call: at the write that is to come, and at the write that was made but not
yet synchronised. Nothing is read of it or changed in it, so this is the same on every machine with Linux.
"""

import ctypes
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from itertools import islice
from pathlib import Path
from subprocess import CompletedProcess
from tempfile import TemporaryDirectory
from typing import Final

import captains_table.catalog  # noqa: F401 - it registers the games
from captains_table.cli.main import main
from captains_table.devices.dice_sources import HonestDice, commitment
from captains_table.storage.journal_file import JournalFile
from captains_table.table.model.entries import Acted, Entry, MatchStarted, Resumed, TakenBack
from tests.link_faults.hands import timeless
from tests.siege.attack import Fault, Found, Trial
from tests.support.self_play import SelfPlay

TRACE_ME: Final = 0
GO_ON: Final = 7
GO_ON_TO_NEXT_CALL: Final = 24
ENDS_WITHIN_S: Final = 60

_libc = ctypes.CDLL(None, use_errno=True)
_libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
_libc.ptrace.restype = ctypes.c_long


def _ptrace(request: int, process: int) -> None:
    if _libc.ptrace(request, process, None, None) < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"ptrace: {os.strerror(error)}")


def forked(*steps: Callable[[], object]) -> int:
    """Return the number of a child process that takes these steps, and ends with 0 where it took them all."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            for step in steps:
                step()
            code = 0
        except BaseException:  # noqa: BLE001 - it ends here, whatever it is
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(code)
    return child


def check_ended_well(status: int) -> None:
    """Check how a child ended that nobody killed; raises ChildProcessError."""
    if status:
        raise ChildProcessError(f"the match failed by itself: it ended with {os.waitstatus_to_exitcode(status)}")


def killed_at_moment(seconds: float | None, do: Callable[[], object]) -> bool:
    """Let a child do something and kill it after so long, or never; return whether it had not done it all."""
    child = forked(do)
    if seconds is not None:
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status):
        check_ended_well(status)
    return os.WIFSIGNALED(status)


def killed_at_call(stop: int, do: Callable[[], object], prepare: Callable[[], object] = lambda: None) -> bool:
    """Let a child do something and kill it at its nth stop; return whether it had not done it all.

    What it does to prepare is not counted. Raises ChildProcessError where it fails by itself.
    """
    child = forked(lambda: _ptrace(TRACE_ME, 0), prepare, lambda: os.kill(os.getpid(), signal.SIGSTOP), do)
    left = 0
    is_counting = False
    while True:
        _, status = os.waitpid(child, 0)
        if not os.WIFSTOPPED(status):
            check_ended_well(status)
            return False
        if os.WSTOPSIG(status) == signal.SIGSTOP:
            is_counting, left = True, stop
        elif is_counting:
            left -= 1
        if is_counting and left <= 0:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return True
        _ptrace(GO_ON_TO_NEXT_CALL if is_counting else GO_ON, child)


def command_in_fork(words: Sequence[str | Path], folder: Path, *steps: Callable[[], object]) -> CompletedProcess[str]:
    """Run a command in a fork, which has not to read the program again, after these steps; raises TimeoutError.

    What it writes is in a folder.
    """
    line, out, err = [str(word) for word in words], folder / "stdout", folder / "stderr"

    def redirect() -> None:
        signal.alarm(ENDS_WITHIN_S)
        with out.open("w") as told, err.open("w") as complained, Path(os.devnull).open() as nothing:
            for number, file in enumerate((nothing, told, complained)):
                os.dup2(file.fileno(), number)
        sys.stdin, sys.stdout, sys.stderr = (os.fdopen(number, "r" if number == 0 else "w") for number in range(3))

    _, status = os.waitpid(forked(redirect, *steps, lambda: _run_and_exit(line)), 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM:
        raise TimeoutError(f"{line} did not end in {ENDS_WITHIN_S} s")
    return CompletedProcess(line, os.waitstatus_to_exitcode(status), out.read_text(), err.read_text(errors="replace"))


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


# --- a match that is killed -------------------------------------------------------------------------------------------

SCRIPTS: Final = 24
ACTIONS_A_MATCH: Final = 120
ACTIONS_A_LIFE: Final = 12
STOPS_A_LIFE: Final = 700
LONGEST_MOMENT_S: Final = 0.005  # an action takes less, so a cut falls anywhere in the next one or two
SEED: Final = bytes(range(32))
STARTED: Final = MatchStarted("legend", ("Anne", "Bart"), {"rounds": "3"}, commitment(SEED))


def play(directory: Path, script: int, shown: Callable[[int], object] = lambda _: None) -> list[Entry]:
    """Play the match in a directory, new or as it was left, and say which action has been shown; return its entries."""
    file = JournalFile(directory / "journal.sqlite3")
    journal = file.open(1) if file.matches() else file.start(STARTED, SEED)
    table = SelfPlay(journal, HonestDice.resumed(SEED, journal.entries()), script)
    while not table.over and table.match.revision < ACTIONS_A_MATCH:
        table.step()
        shown(table.match.revision)
    return list(journal.entries())


def live(directory: Path, channel: int, script: int) -> None:
    """Play on, and write the number of each action once it was shown."""
    play(directory, script, lambda seq: os.write(channel, f"{seq}\n".encode()))
    os.write(channel, b"over\n")


def last_shown(lines: Iterable[str]) -> int:
    """Return the last action a match has shown, by the lines it wrote; a number that was cut off was not shown."""
    shown = [int(line) for line in lines if line.endswith("\n") and line != "over\n"]
    return shown[-1] if shown else 0


@cache
def undisturbed(script: int) -> list[Entry]:
    """Return the entries of a match that nobody kills, without their times."""
    with TemporaryDirectory(prefix="siege-") as folder:
        return timeless(play(Path(folder), script))


def entries_of(directory: Path) -> list[Entry]:
    """Return the entries of the one match in a directory, none where it was not begun."""
    file = JournalFile(directory / "journal.sqlite3")
    try:
        return file.open(1).entries() if file.matches() else []
    finally:
        file.close()


def life_to_a_moment(directory: Path, actions: int, more_s: float, script: int) -> tuple[int, bool]:
    """Let the match show so many actions and live a moment more; return the last it had shown, and whether all."""
    reading, writing = os.pipe()
    child = forked(partial(os.close, reading), partial(live, directory, writing, script))
    os.close(writing)
    with os.fdopen(reading) as told:
        lines = list(islice(told, actions))
        time.sleep(more_s)
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        lines += told
    if not os.WIFSIGNALED(status):
        check_ended_well(status)
    return last_shown(lines), "over\n" in lines


def life_to_a_call(directory: Path, stop: int, script: int) -> tuple[int, bool]:
    """Let the match live to a system call; return the last action it had shown, and whether all."""
    reading, writing = os.pipe()
    do = partial(live, directory, writing, script)
    was_killed = killed_at_call(stop, do, prepare=partial(os.close, reading))
    os.close(writing)
    with os.fdopen(reading) as told:
        return last_shown(told), not was_killed


def _check(kept: list[Entry], shown: int, script: int, *, over: bool) -> None:
    actions = sum(isinstance(entry, Acted | TakenBack) for entry in kept)
    if actions < shown:
        raise Found(Fault.LOST, f"action {shown} was shown and is lost: the journal ends with {actions}")
    played = [entry for entry in timeless(kept) if not isinstance(entry, Resumed)]
    for place, (found, wanted) in enumerate(zip(played, undisturbed(script), strict=False)):
        if found != wanted:
            raise Found(Fault.LOST, f"entry {place} is {found}: a match that nobody killed has {wanted}")
    if over and len(played) != len(undisturbed(script)):
        raise Found(Fault.LOST, f"a match of {len(undisturbed(script))} entries ended after {len(played)}")


def run(trial: Trial) -> None:
    """Kill a match that plays itself: its journal must go on as that of the match that nobody disturbed."""
    rng, counts = trial.rng, trial.counts
    script, matches = rng.randrange(SCRIPTS), 0
    directory = trial.place / "match-0"
    directory.mkdir()
    for _ in range(trial.case.units):
        by_call = rng.random() < 1 / 2  # drawn one by one: a case repeats whatever came of the one before
        stop, actions = rng.randrange(1, STOPS_A_LIFE), rng.randrange(ACTIONS_A_LIFE)
        moment_s = rng.uniform(0, LONGEST_MOMENT_S)
        life = partial(life_to_a_call, directory, stop)
        if not by_call:
            life = partial(life_to_a_moment, directory, actions, moment_s)
        shown, over = life(script)
        kept = entries_of(directory)
        _check(kept, shown, script, over=over)
        counts["at a system call" if by_call else "at a moment"] += not over
        counts["after the end"] += over
        counts["entries compared"] += len(kept)
        if over:
            matches += 1
            directory = trial.place / f"match-{matches}"
            directory.mkdir()
