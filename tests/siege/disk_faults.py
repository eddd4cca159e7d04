"""Let the disk fail under the real daemon while somebody plays: it must stop, say so, and lose nothing it has shown.

The daemon is started again then, after `captains-table restore` where it saved the matches in another file, and the
journal is compared action by action with what was acknowledged and shown. The faults are told in docs/siege.md.
"""

import contextlib
import resource
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import httpx

from tests.siege.attack import Fault, Found, Trial
from tests.siege.http_person import FIELDS, Gone, HttpPerson, LegendPlayer, Memory, Refused
from tests.siege.ledger import Ledger
from tests.support import journals
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


OF_THE_JOURNAL: Final = (
    *(journals.delete_it, journals.delete_it_with_its_log, journals.delete_everything, journals.move_the_directory),
    *(journals.replace_it, journals.replace_it_by_its_own_copy),
)
OF_THE_LOG: Final = (journals.delete_it, journals.replace_it_by_its_own_copy)
LOSSES: Final = (*((JOURNAL, lose) for lose in OF_THE_JOURNAL), *((f"{JOURNAL}-wal", lose) for lose in OF_THE_LOG))


def run(trial: Trial) -> None:
    Wreck(trial).run()


class Wreck:
    """One daemon whose disk fails, and what is saved of it."""

    faults: Sequence[str] = ("error", "full", "lost")

    def __init__(self, trial: Trial) -> None:
        self._trial, self._rng = trial, trial.rng
        self._state = trial.place / "state"

    def run(self) -> None:
        fault = self._rng.choice(self.faults)
        call = self._rng.choice(CALLS)
        program = self._strace(call) if fault == "error" else self._trial.program
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
        with self._trial.daemon("play", *self._where, logs="again") as table:
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


# --- another file system takes the state's place ----------------------------------------------------------------------

IN_MEMORY: Final = "All is lost at power-off"


def mount(*words: str | Path) -> None:
    subprocess.run(["mount", *words], check=True)


def run_late_mount(trial: Trial) -> None:
    LateMount(trial).run()


class LateMount(Wreck):
    """A daemon without its stick, which comes then and is mounted over its state; or one whose stick goes."""

    faults = ("lost",)

    def __init__(self, trial: Trial) -> None:
        super().__init__(trial)
        self._is_late = trial.rng.random() < 1 / 2
        self._stick = trial.place / "stick"
        for folder in (self._stick, self._state):
            folder.mkdir()
        if self._is_late:
            mount("-t", "tmpfs", "-o", "size=1g,mode=755", "tmpfs", self._state)
        else:
            mount("--bind", self._stick, self._state)

    def _started(self, table: TableProcess) -> None:
        until = time.monotonic() + PATIENCE_S
        while self._is_late != (IN_MEMORY in httpx.get(f"{table.origin}/table").text):
            if time.monotonic() > until:
                raise Found(Fault.WRONG, f"whether all is lost at power-off is not told (late: {self._is_late})")
            time.sleep(0.1)

    def _lose(self) -> None:
        if self._is_late:
            mount("--bind", self._stick, self._state)
        else:
            subprocess.run(["umount", "--lazy", self._state], check=True)
        self._trial.counts["the stick came late" if self._is_late else "the stick went"] += 1
