"""Boards whose levels and currents docs/electrics.md tells: a fault, what stands there, and which file is looked at."""

from dataclasses import dataclass, replace

from captains_table.games.contract import Shape, Square, parse_square
from captains_table.simulation.electrics.circuit import RP2040, Chip, IdleDrive
from captains_table.simulation.electrics.electric_board import ScanPin
from captains_table.simulation.electrics.faults import BoardFault, parse_fault
from tests.support.spice import Solved, solved_by_ngspice

BOARD = Shape(8, 8)
OUTPUT_OHMS = (20.0, 100.0)


@dataclass(frozen=True, slots=True)
class Scene:
    """A board, and the square whose level is told.

    Attributes:
        diode: what is said of it.
        fault: as it is typed, empty for none.
        standing: where pieces stand.
        looked_at: the square that is read.
    """

    diode: str
    fault: str
    standing: str
    looked_at: str


SCENES = (
    Scene("good", "", "c4", "c4"),
    Scene("good", "", "c1 c4 d4", "d1"),
    Scene("missing, a wire in its place", "diode-missing:c4", "c4", "c4"),
    Scene("missing, a wire in its place", "diode-missing:c4", "c1 c4", "c1"),
    Scene("missing, a wire in its place", "diode-missing:c4", "c1 c4 d4", "d1"),
    Scene("bridged", "diode-bridged:c4", "c1 c4", "c1"),
    Scene("bridged", "diode-bridged:c4", "c1 c4 d4", "d1"),
    Scene("reversed", "diode-reversed:c4", "c4", "c4"),
    Scene("reversed", "diode-reversed:c4", "c1 c4", "c1"),
    Scene("reversed", "diode-reversed:c4", "c1 c4 d4", "d1"),
    Scene("open", "diode-open:c4", "c1 c4", "c4"),
    Scene("good, files c and d touch", "short:c-d", "c4", "d4"),
    Scene("good, ranks 3 and 4 touch", "short:3-4", "c4", "c3"),
    Scene("good, file c touches rank 3", "short:c-3", "", "c3"),
    Scene("good, file c touches rank 3", "short:c-3", "c1", "c1"),
)


@dataclass(frozen=True, slots=True)
class Told:
    """What one way of driving the idle ranks makes of a scene.

    Attributes:
        volts: of the file that is looked at, by ngspice.
        milliamperes: the most that any output carries, by ngspice; with outputs of 50, 100 and 20 ohms.
        read: what the chip reads: closed, open or uncertain.
    """

    volts: float
    milliamperes: tuple[float, float, float]
    read: str


def told(scene: Scene, drive: IdleDrive) -> Told:
    """Return what ngspice finds for a scene."""
    nominal = _solved(scene, RP2040, drive)
    weak, strong = (_solved(scene, replace(RP2040, output_ohm=ohm), drive) for ohm in reversed(OUTPUT_OHMS))
    at = _place(parse_square(scene.looked_at))
    currents = tuple(1000 * max(map(abs, solved.currents.values())) for solved in (nominal, weak, strong))
    return Told(nominal.levels[at], (currents[0], currents[1], currents[2]), _read(nominal.levels[at]))


def _solved(scene: Scene, chip: Chip, drive: IdleDrive) -> Solved:
    return solved_by_ngspice(BOARD, _faults(scene), _reeds(scene), chip, drive)


def _faults(scene: Scene) -> list[BoardFault]:
    return [parse_fault(scene.fault, BOARD)] if scene.fault else []


def _reeds(scene: Scene) -> list[Square]:
    return [parse_square(name) for name in scene.standing.split()]


def _place(square: Square) -> ScanPin:
    return ScanPin(square.rank, square.file)


def _read(volts: float) -> str:
    return "closed" if volts <= RP2040.low_below_v else "uncertain" if volts < RP2040.high_above_v else "open"
