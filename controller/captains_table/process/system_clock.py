"""The wall time, and whether it can be trusted: a Pi without network and clock battery starts with an old time."""

import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

TIMESYNC: Final = Path("run/systemd/timesync")
"""Run-time folder of systemd-timesyncd, the time service of Raspberry Pi OS; it marks here that the clock is set."""
HARDWARE_CLOCK: Final = Path("sys/class/rtc/rtc0/since_epoch")
CLOSE_S: Final = 60.0


def is_clock_set(root: Path = Path("/")) -> bool:
    """Return whether the system clock can be trusted.

    The clock can be trusted if the network has set it since boot, or if it differs by less than a minute from the
    battery-backed hardware clock. If systemd-timesyncd does not run, another program is assumed to keep the time right.

    Args:
        root: the folder that contains /run and /sys.
    """
    if not (root / TIMESYNC).is_dir() or (root / TIMESYNC / "synchronized").exists():
        return True
    try:
        kept_s = int((root / HARDWARE_CLOCK).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return False
    return abs(time.time() - kept_s) < CLOSE_S


def current_wall_time() -> str:
    """Return the wall time in ISO 8601 with UTC offset; empty if the system clock cannot be trusted."""
    return datetime.now(tz=UTC).astimezone().isoformat(timespec="seconds") if is_clock_set() else ""
