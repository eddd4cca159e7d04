"""The real command `captains-table club` as a child process."""

import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import httpx

from tests.support.listening_process import COMMAND, STEP_S, AddressedProcess
from tests.support.patience import PATIENCE_S

WALL: Final = re.compile(r"^The wall is at (?P<address>http://\S+)$", re.MULTILINE)
ARBITER: Final = re.compile(r"^The arbiter is at (?P<address>http://\S+)$", re.MULTILINE)


def configured(folder: Path, port: int) -> Path:
    """Return the settings of a server at a broker on loopback; what it keeps, and they, are in a folder."""
    file = folder / "club.toml"
    file.write_text(f'[club]\ntitle = "Harbour"\nstate_dir = "state"\n[broker]\nport = {port}\n[web]\nport = 0\n')
    return file


class ClubProcess(AddressedProcess):
    """A club's server under a configuration file; ready as soon as it is made.

    Args:
        config: that file.
        logs: where what it writes goes.
        program: what is run with it.
    """

    def __init__(self, config: Path, logs: Path, program: Sequence[str | Path] = (COMMAND,)) -> None:
        super().__init__(["club", config], logs, "club", ARBITER, program)
        self.arbiter = self.address()
        """The address of the arbiter's pages, with the token."""
        found = WALL.search(self.words)
        assert found is not None
        self.wall = found["address"]

    def health(self) -> dict[str, int]:
        """Return what it says of its own health."""
        health: dict[str, int] = httpx.get(f"{self.wall}health", timeout=PATIENCE_S).json()
        return health

    def wait_for_line(self) -> None:
        """Wait until its line to the broker stands."""
        patience = time.monotonic() + PATIENCE_S
        while not self.health()["line"]:
            assert time.monotonic() < patience, "the server has no line to its broker"
            time.sleep(STEP_S)
