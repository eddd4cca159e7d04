"""What an attack is: many cases, each repeatable by its seed, and what came of them."""

import random
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from types import FrameType
from typing import ClassVar, NamedTuple

from tests.support.nursery import Nursery, WarmProgram
from tests.support.table_process import COMMAND, TableProcess


class Fault(StrEnum):
    """How the table fell short."""

    LOST = "lost"
    TRACEBACK = "traceback"
    HANG = "hang"
    WRONG = "wrong"


class Finding(NamedTuple):
    """One thing that must not be, in words that say what was tried and what came of it."""

    fault: Fault
    words: str


class Found(Exception):
    """A case came to a finding and cannot go on."""

    def __init__(self, fault: Fault, words: str) -> None:
        super().__init__(words)
        self.finding = Finding(fault, words)


@dataclass(slots=True)
class Outcome:
    """What came of a case: how often what happened, and what must not be."""

    counts: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Case:
    """The case of an attack with this number: it makes so many kills, requests or inputs."""

    attack: str
    number: int
    units: int
    seed: int

    @property
    def repeat(self) -> str:
        return f"python -m tests.siege --only {self.attack} --case {self.number} --seed {self.seed}"


class Trial:
    """A case at work, or one unit of it: its chance, which no other has, its folder, and what comes of it."""

    nursery: ClassVar[Nursery | None] = None
    """Starts the daemons of a small campaign, whose program is read once."""

    def __init__(self, case: Case, place: Path, outcome: Outcome, unit: int | None = None) -> None:
        self.case, self.place, self.outcome, self.counts = case, place, outcome, outcome.counts
        own = f"{case.seed} {case.attack} {case.number}"
        self.rng = random.Random(own if unit is None else f"{own} {unit}")

    @property
    def program(self) -> Sequence[str | Path] | WarmProgram:
        """What a daemon is started with."""
        return (COMMAND,) if self.nursery is None else self.nursery.program()

    def find(self, fault: Fault, words: str) -> None:
        self.outcome.findings.append(Finding(fault, words))

    def complain(self, words: str, what: str = "the daemon") -> None:
        """Take it for a finding if what a program wrote holds a traceback."""
        if "Traceback" in words:
            self.find(Fault.TRACEBACK, f"{what}: {words[-2000:]}")

    def configured(self, table: str = "", web: str = "") -> Path:
        """Return a configuration with these lines, by which Anne and Bart play."""
        path = self.place / "table.toml"
        match = '[match]\nplayers = ["Anne", "Bart"]\n'
        path.write_text(f'[table]\nstate_dir = "{self.place / "state"}"\n{table}\n[web]\nport = 0\n{web}\n{match}')
        return path

    @contextmanager
    def daemon(
        self,
        *words: str | Path,
        logs: str = "logs",
        program: Sequence[str | Path] | WarmProgram | None = None,
    ) -> Iterator[TableProcess]:
        """Start a daemon that is stopped in order in the end; it must not end before, nor write a traceback."""
        table = TableProcess(*words, logs=self.place / logs, program=program or self.program)
        try:
            yield table
            if table.process.poll() is not None:
                self.find(Fault.LOST, f"the daemon ended with {table.process.returncode}: {table.complaints[-1000:]}")
            table.stop()
        finally:
            table.kill()
            self.complain(table.complaints)


@dataclass(frozen=True, slots=True)
class Attack:
    """One way to attack the table.

    Attributes:
        name: the word it is chosen by.
        run: plays a case, or one unit of it, in a folder of its own; a case goes on after a unit that raises Found.
        unit: what it makes.
        each: how many a case.
        full: how many in a full campaign.
        small: how many in the small one that is part of the tests.
        by_unit: whether `run` plays one unit.
        namespaced: whether its cases run in namespaces of their own.
        alone: whether its cases are made one after the other: it measures how long something takes.
        lost: errors that mean that something was lost.
    """

    name: str
    run: Callable[[Trial], None]
    unit: str
    each: int
    full: int
    small: int
    by_unit: bool = False
    namespaced: bool = False
    alone: bool = False
    lost: tuple[type[Exception], ...] = ()

    def cases(self, units: int, seed: int) -> Iterator[Case]:
        """Yield cases that make so many units in all."""
        for number in range(-(-units // self.each)):
            yield Case(self.name, number, min(self.each, units - number * self.each), seed)


class HungError(Exception):
    """Something took more of the processor than it can need."""


@contextmanager
def at_most_cpu(seconds: float) -> Iterator[None]:
    """Raise HungError where this process spends more of the processor: a busy machine makes nothing hang.

    Something that sleeps without end spends none; for that the campaign waits for each case (`campaign.py`).
    """

    def hung(_signal: int, _frame: FrameType | None) -> None:
        raise HungError(f"{seconds:.0f} s of the processor were not enough")

    before = signal.signal(signal.SIGVTALRM, hung)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
