"""systemd's own verdict on a unit."""

import subprocess
from pathlib import Path

from tests.support.patience import PATIENCE_S
from tests.support.tools import program


def analyze(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Return what `systemd-analyze` says."""
    command = [program("systemd-analyze"), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE_S)
