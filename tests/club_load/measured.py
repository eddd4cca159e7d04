"""What a process takes of the machine, by /proc."""

import os
from pathlib import Path

TICK_S = 1 / os.sysconf("SC_CLK_TCK")


def cpu_s(pid: int) -> float:
    """Return how many seconds of processor a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * TICK_S


def peak_mb(pid: int) -> float:
    """Return the most memory a process has had, in MB (RSS)."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    [kibibytes] = [int(line.split()[1]) for line in lines if line.startswith("VmHWM:")]
    return kibibytes * 1024 / 1e6
