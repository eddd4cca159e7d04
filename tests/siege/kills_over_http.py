"""Kill the real daemon in the midst of play, start it again, and compare action by action.

A person plays Legend by requests. In a throw, a move, a take-back or a settlement the daemon is killed at a random
moment (SIGKILL: nothing is said, nothing tidied up). Then the daemon starts again on the same files, and

- every row of the journal that was there before is there, byte for byte;
- the actions that follow are those that were acknowledged, in order, and at most the one in flight more;
- every page and every message of the event stream that arrived showed dice as the journal has them at that action;
- all dice are those of the match's seed.
"""

import threading
import time
from pathlib import Path
from typing import Final

from tests.siege.attack import Fault, Found, Trial
from tests.siege.http_person import Deed, Gone, HttpPerson
from tests.siege.ledger import Ledger
from tests.siege.legend_player import FIELDS, KINDS, Act, LegendPlayer
from tests.support.patience import PATIENCE_S
from tests.support.table_process import TableProcess

MOST_STEPS: Final = 80
USUAL_S: Final = {"press": 0.06, "answer": 0.02, "clicks": 0.5}
GAME: Final = ("legend", "--players", "Anne", "Bart", f"fen={FIELDS['fen']}")


class Lives:
    """One state directory, and one daemon after the other on it."""

    def __init__(self, trial: Trial) -> None:
        self._trial = trial
        self.state = trial.place / "state"
        self._count = 0
        self._table: TableProcess | None = None

    def start(self, *game: str | Path) -> TableProcess:
        """Start a daemon, the first or after the one before it was killed; it takes up what that left, or this game."""
        self._complain()
        self._count += 1
        words = ("play", "--state", self.state, "--port", "0", *game)
        self._table = TableProcess(*words, logs=self._trial.place / f"life-{self._count % 2}")
        return self._table

    def end(self) -> None:
        if self._table is not None:
            self._table.kill()
            self._complain()

    def _complain(self) -> None:
        if self._table is not None:
            self._trial.complain(self._table.complaints)


def run(trial: Trial) -> None:
    """Kill so many daemons, each in something else."""
    kinds = [KINDS[number % len(KINDS)] for number in range(trial.case.units)]
    trial.rng.shuffle(kinds)
    lives, took_s = Lives(trial), dict(USUAL_S)
    try:
        table = lives.start(*GAME)
        ledger, person = Ledger(lives.state, trial), HttpPerson(table.port)
        for kind in kinds:
            act = _until_it_can_be_done(person, kind, trial)
            in_flight = _strike(table, person, act, took_s, trial)
            memory, table = person.memory, lives.start()
            person = HttpPerson(table.port)
            ledger.compare(memory, in_flight)
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
