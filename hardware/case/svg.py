"""Writes technical drawings as SVG in millimetres: a sheet with views, lines, labels and dimensions."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import escape
from typing import Final

Point = tuple[float, float]

LABEL_MM: Final = 3.0  # the least distance between two labels

STYLE: Final = """
text { font-family: sans-serif; font-size: 3.5px; fill: #000; }
text.title { font-size: 6px; font-weight: bold; }
text.small { font-size: 2.6px; }
.edge { fill: none; stroke: #000; stroke-width: 0.35; }
.thin { fill: none; stroke: #000; stroke-width: 0.15; }
.hidden { fill: none; stroke: #000; stroke-width: 0.2; stroke-dasharray: 2 1; }
.axis { fill: none; stroke: #a00; stroke-width: 0.12; }
"""


@dataclass(slots=True)
class Sheet:
    """A sheet of paper with SVG elements; its origin is the upper left corner."""

    title: str
    width: float
    height: float
    drawn: list[str] = field(default_factory=list)

    def text(self) -> str:
        """Return the sheet as an SVG document in real millimetres."""
        return svg_document(self.title, (self.width, self.height), "\n".join(self.drawn))


def svg_document(title: str, size: Point, drawn: str) -> str:
    """Return an SVG document of this size, in which one unit is a millimetre."""
    width, height = size
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
        f'viewBox="0 0 {width:g} {height:g}">\n<title>{escape(title)}</title>\n<style>{STYLE}</style>\n'
        f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>\n{drawn}\n</svg>\n'
    )


@dataclass(frozen=True, slots=True)
class View:
    """A face of the case, drawn to scale on a sheet; coordinates: u to the right, v up, from its lower left corner.

    Attributes:
        sheet: the sheet.
        left: distance of the lower left corner from the sheet's left edge.
        base: distance of the lower left corner from the sheet's upper edge.
        scale: 1 for real size.
    """

    sheet: Sheet
    left: float
    base: float
    scale: float = 1

    def at(self, u: float, v: float) -> Point:
        """Convert a point of the face to a point of the sheet."""
        return round(self.left + u * self.scale, 4), round(self.base - v * self.scale, 4)

    def line(self, start: Point, end: Point, kind: str = "edge") -> None:
        """Draw a line between two points of the face."""
        self._line(self.at(*start), self.at(*end), kind)

    def rectangle(self, corner: Point, size: Point, kind: str = "edge") -> None:
        """Draw a rectangle, given its lower left corner and its size."""
        x, y = self.at(corner[0], corner[1] + size[1])
        width, height = size[0] * self.scale, size[1] * self.scale
        self._add(f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"/>')

    def circle(self, middle: Point, diameter: float, kind: str = "edge") -> None:
        """Draw a circle with a cross in its middle."""
        x, y = self.at(*middle)
        radius = diameter / 2 * self.scale
        self._add(f'<circle class="{kind}" cx="{x:g}" cy="{y:g}" r="{radius:g}"/>')
        self.cross(middle, radius + 2)

    def cross(self, middle: Point, reach: float) -> None:
        """Draw a cross with arms of length `reach` in millimetres of the paper."""
        x, y = self.at(*middle)
        self._line((x - reach, y), (x + reach, y), "axis")
        self._line((x, y - reach), (x, y + reach), "axis")

    def words(self, where: Point, text: str, kind: str = "small", anchor: str = "middle") -> None:
        """Write text at a point of the face."""
        x, y = self.at(*where)
        self._words((x, y), text, kind, anchor)

    def across(self, marks: Iterable[float], v: float, below: float) -> None:
        """Draw a row of horizontal dimensions (each u from the face's left edge), `below` paper millimetres below v."""
        base = self.at(0, v)[1]
        level = base + below
        for mark, label in _spread(self.at(mark, 0)[0] for mark in sorted(set(marks))):
            value = f"{(mark - self.left) / self.scale:.1f}".removesuffix(".0")
            self._line((mark, base), (mark, level - 2), "thin")
            self._line((mark, level - 2), (label, level), "thin")
            self._words((label + 0.9, level + 0.8), value, "small", "end", turned=True)

    def up(self, marks: Iterable[float], u: float, beside: float) -> None:
        """Draw a column of vertical dimensions (each v from the lower edge), `beside` paper millimetres left of u."""
        base = self.at(u, 0)[0]
        level = base - beside
        for mark, label in _spread(-self.at(0, mark)[1] for mark in sorted(set(marks))):
            value = f"{(self.base + mark) / self.scale:.1f}".removesuffix(".0")
            self._line((base, -mark), (level + 2, -mark), "thin")
            self._line((level + 2, -mark), (level, -label), "thin")
            self._words((level - 0.8, -label + 0.9), value, "small", "end")

    def _line(self, start: Point, end: Point, kind: str) -> None:
        self._add(f'<line class="{kind}" x1="{start[0]:g}" y1="{start[1]:g}" x2="{end[0]:g}" y2="{end[1]:g}"/>')

    def _words(self, where: Point, text: str, kind: str, anchor: str, *, turned: bool = False) -> None:
        x, y = where
        turn = f' transform="rotate(-90 {x:g} {y:g})"' if turned else ""
        self._add(f'<text class="{kind}" x="{x:g}" y="{y:g}" text-anchor="{anchor}"{turn}>{escape(text)}</text>')

    def _add(self, element: str) -> None:
        self.sheet.drawn.append(element)


def _spread(marks: Iterable[float]) -> Iterator[tuple[float, float]]:
    """Yield each mark with the position of its label, at least LABEL_MM after the last label."""
    label = float("-inf")
    for mark in marks:
        label = max(mark, label + LABEL_MM)
        yield mark, label
