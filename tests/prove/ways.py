"""The ways people play in `make prove`: which games there are of each, what is counted, and what is promised."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tests.prove.fickle.counting import broken_fickle_promises, fickle_lines
from tests.prove.figures import Figures, broken_promises, kind_lines, lines


@dataclass(frozen=True, slots=True)
class Way:
    """How the figures of one way to play are shown.

    Attributes:
        lines: the figures in words.
        broken: what does not hold of what is promised, by the name of the mix.
        faults: what the line of progress counts.
    """

    lines: Callable[[Figures], Iterable[str]]
    broken: Callable[[str, Figures], list[str]]
    faults: tuple[str, ...]


def _ordinary_lines(figures: Figures) -> list[str]:
    return [*lines(figures), *kind_lines(figures)]


WAYS: dict[str, Way] = {
    "ordinary": Way(_ordinary_lines, broken_promises, ("misreads", "needless", "stuck")),
    "fickle": Way(fickle_lines, broken_fickle_promises, ("misread", "sealed wrong", "needless", "stuck")),
}
