"""systemd's end of the socket on which it is told how a daemon is doing."""

import contextlib
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE_S


class Supervisor:
    """Listens as systemd does."""

    def __init__(self, address: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address)
        self.socket.settimeout(PATIENCE_S)

    @classmethod
    @contextlib.contextmanager
    def at(cls, path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator["Supervisor"]:
        """Yield one at a path, which every daemon that is started meanwhile reports to."""
        monkeypatch.setenv("NOTIFY_SOCKET", str(path))
        listening = cls(str(path))
        try:
            yield listening
        finally:
            listening.socket.close()

    def on_event(self) -> list[str]:
        return self.socket.recv(4096).decode().split("\n")

    def heard_until(self, line: str) -> list[str]:
        """Wait for a line and return all lines up to its message."""
        self.socket.settimeout(PATIENCE_S)
        heard: list[str] = []
        while line not in heard:
            heard += self.on_event()
        return heard

    def heard_by_now(self) -> list[str]:
        """Return all lines that were sent by now."""
        self.socket.settimeout(0)
        heard = []
        try:
            while True:
                heard += self.on_event()
        except BlockingIOError:
            return heard
