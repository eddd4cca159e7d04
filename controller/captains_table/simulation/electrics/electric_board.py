"""Calculates the voltages at the file pins of a scanned switch matrix, and which switches are read as closed."""

from collections.abc import Iterable

from captains_table.games.contract import Shape, Square
from captains_table.simulation.electrics.circuit import RP2040, Chip, Circuit, DrivenNetwork, loose_lines
from captains_table.simulation.electrics.faults import BoardFault, FileLine, check_together, reeds_closed
from captains_table.simulation.electrics.network import solve


class ElectricBoard:
    """The switch matrix of a board, with its faults.

    Squares are named as in the wiring plan, without a profile's corrections.

    Args:
        shape: the board's size.
        faults: the faults of the matrix.
        chip: the chip that scans the matrix.

    Raises:
        BadFault: two faults exclude each other.
    """

    def __init__(self, shape: Shape, faults: Iterable[BoardFault] = (), chip: Chip = RP2040) -> None:
        self.shape = shape
        self.faults = tuple(faults)
        self.chip = chip
        check_together(self.faults)
        self._loose = loose_lines(self.faults)

    def reeds(self, centred: Iterable[Square], aside: Iterable[Square] = ()) -> frozenset[Square]:
        """Return the squares whose reeds are closed, by pieces or because of a fault.

        Args:
            centred: the squares with a piece in the middle.
            aside: the squares with a piece near a corner.
        """
        return frozenset(reeds_closed(self.faults, centred, aside))

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

    def read_at(self, threshold_v: float, closed_reeds: Iterable[Square]) -> frozenset[Square]:
        """Return the squares that a chip with this switching threshold reads as closed."""
        circuit = self.circuit(closed_reeds)
        return frozenset(
            Square(file, rank)
            for rank in range(self.shape.ranks)
            for file, volts in enumerate(self.files(circuit.driven({rank})))
            if volts <= threshold_v
        )
