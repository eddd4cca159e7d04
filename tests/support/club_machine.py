"""A computer on which systemd/install-club.sh finds its programs, each of which only notes what it was told."""

import os
import subprocess
from pathlib import Path

from tests.support.installing import write_script
from tests.support.patience import PATIENCE_S


class ClubMachine:
    """The functions of the script, on a computer that is all in one folder.

    Args:
        folder: that folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.root = folder / "root"
        self._bin = folder / "bin"
        self._calls = folder / "calls"
        for made in (self.root, self._bin, self.root / "etc/mosquitto/conf.d"):
            made.mkdir(parents=True)
        self._calls.touch()
        for name in ("systemctl", "systemd-sysusers", "chown", "apt-get", "userdel", "captains-table"):
            self.stand_in(name)
        self.stand_in("journalctl", "echo 'the broker is on fire'")

    def stand_in(self, name: str, script: str = "") -> None:
        """Put a program there that notes its words, and then does what a script says."""
        path = self._bin / name
        path.write_text(f'#!/bin/sh\necho "{name} $*" >>"{self._calls}"\n{script}\n', encoding="utf-8")
        path.chmod(0o755)

    def call(self, words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Call functions of the script as on a running system whose root is the folder."""
        own = f"""
booted() {{ true; }}
answers() {{ true; }}
command="{self._bin}/captains-table"
club="{self.root}/etc/captains-table-club"
broker="{self.root}/etc/mosquitto/captains-table"
drop_in="{self.root}/etc/mosquitto/conf.d/captains-table.conf"
table_config="{self.root}/etc/captains-table/config.toml"
table_state="{self.root}/var/lib/captains-table"
"""
        script = write_script(self._folder, "install-club.sh", own + words)
        return subprocess.run(
            ["sh", str(script)],
            env={"PATH": f"{self._bin}:{os.environ['PATH']}", **environment},
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE_S,
        )

    @property
    def calls(self) -> list[str]:
        """What was called, with the folder's own paths as they would be."""
        return self._calls.read_text(encoding="utf-8").replace(str(self.root), "").splitlines()
