"""The faces of a case that are drilled, with the positions and sizes of their holes and windows. Pure."""

from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

from hardware.case.svg import Point, View

DIAMETER: Final = "\N{LATIN CAPITAL LETTER O WITH STROKE}"


@dataclass(frozen=True, slots=True)
class Cut:
    """A hole or a window in a face.

    Attributes:
        what: its purpose.
        middle: position of its middle from the face's lower left corner, in millimetres.
        size: diameter of a hole, or width and height of a window, in millimetres.
    """

    what: str
    middle: Point
    size: float | Point


@dataclass(frozen=True, slots=True)
class Face:
    """A drilled plate, seen from the side of drilling.

    Attributes:
        title: its name and the direction of view.
        size: its width and height in millimetres.
        cuts: its holes and windows.
    """

    title: str
    size: Point
    cuts: list[Cut]

    def drills(self) -> str:
        """Return the number of holes of each diameter as text, the largest first."""
        counted = Counter(cut.size for cut in self.cuts if not isinstance(cut.size, tuple))
        return ", ".join(f"{count} x {DIAMETER} {size:g}" for size, count in sorted(counted.items(), reverse=True))

    def draw(self, view: View, *, named: bool = True) -> None:
        """Draw the outline and the cuts, and label these unless `named` is false."""
        view.rectangle((0, 0), self.size)
        for cut in self.cuts:
            _draw_cut(view, cut, named=named)


def _draw_cut(view: View, cut: Cut, *, named: bool) -> None:
    u, v = cut.middle
    if isinstance(cut.size, tuple):
        view.rectangle((u - cut.size[0] / 2, v - cut.size[1] / 2), cut.size)
        view.cross(cut.middle, 3)
        below, size = cut.size[1] / 2, f"{round(cut.size[0], 1):g} x {round(cut.size[1], 1):g}"
    else:
        view.circle(cut.middle, cut.size)
        below, size = cut.size / 2, f"{DIAMETER} {cut.size:g}"
    if named and cut.what:
        view.words((u, v - below - 2.8 / view.scale), f"{cut.what} {size}")


def faces_of(measures: dict[str, Any]) -> list[Face]:
    """Return the four drilled faces: the console's top and left wall, its lid, the front rail."""
    return [panel(measures), left_wall(measures), lid(measures), front_rail(measures)]


def panel(measures: dict[str, Any]) -> Face:
    """Return the top of the console, seen from above."""
    return Face("Top of the console, from above", tuple(measures["panel_size"]), _cuts(measures["panel"]))


def left_wall(measures: dict[str, Any]) -> Face:
    """Return the console's left wall, seen from outside: White's side is to the right."""
    depth, height = measures["wall_size"]
    cuts = [Cut(cut.what, (depth - cut.middle[0], cut.middle[1]), cut.size) for cut in _cuts(measures["wall"])]
    return Face("Left wall of the console, from outside", (depth, height), cuts)


def lid(measures: dict[str, Any]) -> Face:
    """Return the lid, seen from inside, the side on which the circuit boards are mounted."""
    return Face("Lid, from inside", tuple(measures["panel_size"]), _cuts(measures["lid"]))


def front_rail(measures: dict[str, Any]) -> Face:
    """Return the front rail, seen from the console."""
    return Face("Front rail, from the console", tuple(measures["rail_size"]), _cuts(measures["rail"]))


def _cuts(rows: list[list[Any]]) -> list[Cut]:
    return [Cut(what, (u, v), tuple(size) if isinstance(size, list) else size) for what, (u, v), size in rows]
