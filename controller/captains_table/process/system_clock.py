"""Whether the clock can be believed: a Pi without a network and a battery goes on from where it was switched off."""

import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

TIMESYNC: Final = Path("run/systemd/timesync")
"""Of systemd-timesyncd, which keeps the time of Raspberry Pi OS; it marks here that it has set the clock."""
HARDWARE_CLOCK: Final = Path("sys/class/rtc/rtc0/since_epoch")
CLOSE_S: Final = 60.0


def is_clock_set(root: Path = Path("/")) -> bool:
    """Return whether the clock was set since the start, by the network or by a clock with a battery.

    Where systemd-timesyncd does not run, another program keeps the time, and is believed.

    Args:
        root: where /run and /sys are looked for.
    """
    if not (root / TIMESYNC).is_dir() or (root / TIMESYNC / "synchronized").exists():
        return True
    try:
        kept_s = int((root / HARDWARE_CLOCK).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return False
    return abs(time.time() - kept_s) < CLOSE_S


def wall_time() -> str:
    """Return what time it is, ISO 8601 with UTC offset; empty where the clock was not set."""
    return datetime.now(tz=UTC).astimezone().isoformat(timespec="seconds") if is_clock_set() else ""
