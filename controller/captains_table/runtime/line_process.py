"""A worker process that the table's loop starts, exchanges lines with, and ends.

Nobody waits for it without end. As long as it works it says an empty line now and then (`BEAT_S`): one that says none
is stopped, stuck or starved, and its end is the caller's.
"""

import asyncio
import contextlib
import socket
import subprocess
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar

T = TypeVar("T")

ENDING_S: Final = 2.0
LONGEST_LINE: Final = 1 << 20
BEAT_S: Final = 2.0
"""How often a process that works says an empty line."""
QUIET_S: Final = 20.0
STARTING_S: Final = 60.0
"""How long it may be silent: once it has said anything, and before, while the slowest of machines reads its modules."""


class ProcessEnded(RuntimeError):
    """The process is gone, or of no use any more."""


def no_matter() -> None:
    """Take no notice."""


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
        self._has_spoken = False

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
        self._process, self._has_spoken = process, False
        self._reader, self._writer = await asyncio.open_connection(sock=ours, limit=LONGEST_LINE)

    def _spawn(self, descriptor: int) -> "subprocess.Popen[bytes]":
        process = subprocess.Popen(self.command, stdin=descriptor, stdout=descriptor)  # noqa: S603 - our own
        self._ended.append(process)  # until it is taken over: whoever is not waited for is still reaped
        return process

    async def ask(self, line: bytes, longest_s: float, on_life: Callable[[], None] = no_matter) -> bytes:
        """Send a line and return the one that answers it.

        Args:
            line: what is sent.
            longest_s: how many seconds it may take.
            on_life: is called whenever the process says that it works.

        Raises:
            ProcessEnded, OSError: no answer will come.
        """
        if self._writer is None:
            raise ProcessEnded("its process does not run")
        try:
            async with asyncio.timeout(longest_s) as limit:
                self._writer.write(line)
                await self._within_quiet(self._writer.drain())
                return await self.receive(on_life)
        except TimeoutError:
            if not limit.expired():
                raise
            raise ProcessEnded(f"there was no answer within {longest_s:.0f} seconds") from None

    def send(self, line: bytes) -> None:
        """Send a line and wait for nothing; one that does not run is told nothing. How much waits is the caller's."""
        if self._writer is not None:
            self._writer.write(line)

    async def receive(self, on_life: Callable[[], None] = no_matter) -> bytes:
        """Return the next line it says that is not empty; raises ProcessEnded or OSError."""
        if self._reader is None:
            raise ProcessEnded("its process does not run")
        while True:
            try:
                line = await self._within_quiet(self._reader.readline())
            except ValueError:  # as the reader calls one that is beyond its limit
                raise ProcessEnded(f"its process said a line of more than {LONGEST_LINE:,} bytes") from None
            except ConnectionError:
                line = b""
            if not line.endswith(b"\n"):
                raise ProcessEnded(f"its process ended{await asyncio.to_thread(self._how)}")
            self._has_spoken = True
            if line != b"\n":
                return line
            on_life()

    async def _within_quiet(self, awaited: Awaitable[T]) -> T:
        """Return what is awaited of the process; raises ProcessEnded where it stays silent instead."""
        quiet_s = QUIET_S if self._has_spoken else STARTING_S
        try:
            async with asyncio.timeout(quiet_s) as limit:
                return await awaited
        except TimeoutError:
            if not limit.expired():
                raise
            raise ProcessEnded(f"its process gave no sign of life for {quiet_s:.0f} seconds") from None

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
