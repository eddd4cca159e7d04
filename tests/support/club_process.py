"""The real command `captains-table club` as a child process, ready as soon as it is made."""

import re
import subprocess
import time
from pathlib import Path
from typing import Self

from tests.support.patience import PATIENCE_S
from tests.support.table_process import COMMAND

WALL = re.compile(r"^The wall is at (?P<address>http://\S+)$", re.MULTILINE)
ARBITER = re.compile(r"^The arbiter is at (?P<address>http://\S+)$", re.MULTILINE)
STEP_S = 0.02


class ClubProcess:
    """A club's server under a configuration file.

    Args:
        config: that file.
        logs: where what it writes goes.
    """

    def __init__(self, config: Path, logs: Path) -> None:
        logs.mkdir(parents=True, exist_ok=True)
        self._out, self._err = logs / "club-stdout.txt", logs / "club-stderr.txt"
        with self._out.open("w") as out, self._err.open("w") as err:
            self.process = subprocess.Popen([COMMAND, "club", config], stdout=out, stderr=err)
        patience = time.monotonic() + PATIENCE_S
        while (found := WALL.search(self.words)) is None or ARBITER.search(self.words) is None:
            if self.process.poll() is not None or time.monotonic() > patience:
                self.process.kill()
                raise AssertionError(f"no address was printed: {self.words}{self.complaints}")
            time.sleep(STEP_S)
        self.wall = found["address"]

    @property
    def arbiter(self) -> str:
        """The address of the arbiter's pages, with the token."""
        found = ARBITER.search(self.words)
        assert found is not None
        return found["address"]

    @property
    def words(self) -> str:
        """What was written to the standard output."""
        return self._out.read_text()

    @property
    def complaints(self) -> str:
        """What was written to the standard error."""
        return self._err.read_text()

    def stop(self) -> int:
        """Ask it to stop as a service manager does, and return its exit code."""
        self.process.terminate()
        try:
            return self.process.wait(PATIENCE_S)
        finally:
            self.process.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
