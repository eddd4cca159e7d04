"""Calculates voltages and currents at the pins of a scanned switch matrix, and which switches are read as closed."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from captains_table.games.contract import Shape, Square
from captains_table.simulation.electrics.circuit import RP2040, Chip, Circuit, DrivenNetwork, IdleDrive, loose_lines
from captains_table.simulation.electrics.faults import BoardFault, FileLine, RankLine, check_together, reeds_closed
from captains_table.simulation.electrics.network import solve


class ScanPin(NamedTuple):
    """A pin of the switch matrix, at the moment when one rank is scanned.

    Attributes:
        scanned_rank: the number of the scanned rank, from 0.
        line: the number of the pin's line, from 0: a file in `ElectricBoard.levels`, a rank in
            `ElectricBoard.currents`.
    """

    scanned_rank: int
    line: int


class ScanReading(NamedTuple):
    """The result of a scan; squares are named as in the wiring plan.

    Attributes:
        closed: the squares that are guaranteed to be read as closed.
        uncertain: the squares that are read as closed or as open, depending on the individual chip.
    """

    closed: frozenset[Square]
    uncertain: frozenset[Square]


class ElectricBoard:
    """The switch matrix of a board, with its faults.

    Squares are named as in the wiring plan, without a profile's corrections.

    Args:
        shape: the board's size.
        faults: the faults of the matrix.
        chip: the chip that scans the matrix.
        drive: how idle rank lines are driven.

    Raises:
        BadFault: two faults exclude each other.
    """

    def __init__(
        self,
        shape: Shape,
        faults: Iterable[BoardFault] = (),
        chip: Chip = RP2040,
        drive: IdleDrive = IdleDrive.OPEN_DRAIN,
    ) -> None:
        self.shape = shape
        self.faults = tuple(faults)
        self.chip = chip
        self.drive = drive
        check_together(self.faults)
        self._loose = loose_lines(self.faults)

    def reeds(self, centred: Iterable[Square], aside: Iterable[Square] = ()) -> frozenset[Square]:
        """Return the squares whose reeds are closed, by pieces or because of a fault.

        Args:
            centred: the squares with a piece in the middle.
            aside: the squares with a piece near a corner.
        """
        return frozenset(reeds_closed(self.faults, centred, aside))

    def levels(self, closed_reeds: Iterable[Square]) -> Mapping[ScanPin, float]:
        """Return the voltage at each file's pin during the scan of each rank.

        In the keys, `line` is the number of the file.
        """
        circuit = self.circuit(closed_reeds)
        return {
            ScanPin(rank, file): volts
            for rank in range(self.shape.ranks)
            for file, volts in enumerate(self.files(circuit.driven({rank}, self._idle(rank))))
        }

    def files(self, driven: DrivenNetwork) -> list[float]:
        """Return the voltage at each file's pin in a network that `Circuit.driven` returned, file a first."""
        files = [self.chip.supply_v] * self.shape.files
        volts = solve(driven.network)
        for line, node in driven.nodes.items():
            if isinstance(line, FileLine) and line not in self._loose:
                files[line.file] = volts[node]
        return files

    def circuit(self, closed_reeds: Iterable[Square]) -> Circuit:
        """Return the board's electric circuit with these reeds closed; the caller then chooses which ranks to drive."""
        return Circuit(self.faults, closed_reeds, self.chip)

    def currents(self, closed_reeds: Iterable[Square]) -> Mapping[ScanPin, float]:
        """Return the currents in amperes into the outputs of all ranks, for each scanned rank.

        In a key, `line` is the rank of the output. A current is negative if it flows out of the output, and 0 if the
        output has no path to the scanned rank.
        """
        circuit = self.circuit(closed_reeds)
        ranks = range(self.shape.ranks)
        currents = {ScanPin(rank, output): 0.0 for rank in ranks for output in ranks}
        for rank in ranks:
            for output, amperes in _outputs(circuit.driven({rank}, self._idle(rank))):
                currents[ScanPin(rank, output)] = amperes
        return currents

    def read(self, closed_reeds: Iterable[Square]) -> ScanReading:
        """Return how the chip reads the matrix, by the levels that the chip's data sheet guarantees."""
        levels = self.levels(closed_reeds)
        closed = _up_to(self.chip.low_below_v, levels)
        return ScanReading(closed, frozenset(at for at in _up_to(self.chip.high_above_v, levels) if at not in closed))

    def read_at(self, threshold_v: float, closed_reeds: Iterable[Square]) -> frozenset[Square]:
        """Return the squares that a chip with this switching threshold reads as closed."""
        return _up_to(threshold_v, self.levels(closed_reeds))

    def _idle(self, scanned_rank: int) -> list[int]:
        """Return the ranks that are driven high while a rank is scanned; empty if idle ranks are not driven."""
        is_driven = self.drive is IdleDrive.PUSH_PULL
        return [rank for rank in range(self.shape.ranks) if is_driven and rank != scanned_rank]


def _outputs(driven: DrivenNetwork) -> Iterator[tuple[int, float]]:
    """Yield each rank whose line is driven low or high, and the current in amperes into the driving output."""
    volts = solve(driven.network)
    outputs = {source.node: source for source in driven.network.sources}
    for line, node in driven.nodes.items():
        if isinstance(line, RankLine) and node in outputs:
            yield line.rank, (volts[node] - outputs[node].volts) / outputs[node].ohm


def _up_to(volts: float, levels: Mapping[ScanPin, float]) -> frozenset[Square]:
    return frozenset(Square(at.line, at.scanned_rank) for at, level in levels.items() if level <= volts)
