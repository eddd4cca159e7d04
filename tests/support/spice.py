"""A board of switches as a netlist of its own, and what ngspice makes of it.

Nothing here is shared with the model but what is wrong with a board: every reed, diode, joint and pin is drawn as a
part of its own, in as many copies of the board as it has ranks, each with another rank scanned.
"""

import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from tempfile import NamedTemporaryFile
from typing import NamedTuple

from captains_table.games.contract import Shape, Square
from captains_table.simulation.electrics.circuit import Chip
from captains_table.simulation.electrics.faults import DIODE_FAULTS, BoardFault, FaultKind
from tests.support.measured_board import IdleDrive, ScanPin
from tests.support.tools import program

REED_OHM = 0.15
JOINT_OHM = 0.05
LEAK_OHM = 1e9
DIODE_MODEL = (
    ".model d1n4148 d (is=4.352n n=1.906 rs=0.6458 cjo=0.7p vj=0.869 m=0.03 tt=3.48n bv=110 ibv=0.1m)"  # NXP's
)
PATIENCE_S = 60
_RESULT = re.compile(r"^(\S+) = (\S+)$", re.MULTILINE)


class Solved(NamedTuple):
    """What ngspice found.

    Attributes:
        levels: scanned rank and file -> volts at the file's pin.
        currents: scanned rank and rank -> amperes into the rank's output.
    """

    levels: Mapping[ScanPin, float]
    currents: Mapping[ScanPin, float]


def solved_by_ngspice(
    shape: Shape, faults: Iterable[BoardFault], closed_reeds: Iterable[Square], chip: Chip, drive: IdleDrive
) -> Solved:
    """Return the levels and currents of a board."""
    found = ngspice(netlist(shape, list(faults), sorted(closed_reeds), chip, drive))
    ranks, files = range(shape.ranks), range(shape.files)
    return Solved(
        {ScanPin(rank, file): found[f"v(pin_{rank}_f{file})"] for rank in ranks for file in files},
        {ScanPin(rank, other): found.get(f"i(v_{rank}_r{other})", 0.0) for rank in ranks for other in ranks},
    )


def ngspice(text: str) -> dict[str, float]:
    """Return what a netlist prints, by name; raises AssertionError with ngspice's own words."""
    with NamedTemporaryFile("w", suffix=".cir") as file:
        file.write(text)
        file.flush()
        command = [program("ngspice"), "-b", "-n", file.name]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}\n{text}"
    return {name: float(value) for name, value in _RESULT.findall(done.stdout)}


def netlist(shape: Shape, faults: list[BoardFault], closed_reeds: list[Square], chip: Chip, drive: IdleDrive) -> str:
    """Return the netlist of a board, which prints its operating point."""
    lines = ["* a board of switches, once for each scanned rank", DIODE_MODEL]
    wanted = []
    for rank in range(shape.ranks):
        lines += _copy(rank, shape, faults, closed_reeds, chip, drive)
        wanted += [f"v(pin_{rank}_f{file})" for file in range(shape.files)]
        wanted += [f"i(v_{rank}_r{other})" for other in range(shape.ranks) if _is_driven(rank, other, drive)]
    return "\n".join([*lines, ".control", "op", *(f"print {name}" for name in wanted), "quit", ".endc", ".end", ""])


def _is_driven(scanned: int, rank: int, drive: IdleDrive) -> bool:
    return rank == scanned or drive is IdleDrive.PUSH_PULL


def _copy(
    scanned: int, shape: Shape, faults: list[BoardFault], closed_reeds: list[Square], chip: Chip, drive: IdleDrive
) -> Iterator[str]:
    loose = {str(place) for fault in faults if fault.kind is FaultKind.LINE_OPEN for place in fault.places}
    yield f"vdd_{scanned} vdd_{scanned} 0 {chip.supply_v}"
    for file in range(shape.files):
        pin = f"pin_{scanned}_f{file}"
        line = f"f_{scanned}_{file}"
        yield f"rpull_{scanned}_{file} vdd_{scanned} {pin} {chip.pull_up_ohm}"
        yield f"rleak_{scanned}_f{file} {line} 0 {LEAK_OHM}"
        if chr(ord("a") + file) not in loose:
            yield f"rwire_{scanned}_f{file} {pin} {line} {JOINT_OHM}"
    for rank in range(shape.ranks):
        line, out = f"r_{scanned}_{rank}", f"out_{scanned}_{rank}"
        yield f"rleak_{scanned}_r{rank} {line} 0 {LEAK_OHM}"
        if _is_driven(scanned, rank, drive):
            yield f"v_{scanned}_r{rank} {out} 0 {0.0 if rank == scanned else chip.supply_v}"
            yield f"rout_{scanned}_{rank} {out} {out if str(rank + 1) in loose else line} {chip.output_ohm}"
    diodes = {fault.square: fault.kind for fault in faults if fault.kind in DIODE_FAULTS}
    for square in closed_reeds:
        yield from _cell(scanned, square, diodes.get(square))
    for number, fault in enumerate(fault for fault in faults if fault.kind is FaultKind.SHORT):
        one, other = (_node(scanned, str(line)) for line in fault.lines)
        yield f"rshort_{scanned}_{number} {one} {other} {JOINT_OHM}"


def _cell(scanned: int, square: Square, fault: FaultKind | None) -> Iterator[str]:
    """Yield a closed reed from its file to a joint, and what leads from there to its rank."""
    name = f"{scanned}_{square}"
    joint, rank = f"j_{name}", f"r_{scanned}_{square.rank}"
    yield f"rreed_{name} f_{scanned}_{square.file} {joint} {REED_OHM}"
    yield f"rjoint_{name} {joint} 0 {LEAK_OHM * 100}"
    if fault is FaultKind.DIODE_MISSING:
        yield f"rlink_{name} {joint} {rank} {JOINT_OHM}"
    elif fault is FaultKind.DIODE_REVERSED:
        yield f"d_{name} {rank} {joint} d1n4148"
    elif fault is not FaultKind.DIODE_OPEN:
        yield f"d_{name} {joint} {rank} d1n4148"
    if fault is FaultKind.DIODE_BRIDGED:  # the diode is still there
        yield f"rlink_{name} {joint} {rank} {JOINT_OHM}"


def _node(scanned: int, line: str) -> str:
    return f"r_{scanned}_{int(line) - 1}" if line.isdecimal() else f"f_{scanned}_{ord(line) - 97}"
