"""The real firmware under a real MicroPython, on a pty that pyserial can open at `SimulatedPico().path`."""

import fcntl
import json
import os
import pty
import select
import subprocess
import tempfile
import time
import tty
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from firmware import flash
from tests.support.patience import PATIENCE_S
from tests.support.tools import NODE, npm

HERE = Path(__file__).parents[1] / "firmware"
INTERPRETER = HERE / "node_modules" / "@micropython" / "micropython-webassembly-pyscript"


class NoMicroPython(RuntimeError):
    """The MicroPython that runs under Node is missing."""


def install() -> None:
    """Have the pinned MicroPython in its untracked folder; raises NoMicroPython."""
    with (HERE / "package.json").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run at the same time, and would all install it
        wanted = json.loads((HERE / "package.json").read_text())["dependencies"].popitem()[1]
        there = INTERPRETER / "package.json"
        if there.exists() and json.loads(there.read_text())["version"] == wanted:
            return
        words = ["install", "--no-package-lock"]
        done = npm(words, return_completed_process=True, cwd=HERE, capture_output=True, text=True)
        if done.returncode:
            raise NoMicroPython(
                f"npm could not install MicroPython for the firmware's tests: {str(done.stderr).strip()}"
            )


def _write_plan(path: Path, program: dict[str, object], more: Sequence[tuple[Path, str]]) -> None:
    """Write what a board's file system holds, exactly what `make flash` puts there plus the simulated hardware."""
    files = flash.plan() + [(source, source.name) for source in sorted((HERE / "sim").glob("*.py"))] + list(more)
    path.write_text(json.dumps({"files": [[str(source), target] for source, target in files], **program}))


def run_program(start: str, again: str = "", files: Sequence[tuple[Path, str]] = ()) -> str:
    """Return what a program prints under MicroPython, on a board's file system; raises RuntimeError with what it said.

    Args:
        start: the program.
        again: a program run over and over after it, garbage being collected between, until `wires.stop()`.
        files: more files, and where the program sees them.
    """
    install()
    with tempfile.TemporaryDirectory() as folder:
        plan = Path(folder) / "plan.json"
        _write_plan(plan, {"start": start, "again": again, "once": True}, files)
        done = subprocess.run(
            [str(NODE), str(HERE / "micropython.mjs"), str(plan)], capture_output=True, text=True, check=False
        )
    if done.returncode:
        raise RuntimeError(done.stderr)
    return done.stderr


class SimulatedPico:
    """A Pico with its pins in the test's hands; switches, buttons and its path outlive `kill` and `start`."""

    def __init__(self, serial: int | None = None, settings: Path | None = None, *, bare: bool = False) -> None:
        """Prepare a board that is not plugged in yet.

        Args:
            serial: a descriptor to talk over instead of a pty of its own (the other end of what a test puts between).
            settings: a `settings.py` of another build.
            bare: it has nothing but MicroPython on it, and shows its prompt.
        """
        install()
        self._folder = tempfile.TemporaryDirectory()
        self._plan = Path(self._folder.name) / "plan.json"
        more = [] if settings is None else [(settings, "firmware/settings.py")]
        start = (HERE / "sim" / "prompt.py").read_text() if bare else "import start; start.live(after_a_reset)"
        program: dict[str, object] = {"start": start, "prompt": bare}
        _write_plan(self._plan, program, more)
        self._slave: int | None = None
        self._own = serial is None
        self.path = ""
        if serial is None:
            serial, self._slave = pty.openpty()
            tty.setraw(self._slave)  # held open, so that the line stays raw
            self.path = os.ttyname(self._slave)
        os.set_blocking(serial, False)
        self._serial = serial
        self._closed: set[int] = set()
        self._down: set[str] = set()
        self._process: subprocess.Popen[bytes] | None = None
        self._control = self._answers = -1

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        control, self._control = os.pipe()
        self._answers, answers = os.pipe()
        os.set_blocking(control, False)
        shell = f'exec "$0" "$@" 3<&{self._serial} 3>&{self._serial} 4<&{control} 5>&{answers}'
        command = ["/bin/bash", "-c", shell, str(NODE), str(HERE / "micropython.mjs"), str(self._plan)]
        self._process = subprocess.Popen(command, pass_fds=(self._serial, control, answers))
        os.close(control)
        os.close(answers)
        self._stand()

    def _stand(self) -> None:
        """Tell a board that begins how everything stands, and let it run."""
        for index in sorted(self._closed):
            self._emit(f"switch {index} 1")
        for name in sorted(self._down):
            self._emit(f"button {name} 1")
        self._emit("go")

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
            os.close(self._control)
            os.close(self._answers)

    def close(self) -> None:
        self.kill()
        if self._slave is not None:
            os.close(self._slave)
        if self._own:
            os.close(self._serial)
        self._folder.cleanup()

    def reset(self) -> None:
        self._emit("reset")
        self.wait_for_reset()

    def hang(self) -> None:
        """Have its loop stand still until its watchdog resets it; returns when it has."""
        self._emit("hang")
        self.wait_for_reset()

    def wait_for_reset(self) -> None:
        """Wait until it has started anew, and tell it how everything stands."""
        self._expect("reset")
        self._stand()

    def switch(self, index: int, *, closed: bool) -> None:
        (self._closed.add if closed else self._closed.discard)(index)
        self._emit(f"switch {index} {int(closed)}")

    def button(self, name: str, *, down: bool) -> None:
        (self._down.add if down else self._down.discard)(name)
        self._emit(f"button {name} {int(down)}")

    def turn(self, notches: int) -> None:
        self._emit(f"turn {notches}")

    def lights(self) -> list[tuple[int, int, int]]:
        """Return red, green and blue of each NeoPixel in the order of their chain."""
        data = bytes.fromhex(self.ask("lights"))
        return [(data[i], data[i + 1], data[i + 2]) for i in range(0, len(data), 3)]

    def ask(self, what: str) -> str:
        """Return what it answers: lights, tones, scans, feeds or memory; any other word comes back once it has run."""
        self._emit(f"ask {what}")
        return self._answer()

    def wait_for_prompt(self) -> None:
        """Wait until its program has ended and MicroPython's prompt would show."""
        self._expect("prompt")

    def _expect(self, word: str) -> None:
        assert (answer := self._answer()) == word, answer

    def _emit(self, line: str) -> None:
        if self._process is not None:
            os.write(self._control, line.encode() + b"\n")

    def _answer(self) -> str:
        answer, deadline = b"", time.monotonic() + PATIENCE_S
        while not answer.endswith(b"\n"):
            if not select.select([self._answers], [], [], max(0, deadline - time.monotonic()))[0]:
                raise TimeoutError("the simulated Pico does not answer")
            data = os.read(self._answers, 1) if b"\n" not in answer else b""
            if not data:
                raise EOFError("the simulated Pico has ended; what it said is on stderr")
            answer += data
        return answer.decode().strip()
