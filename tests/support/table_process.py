"""The real command `captains-table` as a child process, started and stopped as people start and stop it."""

import contextlib
import io
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import httpx

from captains_table.cli.main import main
from tests.support.nursery import Nursling, WarmProgram
from tests.support.patience import PATIENCE_S

T = TypeVar("T")
COMMAND = Path(sys.executable).with_name("captains-table")
ADDRESS = re.compile(r"^The table is at (?P<told>http://[^/]+/table\S*)$", re.MULTILINE)


def soon(found: Callable[[], T | None]) -> T:
    """Return what is found as soon as there is something."""
    deadline = time.monotonic() + PATIENCE_S
    while not (it := found()):
        assert time.monotonic() < deadline, "it did not come true"
        time.sleep(0.02)
    return it


def run_command(*arguments: str | Path, timeout_s: float = PATIENCE_S) -> subprocess.CompletedProcess[str]:
    """Run a command that ends by itself and return what it wrote and its exit code."""
    command = [str(word) for word in (COMMAND, *arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=timeout_s)


def run_here(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Do what `run_command` does within this process: for the many ways to be refused, each of which needs no start."""
    words = [str(word) for word in arguments]
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(words)
        except SystemExit as ended:  # argparse ends so
            code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    return subprocess.CompletedProcess(words, code, out.getvalue(), err.getvalue())


def write_config(folder: Path, *lines: str, table: Sequence[str] = (), web: Sequence[str] = ("port = 0",)) -> Path:
    """Write a table's configuration: the lines of its sections, and further lines of [table] and [web]."""
    file = folder / "table.toml"
    file.write_text("\n".join(("[table]", f'state_dir = "{folder}/state"', *table, "[web]", *web, *lines)), "utf-8")
    return file


class TableProcess:
    """A table that serves its page; ready as soon as it is made.

    Args:
        arguments: everything after `captains-table`, such as `play --state DIR --port 0`.
        logs: directory for what the process writes.
        program: what is run with them; one of a nursery need not read its modules first.
    """

    process: subprocess.Popen[bytes] | Nursling
    expected_complaints: str | None = ""
    """What a test makes it write to its standard error; `None`: anything."""

    def __init__(
        self, *arguments: str | Path, logs: Path, program: Sequence[str | Path] | WarmProgram = (COMMAND,)
    ) -> None:
        logs.mkdir(parents=True, exist_ok=True)
        self._out, self._err = logs / "stdout.txt", logs / "stderr.txt"
        words = [str(word) for word in arguments]
        began = time.monotonic()
        if callable(program):
            self._out.touch()
            self.process = program(words, self._out, self._err)
        else:
            command = [str(word) for word in program] + words
            with self._out.open("w") as out, self._err.open("w") as err:
                self.process = subprocess.Popen(command, stdout=out, stderr=err)
        self.printed = self.said(ADDRESS)
        """The address as it was printed: of the page to play on, with its token if there is one."""
        self.started_s = time.monotonic() - began
        """How long it took to start: what is to be quick is compared with it, however busy the machine is."""
        self.origin = "http://127.0.0.1:" + self.printed.partition("//")[2].partition("/")[0].rpartition(":")[2]
        """The server's own scheme, host and port, without a slash at the end."""

    @property
    def token(self) -> str:
        """The token that the printed address has; empty where a table takes requests from this machine alone."""
        return self.printed.partition("?token=")[2]

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self.origin.rpartition(":")[2])

    @property
    def words(self) -> str:
        """What was written to the standard output."""
        return self._out.read_text()

    @property
    def complaints(self) -> str:
        """What was written to the standard error."""
        return self._err.read_text()

    def stop(self) -> None:
        """Ask it to stop as a service manager does, and wait until it has."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(PATIENCE_S)

    def kill(self) -> None:
        """Cut its power; harmless if it has ended."""
        self.process.kill()
        self.process.wait()

    def said(self, words: re.Pattern[str]) -> str:
        """Return the group `told` of words as soon as they are written to the standard output."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            found = words.search(self.words)
            if found:
                return found["told"]
            if self.process.poll() is not None:
                break
            time.sleep(0.01)
        self.kill()
        raise AssertionError(f"no {words.pattern}; exit code {self.process.returncode}: {self.complaints}")


class Caller:
    """Plays by requests alone, as a script may."""

    def __init__(self, origin: str, token: str = "") -> None:
        self.origin = origin
        headers = {"X-Table-Token": token} if token else {}
        self._client = httpx.Client(base_url=origin, timeout=PATIENCE_S, headers=headers, verify=False)  # noqa: S501 - no TLS

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def get(self, path: str) -> httpx.Response:
        """Return the answer to a GET."""
        return self._client.get(path)

    def post(self, path: str, body: object = None, **headers: str) -> httpx.Response:
        """Return the answer to a POST."""
        return self._client.post(path, json=body or {}, headers=headers)

    def revision(self) -> int:
        """Return how much has been played."""
        return int(self.get("/health").json()["revision"])

    def answer(self, **action: object) -> None:
        """Answer the ask as it stands."""
        answer = self.post("/answer", {"revision": self.revision(), "action": action})
        assert answer.status_code == 204, answer.text

    def pick(self, *ids: str) -> None:
        """Pick options one after the other."""
        for id_ in ids:
            self.answer(type="pick", id=id_)

    def move(self, *squares: str) -> None:
        """Click squares one after the other."""
        for square in squares:
            answer = self.post("/board/click", {"square": square})
            assert answer.status_code == 204 or "moved" in answer.json(), answer.text

    def hold_roll(self, seconds: float = 0.05) -> None:
        """Hold the roll button."""
        assert self.post("/button/roll/press").status_code == 204
        time.sleep(seconds)
        assert self.post("/button/roll/release").status_code == 204

    def offers(self) -> list[str]:
        """Return the ids of the options asked for now."""
        return re.findall(r'data-pick="([^"]+)"', self.get("/table").text)

    def wait_for(self, id_: str) -> None:
        """Wait until an option is offered: the table takes its time to believe a switch."""
        soon(lambda: id_ in self.offers())

    def play_one_turn(self, *moves: str) -> None:
        """Throw, move a pawn (any die allows that), and end the turn."""
        self.hold_roll()
        self.pick(*moves, "done")
