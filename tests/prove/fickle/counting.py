"""What is counted of fickle hands, and what is promised about it."""

from collections.abc import Iterable

from tests.prove.figures import CHANCE, Figures

FICKLE_COUNTS = (
    ("moves", "moves"),
    ("judged", "of them judged at rest"),
    ("misread", "misread"),
    ("sealers", "sealers tried"),
    ("double", "of them while two stories fit"),
    ("grave", "of them resigning, draws, abandoning"),
    ("sealed wrong", "sealed wrong"),
    ("questions", "questions"),
    ("needless", "needless"),
    ("untrue", "of them without the truth"),
    ("ignored", "questions ignored"),
    ("guided", "shown as wrong at rest"),
    ("other story", "other story believed"),
    ("unlikely", "truth dearer than what fits"),
    ("helped", "put right by the player"),
    ("lost", "truth sealed away"),
    ("masked", "switches masked"),
    ("unplugged", "unplugged"),
    ("stuck", "stuck"),
)
NEEDLESS_SHARE = 0.01
KIND_COLUMNS = (
    "moves",
    "misread",
    "sealed wrong",
    "questions",
    "needless",
    "other story",
    "unlikely",
    "helped",
    "stuck",
)


def fickle_lines(figures: Figures) -> Iterable[str]:
    """Yield the figures of fickle hands, one a line, then a table by kind."""
    moves = max(1, figures.counts["moves"])
    for key, words in FICKLE_COUNTS:
        share = f"  ({figures.counts[key] / moves:.3%})" if key in ("needless", "other story") else ""
        yield f"  {words:42} {figures.counts[key]:>9,}{share}"
    yield f"  {'kind':22}" + "".join(f"{key:>14}" for key in KIND_COLUMNS)
    for kind, counts in sorted(figures.by_kind.items()):
        yield f"  {kind:22}" + "".join(f"{counts[key]:>14,}" for key in KIND_COLUMNS)


def broken_fickle_promises(name: str, figures: Figures) -> list[str]:
    """Return in words what does not hold of what is promised about fickle hands."""
    counts = figures.counts
    broken = [f"{counts[key]} {key}" for key in ("misread", "sealed wrong", "stuck") if counts[key]]
    allowed = NEEDLESS_SHARE * counts["moves"]
    if counts["needless"] > allowed + CHANCE * allowed**0.5:
        broken.append(f"{counts['needless']} needless questions in {counts['moves']} moves")
    return [f"{name}: {words}" for words in broken]
