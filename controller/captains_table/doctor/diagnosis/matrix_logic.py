"""What a chip would read of a matrix with these faults: surely, probably, perhaps. Fast enough to try thousands.

While a rank is driven low, current flows from each file's pull-up through whatever conducts. Every diode on the way
adds 0.43 to 0.5 V (1N4148 at 30 to 500 microamperes). A pin is sure of less than 0.8 V and of more than 2.0 V
(RP2040 data sheet, "Pin specifications"; a Pi's are the same): one diode is surely low, six are surely high, and with
two to five it depends on the chip. Most take the 0.9 V of two diodes for low.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from captains_table.doctor.diagnosis.suspects import DIODES, Suspect, SuspectKind, Suspects, lines_of
from captains_table.games.contract import Shape

SURE: Final = 1  # diodes on the way that are surely read as closed
LIKELY: Final = 2
FARTHEST: Final = 5  # with more diodes a file is surely high
IN_DOUBT: Final = 2  # what a square that may be reversed counts for at least: nothing is sure beyond it


class Prediction(NamedTuple):
    """What would be read, each as a mask of squares.

    Attributes:
        sure: surely closed.
        likely: closed on most chips.
        possible: closed on some.
    """

    sure: int
    likely: int
    possible: int

    @property
    def usual(self) -> int:
        """What most chips would read."""
        return self.sure | self.likely

    def allows(self, read: int) -> bool:
        """Return whether this may be read."""
        return not self.missed(read) and not self.unexplained(read)

    def missed(self, read: int) -> int:
        """Return the squares that would surely be closed and were not."""
        return self.sure & ~read

    def unexplained(self, read: int) -> int:
        """Return the squares that were closed and could not be."""
        return read & ~(self.sure | self.likely | self.possible)

    def surprises(self, read: int) -> int:
        """Return how many squares would usually be closed and were not."""
        return (self.likely & ~read).bit_count()


@dataclass(slots=True)
class Network:
    """What leads where: for each line those that lead to it, with the diodes on the way."""

    into: dict[int, list[tuple[int, int]]] = field(default_factory=dict)

    def join(self, tail: int, head: int, diodes: int) -> None:
        """Let current flow from a line to another one."""
        self.into.setdefault(head, []).append((tail, diodes))

    def leading_to(self, line: int) -> dict[int, int]:
        """Return the lines from which current reaches one, itself too, with the fewest diodes on the way."""
        found: dict[int, int] = {}
        waiting: list[list[int]] = [[line], *([] for _ in range(FARTHEST))]
        for diodes, lines in enumerate(waiting):
            for here in lines:  # grows while it is walked
                if here in found:
                    continue
                found[here] = diodes
                for tail, more in self.into.get(here, ()):
                    if tail not in found and diodes + more <= FARTHEST:
                        waiting[diodes + more].append(tail)
        return found

    def reversed(self) -> "Network":
        """Return the network whose currents flow the other way."""
        other = Network()
        for head, tails in self.into.items():
            for tail, diodes in tails:
                other.join(head, tail, diodes)
        return other


def network(shape: Shape, suspects: Suspects, closed: Iterable[int]) -> Network:
    """Return what conducts while these reeds are closed."""
    diodes = {suspect.places[0]: suspect.kind for suspect in suspects if suspect.kind in DIODES}
    made = Network()
    for square in closed:
        file, rank = lines_of(shape, square)
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
    """Return the reeds that are closed while pieces stand on these squares."""
    reeds = set(standing)
    wide = {each.places[1] for each in suspects if each.kind is SuspectKind.WIDE and each.places[0] in reeds}
    return frozenset(reeds | wide | {each.places[0] for each in suspects if each.kind is SuspectKind.STUCK})


def predict(shape: Shape, suspects: Suspects, standing: Iterable[int]) -> Prediction:
    """Return what is read of a board with these faults while pieces stand on these squares."""
    made = network(shape, suspects, closed_reeds(suspects, standing))
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
    """Predicts, and remembers: what is predicted of a round depends on few of the faults only.

    Args:
        shape: the board.
    """

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self._known: dict[tuple[frozenset[int], Suspects], Prediction] = {}

    def predict(self, suspects: Suspects, standing: frozenset[int]) -> Prediction:
        """Return what is read of a board with these faults while pieces stand on these squares."""
        key = (standing, _that_matter(suspects, standing))
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = predict(self.shape, key[1], standing)
        return known


def _that_matter(suspects: Suspects, standing: frozenset[int]) -> Suspects:
    """Return the faults without those of diodes on squares whose reed is open."""
    always, at_squares = _apart(suspects)
    if at_squares is None:
        return suspects
    here = [each for square, each in at_squares if square in standing]
    return always.union(here) if here else always


@lru_cache(maxsize=1 << 12)
def _apart(suspects: Suspects) -> tuple[Suspects, tuple[tuple[int, Suspect], ...] | None]:
    """Return the faults that always matter, and those of diodes by square; None if a reed may close by itself."""
    if any(each.kind in {SuspectKind.STUCK, SuspectKind.WIDE} for each in suspects):
        return suspects, None
    diodes = tuple((each.places[0], each) for each in suspects if each.kind in DIODES)
    return suspects - {each for _, each in diodes}, diodes
