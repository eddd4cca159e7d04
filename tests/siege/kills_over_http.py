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

from tests.siege.attack import Attack, Case, Fault, Finding, Found, Outcome, complaints_of
from tests.siege.http_person import Deed, Gone, HttpPerson, Refused
from tests.siege.ledger import Ledger
from tests.siege.legend_player import FIELDS, KINDS, Act, LegendPlayer
from tests.support.patience import PATIENCE_S
from tests.support.table_process import TableProcess

MOST_STEPS: Final = 80
USUAL_S: Final = {"press": 0.06, "answer": 0.02, "clicks": 0.5}


class Voyage:
    """One state directory, and one daemon after the other on it."""

    def __init__(self, case: Case, place: Path) -> None:
        self._rng = case.rng()
        self._place = place
        self._state = place / "state"
        self._lives = 0
        self._table: TableProcess | None = None
        self._took_s = dict(USUAL_S)
        self.outcome = Outcome()

    def sail(self, kills: int) -> None:
        """Kill so many daemons, each in something else."""
        kinds = [KINDS[number % len(KINDS)] for number in range(kills)]
        self._rng.shuffle(kinds)
        try:
            person = self._start()
            for kind in kinds:
                in_flight = self._live(person, kind)
                memory = person.memory
                person = self._start()
                self._ledger.compare(memory, in_flight)
                self.outcome.counts[f"in a {kind}"] += 1
        finally:
            if self._table is not None:
                self._table.kill()
                self.outcome.findings += complaints_of(self._table.complaints, "the daemon")
        person.leave()

    def _start(self) -> HttpPerson:
        """Start the daemon as a person does; each takes up what the one before it left."""
        words: list[str | Path] = ["play", "--state", self._state, "--port", "0"]
        if not self._lives:
            words += ["legend", "--players", "Anne", "Bart", f"fen={FIELDS['fen']}"]
        elif self._table is not None:
            self.outcome.findings += complaints_of(self._table.complaints, "the daemon")
        self._lives += 1
        self._table = TableProcess(*words, logs=self._place / f"life-{self._lives % 2}")
        if self._lives == 1:
            self._ledger = Ledger(self._state, self.outcome)
        return HttpPerson(self._table.port)

    # --- playing until something can be struck -----------------------------------------------------------------------

    def _live(self, person: HttpPerson, kind: str) -> Deed:
        """Play until something of this kind can be done, kill the daemon in it, and return what was in flight."""
        player = LegendPlayer(person, self._rng)
        for _ in range(MOST_STEPS):
            page = person.look()
            act = player.way_to(kind, page)
            if act is not None:
                return self._strike(person, act)
        raise Found(Fault.WRONG, f"no {kind} came up in {MOST_STEPS} steps; the last page was {page}")

    def _strike(self, person: HttpPerson, act: Act) -> Deed:
        """Do something, and kill the daemon at some moment of it."""
        assert self._table is not None
        process = self._table.process
        moment_s = self._rng.uniform(0, 1.2 * self._took_s[act.way])
        began, known = time.monotonic(), len(person.memory.done)
        killer = threading.Timer(moment_s, process.kill)
        killer.start()
        try:
            act.do()
            self._took_s[act.way] = 0.7 * self._took_s[act.way] + 0.3 * (time.monotonic() - began)
        except Gone:
            self.outcome.counts["cut off"] += 1
        finally:
            killer.join()
            process.wait(PATIENCE_S)
            person.leave()
        return act.deed if len(person.memory.done) == known else ()


def run(case: Case, place: Path) -> Outcome:
    """Sail one voyage."""
    voyage = Voyage(case, place)
    try:
        voyage.sail(case.units)
    except Found as found:
        voyage.outcome.findings.append(found.finding)
    except (AssertionError, Refused) as error:
        voyage.outcome.findings.append(Finding(Fault.WRONG, str(error)))
    return voyage.outcome


KILLS_OVER_HTTP: Final = Attack(
    "kills-over-http", "the real daemon killed in play, restarted, compared action by action", "kills", 20, run
)
