"""Warnings about where the matches are stored: only in memory, or on a disk that is nearly full."""

import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from captains_table.phrases import say

LEAST_FREE_MB: Final = 100  # an evening of 500 actions takes 9
MOUNTS: Final = Path("/proc/self/mountinfo")
IN_MEMORY: Final = frozenset({"tmpfs", "ramfs"})
_UPPER: Final = re.compile(r"(?:^|,)upperdir=([^,]*)")
_ESCAPED: Final = re.compile(r"\\([0-7]{3})")


def disk_warnings(folder: Path, mounts: Path = MOUNTS) -> tuple[str, ...]:
    """Return warnings about the folder that holds the matches; empty if there is nothing to warn of."""
    return (*memory_warnings(folder, mounts), *_dangers_of_room(folder))


def free_mb(folder: Path) -> int:
    """Return how many megabytes an unprivileged user may still write in a folder; raises OSError."""
    room = os.statvfs(folder)
    return room.f_bavail * room.f_frsize // 1_000_000


def memory_warnings(folder: Path, mounts: Path = MOUNTS) -> Iterator[str]:
    """Yield a warning if a folder is in memory instead of on a disk.

    There is no warning about the system's folder for temporary files, where nobody expects files to last.
    """
    try:
        if _is_temporary(folder):
            return
        kind = _kind_in_memory(folder, mounts.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return  # not Linux, or no such folder: opening the journal reports that
    if kind:
        yield say("All is lost at power-off: matches are kept in memory ({kind}), not on a disk", kind)


def _dangers_of_room(folder: Path) -> Iterator[str]:
    try:
        left = free_mb(folder)
    except OSError:
        return
    if left < LEAST_FREE_MB:
        yield say("The disk is nearly full: {left} MB are left for matches, expected {least}", left, LEAST_FREE_MB)


def _is_temporary(folder: Path) -> bool:
    temporary = Path(tempfile.gettempdir()).resolve()
    return folder.resolve().is_relative_to(temporary) and folder.stat().st_dev == temporary.stat().st_dev


def _kind_in_memory(folder: Path, mounts: str) -> str:
    """Return the type of the file system of a folder if it is in memory; empty if it is on a disk; raises OSError.

    An overlay is as durable as its upper layer. If the folder of the upper layer is not visible, the overlay counts as
    in memory. An example is the overlay of a read-only root file system.
    """
    device = folder.stat().st_dev
    number = f"{os.major(device)}:{os.minor(device)}"
    for line in mounts.splitlines():
        mount, _, system = line.partition(" - ")
        if mount.split()[2:3] != [number]:
            continue
        kind, _, options = system.split(" ", 2)
        if kind in IN_MEMORY:
            return kind
        if kind == "overlay":
            upper = _UPPER.search(options)
            where = None if upper is None else Path(_ESCAPED.sub(lambda octal: chr(int(octal[1], 8)), upper[1]))
            is_kept = where is not None and where.is_dir() and not _kind_in_memory(where, mounts)
            return "" if is_kept else kind
    return ""
