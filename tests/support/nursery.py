"""Tables from a warm process: the program is read once, and each table is a fork of what has read it.

A table so started runs the command as any other does, in a process of its own that is killed, signalled and waited for;
it only has not read its modules from the disk. What starting itself does is shown by tables started without a nursery.
"""

import gc
import importlib
import json
import os
import secrets
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from tests.support.patience import PATIENCE_S

COMMAND: Final = "captains_table.cli.main:main"
READ_BEFORE: Final = ("captains_table.cli.play", "captains_table.daemon", "captains_table.web.render")
"""What reads all that is large."""
THREADS: Final[list[threading.Thread]] = []
"""What is started as it is read (by luma): only in each fork, as a process with threads is not to be forked."""
SHOW_BOOT: Final = ("captains_table.web.stream", "captains_table.page.live_pages")
"""What tells one start of the program from another by a number that is drawn as it is read."""
NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_TRUNC


class Nursery:
    """The warm process, and what it told of those it started."""

    def __init__(self) -> None:
        command = (sys.executable, "-m", "tests.support.nursery")
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._codes: dict[int, int] = {}
        self._unread = b""

    def program(self, call: str = COMMAND, *before: str) -> "WarmProgram":
        """Return a program that a table may be started with.

        Args:
            call: a function, as `package.module:function`; it takes a list of words, and returns the exit code.
            before: what it takes before the words.
        """
        return lambda words, out, err: self._start(call, [*before, list(words)], out, err)

    def _start(self, call: str, arguments: Sequence[Any], out: Path, err: Path) -> "Nursling":
        assert self._process.stdin is not None
        wish = {"call": call, "arguments": arguments, "out": str(out), "err": str(err)}
        around = {"folder": str(Path.cwd()), "environment": dict(os.environ)}
        self._process.stdin.write(json.dumps(wish | around).encode() + b"\n")
        self._process.stdin.flush()
        while True:
            for told in self._hear(None):
                if "started" in told:
                    return Nursling(self, told["started"])

    def code_of(self, pid: int, timeout_s: float) -> int | None:
        """Return the exit code of a process it started, `None` if it has not ended in that time."""
        until = time.monotonic() + timeout_s
        while pid not in self._codes:
            left_s = max(0.0, until - time.monotonic())
            if not self._hear(left_s) and not left_s:
                return None
        return self._codes[pid]

    def close(self) -> None:
        """End the warm process; what it started goes on."""
        self._process.communicate()

    def _hear(self, timeout_s: float | None) -> list[dict[str, int]]:
        """Return what is told within that time, and note who has ended."""
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        if not select.select([descriptor], [], [], timeout_s)[0]:
            return []
        news = os.read(descriptor, 1 << 16)
        assert news, "the nursery is gone"
        *lines, self._unread = (self._unread + news).split(b"\n")
        told: list[dict[str, int]] = [json.loads(line) for line in lines]
        self._codes |= {each["ended"]: each["code"] for each in told if "ended" in each}
        return told


class Nursling:
    """A process that a nursery started, held as `subprocess.Popen` holds one."""

    def __init__(self, nursery: Nursery, pid: int) -> None:
        self._nursery = nursery
        self.pid = pid
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return its exit code, `None` while it runs."""
        if self.returncode is None:
            self.returncode = self._nursery.code_of(self.pid, 0)
        return self.returncode

    def wait(self, timeout: float = PATIENCE_S) -> int:
        """Return its exit code once it has ended; raises TimeoutExpired."""
        self.returncode = self._nursery.code_of(self.pid, timeout)
        if self.returncode is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout)
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)


WarmProgram = Callable[[Sequence[str], Path, Path], Nursling]
"""Starts a program, whose modules a nursery has read, with words as of a command line, and files for what it writes."""


# --- within the warm process ----------------------------------------------------------------------------------------


def stay_warm() -> Callable[[], int]:
    """Fork whenever asked, until nobody asks any more; return what is to be done: within a fork, to run the command."""
    with patch.object(threading.Thread, "start", lambda thread: THREADS.append(thread)):  # noqa: PLW0108 - a method
        for module in READ_BEFORE:
            importlib.import_module(module)
    _compile_templates()
    gc.freeze()  # or each fork copies what the search for rubbish touches
    assert threading.active_count() == 1, threading.enumerate()
    ended, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(woken)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    while True:
        asked, _, _ = select.select([sys.stdin, ended], [], [])
        if ended in asked:
            os.read(ended, 1 << 10)
            _tell_of_the_dead()
        if sys.stdin in asked:
            line = sys.stdin.buffer.readline()
            if not line:
                return lambda: 0
            pid = os.fork()
            if pid == 0:
                os.close(ended)
                os.close(woken)
                return _born(json.loads(line))
            _tell(started=pid)


def _compile_templates() -> None:
    importlib.import_module("tests.support.compiled_templates").share_compiled_templates()
    templates = importlib.import_module("captains_table.web.render").Renderer()._templates
    for name in templates.list_templates():
        templates.get_template(name)


def _born(wish: dict[str, Any]) -> Callable[[], int]:
    """Be as a process that was just started; return what it runs."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for descriptor, path, how in ((0, os.devnull, os.O_RDONLY), (1, wish["out"], NEW), (2, wish["err"], NEW)):
        opened = os.open(path, how, 0o644)
        os.dup2(opened, descriptor)
        os.close(opened)
    os.chdir(wish["folder"])
    os.environ.clear()
    os.environ.update(wish["environment"])
    time.tzset()
    for thread in THREADS:
        thread.start()
    boot = secrets.token_hex(8)
    for name in SHOW_BOOT:
        sys.modules[name].BOOT = boot  # type: ignore[attr-defined]
    module, _, function = wish["call"].partition(":")
    do: Callable[..., int] = getattr(importlib.import_module(module), function)
    return lambda: do(*wish["arguments"])


def _tell_of_the_dead() -> None:
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not pid:
            return
        _tell(ended=pid, code=os.waitstatus_to_exitcode(status))


def _tell(**news: int) -> None:
    os.write(1, json.dumps(news).encode() + b"\n")


if __name__ == "__main__":
    sys.exit(stay_warm()())
