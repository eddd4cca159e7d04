"""A program that is spoken to line by line, as UCI engines are: started, asked, never waited for without end."""

import ctypes
import os
import select
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

QUIT_S: Final = 1.0
_DIE_WITH_PARENT: Final = 1  # PR_SET_PDEATHSIG
_CHUNK: Final = 65536


class Died(RuntimeError):
    """The program has ended."""


class Silent(RuntimeError):
    """The program has not answered in time."""


class CannotStart(RuntimeError):
    """There is no such program, or it cannot be run."""


class UciProcess:
    """A running program; it ends when this is closed or forgotten, and when the process that started it ends.

    Raises:
        CannotStart: it cannot be run.
    """

    def __init__(self, path: Path) -> None:
        try:
            process = subprocess.Popen(  # noqa: S603 - the engine that the table's owner names
                [path],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                preexec_fn=_dying_with_parent(),  # noqa: PLW1509 - one system call, its function looked up before the fork
            )
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            raise CannotStart(f"{path} cannot be run ({error})") from error
        assert process.stdin is not None  # noqa: S101 - asked for above
        assert process.stdout is not None  # noqa: S101 - asked for above
        self._process = process
        self._input, self._output = process.stdin, process.stdout
        self._rest = b""
        self.close = weakref.finalize(self, _end, process, self._input, self._output)

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._process.pid

    def send(self, *lines: str) -> None:
        """Send lines; raises Died."""
        try:
            self._input.write("".join(f"{line}\n" for line in lines).encode())
        except OSError as error:
            raise Died(self._how_it_ended()) from error

    def read_until(self, word: str, within_s: float) -> list[str]:
        """Return the lines it says up to the one that begins with a word, that one included.

        Raises:
            Died: it ended before.
            Silent: it did not say that in time.
        """
        until, lines = time.monotonic() + within_s, list[str]()
        while True:
            lines.append(self._line(word, until, within_s))
            if lines[-1].split(maxsplit=1)[:1] == [word]:
                return lines

    def _line(self, word: str, until: float, within_s: float) -> str:
        while b"\n" not in self._rest:
            left_s = until - time.monotonic()
            if left_s <= 0 or not select.select([self._output], [], [], left_s)[0]:
                raise Silent(f"said no {word!r} within {within_s:g} s")
            chunk = os.read(self._output.fileno(), _CHUNK)
            if not chunk:
                raise Died(self._how_it_ended())
            self._rest += chunk
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode(errors="replace").strip()

    def _how_it_ended(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            status = self._process.wait(QUIT_S)
            return f"ended by signal {-status}" if status < 0 else f"ended with status {status}"
        return "closed its output"


def _dying_with_parent() -> Callable[[], None] | None:
    """Return what lets a program that is being started end with whoever starts it, where the system can do that.

    Engines end when their input does; this is for those that do not, or not while they think.
    """
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl

    def ask() -> None:
        prctl(_DIE_WITH_PARENT, signal.SIGKILL)

    return ask


def _end(process: "subprocess.Popen[bytes]", *pipes: IO[bytes]) -> None:
    """Let a program end, and leave nothing of it behind."""
    with suppress(OSError):
        pipes[0].write(b"quit\n")
    for pipe in pipes:
        with suppress(OSError):
            pipe.close()
    try:
        process.wait(QUIT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
