"""Where a table's matches lie: on a disk that keeps them, or in memory; and how much room is left there."""

import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

LEAST_FREE_MB: Final = 100  # an evening of 500 actions takes 9
MOUNTS: Final = Path("/proc/self/mountinfo")
IN_MEMORY: Final = frozenset({"tmpfs", "ramfs"})
_UPPER: Final = re.compile(r"(?:^|,)upperdir=([^,]*)")
_ESCAPED: Final = re.compile(r"\\([0-7]{3})")


def dangers(folder: Path, mounts: Path = MOUNTS) -> tuple[str, ...]:
    """Return in sentences what endangers the matches that are kept in a folder; nothing where all is well."""
    return (*memory_dangers(folder, mounts), *_dangers_of_room(folder))


def free_mb(folder: Path) -> int:
    """Return how many megabytes a user may still write there; raises OSError."""
    room = os.statvfs(folder)
    return room.f_bavail * room.f_frsize // 1_000_000


def memory_dangers(folder: Path, mounts: Path = MOUNTS) -> Iterator[str]:
    """Yield a sentence where a folder lies in memory.

    In the system's own place for temporary files everybody knows that, and nothing is said.
    """
    try:
        if _is_temporary(folder):
            return
        kind = _kind_in_memory(folder, mounts.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return  # no Linux, or no such folder: who writes there says so
    if kind:
        yield f"All is lost at power-off: matches are kept in memory ({kind}), not on a disk"


def _dangers_of_room(folder: Path) -> Iterator[str]:
    try:
        left = free_mb(folder)
    except OSError:
        return
    if left < LEAST_FREE_MB:
        yield f"The disk is nearly full: {left} MB are left for matches, expected {LEAST_FREE_MB}"


def _is_temporary(folder: Path) -> bool:
    temporary = Path(tempfile.gettempdir()).resolve()
    return folder.resolve().is_relative_to(temporary) and folder.stat().st_dev == temporary.stat().st_dev


def _kind_in_memory(folder: Path, mounts: str) -> str:
    """Return the kind of a file system that forgets at power-off, empty for others; raises OSError.

    An overlay keeps what its upper layer keeps. Where that lies out of sight, as behind a root that is read-only, the
    overlay is one that forgets.
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
