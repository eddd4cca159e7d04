"""What is counted of each way to play in `make prove`, and what is promised about it."""

import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

AT_ONCE_MS = 15
PATIENT_MS = 350
CHANCE = 3  # standard deviations of a count: so much above its share it may be by chance, which matters in short runs
NO_PROMPTS = ("quiet", "bounce-and-slides", "slide", "bent", "bounce")


@dataclass(slots=True)
class Figures:
    """The figures of some moves: counts, also by kind of noise or hands, and milliseconds of table time to acceptance.

    Attributes:
        at_once_ms: of the moves that no other move extends.
        patient_ms: of the others.
    """

    counts: Counter[str] = field(default_factory=Counter)
    by_kind: dict[str, Counter[str]] = field(default_factory=dict)
    at_once_ms: Counter[int] = field(default_factory=Counter)
    patient_ms: Counter[int] = field(default_factory=Counter)

    def tell(self, counts: Mapping[str, int], kinds: Iterable[str]) -> None:
        self.counts.update(counts)
        for kind in kinds or ("none",):
            self.by_kind.setdefault(kind, Counter()).update(counts)

    def add(self, other: "Figures") -> None:
        self.counts.update(other.counts)
        for kind, counts in other.by_kind.items():
            self.by_kind.setdefault(kind, Counter()).update(counts)
        self.at_once_ms.update(other.at_once_ms)
        self.patient_ms.update(other.patient_ms)


@dataclass(frozen=True, slots=True)
class Way:
    """A way to play.

    Attributes:
        words: each count, and what it is called where it is printed.
        shares: the counts whose share of the moves is printed too.
        kinds: the heading of the table by kind, and the width of its first column and of the others.
        columns: what that table counts.
        never: what must not happen at all.
        needless: what a needless question is called, and how often one may be asked.
        faults: what the line of progress counts.
        is_timed: whether the time until a move is accepted is printed.
    """

    words: Mapping[str, str]
    shares: Sequence[str]
    kinds: tuple[str, int, int]
    columns: Sequence[str]
    never: Sequence[str]
    needless: tuple[str, float]
    faults: Sequence[str]
    is_timed: bool = False

    def lines(self, figures: Figures) -> Iterator[str]:
        """Yield the figures, one a line, then a table by kind; a move may be of several kinds."""
        moves = max(1, figures.counts["moves"])
        for key, words in self.words.items():
            share = f"  ({figures.counts[key] / moves:.3%})" if key in self.shares else ""
            yield f"  {words:42} {figures.counts[key]:>9,}{share}"
        if self.is_timed:
            yield f"  {'acceptance, nothing extends (median/p99/max)':44} {spread(figures.at_once_ms)}"
            yield f"  {'acceptance, others (median/p99/max)':44} {spread(figures.patient_ms)}"
        heading, first, others = self.kinds
        yield f"  {heading:{first}}" + "".join(f"{key:>{others}}" for key in self.columns)
        for kind, counts in sorted(figures.by_kind.items()):
            yield f"  {kind:{first}}" + "".join(f"{counts[key]:>{others},}" for key in self.columns)

    def broken(self, name: str, figures: Figures) -> list[str]:
        """Return in words what does not hold of what is promised about games of a mix of noise, or by fickle hands."""
        counts = figures.counts
        broken = [f"{counts[key]} {key}" for key in self.never if counts[key]]
        words, share = self.needless
        allowed = 0 if name in NO_PROMPTS else share * counts["moves"]
        if counts["needless"] > allowed + CHANCE * allowed**0.5:
            broken.append(f"{counts['needless']} {words} in {counts['moves']} moves")
        for times, most_ms in ((figures.at_once_ms, AT_ONCE_MS), (figures.patient_ms, PATIENT_MS)):
            if times and max(times) > most_ms:
                late = sum(count for ms, count in times.items() if ms > most_ms)
                broken.append(f"{late} moves accepted after more than {most_ms} ms, the slowest after {max(times)} ms")
        return [f"{name}: {words}" for words in broken]


def spread(times: Counter[int]) -> str:
    if not times:
        return "-"
    ordered = sorted(times.elements())
    return f"{statistics.median(ordered):.0f} / {ordered[int(len(ordered) * 0.99)]} / {ordered[-1]} ms"


WAYS = {
    "ordinary": Way(
        words={
            "moves": "moves",
            "misreads": "misreads",
            "sealed": "of them sealed",
            "other": "another story believed, the truth on offer",
            "unlikely": "another told, the truth dearer than fits",
            "ambiguous": "evidence of two moves, wrong one taken",
            "amended": "accepted early, amended",
            "needless": "needless prompts",
            "double": "asked while two stories fit",
            "needed": "needed prompts",
            "promotions": "of them which piece it becomes",
            "unproven": "of them missing or double evidence",
            "between": "asked between moves, or before something seals",
            "illegal": 'wrong "illegal"',
            "guided": "guidance episodes",
            "ended": "of them ended",
            "helped": "put right by the player",
            "masked": "switches masked",
            "stuck": "games stuck",
        },
        shares=["needless"],
        kinds=("noise in the move", 18, 10),
        columns=["moves", "misreads", "amended", "needless", "needed", "illegal"],
        never=["misreads", "sealed", "stuck"],
        needless=("needless prompts", 0.002),
        faults=["misreads", "needless", "stuck"],
        is_timed=True,
    ),
    "fickle": Way(
        words={
            "moves": "moves",
            "judged": "of them judged at rest",
            "misread": "misread",
            "sealers": "sealers tried",
            "double": "of them while two stories fit",
            "grave": "of them resigning, draws, abandoning",
            "sealed wrong": "sealed wrong",
            "questions": "questions",
            "needless": "needless",
            "untrue": "of them without the truth",
            "seen": "of them about what the board reads",
            "untold": "questions that no story explains",
            "ignored": "questions ignored",
            "guided": "shown as wrong at rest",
            "other story": "other story believed",
            "unlikely": "truth dearer than what fits",
            "helped": "put right by the player",
            "lost": "truth sealed away",
            "masked": "switches masked",
            "unplugged": "unplugged",
            "stuck": "stuck",
        },
        shares=["needless", "other story"],
        kinds=("kind", 22, 14),
        columns=[
            *("moves", "misread", "sealed wrong", "questions", "needless", "other story", "unlikely", "helped"),
            "stuck",
        ],
        never=["misread", "sealed wrong", "seen", "stuck"],
        needless=("needless questions", 0.01),
        faults=["misread", "sealed wrong", "needless", "stuck"],
    ),
}
