"""The faces of a case that are drilled: what is cut into each, and where. Pure: numbers in, a drawing out."""

from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

from hardware.case.svg import Point, View

DIAMETER: Final = "\N{LATIN CAPITAL LETTER O WITH STROKE}"


@dataclass(frozen=True, slots=True)
class Cut:
    """A hole or a window.

    Attributes:
        what: what it is for.
        middle: from the face's lower left corner, in millimetres.
        size: diameter of a hole, or width and height of a window.
    """

    what: str
    middle: Point
    size: float | Point


@dataclass(frozen=True, slots=True)
class Face:
    """A plate that is drilled, seen from where one drills.

    Attributes:
        title: which it is, and from where it is seen.
        size: its width and height in millimetres.
        cuts: what is cut into it.
    """

    title: str
    size: Point
    cuts: list[Cut]

    def drills(self) -> str:
        """Return how many holes of which diameter there are, the largest first."""
        counted = Counter(cut.size for cut in self.cuts if not isinstance(cut.size, tuple))
        return ", ".join(f"{count} x {DIAMETER} {size:g}" for size, count in sorted(counted.items(), reverse=True))

    def draw(self, view: View, *, named: bool = True) -> None:
        """Draw outline and cuts, each with what it is for."""
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


def faces_of(told: dict[str, Any]) -> list[Face]:
    """Return the four faces: the console's top and left wall, its lid, the front rail."""
    return [panel(told), left_wall(told), lid(told), front_rail(told)]


def panel(told: dict[str, Any]) -> Face:
    """Return the top of the console, seen from above."""
    return Face("Top of the console, from above", tuple(told["panel_size"]), _cuts(told["panel"]))


def left_wall(told: dict[str, Any]) -> Face:
    """Return the console's left wall, seen from outside: White's side is to the right."""
    depth, height = told["wall_size"]
    cuts = [Cut(cut.what, (depth - cut.middle[0], cut.middle[1]), cut.size) for cut in _cuts(told["wall"])]
    return Face("Left wall of the console, from outside", (depth, height), cuts)


def lid(told: dict[str, Any]) -> Face:
    """Return the lid, seen from inside: boards lie on it as they are drawn."""
    return Face("Lid, from inside", tuple(told["panel_size"]), _cuts(told["lid"]))


def front_rail(told: dict[str, Any]) -> Face:
    """Return the front rail, seen from the console."""
    return Face("Front rail, from the console", tuple(told["rail_size"]), _cuts(told["rail"]))


def _cuts(rows: list[list[Any]]) -> list[Cut]:
    return [Cut(what, (u, v), tuple(size) if isinstance(size, list) else size) for what, (u, v), size in rows]
