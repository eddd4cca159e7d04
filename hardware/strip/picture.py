"""Draws a strip (the squares' circuit board) as SVG: tracks of both sides, pads, holes, silkscreen; from above."""

from collections.abc import Iterator
from math import cos, radians, sin
from xml.sax.saxutils import escape

from hardware.strip.kicad import VIA
from hardware.strip.layout import LOWER, UPPER, Strip
from hardware.strip.parts import Part, Point

SCALE = 6  # pixels per millimetre
SIDES = {LOWER: "#5b8dd6", UPPER: "#d66b5b"}


def picture(board: Strip) -> str:
    """Return the picture as SVG."""
    (left, low), (right, high) = board.corners
    width, height = right - left, high - low
    view = f"{left - 1:g} {-high - 1:g} {width + 2:g} {height + 2:g}"
    size = f'width="{(width + 2) * SCALE:g}" height="{(height + 2) * SCALE:g}"'
    outline = f'x="{left:g}" y="{-high:g}" width="{width:g}" height="{height:g}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" {size} font-family="sans-serif">',
        f'<rect {outline} fill="#f4f1e8" stroke="#333" stroke-width="0.2"/>',
        *(line for side in SIDES for line in _tracks(board, side)),
        *(_circle(at, VIA[0], "#8a6d3b") for _, at in board.vias),
        *(line for part in board.parts for line in _part(part)),
        *(
            f'<text x="{label.at[0]:g}" y="{label.height * 0.4 - label.at[1]:g}" font-size="{label.height * 1.3:g}" '
            f'text-anchor="middle" fill="#286028">{escape(label.text)}</text>'
            for label in board.labels
        ),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _tracks(board: Strip, side: str) -> Iterator[str]:
    for track in board.tracks:
        if track.side == side:
            points = " ".join(f"{x:g},{-y:g}" for x, y in track.points)
            yield (
                f'<polyline points="{points}" fill="none" stroke="{SIDES[side]}" stroke-width="{track.width:g}" '
                'stroke-linejoin="round" stroke-linecap="round"/>'
            )


def _part(part: Part) -> Iterator[str]:
    for pad in part.footprint.pads:
        x, y = at = _turned(pad.at, part)
        if pad.drill:
            yield _circle(at, pad.size[0], "#8a6d3b")
            yield _circle(at, pad.drill, "white")
        else:
            width, height = pad.size if part.angle % 180 == 0 else pad.size[::-1]
            yield (
                f'<rect x="{x - width / 2:g}" y="{-y - height / 2:g}" width="{width:g}" height="{height:g}" '
                'fill="#8a6d3b"/>'
            )
    for start, end in part.footprint.drawn:
        (x, y), (to_x, to_y) = _turned(start, part), _turned(end, part)
        yield f'<line x1="{x:g}" y1="{-y:g}" x2="{to_x:g}" y2="{-to_y:g}" stroke="#286028" stroke-width="0.2"/>'


def _turned(point: Point, part: Part) -> Point:
    """Convert a point relative to a part to a point of the board."""
    angle = radians(part.angle)
    x, y = point
    return (
        round(part.at[0] + x * cos(angle) - y * sin(angle), 2),
        round(part.at[1] + x * sin(angle) + y * cos(angle), 2),
    )


def _circle(at: Point, diameter: float, colour: str) -> str:
    return f'<circle cx="{at[0]:g}" cy="{-at[1]:g}" r="{diameter / 2:g}" fill="{colour}"/>'
