"""A board as the chip's pins see it: levels, currents, and what is read of them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from captains_table.games.contract import Shape, Square
from captains_table.simulation.electrics.circuit import RP2040, Chip, Circuit, Drive, Driven, loose_lines
from captains_table.simulation.electrics.faults import BoardFault, FileLine, RankLine, check_together, reeds_closed
from captains_table.simulation.electrics.network import solve


class Place(NamedTuple):
    """A file as it is read, or a rank's output, while a rank is scanned; both counted from 0."""

    scanned_rank: int
    line: int


class Reading(NamedTuple):
    """What a scan says of the squares, by their wiring.

    Attributes:
        closed: surely read as closed.
        uncertain: read as either, by what each single chip makes of it.
    """

    closed: frozenset[Square]
    uncertain: frozenset[Square]


class ElectricBoard:
    """The matrix of a board. Squares are by wiring, before any corrections of a profile.

    Args:
        shape: the board.
        faults: what is wrong with it; raises BadFault for two that cannot be together.
        chip: whose pins scan it.
        drive: what its idle rank lines are.
    """

    def __init__(
        self, shape: Shape, faults: Iterable[BoardFault] = (), chip: Chip = RP2040, drive: Drive = Drive.OPEN_DRAIN
    ) -> None:
        self.shape = shape
        self.faults = tuple(faults)
        self.chip = chip
        self.drive = drive
        check_together(self.faults)
        self._loose = loose_lines(self.faults)

    def reeds(self, centred: Iterable[Square], aside: Iterable[Square] = ()) -> frozenset[Square]:
        """Return the reeds that close under pieces in the middle of squares, and towards a corner of squares."""
        return frozenset(reeds_closed(self.faults, centred, aside))

    def levels(self, closed_reeds: Iterable[Square]) -> Mapping[Place, float]:
        """Return every file's volts, while each rank is scanned."""
        circuit = self.circuit(closed_reeds)
        return {
            Place(rank, file): volts
            for rank in range(self.shape.ranks)
            for file, volts in enumerate(self.files(circuit.driven({rank}, self._idle(rank))))
        }

    def files(self, driven: Driven) -> list[float]:
        """Return the volts of every file, given what the ranks see that are driven."""
        files = [self.chip.supply_v] * self.shape.files
        volts = solve(driven.network)
        for line, node in driven.nodes.items():
            if isinstance(line, FileLine) and line not in self._loose:
                files[line.file] = volts[node]
        return files

    def circuit(self, closed_reeds: Iterable[Square]) -> Circuit:
        """Return the wiring while these reeds are closed, for outputs driven in any way."""
        return Circuit(self.faults, closed_reeds, self.chip)

    def currents(self, closed_reeds: Iterable[Square]) -> Mapping[Place, float]:
        """Return the amperes that flow into every rank's output, while each rank is scanned; negative: out of it."""
        circuit = self.circuit(closed_reeds)
        ranks = range(self.shape.ranks)
        currents = {Place(rank, output): 0.0 for rank in ranks for output in ranks}
        for rank in ranks:
            for output, amperes in _outputs(circuit.driven({rank}, self._idle(rank))):
                currents[Place(rank, output)] = amperes
        return currents

    def read(self, closed_reeds: Iterable[Square]) -> Reading:
        """Return what the chip reads, by the levels that its data sheet promises."""
        levels = self.levels(closed_reeds)
        closed = _up_to(self.chip.low_below_v, levels)
        return Reading(closed, frozenset(at for at in _up_to(self.chip.high_above_v, levels) if at not in closed))

    def read_at(self, threshold_v: float, closed_reeds: Iterable[Square]) -> frozenset[Square]:
        """Return what a chip reads as closed that takes levels up to this one as low."""
        return _up_to(threshold_v, self.levels(closed_reeds))

    def _idle(self, scanned_rank: int) -> list[int]:
        """Return the ranks that are driven high meanwhile."""
        is_driven = self.drive is Drive.PUSH_PULL
        return [rank for rank in range(self.shape.ranks) if is_driven and rank != scanned_rank]


def _outputs(driven: Driven) -> Iterator[tuple[int, float]]:
    """Yield each rank whose output carries current, and how much."""
    volts = solve(driven.network)
    outputs = {source.node: source for source in driven.network.sources}
    for line, node in driven.nodes.items():
        if isinstance(line, RankLine) and node in outputs:
            yield line.rank, (volts[node] - outputs[node].volts) / outputs[node].ohm


def _up_to(volts: float, levels: Mapping[Place, float]) -> frozenset[Square]:
    return frozenset(Square(at.line, at.scanned_rank) for at, level in levels.items() if level <= volts)
