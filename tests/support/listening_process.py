"""Programs as child processes: servers of others at a port, and ours, which say at which address they are found."""

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from typing import Final, Self

from tests.support.patience import PATIENCE_S

COMMAND: Final = Path(sys.executable).with_name("captains-table")
STEP_S = 0.02
OWN_PORTS: Final = range(12_000, 32_000)
_FIRST = os.getpid() * 41 % len(OWN_PORTS)
PORTS: Iterator[int] = cycle([*OWN_PORTS[_FIRST:], *OWN_PORTS[:_FIRST]])


def free_port() -> int:
    """Return a port on which nothing listens, below those that the kernel gives; each process takes others."""
    for port in PORTS:
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise AssertionError("there is always another")


def answers(port: int) -> bool:
    """Return whether a server listens on a port of loopback."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=STEP_S * 10).close()
    except OSError:
        return False
    return True


class NotThere(RuntimeError):
    """A process ended, or did not come up in time; the message is what it wrote instead."""


class ChildProcess:
    """A child process that is ended with the block that uses it."""

    process: subprocess.Popen[bytes]

    def wait_until(
        self, is_there: Callable[[], object], words: Callable[[], str], patience_s: float = PATIENCE_S
    ) -> None:
        """Wait until it is there; raises NotThere, with what it wrote."""
        patience = time.monotonic() + patience_s
        while not is_there():
            if self.process.poll() is not None or time.monotonic() > patience:
                self.stop()
                raise NotThere(f"{self.process.args!r} did not come up: {words()}")
            time.sleep(STEP_S)

    def kill(self) -> None:
        """End it without a word: a broker forgets all that was retained but for what it keeps in files."""
        self.process.kill()
        self.process.wait(PATIENCE_S)

    def ask_to_stop(self) -> None:
        """Ask it to stop as a service manager does."""
        self.process.terminate()

    def stop(self) -> int:
        """Ask it to stop, and return its exit code; what does not stop is killed."""
        self.ask_to_stop()
        try:
            return self.process.wait(PATIENCE_S)
        finally:
            self.process.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class ListeningProcess(ChildProcess):
    """A server on loopback; ready as soon as it is made.

    Args:
        command: what starts it.
        log: where what it writes goes.
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
        self.wait_until(lambda: answers(self.port), self.log.read_text)


class AddressedProcess(ChildProcess):
    """The command `captains-table`, which prints where it is found.

    Args:
        words: what follows the command.
        logs: the folder for what it writes.
        name: what these files are called.
        address: finds the address in it, as the group "address".
        program: what is run with these words.
    """

    def __init__(
        self,
        words: Sequence[str | Path],
        logs: Path,
        name: str,
        address: re.Pattern[str],
        program: Sequence[str | Path] = (COMMAND,),
    ) -> None:
        logs.mkdir(parents=True, exist_ok=True)
        self._out, self._err = logs / f"{name}-stdout.txt", logs / f"{name}-stderr.txt"
        self._address = address
        with self._out.open("w") as out, self._err.open("w") as err:
            self.process = subprocess.Popen([*program, *words], stdout=out, stderr=err)

    def address(self) -> str:
        """Return where it is found, as soon as it is there; raises NotThere."""
        self.wait_until(lambda: self._address.search(self.words), lambda: self.words + self.complaints)
        found = self._address.search(self.words)
        assert found is not None
        return found["address"]

    @property
    def words(self) -> str:
        """What was written to the standard output."""
        return self._out.read_text(encoding="utf-8")

    @property
    def complaints(self) -> str:
        """What was written to the standard error."""
        return self._err.read_text(encoding="utf-8")
