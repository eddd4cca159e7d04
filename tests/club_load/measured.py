"""What processes take of the machine, by /proc: each with all that it began."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

TICK_S: Final = 1 / os.sysconf("SC_CLK_TCK")
PROC: Final = Path("/proc")


@dataclass(frozen=True, slots=True)
class Process:
    """A process now: who began it, its processor time with that of children that ended, and its command."""

    parent: int
    cpu_s: float
    command: str


def processes() -> dict[int, Process]:
    """Return all processes of the machine, by their ids."""
    return {int(entry.name): found for entry in PROC.iterdir() if entry.name.isdigit() and (found := _process(entry))}


def _process(folder: Path) -> Process | None:
    """Return a process; `None` where it has just ended."""
    try:
        fields = (folder / "stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return None
    return Process(int(fields[1]), sum(map(int, fields[11:15])) * TICK_S, command)


def with_children(pid: int, found: Mapping[int, Process]) -> set[int]:
    """Return the ids of a process and of all that it began."""
    whole, new = set[int](), {pid}
    while new:
        whole |= new
        new = {each for each, process in found.items() if process.parent in new} - whole
    return whole


def peak_mb(pid: int) -> float:
    """Return the most memory a process has had, in MB (RSS)."""
    lines = (PROC / str(pid) / "status").read_text(encoding="ascii").splitlines()
    [kibibytes] = [int(line.split()[1]) for line in lines if line.startswith("VmHWM:")]
    return kibibytes * 1024 / 1e6


def memory_mb(pid: int) -> float:
    """Return the memory a process has now, in MB (RSS)."""
    pages = int((PROC / str(pid) / "statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


class Shares:
    """Who took how much of the machine since this was made.

    Args:
        parts: the ids of the processes that are told apart, by name.
        own: the id of the process that measures; of what it began, what belongs to no part is the browser's, or its.
    """

    def __init__(self, parts: Mapping[str, tuple[int, ...]], own: int) -> None:
        self._parts = parts
        self._own = own
        self._before = self._now()

    def taken(self) -> dict[str, float]:
        """Return the processor time of each part in seconds."""
        return {name: now_s - self._before[name] for name, now_s in self._now().items()}

    def _now(self) -> dict[str, float]:
        found = processes()
        told_apart = {
            name: set[int]().union(*(with_children(pid, found) for pid in pids)) & found.keys()
            for name, pids in self._parts.items()
        }
        rest = with_children(self._own, found).difference(*told_apart.values())
        browser = {pid for pid in rest if "chrom" in found[pid].command}
        told_apart |= {"browser": browser, "measuring": rest - browser}
        return {name: sum(found[pid].cpu_s for pid in pids) for name, pids in told_apart.items()}
