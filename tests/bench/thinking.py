"""Figures of computers that think: whether the table notices, how long an answer takes, what their process needs."""

import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from captains_table.games.contract import Decide, Rolled
from captains_table.process.worker_side import encode_line
from captains_table.runtime.thinking.client import COMMAND, THOUGHT, ThinkingRequest
from captains_table.table.model.entries import Entry, MatchStarted, SeatKind
from captains_table.table.model.match import Match
from tests.bench import tables

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
        """Return the most memory the process has used."""
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
