"""A worker: a child process that exchanges lines with this process, with a limit for every wait.

The worker's standard input and output are one socket. While it works, the worker sends heartbeats, which are empty
lines (`worker_side.BEAT_S`). If no heartbeat arrives for too long, the worker counts as failed: it may be suspended,
hang, or get no processor time. The code that uses a failed worker kills it, and may restart it. `Backoff` gives the
pauses between restarts.
"""

import asyncio
import ctypes
import math
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

import msgspec

from captains_table.phrases import unpack_phrases

T = TypeVar("T")
U = TypeVar("U")

ENDING_S: Final = 2.0
POLL_S: Final = 0.01
DIE_WITH_PARENT: Final = 1  # PR_SET_PDEATHSIG


class WorkerFailed(RuntimeError):
    """A worker has ended or is unusable; the message continues a sentence that begins with "its process"."""


class TookTooLong(WorkerFailed):
    """A worker is alive, but did not answer in time."""


@dataclass(frozen=True, slots=True)
class WorkerLimits:
    """Limits of time and size for the communication with a worker.

    Attributes:
        answer_s: the longest time before the worker's answer, in seconds.
        quiet_s: the longest time in seconds without a line or heartbeat, while this side waits for one.
        starting_s: the longest time in seconds before the first line or heartbeat; it lets the slowest machine import
            the worker's modules.
        line_bytes: the length of the longest line that the worker may send.
    """

    answer_s: float = math.inf
    quiet_s: float = 20.0
    starting_s: float = 60.0
    line_bytes: int = 1 << 20


def log_worker(words: str) -> None:
    """Write a line about a worker's failure to standard error, which is the daemon's log."""
    sys.stderr.write(f"captains-table: {words}\n")


def do_nothing() -> None:
    """Do nothing; the default callback."""


