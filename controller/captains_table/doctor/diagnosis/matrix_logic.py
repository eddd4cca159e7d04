"""Predicts which squares a chip reads as closed on a faulty matrix, fast enough to try thousands of sets of faults.

A prediction also tells in which squares an actual reading deviates from it.

While a rank is driven low, current flows from each file's pull-up through everything that conducts. Every diode in its
way adds 0.43 to 0.5 V (1N4148 at 30 to 500 microamperes). A pin certainly reads less than 0.8 V as low and more than
2.0 V as high (RP2040 data sheet, "Pin specifications"; a Pi's are the same). Therefore one diode is certainly read as
low, six are certainly read as high, and two to four depend on the chip. Five add at least 2.15 V, but are
treated like two to four. Most chips read the 0.9 V of two diodes as low.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from captains_table.doctor.diagnosis.suspects import DIODES, Suspect, SuspectKind, Suspects, matrix_lines_of
from captains_table.games.contract import Shape

SURE: Final = 1  # diodes in a path that is certainly read as closed
LIKELY: Final = 2  # diodes in a path that most chips read as closed
FARTHEST: Final = 5  # diodes in the longest path that some chip reads as closed
IN_DOUBT: Final = 2  # diodes counted for a square that may be reversed: no path through it is certain


class Prediction(NamedTuple):
    """A predicted reading, as bit masks of squares.

    Attributes:
        sure: the squares that every chip reads as closed.
        likely: further squares that most chips read as closed.
        possible: further squares that some chips read as closed.
    """

    sure: int
    likely: int
    possible: int

    @property
    def usual(self) -> int:
        """The bit mask of the squares that most chips read as closed."""
        return self.sure | self.likely

    def allows(self, read: int) -> bool:
        """Return whether a reading is possible."""
        return not self.missed(read) and not self.unexplained(read)

    def missed(self, read: int) -> int:
        """Return the bit mask of the squares that were read as open although they are certainly closed (`sure`)."""
        return self.sure & ~read

    def unexplained(self, read: int) -> int:
        """Return the bit mask of the squares that were read as closed although no chip would read them as closed."""
        return read & ~(self.sure | self.likely | self.possible)

    def surprises(self, read: int) -> int:
        """Return how many squares were read as open although most chips would read them as closed."""
        return (self.likely & ~read).bit_count()


@dataclass(slots=True)
class CurrentGraph:
    """A directed graph of lines; an edge tells through how many diodes current can flow from one line to another.

    `into` maps a line to the lines that conduct into it, each paired with the number of diodes.
    """

    into: dict[int, list[tuple[int, int]]] = field(default_factory=dict)

    def join(self, tail: int, head: int, diodes: int) -> None:
        """Add an edge: current can flow from line `tail` to line `head` through this number of diodes."""
        self.into.setdefault(head, []).append((tail, diodes))

    def leading_to(self, line: int) -> dict[int, int]:
        """Return the lines from which current reaches a line, each with the fewest diodes on the path.

        The line itself is included, with 0 diodes. Paths through more than FARTHEST diodes are left out.
        """
        found: dict[int, int] = {}
        waiting: list[list[int]] = [[line], *([] for _ in range(FARTHEST))]
        for diodes, lines in enumerate(waiting):
            for here in lines:  # the list grows during the loop
                if here in found:
                    continue
                found[here] = diodes
                for tail, more in self.into.get(here, ()):
                    if tail not in found and diodes + more <= FARTHEST:
                        waiting[diodes + more].append(tail)
        return found

    def reversed(self) -> "CurrentGraph":
        """Return the graph with every edge reversed."""
        other = CurrentGraph()
        for head, tails in self.into.items():
            for tail, diodes in tails:
                other.join(head, tail, diodes)
        return other


def current_graph(shape: Shape, suspects: Suspects, closed: Iterable[int]) -> CurrentGraph:
    """Return the graph of everything that conducts while some reeds are closed, given the suspected faults."""
    diodes = {suspect.places[0]: suspect.kind for suspect in suspects if suspect.kind in DIODES}
    made = CurrentGraph()
    for square in closed:
        file, rank = matrix_lines_of(shape, square)
        match diodes.get(square):
            case None:
                made.join(file, rank, 1)
            case SuspectKind.LINKED:
                made.join(file, rank, 0)
                made.join(rank, file, 0)
            case SuspectKind.REVERSED:
                made.join(rank, file, 1)
            case SuspectKind.MUTE:
                made.join(rank, file, IN_DOUBT)
    for suspect in suspects:
        if suspect.kind is SuspectKind.SHORT:
            one, other = suspect.places
            made.join(one, other, 0)
            made.join(other, one, 0)
    return made


def closed_reeds(suspects: Suspects, standing: Iterable[int]) -> frozenset[int]:
    """Return the squares whose reeds are closed while pieces stand on the squares `standing`."""
    reeds = set(standing)
    wide = {each.places[1] for each in suspects if each.kind is SuspectKind.WIDE and each.places[0] in reeds}
    return frozenset(reeds | wide | {each.places[0] for each in suspects if each.kind is SuspectKind.STUCK})


def predict(shape: Shape, suspects: Suspects, standing: Iterable[int]) -> Prediction:
    """Return the reading to expect from a board with these faults while pieces are on these squares."""
    made = current_graph(shape, suspects, closed_reeds(suspects, standing))
    loose = {suspect.places[0] for suspect in suspects if suspect.kind is SuspectKind.OPEN}
    masks = [0] * (FARTHEST + 1)
    for rank in range(shape.ranks):
        line = shape.files + rank
        if line in loose or line not in made.into:
            continue
        for tail, diodes in made.leading_to(line).items():
            if tail < shape.files and tail not in loose:
                masks[diodes] |= 1 << (rank * shape.files + tail)
    return Prediction(masks[0] | masks[SURE], masks[LIKELY], masks[3] | masks[4] | masks[5])


class Predictor:
    """Predicts readings of a faulty board, and caches the predictions.

    Args:
        shape: the board.
    """

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self._known: dict[tuple[frozenset[int], Suspects], Prediction] = {}

    def predict(self, suspects: Suspects, standing: frozenset[int]) -> Prediction:
        """Return the reading to expect from a board with these faults while pieces are on these squares."""
        key = (standing, _that_matter(suspects, standing))
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = predict(self.shape, key[1], standing)
        return known


def _that_matter(suspects: Suspects, standing: frozenset[int]) -> Suspects:
    """Return the faults that can affect a reading.

    A diode's fault is left out if the reed of the diode's square is surely open.
    """
    always, at_squares = _apart(suspects)
    if at_squares is None:
        return suspects
    here = [each for square, each in at_squares if square in standing]
    return always.union(here) if here else always


@lru_cache(maxsize=1 << 12)
def _apart(suspects: Suspects) -> tuple[Suspects, tuple[tuple[int, Suspect], ...] | None]:
    """Separate the faults that can affect every reading from the diode faults; pair each diode fault with its square.

    A diode fault affects a reading only if the reed of its square is closed. If a reed may close without a piece on its
    square, all faults can affect every reading, and the second value is `None`.
    """
    if any(each.kind in {SuspectKind.STUCK, SuspectKind.WIDE} for each in suspects):
        return suspects, None
    diodes = tuple((each.places[0], each) for each in suspects if each.kind in DIODES)
    return suspects - {each for _, each in diodes}, diodes
