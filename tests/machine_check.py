"""What the machine that runs the tests must have beyond packages, each as a sentence that says what to do."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path


def lacking() -> tuple[str, ...]:
    """Return what this machine lacks."""
    return tuple(_lacking())


def _lacking() -> Iterator[str]:
    try:
        for descriptor in os.openpty():
            os.close(descriptor)
    except OSError as error:
        yield f"there are no pseudo terminals ({error.strerror}): mount -t devpts -o ptmxmode=0666 devpts /dev/pts"
    try:
        socket.getaddrinfo("localhost", None)
    except OSError as error:
        yield f"localhost has no address ({error.strerror}): expected '127.0.0.1 localhost' in /etc/hosts"


def closed_to_others(file: Path) -> str:
    """Return the first folder above a file that others may not enter; empty where they may enter all."""
    for folder in reversed(file.resolve().parents):
        if not folder.stat().st_mode & 0o001:
            return str(folder)
    return ""
