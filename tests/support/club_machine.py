"""A computer on which systemd/install-club.sh finds its programs, each of which only notes what it was told."""

import os
import subprocess
from pathlib import Path

from tests.support.stand_ins import StandIns

NAMES = ("systemctl", "systemd-sysusers", "chown", "apt-get", "userdel", "captains-table")


class ClubMachine(StandIns):
    """The functions of the script, on a computer that is all in one folder.

    Args:
        folder: that folder.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, NAMES)
        self.root = folder / "root"
        (self.root / "etc/mosquitto/conf.d").mkdir(parents=True)
        self.stand_in("journalctl", "echo 'the broker is on fire'")
        if os.geteuid() != 0:  # who stays the owner of all that is here
            self.stand_in("setpriv", 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"')

    def call(self, words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Call functions of the script as on a running system whose root is the folder."""
        own = f"""
booted() {{ true; }}
answers() {{ true; }}
command="{self.bin}/captains-table"
club="{self.root}/etc/captains-table-club"
broker="{self.root}/etc/mosquitto/captains-table"
drop_in="{self.root}/etc/mosquitto/conf.d/captains-table.conf"
table_config="{self.root}/etc/captains-table/config.toml"
table_state="{self.root}/var/lib/captains-table"
"""
        return self.call_script("install-club.sh", own + words, environment)

    @property
    def calls(self) -> list[str]:
        """What was called, with the folder's own paths as they would be."""
        return [call.replace(str(self.root), "") for call in super().calls if not call.startswith("setpriv ")]
