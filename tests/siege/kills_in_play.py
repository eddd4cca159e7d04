"""Kill the real daemon in play, or the process that thinks for it, start it again, and compare action by action.

What must hold is written in docs/siege.md; `ledger.py` compares.
"""

import os
import signal
import threading
import time
from pathlib import Path
from typing import Final

from tests.siege.attack import Fault, Found, Trial
from tests.siege.http_person import FIELDS, KINDS, Act, Deed, Gone, HttpPerson, LegendPlayer
from tests.siege.ledger import Ledger, rows_of
from tests.support.patience import PATIENCE_S
from tests.support.table_process import TableProcess

MOST_STEPS: Final = 80
USUAL_S: Final = {"press": 0.06, "answer": 0.02, "clicks": 0.5}
LEGEND: Final = ("legend", "--players", "Anne", "Bart", f"fen={FIELDS['fen']}")
COMPUTERS: Final = (
    ("legend", "--players", "aether:4", "aether:6", "rounds=1"),
    ("swashbuckle", "--players", "eurus:2", "eurus:4", "order=seated"),
    ("captains-chess", "--players", "boreas:3", "boreas:5"),
    ("ship-captain-crew", "--players", "zephyr:1", "zephyr:2", "zephyr:3"),
)
LONGEST_LIFE_S: Final = 4.0
POLL_S: Final = 0.05
DAEMON: Final = "in which the daemon was killed"
THINKER: Final = "in which the thinking process was killed"
STOPPED: Final = "in which the thinking process was stopped"


class Lives:
    """One state directory, and one daemon after the other on it."""

    def __init__(self, trial: Trial, *game: str) -> None:
        self._trial, self._count = trial, 0
        self.state = trial.place / "state"
        self.table = self._started(*game)
        self.ledger = Ledger(self.state, trial)

    def _started(self, *game: str) -> TableProcess:
        self._count += 1
        logs, program = self._trial.place / f"life-{self._count % 2}", self._trial.program
        return TableProcess("play", "--state", self.state, "--port", "0", *game, logs=logs, program=program)

    def next(self, *game: str) -> None:
        """Start another daemon after one that was killed; it takes up what that left, or this game."""
        self._trial.complain(self.table.complaints)
        self.table = self._started(*game)

    def end(self) -> None:
        self.table.kill()
        self._trial.complain(self.table.complaints)


def kill_over_http(trial: Trial) -> None:
    """Kill so many daemons while a person plays Legend by requests, each in something else."""
    kinds = [KINDS[number % len(KINDS)] for number in range(trial.case.units)]
    trial.rng.shuffle(kinds)
    lives, took_s = Lives(trial, *LEGEND), dict(USUAL_S)
    try:
        person = HttpPerson(lives.table.port)
        for kind in kinds:
            act = _until_it_can_be_done(person, kind, trial)
            in_flight = _strike(lives.table, person, act, took_s, trial)
            memory = person.memory
            lives.next()
            person = HttpPerson(lives.table.port)
            lives.ledger.compare(memory, in_flight)
            trial.counts[f"in a {kind}"] += 1
    finally:
        lives.end()
    person.leave()


def _until_it_can_be_done(person: HttpPerson, kind: str, trial: Trial) -> Act:
    player = LegendPlayer(person, trial.rng)
    for _ in range(MOST_STEPS):
        page = person.look()
        act = player.way_to(kind, page)
        if act is not None:
            return act
    raise Found(Fault.WRONG, f"no {kind} came up in {MOST_STEPS} steps; the last page was {page}")


def _strike(table: TableProcess, person: HttpPerson, act: Act, took_s: dict[str, float], trial: Trial) -> Deed:
    """Do something, kill the daemon at some moment of it, and return what was in flight."""
    moment_s = trial.rng.uniform(0, 1.2 * took_s[act.way])
    began, known = time.monotonic(), len(person.memory.done)
    killer = threading.Timer(moment_s, table.process.kill)
    killer.start()
    try:
        act.do()
        took_s[act.way] = 0.7 * took_s[act.way] + 0.3 * (time.monotonic() - began)
    except Gone:
        trial.counts["cut off"] += 1
    finally:
        killer.join()
        table.process.wait(PATIENCE_S)
        person.leave()
    return act.deed if len(person.memory.done) == known else ()


# --- while computers play ---------------------------------------------------------------------------------------------


def kill_while_thinking(trial: Trial, *, stops: bool) -> None:
    """Let computers play, and kill or stop so often, each time at a moment of its own.

    What is stopped (SIGSTOP) is the thinking process, as one that hangs: the table must end it, and ask another one.
    """
    game = COMPUTERS[trial.case.number % len(COMPUTERS)]
    lives = Lives(trial, *game)
    try:
        for _ in range(trial.case.units):
            person = HttpPerson(lives.table.port)
            done = _live(lives.table, trial, stops=stops)
            if done == DAEMON:
                lives.table.process.kill()
                lives.table.process.wait(PATIENCE_S)
            else:
                person.hang_up()
            person.leave()
            lives.ledger.compare_computers(person.memory)
            trial.counts[done] += 1
            if done == DAEMON:
                lives.next(*(game if _is_over(lives.state) else ()))
            _goes_on(lives.state)
    finally:
        lives.end()


def _is_over(state: Path) -> bool:
    rows = rows_of(state)
    return bool(rows) and rows[-1][2] == "ended"


def _live(table: TableProcess, trial: Trial, *, stops: bool) -> str:
    """Let the computers play for a while, and do something to their thinker or have the daemon killed: return what.

    A thinker that is stopped has to be there: computers think for a moment, and rest for longer.
    """
    time.sleep(trial.rng.uniform(0.1, LONGEST_LIFE_S))
    thinker = thinker_of(table.process.pid)
    if thinker is None or (not stops and trial.rng.random() < 0.5):
        return DAEMON
    os.kill(thinker, signal.SIGSTOP if stops else signal.SIGKILL)
    return STOPPED if stops else THINKER


def _goes_on(state: Path) -> None:
    """See that something is played; raises Found."""
    if _is_over(state):
        return
    count, deadline = len(rows_of(state)), time.monotonic() + PATIENCE_S
    while len(rows_of(state)) <= count:
        if time.monotonic() > deadline:
            raise Found(Fault.HANG, f"nothing was played for {PATIENCE_S} s after {count} entries")
        time.sleep(POLL_S)


def thinker_of(daemon: int) -> int | None:
    """Return the number of a daemon's thinking process, `None` where none runs."""
    for task in Path(f"/proc/{daemon}/task").iterdir():
        children = (task / "children").read_text(encoding="ascii").split()
        if children:
            return int(children[0])
    return None
