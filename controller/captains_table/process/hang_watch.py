"""Kills the table's process if a plug-in's game blocks the event loop for too long, and records the match.

A separate process waits for heartbeats of the table's event loop, because C code can block every handler and thread of
the table. Matches of built-in games are not watched, however slow the machine is.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from select import select
from typing import IO, Final

MARKS: Final = "hung-matches"
NOTHING: Final = (0, "", "")
"""Number, game and commitment that mean no match."""
WATCH_BEAT_S: Final = 1.0
LIMIT_S: Final = 12
"""The seconds a game may block the table: fewer than systemd's watchdog waits, which would record no match."""
STARTING_S: Final = 60
"""The same limit while the table starts and replays the match."""


class HangWatch:
    """The table's side of the hang watch: starts the process that watches for hangs, and sends it heartbeats.

    Args:
        marks: the file with the commitments of the matches that blocked the table.
        is_watched: returns whether a game is watched, given the game's key.

    Attributes:
        is_watched: the function given as argument.
    """

    def __init__(self, marks: Path, is_watched: Callable[[str], bool] = lambda _: False) -> None:
        self._marks = marks
        self.is_watched = is_watched
        self._process: subprocess.Popen[bytes] | None = None
        self._current = NOTHING

    def has_hung(self, commitment: str) -> bool:
        """Return whether the match with this commitment is in the list of matches that blocked the table."""
        return commitment in self._marked()

    def forget(self, commitment: str) -> None:
        """Remove the match with this dice commitment from the list of matches that blocked the table."""
        marked = self._marked()
        if commitment in marked:
            self._marks.write_text("".join(f"{each}\n" for each in marked if each != commitment), encoding="ascii")

    def _marked(self) -> list[str]:
        with suppress(FileNotFoundError):
            return self._marks.read_text(encoding="ascii", errors="replace").split()
        return []

    def take(self, number: int, game: str, commitment: str) -> None:
        """Set the current match; if the table hangs from now on, this match's game counts as the cause.

        The watching process is started with the first match of a watched game.
        """
        self._current = number, game, commitment
        self._say(*self._current)

    def clear(self) -> None:
        """Record that there is no current match."""
        self.take(*NOTHING)

    @contextmanager
    def looking_at(self, number: int, game: str, commitment: str) -> Iterator[None]:
        """Treat another match as the current one during a `with` block, for example while that match is read."""
        self._say(number, game, commitment)
        try:
            yield
        finally:
            self._say(*self._current)

    def beat(self) -> None:
        """Send a heartbeat, which shows that the event loop is running; do nothing while no process watches."""
        self._send(b"\n")

    def close(self) -> None:
        """Stop watching and wait for the watching process to end."""
        process, self._process = self._process, None
        if process is not None and process.stdin is not None:
            with suppress(OSError):
                process.stdin.close()
            process.wait()

    def _say(self, number: int, game: str, commitment: str) -> None:
        is_watched = bool(game) and self.is_watched(game)
        if is_watched and self._process is None:
            command = (sys.executable, "-m", __name__, self._marks, str(os.getpid()))
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)  # noqa: S603 - our own
        self._send(json.dumps([number, game, commitment] if is_watched else []).encode() + b"\n")

    def _send(self, line: bytes) -> None:
        if self._process is not None and self._process.stdin is not None:
            with suppress(OSError):  # the watching process is gone: the table goes on unwatched
                os.write(self._process.stdin.fileno(), line)


def watch(beats: IO[bytes], table: int, marks: Path) -> None:
    """Wait for a table's heartbeats until the table closes the pipe; kill the table if none come for too long.

    Time counts only while a match is watched, and while the table's process is not stopped by a signal.

    Args:
        beats: the pipe, in which an empty line is a heartbeat. Any other line is a JSON list of the current match's
            number, game and commitment (the hash of the seed of its dice), or an empty list if no match is watched.
        table: the process id of the table.
        marks: the file with the commitments of the matches that blocked a table.
    """
    match: list[object] = []
    silent_s, limit_s, unread = 0, STARTING_S, b""
    while True:
        if not select([beats], [], [], WATCH_BEAT_S)[0]:
            silent_s += bool(match) and not _is_stopped(table)  # counted: a clock would include suspended time
            if silent_s >= limit_s:
                return kill_hung_table(table, match, silent_s, marks)
            continue
        chunk = os.read(beats.fileno(), 65536)
        if not chunk:
            return None
        silent_s = 0
        *lines, unread = (unread + chunk).split(b"\n")
        for line in lines:
            match = json.loads(line) if line else match
            limit_s = limit_s if line else LIMIT_S


def _is_stopped(table: int) -> bool:
    """Return whether the process with the id `table` was stopped by a signal, for example by a debugger."""
    with suppress(OSError):
        return Path(f"/proc/{table}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] in {"T", "t"}
    return False


def kill_hung_table(table: int, match: list[object], silent_s: int, marks: Path) -> None:
    """Record the current match as one that blocked the table, log that, and kill the table.

    The table is not killed if it is no longer the parent of this process, because then it has ended.
    """
    number, game, commitment = match
    with marks.open("a", encoding="ascii") as file:
        file.write(f"{commitment}\n")
        file.flush()
        os.fsync(file.fileno())
    sys.stderr.write(
        f"captains-table: {game} kept the table from everything else for {silent_s} s in match {number}: the table is "
        "ended. The match is kept as it stands, and is not taken up by itself.\n"
    )
    sys.stderr.flush()
    if os.getppid() == table:
        os.kill(table, signal.SIGKILL)


def main() -> None:
    """Watch the parent process, which is a table.

    The command has two arguments: the path of the list of matches that blocked the table, and the table's process id.
    """
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # systemd sends SIGTERM to all processes: the table must end first
    watch(sys.stdin.buffer, int(sys.argv[2]), Path(sys.argv[1]))


if __name__ == "__main__":
    main()
