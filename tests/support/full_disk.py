"""A program for which the disk is full: no file of it grows beyond a size, and writing more of it fails."""

from typing import Final

BLOCK: Final = 512  # of ulimit, in POSIX


def full_disk(kibibytes: int) -> tuple[str, ...]:
    """Return what runs the command that follows it so that each file it writes has at most so many KiB."""
    return ("sh", "-c", f'trap "" XFSZ; ulimit -f {kibibytes * 1024 // BLOCK}; exec "$0" "$@"')