class Worker(Generic[T]):
    """A worker process, as seen from an event loop.

    Args:
        command: the command that starts the worker.
        decode: decodes a line from the worker; raises `msgspec.DecodeError` for an invalid line.
        limits: the limits of time and size for the communication.
        is_foreign: whether the worker is a third-party program; then its standard error is dropped, and on Linux it is
            killed when the thread that started it ends.

    Attributes:
        command: the command for the next start.
    """

    def __init__(
        self,
        command: Sequence[str],
        decode: Callable[[bytes], T],
        limits: WorkerLimits = WorkerLimits(),
        *,
        is_foreign: bool = False,
    ) -> None:
        self.command = command
        self._decode = decode
        self._limits = limits
        self._is_foreign = is_foreign
        self._process: subprocess.Popen[bytes] | None = None
        self._unreaped: list[subprocess.Popen[bytes]] = []  # also processes that are starting or were killed
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._has_spoken = False

    @property
    def pid(self) -> int | None:
        """The id of the process that was started last; `None` before the first start and after `kill`."""
        return None if self._process is None else self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    # --- starting ---------------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Start the process after killing a running one; raises WorkerFailed."""
        self.kill()
        try:
            await self._start()
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            raise WorkerFailed(f"cannot be run ({error})") from error

    async def _start(self) -> None:
        ours, theirs = socket.socketpair()
        unwanted = threading.Event()
        try:
            if self._is_foreign:
                process = self._spawn(theirs, unwanted)
            else:
                process = await asyncio.shield(asyncio.to_thread(self._spawn, theirs, unwanted))
        except BaseException:  # nobody will use the process
            unwanted.set()
            ours.close()
            raise
        self._process, self._has_spoken = process, False
        self._reader, self._writer = await asyncio.open_connection(sock=ours, limit=self._limits.line_bytes)

    def _spawn(self, line: socket.socket, unwanted: threading.Event) -> "subprocess.Popen[bytes]":
        with line:
            process = subprocess.Popen(  # noqa: S603 - our own, or configured by the table's owner
                self.command,
                stdin=line.fileno(),
                stdout=line.fileno(),
                stderr=subprocess.DEVNULL if self._is_foreign else None,
                preexec_fn=_dying_with_parent() if self._is_foreign else None,  # noqa: PLW1509 - one system call
            )
        self._unreaped.append(process)
        if unwanted.is_set():  # this worker was closed before there was a process to reap
            process.kill()
            process.wait()
        return process

    # --- communication ----------------------------------------------------------------------------------------------

    async def ask_once(self, question: bytes) -> T:
        """Start the process, ask it one question, and kill it in any case; raises WorkerFailed."""
        try:
            await self.start()
            return await self.ask(question)
        finally:
            await self.stop()

    async def stop(self) -> None:
        """Kill the process and wait for its end without blocking the event loop."""
        self.kill()
        await asyncio.to_thread(self._reap)

    async def ask(
        self,
        question: bytes,
        *,
        extra_s: float = 0.0,
        on_life: Callable[[], None] = do_nothing,
        is_news: Callable[[T], bool] = lambda _: False,
    ) -> T:
        """Send a line and return the worker's answer.

        Args:
            question: the line.
            extra_s: how many seconds the answer may take in addition to the worker's usual limit.
            on_life: called at each heartbeat.
            is_news: called with each message; returns whether the message is only news, and the answer still to come.

        Raises:
            WorkerFailed: the worker has ended or is unusable, or did not answer in time (TookTooLong).
        """
        longest_s = self._limits.answer_s + extra_s
        try:
            async with asyncio.timeout(longest_s):
                self.send(question)
                if self._writer is not None:
                    await self._within_quiet(self._writer.drain())
                while is_news(message := await self.receive(on_life)):
                    pass
                return message
        except TimeoutError:
            raise TookTooLong(f"gave no answer within {longest_s:.0f} seconds") from None

    def send(self, line: bytes) -> None:
        """Send a line without waiting; unread lines are buffered without limit. Do nothing if there is no process."""
        if self._writer is not None:
            self._writer.write(line)

    async def receive(self, on_life: Callable[[], None] = do_nothing) -> T:
        """Return the worker's next message; heartbeats before it only call `on_life`.

        Raises:
            WorkerFailed: the worker is silent too long, ends, does not run, or sends an invalid or too long line.
        """
        while (line := await self._line()) == b"\n":
            on_life()
        try:
            return unpack_phrases(self._decode(line))
        except msgspec.DecodeError as error:
            raise WorkerFailed(f"said {line[:80]!r} ({error})") from error

    async def _line(self) -> bytes:
        if self._reader is None:
            raise WorkerFailed("does not run")
        try:
            line = await self._within_quiet(self._reader.readline())
        except ValueError:  # the reader's error for a line beyond its limit
            raise WorkerFailed(f"said a line of more than {self._limits.line_bytes:,} bytes") from None
        if not line.endswith(b"\n"):
            raise WorkerFailed(await self._how_it_ended())
        self._has_spoken = True
        return line

    async def _within_quiet(self, awaited: Awaitable[U]) -> U:
        """Wait for input from or output to the process; raises WorkerFailed if it is silent too long or ends."""
        quiet_s = self._limits.quiet_s if self._has_spoken else self._limits.starting_s
        try:
            async with asyncio.timeout(quiet_s):
                return await awaited
        except TimeoutError:
            raise WorkerFailed(f"gave no sign of life for {quiet_s:.0f} seconds") from None
        except ConnectionError:
            raise WorkerFailed(await self._how_it_ended()) from None

    # --- ending -----------------------------------------------------------------------------------------------------

    async def _how_it_ended(self) -> str:
        code = await self._exit_code(ENDING_S)
        if code is None:
            return "closed its line"
        return f"ended by signal {-code}" if code < 0 else f"ended with status {code}"

    async def _exit_code(self, within_s: float) -> int | None:
        """Return the process's exit code as soon as the process ends.

        `None` if the process still runs after `within_s` seconds, or if there is no process.
        """
        process, loop = self._process, asyncio.get_running_loop()
        until_s = loop.time() + within_s
        while process is not None and process.poll() is None and loop.time() < until_s:  # noqa: ASYNC110 - there is no event
            await asyncio.sleep(POLL_S)
        return None if process is None else process.returncode

    async def shut_down(self, farewell: bytes, within_s: float) -> None:
        """Send a last line, give the process `within_s` seconds to end by itself, then kill it."""
        self.send(farewell)
        await self._exit_code(within_s)
        self.close()

    def kill(self) -> None:
        """Kill the process without waiting for its end."""
        if self._writer is not None:
            self._writer.close()
        self._process = self._reader = self._writer = None
        for process in tuple(self._unreaped):
            process.kill()
            if process.poll() is not None:
                self._unreaped.remove(process)

    def close(self) -> None:
        """Kill the process and wait for its end."""
        self.kill()
        self._reap()

    def _reap(self) -> None:
        for process in tuple(self._unreaped):
            process.wait()


def _dying_with_parent() -> Callable[[], None] | None:
    """Return a function that makes Linux kill the child process when the thread that started the process ends.

    The child process calls the function at its start. The function is for programs that do not end, or end too late,
    when their input is closed. The result is `None` on systems other than Linux.
    """
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl  # looked up before the fork

    def ask() -> None:
        prctl(DIE_WITH_PARENT, signal.SIGKILL)

    return ask


class Backoff:
    """Exponential backoff: pauses before a worker is restarted, each twice as long as the last, up to a limit.

    Args:
        first_s: the first pause in seconds, on average.
        longest_s: the longest pause in seconds, on average.
        steady_s: after this many seconds without a pause, the next pause is `first_s` again.
        jitter: returns a share from 0 to 1, which varies the pauses so that not all workers restart at once.
    """

    def __init__(
        self, first_s: float, longest_s: float, steady_s: float = math.inf, jitter: Callable[[], float] = lambda: 0.5
    ) -> None:
        self._first_s = self._next_s = first_s
        self._longest_s = longest_s
        self._steady_s = steady_s
        self._jitter = jitter
        self._paused_s = -math.inf

    async def pause(self) -> None:
        """Wait for the current pause, then double the next one, up to the limit.

        After `steady_s` seconds without a pause, the first pause is used again.
        """
        loop = asyncio.get_running_loop()
        if loop.time() - self._paused_s >= self._steady_s:
            self._next_s = self._first_s
        await asyncio.sleep(self._next_s * (0.5 + self._jitter()))
        self._next_s = min(2 * self._next_s, self._longest_s)
        self._paused_s = loop.time()
