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
from functools import partial
from pathlib import Path
from typing import Final

from tests.siege.attack import Attack, Case, Fault, Finding, Found, Outcome, complaints_of
from tests.siege.http_person import HttpPerson
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


class Watch:
    """One state directory, at whose table computers play, and one daemon after the other on it."""

    def __init__(self, case: Case, place: Path, *, stops: bool) -> None:
        self._stops = stops
        self._rng = case.rng()
        self._place = place
        self._state = place / "state"
        self._lives = 0
        self._words = MATCHES[case.number % len(MATCHES)]
        self.outcome = Outcome()

    def keep(self, kills: int) -> None:
        """Kill so often, each at a moment of its own."""
        table = self._start()
        ledger = Ledger(self._state, self.outcome)
        try:
            for _ in range(kills):
                person = HttpPerson(table.port)
                done = self._live(table)
                is_daemon = done == DAEMON
                if is_daemon:
                    table.process.kill()
                    table.process.wait(PATIENCE_S)
                    self.outcome.findings += complaints_of(table.complaints, "the daemon")
                person_left(person, is_over=is_daemon)
                ledger.compare_computers(person.memory)
                self.outcome.counts[done] += 1
                if is_daemon:
                    table = self._start()
                self._goes_on()
        finally:
            table.kill()

    def _start(self) -> TableProcess:
        """Start the daemon: with a new match at first, and once one is over."""
        words: list[str | Path] = ["play", "--state", self._state, "--port", "0"]
        if not self._lives or self._is_over():
            words += self._words
        self._lives += 1
        return TableProcess(*words, logs=self._place / f"life-{self._lives % 2}")

    def _is_over(self) -> bool:
        rows = rows_of(self._state)
        return bool(rows) and rows[-1][2] == "ended"

    def _live(self, table: TableProcess) -> str:
        """Let the computers play for a while, and do something to their thinker or have the daemon killed: return what.

        A thinker that is stopped has to be there: computers think for a moment, and rest for longer.
        """
        time.sleep(self._rng.uniform(0.1, LONGEST_LIFE_S))
        thinker = thinker_of(table.process.pid)
        if thinker is None or (not self._stops and self._rng.random() < 0.5):
            return DAEMON
        os.kill(thinker, signal.SIGSTOP if self._stops else signal.SIGKILL)
        return STOPPED if self._stops else THINKER

    def _goes_on(self) -> None:
        """See that something is played; raises Found."""
        if self._is_over():
            return
        count, deadline = len(rows_of(self._state)), time.monotonic() + PATIENCE_S
        while len(rows_of(self._state)) <= count:
            if time.monotonic() > deadline:
                raise Found(Fault.HANG, f"nothing was played for {PATIENCE_S} s after {count} entries")
            time.sleep(POLL_S)


def person_left(person: HttpPerson, *, is_over: bool) -> None:
    """Stop watching: the stream has ended, or is left."""
    if not is_over:
        person.hang_up()
    person.leave()


def thinker_of(daemon: int) -> int | None:
    """Return the number of a daemon's thinking process, `None` where none runs."""
    for task in Path(f"/proc/{daemon}/task").iterdir():
        children = (task / "children").read_text(encoding="ascii").split()
        if children:
            return int(children[0])
    return None


def run(case: Case, place: Path, *, stops: bool) -> Outcome:
    """Keep one watch."""
    watch = Watch(case, place, stops=stops)
    try:
        watch.keep(case.units)
    except Found as found:
        watch.outcome.findings.append(found.finding)
    except AssertionError as error:
        watch.outcome.findings.append(Finding(Fault.WRONG, str(error)))
    return watch.outcome


KILLS_WHILE_THINKING: Final = Attack(
    "kills-while-thinking",
    "the daemon, or its thinking process, killed while computers play, and compared action by action",
    "kills",
    5,
    partial(run, stops=False),
)
STOPS_WHILE_THINKING: Final = Attack(
    "stops-while-thinking",
    "the thinking process stopped while computers play, which must go on",
    "stops",
    5,
    partial(run, stops=True),
)
