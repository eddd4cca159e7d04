"""A process beside the table, as the table's loop holds it: lines to it, lines from it, and its end whenever wanted."""

import asyncio
import contextlib
import socket
import subprocess
from collections.abc import Sequence
from typing import Final

ENDING_S: Final = 2.0
LONGEST_LINE: Final = 1 << 20


class ProcessEnded(RuntimeError):  # noqa: N818 - named by its condition
    """The process is gone."""


class LineProcess:
    """A process that is sent lines and sends lines; its standard input and output are one socket.

    Args:
        command: what starts it.

    Attributes:
        command: what starts it the next time.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self.command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._ended: list[subprocess.Popen[bytes]] = []  # killed, and not yet gone for sure
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    @property
    def pid(self) -> int | None:
        """The running process's number; `None` where none runs."""
        return None if self._process is None else self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether it runs."""
        return self._process is not None and self._process.poll() is None

    async def start(self) -> None:
        """Start it; raises OSError."""
        self.kill()
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                process = await asyncio.to_thread(self._spawn, theirs.fileno())
            except BaseException:  # nobody will speak to it: it ends with its input
                ours.close()
                raise
        self._ended.remove(process)
        self._process = process
        self._reader, self._writer = await asyncio.open_connection(sock=ours, limit=LONGEST_LINE)

    def _spawn(self, descriptor: int) -> "subprocess.Popen[bytes]":
        process = subprocess.Popen(self.command, stdin=descriptor, stdout=descriptor)  # noqa: S603 - our own
        self._ended.append(process)  # until it is taken over: whoever is not waited for is still reaped
        return process

    async def ask(self, line: bytes) -> bytes:
        """Send a line and return the one that answers it; raises ProcessEnded or OSError."""
        if self._reader is None or self._writer is None:
            raise ProcessEnded("its process does not run")
        self._writer.write(line)
        await self._writer.drain()
        return await self.receive()

    def send(self, line: bytes) -> None:
        """Send a line and wait for nothing; one that does not run is told nothing. How much waits is the caller's."""
        if self._writer is not None:
            self._writer.write(line)

    async def receive(self) -> bytes:
        """Return the next line it sends; raises ProcessEnded or OSError."""
        if self._reader is None:
            raise ProcessEnded("its process does not run")
        line = await self._reader.readline()
        if not line.endswith(b"\n"):
            raise ProcessEnded(f"its process ended{await asyncio.to_thread(self._how)}")
        return line

    def _how(self) -> str:
        """Return with what the process ended, as soon as that is known."""
        if self._process is None:
            return ""
        try:
            return f" with {self._process.wait(ENDING_S)}"
        except subprocess.TimeoutExpired:
            return ""

    def kill(self) -> None:
        """End it at once."""
        process, self._process = self._process, None
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            self._ended.append(process)
        self._ended = [ended for ended in self._ended if ended.poll() is None]

    def close(self) -> None:
        """End it, and wait until it is gone."""
        self.kill()
        for ended in self._ended:
            ended.wait()
        self._ended.clear()
