"""Figures of a table that plays itself: how fast moves are accepted, tapes replayed, journals resumed; and timing."""

import io
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path

from captains_table.devices.dice_sources import HonestDice, commitment
from captains_table.games.contract import Square
from captains_table.runtime.tape_player import replay_lines
from captains_table.storage.journal_file import JournalFile, MemoryJournal
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.events import TimePassed
from captains_table.table.recognition.candidates import Candidate
from tests.support.seeded_dice import SeededDice
from tests.support.self_play import HAND_MS, SelfPlay

RUNS = 5
MOVES = 1500
TAPE_ACTIONS = 2000
JOURNAL_ENTRIES = 2000
DICE_SEED = 7
STARTED = MatchStarted("legend", ("Anne", "Bart"), {"rounds": "9"})


def seconds(do: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    began = clock()
    do()
    return clock() - began


def speeds(ours: Callable[[], int], theirs: Callable[[], int]) -> tuple[float, float]:
    """Return the medians of how much two counts count a second, in runs that take turns."""
    runs = [(_speed(ours), _speed(theirs)) for _ in range(RUNS)]
    return statistics.median(own for own, _ in runs), statistics.median(other for _, other in runs)


def _speed(count: Callable[[], int]) -> float:
    began = time.perf_counter()
    return count() / (time.perf_counter() - began)


def spread(values: Sequence[float]) -> str:
    """Return median and 99th percentile in words."""
    return f"median {statistics.median(values):.2f} ms, p99 {p99(values):.2f} ms"


def p99(values: Sequence[float]) -> float:
    """Return what 99 of 100 values do not exceed."""
    return sorted(values)[int(len(values) * 0.99)]


class TimedPlay(SelfPlay):
    """A match whose hand is timed: `accepted_ms` from the last change to the journal, `events_ms` of computing."""

    def __init__(self, seed: int) -> None:
        super().__init__(MemoryJournal(STARTED), SeededDice(seed), seed)
        self.accepted_ms: list[float] = []
        self.events_ms: list[float] = []

    def move(self, option: Candidate) -> None:
        """Make a move by hand; the wait is table time, by the virtual clock, plus what this machine took."""
        *before, last = self.hand(option)
        for square, closed in before:
            self._timed(square, closed=closed)
        revision, changed_ms, spent = self.match.revision, self.now_ms + HAND_MS, time.perf_counter()
        self._timed(last[0], closed=last[1])
        while (due_ms := self.table.session.due_ms()) is not None and self.match.revision == revision:
            self.now_ms = due_ms
            self.table.session.handle(TimePassed(), due_ms)
        if self.match.revision > revision:
            self.accepted_ms.append(self.now_ms - changed_ms + (time.perf_counter() - spent) * 1000)
            self.later()
        else:
            super().move(option)

    def _timed(self, square: Square, *, closed: bool) -> None:
        self.events_ms.append(1000 * seconds(lambda: self.switch(square, closed=closed)))


def acceptance_ms() -> list[float]:
    """Return from the last switch change of each move until its action was journalled and shown."""
    return _gathered(MOVES, lambda play: play.accepted_ms)


def event_ms() -> list[float]:
    """Return what this machine spends on each switch event."""
    return _gathered(2 * MOVES, lambda play: play.events_ms)


def steps(after: int = 0) -> Iterator[TimedPlay]:
    """Yield the match after each of its steps, one match after the other without end."""
    for seed in count(after + 1):
        play = TimedPlay(seed)
        while not play.over:
            play.step()
            yield play


def _gathered(most: int, times_of: Callable[[TimedPlay], list[float]]) -> list[float]:
    times, plays = list[float](), steps()
    while len(times) < most:
        new = times_of(next(plays))
        times += new
        new.clear()
    return times


# --- tapes and journals ---------------------------------------------------------------------------------------------


def replayed() -> tuple[int, float]:
    """Return how many actions a long tape has, its moves made on the switches, and the seconds its replay took."""
    tape, out = io.StringIO(), io.StringIO()
    play = SelfPlay(MemoryJournal(STARTED), SeededDice(DICE_SEED), tape=tape)
    while not play.over and play.match.revision < TAPE_ACTIONS:
        play.step()
    lines = tape.getvalue().splitlines()
    began = time.perf_counter()
    code = replay_lines("the tape of the bench", lines, out, sys.stderr)
    took_s = time.perf_counter() - began
    if code != 0:
        raise SystemExit(code)
    return out.getvalue().count('"seq"'), took_s


def resumed() -> tuple[int, float]:
    """Return how many entries a journal file has, and the seconds from opening it to a table that goes on."""
    seed = bytes(32)
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "journal.sqlite3"
        file = JournalFile(path)
        started = MatchStarted(STARTED.game, STARTED.seats, STARTED.options, commitment(seed))
        play = SelfPlay(file.start(started, seed), HonestDice(seed))
        while not play.over and len(play.journal.entries()) < JOURNAL_ENTRIES:
            play.step()
        entries = len(play.journal.entries())
        file.close()
        began = time.perf_counter()
        file = JournalFile(path)
        journal = file.open(1)
        SelfPlay(journal, HonestDice.resumed(seed, journal.entries()))
        took_s = time.perf_counter() - began
        file.close()
    return entries, took_s
