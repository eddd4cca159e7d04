"""Builds the electrical network of a switch matrix with faults, as seen by rank lines that are driven low.

The network contains only lines whose current can reach a rank line that is driven low. A good diode conducts from its
file to its rank, a reversed diode the other way, and a wire or a short both ways. All files outside the network are at
their pull-up's voltage. The electrical properties of the chips that scan boards are here too.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from captains_table.games.contract import Square
from captains_table.simulation.electrics.faults import (
    DIODE_FAULTS,
    BoardFault,
    FaultKind,
    FileLine,
    MatrixLine,
    RankLine,
)
from captains_table.simulation.electrics.network import Diode, ElectricalNetwork, Resistor, Source

REED_OHM: Final = 0.15  # of a closed reed, the maximum in data sheets
JOINT_OHM: Final = 0.05  # of a wire, a solder bridge, or two touching lines


@dataclass(frozen=True, slots=True)
class Chip:
    """The electrical properties of a chip's pins.

    Attributes:
        name: the chip's name.
        supply_v: the supply voltage of outputs and pull-ups.
        pull_up_ohm: the internal pull-up resistor of a file pin.
        output_ohm: the output resistance of a rank pin; 20 to 100 by the curves in data sheets.
        low_below_v: the highest voltage that is guaranteed to be read as low (VIL).
        high_above_v: the lowest voltage that is guaranteed to be read as high (VIH).
    """

    name: str
    supply_v: float
    pull_up_ohm: float
    output_ohm: float
    low_below_v: float
    high_above_v: float


# RP2040 data sheet, "Digital IO characteristics": pull-up 50 to 80 kilohms, VIL 0.8 V, VIH 2.0 V at 3.3 V.
RP2040: Final = Chip("RP2040", 3.3, 60_000.0, 50.0, 0.8, 2.0)

TYPICAL_THRESHOLD_V: Final = 1.4  # the switching threshold of most chips, between VIL and VIH


@dataclass(frozen=True, slots=True)
class DrivenNetwork:
    """The network seen by the rank lines that are driven low.

    Attributes:
        nodes: maps each line whose current can reach a driven rank to the number of its node; the driven ranks come
            first.
        network: the network of these nodes.
    """

    nodes: Mapping[MatrixLine, int]
    network: ElectricalNetwork


@dataclass(frozen=True, slots=True)
class _Link:
    """A connection between two lines: a diode, which conducts from anode to cathode, or a plain resistance."""

    anode: MatrixLine
    cathode: MatrixLine
    ohm: float
    is_diode: bool


def loose_lines(faults: Iterable[BoardFault]) -> frozenset[MatrixLine]:
    """Return the lines that an open-line fault disconnects from their pins."""
    return frozenset(line for fault in faults if fault.kind is FaultKind.LINE_OPEN for line in fault.lines)


class Circuit:
    """The wiring of a board while certain reeds are closed.

    Args:
        faults: the faults of the board; faults of reeds have no effect here, because `closed_reeds` already reflects
            them.
        closed_reeds: the squares whose reeds are closed.
        chip: the chip that scans the board.
    """

    def __init__(self, faults: Collection[BoardFault], closed_reeds: Iterable[Square], chip: Chip) -> None:
        self._loose = loose_lines(faults)
        self._chip = chip
        self._into: dict[
            MatrixLine, list[tuple[MatrixLine, _Link]]
        ] = {}  # for each line: those whose current may flow into it
        for link in _links(faults, closed_reeds):
            self._into.setdefault(link.cathode, []).append((link.anode, link))
            if not link.is_diode:
                self._into.setdefault(link.anode, []).append((link.cathode, link))

    def driven(self, low: Collection[int], high: Collection[int] = ()) -> DrivenNetwork:
        """Return the electrical network whose currents flow into the ranks that are driven low.

        Args:
            low: the ranks that are driven low, from 0; a rank whose line is not connected is left out.
            high: the ranks that are driven high; all other ranks are not driven.
        """
        lines = [RankLine(rank) for rank in sorted(low)]
        nodes = self._draining([line for line in lines if line not in self._loose])
        links = dict.fromkeys(link for line in nodes for _, link in self._into.get(line, ()))
        return DrivenNetwork(
            nodes,
            ElectricalNetwork(
                len(nodes),
                tuple(self._sources(nodes, low, high)),
                tuple(Resistor(nodes[at.anode], nodes[at.cathode], at.ohm) for at in links if not at.is_diode),
                tuple(Diode(nodes[at.anode], nodes[at.cathode], at.ohm) for at in links if at.is_diode),
            ),
        )

    def _draining(self, into: Iterable[MatrixLine]) -> dict[MatrixLine, int]:
        """Return a node number for each line of a network, counted from 0.

        The given lines come first. Then come the lines from which current can flow into the given lines, directly or
        through other lines.
        """
        nodes = {line: node for node, line in enumerate(into)}
        waiting = list(nodes)
        for found in waiting:  # the list grows during the loop
            for line, _ in self._into.get(found, ()):
                if line not in nodes:
                    nodes[line] = len(nodes)
                    waiting.append(line)
        return nodes

    def _sources(
        self, nodes: Mapping[MatrixLine, int], low: Collection[int], high: Collection[int]
    ) -> Iterator[Source]:
        chip = self._chip
        for line, node in nodes.items():
            if line in self._loose:
                continue
            if isinstance(line, FileLine):
                yield Source(node, chip.pull_up_ohm, chip.supply_v)
            elif line.rank in low:
                yield Source(node, chip.output_ohm, 0.0)
            elif line.rank in high:
                yield Source(node, chip.output_ohm, chip.supply_v)


def _links(faults: Collection[BoardFault], closed_reeds: Iterable[Square]) -> Iterator[_Link]:
    diodes = {fault.square: fault.kind for fault in faults if fault.kind in DIODE_FAULTS}
    for square in sorted(closed_reeds):
        file, rank = FileLine(square.file), RankLine(square.rank)
        match diodes.get(square):
            case None:
                yield _Link(file, rank, REED_OHM, is_diode=True)
            case FaultKind.DIODE_REVERSED:
                yield _Link(rank, file, REED_OHM, is_diode=True)
            case FaultKind.DIODE_MISSING | FaultKind.DIODE_BRIDGED:
                yield _Link(file, rank, REED_OHM + JOINT_OHM, is_diode=False)
    for fault in faults:
        if fault.kind is FaultKind.SHORT:
            one, other = fault.lines
            yield _Link(one, other, JOINT_OHM, is_diode=False)
