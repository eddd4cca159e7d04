"""An engine in the table's thinking process: it plays on after a crash, and leaves nothing behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from captains_table.games.contract import Action, Decide, Over, Pick
from captains_table.process.worker_side import encode_line
from captains_table.runtime.thinking.client import THOUGHT, ThinkingAnswer, ThinkingRequest
from captains_table.table.model.entries import Entry, MatchStarted
from captains_table.table.model.match import Match
from tests.support.odd_engines import odd_engine, starts
from tests.support.patience import PATIENCE_S
from tests.support.tools import engine

pytestmark = pytest.mark.slow  # the engine is built by `make fairy`

SEATS = ("engine:2", "boreas:1")
STARTED = MatchStarted("captains-chess", SEATS, {"clock": "5+3"}, kinds=("computer", "computer"))


class Worker:
    """A thinking process, asked about one match."""

    def __init__(self, path: Path) -> None:
        command = [sys.executable, "-m", "captains_table.runtime.thinking.thinker", "--engine", str(path)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ
        )

    def ask(self, match: Match) -> ThinkingAnswer:
        """Return what comes of thinking about whatever is asked of a seat."""
        assert isinstance(match.turn, Decide)
        seat = match.turn.seat
        entries: tuple[Entry, ...] = (match.started, *(step.acted for step in match.history))
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(encode_line(ThinkingRequest(0, entries, SEATS[seat], seat)))
        self.process.stdin.flush()
        return THOUGHT.decode(next(line for line in self.process.stdout if line != b"\n"))

    def answer(self, match: Match) -> Action:
        thought = self.ask(match)
        assert thought.action is not None, thought.error
        return thought.action

    def said(self) -> str:
        """Return what it said on standard error, once it has ended."""
        return self.process.communicate(timeout=PATIENCE_S)[1].decode()

    def children(self) -> list[int]:
        pid = self.process.pid
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()]


@pytest.fixture
def worker() -> Iterator[Worker]:
    started = Worker(engine())
    yield started
    started.process.kill()
    started.process.communicate()


def play_on(worker: Worker, match: Match, most: int) -> None:
    for _ in range(most):
        if isinstance(match.turn, Over):
            return
        match.act(worker.answer(match), 1000 * (len(match.history) + 1))


def test_it_sits_at_the_table_and_plays_on_when_it_was_killed_and_dies_with_its_process(worker: Worker) -> None:
    match = Match(STARTED)
    play_on(worker, match, most=5)
    (first,) = worker.children()
    os.kill(first, signal.SIGKILL)
    play_on(worker, match, most=5)
    (second,) = worker.children()
    assert second != first
    assert len(match.history) == 10
    worker.process.kill()
    assert f"the engine {engine()} ended by signal 9; it is started again" in worker.said()
    until = time.monotonic() + PATIENCE_S
    while Path(f"/proc/{second}").exists():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_one_that_cannot_be_played_against_is_an_answer_in_words_and_others_still_play(tmp_path: Path) -> None:
    worker = Worker(odd_engine(tmp_path, "dies-on-nine-files"))
    match = Match(STARTED)
    thought = worker.ask(match)
    assert thought.action is None
    assert "Debian's build of fairy-stockfish dies on 9x8 positions" in thought.error
    match.act(Pick("e2e4"), 1000)
    match.act(Pick("press-clock"), 2000)
    assert isinstance(worker.answer(match), Pick)
    assert len(starts(tmp_path)) == 1
    assert worker.process.stdin is not None
    worker.process.stdin.close()
    assert worker.process.wait(PATIENCE_S) == 0
    for pipe in (worker.process.stdout, worker.process.stderr):
        assert pipe is not None
        pipe.close()
