"""A switch matrix under a meter: the levels and currents at its pins, however idle ranks are driven, on either chip."""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from captains_table.games.contract import Shape, Square
from captains_table.simulation.electrics.circuit import RP2040, Chip, DrivenNetwork
from captains_table.simulation.electrics.electric_board import ElectricBoard
from captains_table.simulation.electrics.faults import BoardFault, RankLine
from captains_table.simulation.electrics.network import solve

# Raspberry Pi documentation, "GPIO", "Voltage specifications": of a Pi 4 VIL 0.8 V, VIH 2.0 V and pull-ups of 33 to 73
# kilohms; those of earlier Pis are tighter (0.9 V, 1.6 V, 50 to 65 kilohms).
PI: Final = Chip("Pi", 3.3, 55_000.0, 50.0, 0.8, 2.0)


class IdleDrive(StrEnum):
    """How the rank lines that are not being scanned are driven; the scanned line is driven low."""

    OPEN_DRAIN = "open-drain"  # not driven
    PUSH_PULL = "push-pull"  # driven high, as by firmware before 0.3.0


class ScanPin(NamedTuple):
    """A pin at the moment when one rank is scanned: `line` is a file where levels are meant, a rank where currents."""

    scanned_rank: int
    line: int


class ScanReading(NamedTuple):
    """The squares that are surely read as closed, and those that are read as closed or open, depending on the chip."""

    closed: frozenset[Square]
    uncertain: frozenset[Square]


class MeasuredBoard(ElectricBoard):
    """A matrix whose levels and currents are measured, with its idle ranks driven in either way."""

    def __init__(
        self,
        shape: Shape,
        faults: Iterable[BoardFault] = (),
        chip: Chip = RP2040,
        drive: IdleDrive = IdleDrive.OPEN_DRAIN,
    ) -> None:
        super().__init__(shape, faults, chip)
        self.drive = drive

    def levels(self, closed_reeds: Iterable[Square]) -> Mapping[ScanPin, float]:
        """Return the voltage at each file's pin during the scan of each rank."""
        return {
            ScanPin(rank, file): volts
            for rank, driven in self._scans(closed_reeds)
            for file, volts in enumerate(self.files(driven))
        }

    def currents(self, closed_reeds: Iterable[Square]) -> Mapping[ScanPin, float]:
        """Return the amperes into the outputs of all ranks, for each scanned rank.

        A current is negative if it flows out of the output, and 0 if the output has no path to the scanned rank.
        """
        ranks = range(self.shape.ranks)
        none = {ScanPin(rank, output): 0.0 for rank in ranks for output in ranks}
        return none | {
            ScanPin(rank, output): amperes
            for rank, driven in self._scans(closed_reeds)
            for output, amperes in _outputs(driven)
        }

    def read(self, closed_reeds: Iterable[Square]) -> ScanReading:
        """Return how the chip reads the matrix, by the levels that the chip's data sheet guarantees."""
        levels = self.levels(closed_reeds)
        closed = _up_to(self.chip.low_below_v, levels)
        return ScanReading(closed, _up_to(self.chip.high_above_v, levels) - closed)

    def _scans(self, closed_reeds: Iterable[Square]) -> Iterator[tuple[int, DrivenNetwork]]:
        circuit, ranks = self.circuit(closed_reeds), range(self.shape.ranks)
        for rank in ranks:
            is_driven = self.drive is IdleDrive.PUSH_PULL
            yield rank, circuit.driven({rank}, [idle for idle in ranks if is_driven and idle != rank])


def _outputs(driven: DrivenNetwork) -> Iterator[tuple[int, float]]:
    """Yield each rank whose line is driven low or high, and the current in amperes into the driving output."""
    volts = solve(driven.network)
    outputs = {source.node: source for source in driven.network.sources}
    for line, node in driven.nodes.items():
        if isinstance(line, RankLine) and node in outputs:
            yield line.rank, (volts[node] - outputs[node].volts) / outputs[node].ohm


def _up_to(volts: float, levels: Mapping[ScanPin, float]) -> frozenset[Square]:
    return frozenset(Square(at.line, at.scanned_rank) for at, level in levels.items() if level <= volts)
