"""The stick with the matches comes late, or goes: while somebody plays, another file system takes the state's place.

- *late*: the table was started without its stick and plays into memory, which its page says; then the stick is mounted
  over that folder.
- *gone*: the stick goes, and the folder below it is there again, empty.

The daemon must notice before it shows the next action, say so, end with code 1 and save every match where the folder is
now; started again there, it must play on.
"""

import subprocess
import time
from pathlib import Path
from typing import Final

import httpx

from tests.siege.attack import Fault, Found, Trial
from tests.siege.disk_faults import Wreck
from tests.support.patience import PATIENCE_S
from tests.support.table_process import TableProcess

IN_MEMORY: Final = "All is lost at power-off"


def mount(*words: str | Path) -> None:
    subprocess.run(["mount", *words], check=True)


def run(trial: Trial) -> None:
    LateMount(trial).run()


class LateMount(Wreck):
    """One daemon whose state is mounted over, or unmounted."""

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
