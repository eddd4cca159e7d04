"""Kill the real daemon, or its thinking process, while computers play, start it again, and compare action by action.

Computers play all four games by themselves. At a random moment either the daemon is killed (SIGKILL) and started again
on the same files, or only the process that thinks. Then

- every row of the journal that was there before is there, byte for byte;
- every message of the event stream that arrived showed dice as the journal has them at that action;
- all dice are those of the match's seed;
- the match goes on.

A thinking process may also be stopped (SIGSTOP), as one that hangs: the table must end it, and ask another one.
"""

import os
import signal
import time
from pathlib import Path
from typing import Final

from tests.siege.attack import Fault, Found, Trial
from tests.siege.http_person import HttpPerson
from tests.siege.kills_over_http import Lives
from tests.siege.ledger import Ledger, rows_of
from tests.support.patience import PATIENCE_S
from tests.support.table_process import TableProcess

MATCHES: Final = (
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


def run(trial: Trial, *, stops: bool) -> None:
    """Let computers play, and kill or stop so often, each time at a moment of its own."""
    game = MATCHES[trial.case.number % len(MATCHES)]
    lives = Lives(trial)
    try:
        table = lives.start(*game)
        ledger = Ledger(lives.state, trial)
        for _ in range(trial.case.units):
            person = HttpPerson(table.port)
            done = _live(table, trial, stops=stops)
            if done == DAEMON:
                table.process.kill()
                table.process.wait(PATIENCE_S)
            else:
                person.hang_up()
            person.leave()
            ledger.compare_computers(person.memory)
            trial.counts[done] += 1
            if done == DAEMON:
                table = lives.start(*game if _is_over(lives.state) else ())
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
