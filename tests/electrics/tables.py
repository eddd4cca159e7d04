"""The tables of docs/electrics.md, from what ngspice finds."""

from captains_table.simulation.electrics.circuit import RP2040, IdleDrive
from tests.electrics.rising import rising_us
from tests.electrics.scenes import SCENES, Scene, Told, told

BEGIN, END = "<!-- Made by `make electrics`: begin. -->", "<!-- Made by `make electrics`: end. -->"
CLOSED = (1, 2, 4, 7)
PULL_UPS = (60_000.0, 80_000.0)
LINES_PF = (60, 200)


def page_with_tables(page: str) -> str:
    """Return a page with the tables between its two marks made anew."""
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    return "\n".join([before + BEGIN, "", *level_table(), "", *rising_table(), "", END + after])


def level_table() -> list[str]:
    """Return the table of levels and currents."""
    return [
        "| Diode of c4 | Pieces | Looked at | Idle ranks left alone | | Idle ranks driven high | |",
        "|---|---|---|---|---|---|---|",
        *(
            f"| {_said(scene)} | {_cells(told(scene, IdleDrive.OPEN_DRAIN))} "
            f"| {_cells(told(scene, IdleDrive.PUSH_PULL))} |"
            for scene in SCENES
        ),
    ]  # fmt: skip


def rising_table() -> list[str]:
    """Return the table of how long files take to rise."""
    columns = [(farad, ohm) for farad in LINES_PF for ohm in PULL_UPS]
    heads = (f"{picofarad} pF a line, {ohm / 1000:.0f} kΩ" for picofarad, ohm in columns)
    return [
        f"| Switches closed on the file | {' | '.join(heads)} |",
        f"|---|{'---|' * len(columns)}",
        *(f"| {closed} | {' | '.join(_risen(closed, *column) for column in columns)} |" for closed in CLOSED),
    ]


def _said(scene: Scene) -> str:
    return f"{scene.diode} | {scene.standing or 'none'} | {scene.looked_at}"


def _cells(what: Told) -> str:
    volts, milliamperes = f"{what.volts:.2f} V, {what.read}", _current(what.milliamperes)
    return f"{volts} | {milliamperes}"


def _current(milliamperes: tuple[float, float, float]) -> str:
    nominal, weak, strong = milliamperes
    if strong < 1:
        return f"{nominal:.2f} mA"
    return f"**{nominal:.0f} mA** ({weak:.0f} to {strong:.0f})"


def _risen(closed: int, picofarad: int, ohm: float) -> str:
    return f"{rising_us(closed, ohm, picofarad * 1e-12, RP2040.high_above_v):.0f} µs"
