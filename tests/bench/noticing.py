"""Whether a table notices a computer that thinks, or its club's broker; and how long a computer's answer takes."""

import asyncio
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path

from captains_table.games.contract import Decide, Rolled
from captains_table.process.worker_side import encode_line
from captains_table.reporting.messages import encode
from captains_table.runtime.club_line.connection import TableCallbacks, TableNow
from captains_table.runtime.club_line.member import ClubMember
from captains_table.runtime.config import ClubConfig
from captains_table.runtime.thinking.client import COMMAND, THOUGHT, ThinkingRequest
from captains_table.storage.journal_file import JournalFile
from captains_table.table.model.entries import Entry, MatchStarted, SeatKind
from captains_table.table.model.match import Match
from captains_table.table.model.view import View
from tests.bench import tables
from tests.bench.tables import STARTED, seconds, steps
from tests.support.hostile_broker import HOSTILE

ANSWERS = 12
WARM_UP_S = 2.0
ROUNDS = 3
LONG_S = 600.0
SEATS, COMPUTERS = ("aether:6", "aether:6"), ("computer", "computer")
PEAK = re.compile(r"VmHWM:\s+(\d+) kB")


class Thinker:
    """A thinking process and a match of Legend that it plays both sides of."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process
        kinds: tuple[SeatKind, ...] = ("computer", "computer")
        self._match = Match(MatchStarted("legend", SEATS, {"rounds": "1"}, kinds=kinds))
        self._known = 0
        self._fallen = 0

    def ask(self, think_s: float | None = None) -> None:
        assert self._process.stdin is not None
        turn = self._to_decide()
        entries: list[Entry] = [self._match.started, *(step.acted for step in self._match.history)]
        asked = ThinkingRequest(self._known, tuple(entries[self._known :]), SEATS[turn.seat], turn.seat, think_s)
        self._known = len(entries)
        self._process.stdin.write(encode_line(asked))
        self._process.stdin.flush()

    def answer_s(self) -> float:
        """Let what comes next be decided, and return how long that took."""
        assert self._process.stdout is not None
        began = time.perf_counter()
        self.ask()
        line = next(line for line in self._process.stdout if line != b"\n")  # those say that it works
        action = THOUGHT.decode(line).action
        took_s = time.perf_counter() - began
        assert action is not None
        self._match.act(action, 0)
        return took_s

    def has_moved(self) -> bool:
        return self._match.history[-1].on_board

    def _to_decide(self) -> Decide:
        """Let dice fall until there is something to decide; the Legend die shows all its faces in turn."""
        while not isinstance(turn := self._match.turn, Decide):
            faces = []
            for _ in getattr(turn, "dice", ()):
                self._fallen += 1
                faces.append(self._fallen * 5 % 7 % 6 + 1)
            self._match.act(Rolled(tuple(faces)), 0)
        return turn

    def peak_mb(self) -> float:
        found = PEAK.search(Path(f"/proc/{self._process.pid}/status").read_text(encoding="ascii"))
        assert found is not None
        return int(found[1]) / 1024


@contextmanager
def thinker() -> Iterator[Thinker]:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            yield Thinker(process)
        finally:
            process.kill()


def acceptance_ms() -> tuple[list[float], list[float]]:
    """Return how long each move took from its last switch change to the journal: alone, and while a computer thinks.

    The same moves are made in turns, as what else the machine does changes from minute to minute.
    """
    alone, thinking_too = list[float](), list[float]()
    for _ in range(ROUNDS):
        alone += tables.acceptance_ms()
        thinking_too += _acceptance_while_thinking_ms()
    return alone, thinking_too


def _acceptance_while_thinking_ms() -> list[float]:
    with thinker() as thinking:
        thinking.answer_s()
        thinking.ask(think_s=LONG_S)
        time.sleep(WARM_UP_S)
        return tables.acceptance_ms()


def answers_s() -> tuple[list[float], float]:
    """Return how long turns at the top level take to be decided, and the most memory that took, in MB."""
    with thinker() as thinking:
        times, turn_s = list[float](), 0.0
        while len(times) < ANSWERS:
            turn_s += thinking.answer_s()  # whether to throw again is most of what there is to think about a move
            if thinking.has_moved():
                times.append(turn_s)
                turn_s = 0.0
        return times, thinking.peak_mb()


# --- the club's broker ------------------------------------------------------------------------------------------------

MOVES = 100
VIEWS = 1000
REST_S = 0.004
"""Between one step and the next, so that the loop has time for the club."""
SHUTTING_UP = ("silent", "half_open", "gone_at_once")
"""These do little; the others do all they can."""


def acceptance_at_clubs_ms() -> tuple[list[float], dict[str, list[float]]]:
    """Return how long moves took to be accepted, on a loop: at no club, and at each hostile broker, in turns."""
    alone: list[float] = []
    at_clubs: dict[str, list[float]] = {name: [] for name in HOSTILE if name not in SHUTTING_UP}
    for seed in range(ROUNDS):
        alone += asyncio.run(_played(seed, None))
        for name in at_clubs:
            with _broker(name) as port:
                at_clubs[name] += asyncio.run(_played(seed, port))
    return alone, at_clubs


@contextmanager
def _broker(name: str) -> Iterator[int]:
    command = (sys.executable, "-m", "tests.support.hostile_broker", name)
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            yield int(process.stdout.readline())
        finally:
            process.kill()


async def _played(seed: int, port: int | None) -> list[float]:
    """Return how long moves took, the time included for which the loop was busy when a hand came."""
    loop, shown = asyncio.get_running_loop(), TableNow(View())
    times: list[float] = []
    with tempfile.TemporaryDirectory() as folder, closing(JournalFile(Path(folder) / "journal.sqlite3")) as journal:
        number = journal.start(STARTED, bytes(32), "").number
        club = None if port is None else _member(port, journal, lambda: shown)
        if club is not None:
            club.open()
        plays = steps(seed)
        while len(times) < MOVES:
            due_s = loop.time() + REST_S
            await asyncio.sleep(REST_S)
            late_ms = max(0.0, loop.time() - due_s) * 1000
            play = next(plays)
            times += [late_ms + took_ms for took_ms in play.accepted_ms]
            play.accepted_ms.clear()
            shown = TableNow(play.table.session.view(), play.match, number)
            if club is not None:
                loop.call_soon(club.look)
        if club is not None:
            await club.close()
    return times


def telling_ms(*, names: bool) -> list[float]:
    """Return what the table itself computes to tell its club of a change: the view as a payload."""
    return asyncio.run(_told(names=names))


async def _told(*, names: bool) -> list[float]:
    shown, times = TableNow(View()), list[float]()
    with tempfile.TemporaryDirectory() as folder, closing(JournalFile(Path(folder) / "journal.sqlite3")) as journal:
        number = journal.start(STARTED, bytes(32), "").number
        club = _member(1, journal, lambda: shown, names=names)
        for play in islice(steps(), VIEWS):
            shown = TableNow(play.table.session.view(), play.match, number)
            times.append(1000 * seconds(lambda: encode(club._seen()), time.thread_time))
    return times


def _member(port: int, journal: JournalFile, showing: Callable[[], TableNow], *, names: bool = False) -> ClubMember:
    config = ClubConfig(host="127.0.0.1", port=port, user="table-3", names=names)
    return ClubMember(config, journal, TableCallbacks(showing, _nothing, _nothing, str, lambda: 0.0, "boot"))


def _nothing(_: object = None) -> None:
    pass
