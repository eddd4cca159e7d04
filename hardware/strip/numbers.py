"""Reads the dimensions that the strip (the squares' circuit board) shares with the case from its OpenSCAD files."""

import re
from dataclasses import dataclass
from math import cos, radians
from pathlib import Path

CASE = [Path(__file__).parents[1] / "case" / name for name in ("table.scad", "tiles.scad")]
DIAGONAL = cos(radians(45))


@dataclass(frozen=True, slots=True)
class Square:
    """The dimensions of one square from above, in millimetres from its lower left corner as White sees it.

    Attributes:
        size: edge length.
        light: position of the hole for its light in the case's floor.
        leads: positions of the holes for its reed's leads, the one nearer to the middle first.
        ledge: how far rails and bearers reach under the squares at the table's edges and along the tiles' joints.
    """

    size: float
    light: tuple[float, float]
    leads: tuple[tuple[float, float], tuple[float, float]]
    ledge: float


def square_of_case(text: str) -> Square:
    """Return the dimensions of a case's square, from the joined text of its OpenSCAD files; raises ValueError."""
    size, shift, lead = _number(text, "square"), _number(text, "reed_shift"), _number(text, "lead_hole_at")
    reed = size / 2 + shift * DIAGONAL, size / 2 - shift * DIAGONAL
    inner, outer = (
        (round(reed[0] + end * lead * DIAGONAL, 2), round(reed[1] - end * lead * DIAGONAL, 2)) for end in (-1, 1)
    )
    return Square(size, _light(text, size), (inner, outer), _number(text, "ledge"))


def _number(text: str, name: str) -> float:
    """Return the value of an OpenSCAD variable; raises ValueError."""
    found = re.search(rf"^{name} = ([0-9.]+);", text, re.MULTILINE)
    if not found:
        raise ValueError(f"hardware/case/table.scad: expected a line like {name} = 10;")
    return float(found[1])


def _light(text: str, size: float) -> tuple[float, float]:
    """Return the position of the hole for the light; raises ValueError."""
    found = re.search(r"translate\(\[square \* ([0-9.]+), square \* ([0-9.]+), -eps\]\) cylinder\(d = light_hole", text)
    if not found:
        raise ValueError(
            "hardware/case/tiles.scad: expected a hole for the light at [square * 0.3, square * 0.7, -eps]"
        )
    return round(float(found[1]) * size, 2), round(float(found[2]) * size, 2)
