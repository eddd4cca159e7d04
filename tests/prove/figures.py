"""What is counted, and what is promised about it."""

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

COUNTS = (
    ("moves", "moves"),
    ("misreads", "misreads"),
    ("sealed", "of them sealed"),
    ("other", "another story believed, the truth on offer"),
    ("unlikely", "another told, the truth dearer than fits"),
    ("ambiguous", "evidence of two moves, wrong one taken"),
    ("amended", "accepted early, amended"),
    ("needless", "needless prompts"),
    ("double", "asked while two stories fit"),
    ("needed", "needed prompts"),
    ("promotions", "of them which piece it becomes"),
    ("unproven", "of them missing or double evidence"),
    ("between", "asked between moves, or before something seals"),
    ("illegal", 'wrong "illegal"'),
    ("guided", "guidance episodes"),
    ("ended", "of them ended"),
    ("helped", "put right by the player"),
    ("masked", "switches masked"),
    ("stuck", "games stuck"),
)
AT_ONCE_MS = 15
PATIENT_MS = 350
NEEDLESS_SHARE = 0.002
CHANCE = 3  # standard deviations of a count: so much above its share it may be by chance, which matters in short runs
NO_PROMPTS = ("quiet", "bounce-and-slides", "slide", "bent", "bounce")


@dataclass(slots=True)
class Figures:
    """The figures of some moves: counts, also by kind of noise, and milliseconds of table time to acceptance."""

    counts: Counter[str] = field(default_factory=Counter)
    by_kind: dict[str, Counter[str]] = field(default_factory=dict)
    at_once_ms: Counter[int] = field(default_factory=Counter)
    patient_ms: Counter[int] = field(default_factory=Counter)

    def tell(self, counts: Mapping[str, int], kinds: Iterable[str]) -> None:
        """Count what happened in one move, for each kind of noise that was in it too."""
        self.counts.update(counts)
        for kind in kinds or ("none",):
            self.by_kind.setdefault(kind, Counter()).update(counts)

    def add(self, other: "Figures") -> None:
        """Take in further figures."""
        self.counts.update(other.counts)
        for kind, counts in other.by_kind.items():
            self.by_kind.setdefault(kind, Counter()).update(counts)
        self.at_once_ms.update(other.at_once_ms)
        self.patient_ms.update(other.patient_ms)


def spread(times: Counter[int]) -> str:
    """Return median, 99th percentile and maximum."""
    if not times:
        return "-"
    ordered = sorted(times.elements())
    return f"{statistics.median(ordered):.0f} / {ordered[int(len(ordered) * 0.99)]} / {ordered[-1]} ms"


def lines(figures: Figures) -> Iterable[str]:
    """Yield the figures of one mix, one a line."""
    for key, words in COUNTS:
        share = f"  ({figures.counts[key] / max(1, figures.counts['moves']):.3%})" if key == "needless" else ""
        yield f"  {words:42} {figures.counts[key]:>9,}{share}"
    yield f"  {'acceptance, nothing extends (median/p99/max)':44} {spread(figures.at_once_ms)}"
    yield f"  {'acceptance, others (median/p99/max)':44} {spread(figures.patient_ms)}"


def kind_lines(figures: Figures) -> Iterable[str]:
    """Yield a table of what happened in the moves that had each kind of noise in them; a move may have several."""
    keys = ("moves", "misreads", "amended", "needless", "needed", "illegal")
    yield f"  {'noise in the move':18}" + "".join(f"{key:>10}" for key in keys)
    for kind, counts in sorted(figures.by_kind.items()):
        yield f"  {kind:18}" + "".join(f"{counts[key]:>10,}" for key in keys)


def broken_promises(mix: str, figures: Figures) -> list[str]:
    """Return in words what does not hold of what is promised."""
    counts = figures.counts
    broken = [f"{counts[key]} {key}" for key in ("misreads", "sealed", "stuck") if counts[key]]
    allowed = 0 if mix in NO_PROMPTS else NEEDLESS_SHARE * counts["moves"]
    if counts["needless"] > allowed + CHANCE * allowed**0.5:
        broken.append(f"{counts['needless']} needless prompts")
    for times, most_ms in ((figures.at_once_ms, AT_ONCE_MS), (figures.patient_ms, PATIENT_MS)):
        if times and max(times) > most_ms:
            late = sum(count for ms, count in times.items() if ms > most_ms)
            broken.append(f"{late} moves accepted after more than {most_ms} ms, the slowest after {max(times)} ms")
    return [f"{mix}: {words}" for words in broken]
