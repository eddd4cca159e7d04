"""Programs in front of this machine's own: each notes how it was called, and then does what a test says."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.support.installing import write_script
from tests.support.patience import PATIENCE_S


class StandIns:
    """A machine of which an installation changes nothing.

    Args:
        folder: where the programs lie, and what they note.
        names: the programs that do no more than that.
    """

    def __init__(self, folder: Path, names: Sequence[str]) -> None:
        self.folder = folder
        self.bin = folder / "bin"
        self.bin.mkdir()
        self._calls = folder / "calls"
        self._calls.touch()
        for name in names:
            self.stand_in(name)

    def stand_in(self, name: str, script: str = "") -> None:
        """Put a program there that notes its words, and then does what a script says."""
        path = self.bin / name
        path.write_text(f'#!/bin/sh\necho "{name} $*" >>"{self._calls}"\n{script}\n', encoding="utf-8")
        path.chmod(0o755)

    def call_script(self, name: str, words: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
        """Call functions of an installation's script, with these programs."""
        return subprocess.run(
            ["sh", str(write_script(self.folder, name, words))],
            env={"PATH": f"{self.bin}:{os.environ['PATH']}", **environment},
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE_S,
        )

    @property
    def calls(self) -> list[str]:
        """What was called, word for word."""
        return self._calls.read_text(encoding="utf-8").splitlines()
