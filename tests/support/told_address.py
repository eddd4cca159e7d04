"""A process that says at which address it is found, once it is there."""

import re
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Self

from tests.support.patience import PATIENCE_S

COMMAND: Final = Path(sys.executable).with_name("captains-table")
STEP_S: Final = 0.02


class NotThere(RuntimeError):
    """A process ended, or said no address in time; the message is what it said instead."""


class AddressedProcess:
    """A process of the command `captains-table`.

    Args:
        words: what follows the command.
        logs: the folder for what it writes.
        name: what these files are called.
        address: finds the address in it, as the group "address".
        program: what is run with these words.
    """

    def __init__(
        self,
        words: Sequence[str | Path],
        logs: Path,
        name: str,
        address: re.Pattern[str],
        program: Sequence[str | Path] = (COMMAND,),
    ) -> None:
        logs.mkdir(parents=True, exist_ok=True)
        self._out, self._err = logs / f"{name}-stdout.txt", logs / f"{name}-stderr.txt"
        self._address = address
        self._name = name
        with self._out.open("w") as out, self._err.open("w") as err:
            self.process = subprocess.Popen([*program, *words], stdout=out, stderr=err)

    def address(self) -> str:
        """Return where it is found, as soon as it is there; raises NotThere."""
        patience = time.monotonic() + PATIENCE_S
        while (found := self._address.search(self.words)) is None:
            if self.process.poll() is not None or time.monotonic() > patience:
                self.stop()
                raise NotThere(f"{self._name} did not come up: {self.words}{self.complaints}")
            time.sleep(STEP_S)
        return found["address"]

    @property
    def words(self) -> str:
        """What was written to the standard output."""
        return self._out.read_text(encoding="utf-8")

    @property
    def complaints(self) -> str:
        """What was written to the standard error."""
        return self._err.read_text(encoding="utf-8")

    def ask_to_stop(self) -> None:
        """Ask it to stop as a service manager does."""
        self.process.terminate()

    def stop(self) -> int:
        """Ask it to stop, and return its exit code; whatever does not stop is killed."""
        self.ask_to_stop()
        try:
            return self.process.wait(PATIENCE_S)
        finally:
            self.process.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
