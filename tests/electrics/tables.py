"""The tables of docs/electrics.md, from what ngspice finds."""

from dataclasses import replace
from typing import NamedTuple

from captains_table.games.contract import Shape, parse_square
from captains_table.simulation.electrics.circuit import RP2040
from captains_table.simulation.electrics.faults import parse_fault
from tests.support.measured_board import IdleDrive, ScanPin
from tests.support.spice import DIODE_MODEL, ngspice, solved_by_ngspice

BEGIN, END = "<!-- Made by `make electrics`: begin. -->", "<!-- Made by `make electrics`: end. -->"
BOARD = Shape(8, 8)
OUTPUT_OHMS = (RP2040.output_ohm, 100.0, 20.0)
CLOSED = (1, 2, 4, 7)
PULL_UPS = (60_000.0, 80_000.0)
LINES_PF = (60, 200)


class Scene(NamedTuple):
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


def page_with_tables(page: str) -> str:
    """Return a page with the tables between its two marks made anew."""
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    heads = (f"{picofarad} pF a line, {ohm / 1000:.0f} kΩ" for picofarad in LINES_PF for ohm in PULL_UPS)
    tables = [
        "| Diode of c4 | Pieces | Looked at | Idle ranks left alone | | Idle ranks driven high | |",
        "|---|---|---|---|---|---|---|",
        *map(level_row, SCENES),
        "",
        f"| Switches closed on the file | {' | '.join(heads)} |",
        f"|---|{'---|' * len(LINES_PF) * len(PULL_UPS)}",
        *map(rising_row, CLOSED),
    ]
    return "\n".join([before + BEGIN, "", *tables, "", END + after])


def level_row(scene: Scene) -> str:
    """Return the levels and currents of a scene."""
    cells = (_cells(scene, drive) for drive in (IdleDrive.OPEN_DRAIN, IdleDrive.PUSH_PULL))
    return f"| {scene.diode} | {scene.standing or 'none'} | {scene.looked_at} | {' | '.join(cells)} |"


def _cells(scene: Scene, drive: IdleDrive) -> str:
    """Return the level of the file that is looked at, and the most that any output carries."""
    faults = [parse_fault(scene.fault, BOARD)] if scene.fault else []
    reeds = [parse_square(name) for name in scene.standing.split()]
    at = parse_square(scene.looked_at)
    solved = [solved_by_ngspice(BOARD, faults, reeds, replace(RP2040, output_ohm=ohm), drive) for ohm in OUTPUT_OHMS]
    volts = solved[0].levels[ScanPin(at.rank, at.file)]
    nominal, weak, strong = (1000 * max(map(abs, each.currents.values())) for each in solved)
    read = "closed" if volts <= RP2040.low_below_v else "uncertain" if volts < RP2040.high_above_v else "open"
    carried = f"{nominal:.2f} mA" if strong < 1 else f"**{nominal:.0f} mA** ({weak:.0f} to {strong:.0f})"
    return f"{volts:.2f} V, {read} | {carried}"


def rising_row(closed: int) -> str:
    """Return how long a file with so many closed switches takes to rise."""
    risen = (
        rising_us(closed, ohm, picofarad * 1e-12, RP2040.high_above_v) for picofarad in LINES_PF for ohm in PULL_UPS
    )
    return f"| {closed} | {' | '.join(f'{us:.0f} µs' for us in risen)} |"


SUPPLY_V = 3.3
OUTPUT_OHM = 50
SLOT_S = 100e-6  # a rank is driven low so long, one after the other
REST_S = 500e-6


def rising_us(closed: int, pull_up_ohm: float, line_farad: float, until_v: float) -> float:
    """Return how long a file takes to rise to a level, once the last of its closed switches' ranks was released.

    Args:
        closed: how many ranks with a closed switch on the file were read one after the other.
        pull_up_ohm: of the file.
        line_farad: the capacitance of each line.
        until_v: the level.
    """
    ranks = range(1, closed + 1)
    lines = [
        "* a file with closed switches on ranks that are read one after the other and released",
        DIODE_MODEL,
        f".model driver sw(vt=0.5 ron={OUTPUT_OHM} roff=1e9)",
        f"vdd vdd 0 {SUPPLY_V}",
        f"rpull vdd file {pull_up_ohm}",
        f"cfile file 0 {line_farad}",
        *(line for rank in ranks for line in _rank(rank, line_farad)),
        ".control",
        f"tran 0.1u {closed * SLOT_S + REST_S}",
        f"meas tran risen when v(file)={until_v} rise=last",
        "print risen",
        "quit",
        ".endc",
        ".end",
        "",
    ]
    return (ngspice("\n".join(lines))["risen"] - closed * SLOT_S) * 1e6


def _rank(rank: int, line_farad: float) -> list[str]:
    began, low = (rank - 1) * SLOT_S, SLOT_S
    return [
        f"crank{rank} rank{rank} 0 {line_farad}",
        f"d{rank} file rank{rank} d1n4148",
        f"vgate{rank} gate{rank} 0 pulse(0 1 {began} 1n 1n {low} 1)",
        f"s{rank} rank{rank} 0 gate{rank} 0 driver",
    ]
