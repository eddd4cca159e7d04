"""Let the disk fail under the real daemon while somebody plays: it must stop, say so, and lose nothing it has shown.

- *full*: the daemon may write no file beyond so many bytes from now on (RLIMIT_FSIZE, set from outside). The kernel
  writes what still fits, so SQLite meets a short write first and then the refusal.
- *errors*: strace lets every write or synchronisation of the write-ahead log from the nth on fail, with "no space
  left", "input/output error", "quota exceeded" or "read-only file system". It needs no real disk, nor root.
- *lost files*: journal, log or the whole directory are deleted, moved, or replaced by others.

The daemon is started again then, after `captains-table restore` where it saved the matches in another file, and the
journal is compared action by action with what was acknowledged and shown.
"""

import contextlib
import resource
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from tests.siege.attack import Fault, Found, Trial
from tests.siege.http_person import Gone, HttpPerson, Memory, Refused
from tests.siege.ledger import Ledger
from tests.siege.legend_player import FIELDS, LegendPlayer
from tests.support.lost_journals import (
    delete_everything,
    delete_it,
    delete_it_with_its_log,
    move_the_directory,
    replace_it,
    replace_it_by_its_own_copy,
)
from tests.support.patience import PATIENCE_S
from tests.support.table_process import COMMAND, TableProcess, run_here

ERRORS: Final = ("ENOSPC", "EIO", "EDQUOT", "EROFS")
CALLS: Final = ("pwrite64", "fdatasync")
MOST_STEPS: Final = 60
STEPS_BEFORE: Final = range(1, 9)
ROOM: Final = 30_000
FIRST_CALL_IN_PLAY: Final = {"pwrite64": 40, "fdatasync": 12}
JOURNAL: Final = "journal.sqlite3"
GAME: Final = ("legend", "--players", "Anne", "Bart", f"fen={FIELDS['fen']}")


LOSSES: Final[tuple[tuple[str, Callable[[Path], None]], ...]] = (
    *((JOURNAL, lose) for lose in (delete_it, delete_it_with_its_log, delete_everything, move_the_directory)),
    *((JOURNAL, lose) for lose in (replace_it, replace_it_by_its_own_copy)),
    *((f"{JOURNAL}-wal", lose) for lose in (delete_it, replace_it_by_its_own_copy)),
)


def run(trial: Trial) -> None:
    """Let one disk fail."""
    Wreck(trial).run()


class Wreck:
    """One daemon whose disk fails, and what is saved of it."""

    faults: Sequence[str] = ("full", "error", "lost")

    def __init__(self, trial: Trial) -> None:
        self._trial, self._rng = trial, trial.rng
        self._state = trial.place / "state"

    def run(self) -> None:
        """Play, let the disk fail, play until the daemon ends, and look what is left."""
        fault = self._rng.choice(self.faults)
        call = self._rng.choice(CALLS)
        program = self._strace(call) if fault == "error" else [COMMAND]
        table = TableProcess("play", *self._where, *GAME, logs=self._trial.place / "logs", program=program)
        try:
            self._started(table)
            ledger = Ledger(self._state, self._trial)
            person = HttpPerson(table.port)
            player = LegendPlayer(person, self._rng)
            for _ in range(self._rng.choice(STEPS_BEFORE) if fault != "error" else 0):
                player.play_on()
            if fault == "full":
                self._fill(table.process.pid)
            if fault == "lost":
                self._lose()
            in_vain = _play_in_vain(person, player)
            if not in_vain:
                self._trial.counts["never came to it"] += 1
            elif table.process.wait(PATIENCE_S) != 1:
                raise Found(Fault.WRONG, f"{fault}: the daemon ended with {table.process.returncode}")
        finally:
            table.kill()
        person.leave()
        self._trial.counts[fault if fault != "error" else f"error in {call}"] += in_vain
        self._check_words(table.complaints, in_vain=in_vain)
        self._recover(ledger, person.memory)

    def _started(self, table: TableProcess) -> None:
        """Look at a daemon that has just been started."""

    @property
    def _where(self) -> tuple[str | Path, ...]:
        return ("--state", self._state, "--port", "0")

    def _strace(self, call: str) -> list[str | Path]:
        """Return what runs the daemon with a log whose writes fail; it is strace's grandparent, so its own process."""
        first = FIRST_CALL_IN_PLAY[call] + self._rng.randrange(30)
        inject = f"inject={call}:error={self._rng.choice(ERRORS)}:when={first}+"
        log = self._state / f"{JOURNAL}-wal"
        quiet = ("-D", "-f", "-qq", "--seccomp-bpf", "-o", "/dev/null")
        return ["strace", *quiet, "-P", log, "-e", f"trace={call}", "-e", inject, COMMAND]

    def _fill(self, process: int) -> None:
        """Let the daemon write little more: any file may grow by so much beyond what the log has now."""
        log = self._state / f"{JOURNAL}-wal"
        limit = log.stat().st_size + self._rng.randrange(ROOM)
        resource.prlimit(process, resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))

    def _lose(self) -> None:
        name, lose = self._rng.choice(LOSSES)
        lose(self._state / name)
        self._trial.counts[f"{lose.__name__.replace('_', ' ')} ({name})"] += 1

    def _check_words(self, said: str, *, in_vain: bool) -> None:
        self._trial.complain(said)
        if in_vain and "The table stopped: " not in said:
            raise Found(Fault.WRONG, f"the daemon did not say why it stopped: {said[-500:]!r}")

    def _recover(self, ledger: Ledger, memory: Memory) -> None:
        """Put back what was saved, as the daemon's words say, start the table again, and compare."""
        saved = sorted(self._state.glob(f"{JOURNAL}.rescued*"))
        if saved:
            restored = run_here("restore", saved[-1], "--state", self._state)
            if restored.returncode:
                raise Found(Fault.LOST, f"what was saved cannot be put back: {restored.stderr}")
            self._trial.counts["saved in another file and put back"] += 1
        with self._trial.daemon("play", *self._where, logs="again", what="the daemon started again") as table:
            ledger.compare(memory, None)
            person = HttpPerson(table.port)
            LegendPlayer(person, self._rng).play_on()
        person.leave()
        self._trial.counts["started again, and played on"] += 1


def _play_in_vain(person: HttpPerson, player: LegendPlayer) -> bool:
    """Play until the daemon takes no more; return whether it came to that."""
    try:
        for _ in range(MOST_STEPS):
            player.play_on()
    except Refused as refused:
        if refused.status != 503:
            raise
        return True
    except Gone:
        return True
    finally:
        with contextlib.suppress(Gone, Refused):
            person.look()
    return False
