"""A server of others as a child process: started, killed and started again at the same port."""

import os
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from typing import Final, Self

from tests.support.patience import PATIENCE_S

STEP_S = 0.02
OWN_PORTS: Final = range(12_000, 32_000)
_FIRST = os.getpid() * 41 % len(OWN_PORTS)
PORTS: Iterator[int] = cycle([*OWN_PORTS[_FIRST:], *OWN_PORTS[:_FIRST]])


def free_port() -> int:
    """Return a port that nobody listens on, and that nobody is given meanwhile: the kernel's own begin above these.

    Each process takes others, in turns, so that workers beside each other do not come to the same.
    """
    for port in PORTS:
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise AssertionError("there is always another")


def answers(port: int) -> bool:
    """Return whether somebody listens on a port of loopback."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=STEP_S * 10).close()
    except OSError:
        return False
    return True


class ListeningProcess:
    """A server on loopback; ready as soon as it is made.

    Args:
        command: what starts it.
        log: where what it says goes.
        port: where it listens.
    """

    def __init__(self, command: Sequence[str | Path], log: Path, port: int) -> None:
        self._command = command
        self.log = log
        self.port = port
        self.start()

    def start(self) -> None:
        """Start it, and wait until it listens."""
        with self.log.open("a") as log:
            self.process = subprocess.Popen(self._command, stdout=log, stderr=log)
        patience = time.monotonic() + PATIENCE_S
        while not answers(self.port):
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < patience, self.log.read_text()
            time.sleep(STEP_S)

    def kill(self) -> None:
        """Let it end without a word: a broker forgets all that was retained, but for what it keeps in files."""
        self.process.kill()
        self.process.wait(PATIENCE_S)

    def stop(self) -> None:
        """Let it end in order."""
        self.process.terminate()
        try:
            self.process.wait(PATIENCE_S)
        finally:
            self.process.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
