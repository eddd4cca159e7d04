"""What an attack is: many cases, each repeatable by its seed, and what came of them."""

import random
import resource
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from types import FrameType


class Fault(StrEnum):
    """How the table fell short."""

    LOST = "lost"
    TRACEBACK = "traceback"
    HANG = "hang"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that must not be, in words that say what was tried and what came of it."""

    fault: Fault
    words: str


class Found(Exception):
    """A case came to a finding and cannot go on."""

    def __init__(self, fault: Fault, words: str) -> None:
        super().__init__(words)
        self.finding = Finding(fault, words)


@dataclass(frozen=True, slots=True)
class Case:
    """One case of an attack.

    Attributes:
        attack: the attack's name.
        number: which case it is, counted from 0.
        units: how many kills, requests or inputs it makes.
        seed: the campaign's seed.
    """

    attack: str
    number: int
    units: int
    seed: int

    def rng(self) -> random.Random:
        """Return the case's own chance, which no other case touches."""
        return random.Random(f"{self.seed} {self.attack} {self.number}")

    @property
    def repeat(self) -> str:
        """The command that repeats this case alone."""
        return f"python -m tests.siege --only {self.attack} --case {self.number} --seed {self.seed}"


@dataclass(slots=True)
class Outcome:
    """What came of a case, or of many: how often what happened, and what must not be."""

    counts: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)

    def add(self, other: "Outcome") -> None:
        """Add another outcome to this one."""
        self.counts += other.counts
        self.findings += other.findings


@dataclass(frozen=True, slots=True)
class Attack:
    """One way to attack the table.

    Attributes:
        name: the word it is chosen by.
        what: what it does, in a phrase.
        unit: what is counted: kills, requests, inputs.
        each: how many units one case makes.
        run: plays a case in a directory of its own; it may raise Found.
        alone: whether its cases are made one after the other: it measures how long something takes.
    """

    name: str
    what: str
    unit: str
    each: int
    run: Callable[[Case, Path], Outcome]
    alone: bool = False

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


def complaints_of(words: str, what: str) -> list[Finding]:
    """Return a finding if what a program wrote holds a traceback."""
    return [Finding(Fault.TRACEBACK, f"{what}: {words[-2000:]}")] if "Traceback" in words else []


def limit_descriptors(count: int) -> None:
    """Let this process, and those it starts, open at least so many files, as far as the machine allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count if hard == resource.RLIM_INFINITY else min(count, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
