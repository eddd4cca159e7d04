"""Computers of which an installation changes nothing: the programs it calls only note how they were called."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.systemd.installing import CONFIG, JOURNAL, ROOT, called, write_script


class StandIns:
    """A folder of programs in front of this machine's own; each notes its words, and then does what a test says.

    Args:
        folder: where the programs lie, and what they note.
        names: the programs that do no more than that.
    """

    script = "install.sh"

    def __init__(self, folder: Path, names: Sequence[str]) -> None:
        self.folder = folder
        self.bin = folder / "bin"
        self.bin.mkdir()
        self._calls = folder / "calls"
        self._calls.touch()
        for name in (*names, "systemctl", "systemd-sysusers", "apt-get", "captains-table"):
            self.stand_in(name)

    def stand_in(self, name: str, script: str = "") -> None:
        """Put a program there that notes its words, and then does what a script says."""
        path = self.bin / name
        path.write_text(f'#!/bin/sh\necho "{name} $*" >>"{self._calls}"\n{script}\n', encoding="utf-8")
        path.chmod(0o755)

    @property
    def beginning(self) -> str:
        """What the script is told first: functions and variables of its own that are others here."""
        return f'booted() {{ true; }}\ncommand="{self.bin}/captains-table"\n'

    def call(self, words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Call functions of the installation's script."""
        return self.call_script(self.script, self.beginning + words, environment)

    def do(self, words: str, **environment: str) -> str:
        """Call functions that do what they are told; return what they say."""
        done = self.call(words, **environment)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def refusal(self, words: str, **environment: str) -> str:
        """Call functions that end with an error; return their words."""
        refused = self.call(words, **environment)
        assert refused.returncode != 0
        return refused.stderr

    def call_script(self, name: str, words: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
        """Call functions of an installation's script, with these programs."""
        path = f"{self.bin}:{os.environ['PATH']}"
        return called("sh", write_script(self.folder, name, words), env={"PATH": path, **environment})

    @property
    def calls(self) -> list[str]:
        """What was called, word for word."""
        return self._calls.read_text(encoding="utf-8").splitlines()


class TableMachine(StandIns):
    """A running system on which `install.sh` finds its programs, and whose table says what is wrong with it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, ("udevadm", "apt-cache"))
        self.stand_in("journalctl", "echo 'the glass is on fire'")


class ClubMachine(StandIns):
    """A running system on which `install-club.sh` finds its programs, and whose root is in the folder."""

    script = "install-club.sh"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, ("chown", "userdel"))
        self.root = folder / "root"
        (self.root / "etc/mosquitto/conf.d").mkdir(parents=True)
        self.stand_in("journalctl", "echo 'the broker is on fire'")
        if os.geteuid() != 0:  # then everything here stays ours
            self.stand_in("setpriv", 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"')

    def start_table(self) -> None:
        """Have a table that was started once on the same computer."""
        for name in (CONFIG, JOURNAL):
            (self.root / name).parent.mkdir(parents=True)
            (self.root / name).touch()
        shutil.copy(ROOT / "systemd" / "config.toml", self.root / CONFIG)

    @property
    def beginning(self) -> str:
        return f"""{super().beginning}
answers() {{ true; }}
club="{self.root}/etc/captains-table-club"
broker="{self.root}/etc/mosquitto/captains-table"
drop_in="{self.root}/etc/mosquitto/conf.d/captains-table.conf"
table_config="{self.root}/etc/captains-table/config.toml"
table_state="{self.root}/var/lib/captains-table"
"""

    @property
    def calls(self) -> list[str]:
        """What was called, with the folder's own paths as they would be."""
        return [call.replace(str(self.root), "") for call in super().calls if not call.startswith("setpriv ")]
