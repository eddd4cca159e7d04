"""The move grids of pieces of Crowns as SVG: dots and arrows around the piece. Rules: docs/rules/crowns.md D1."""

from captains_table.games.common.movement import Offset
from captains_table.games.crowns.grids import ARROWS, CENTRE, DOTS, SIDE, MoveGrid
from captains_table.web.page_language import svg_label

CELL = 40
_FRAME = CELL  # room for the arrows around the dots
_TURNED = {"n": 0, "ne": 45, "e": 90, "se": 135, "s": 180, "sw": 225, "w": 270, "nw": 315}
ARROW = "M0 -15l11 14h-6v15h-10v-15h-6z"
"""An arrow that points forward, centred on the origin."""
TRIANGLE = "M0 -12l12 22h-24z"


def grid_svg(grid: MoveGrid, words: str, css: str = "") -> str:
    """Return a grid as one `<svg>`.

    Args:
        grid: the grid; forward is up.
        words: the label for screen readers.
        css: an additional class.
    """
    size = SIDE * CELL + 2 * _FRAME
    lines = "".join(
        f'<path class="grid-line" d="M{at} {_FRAME}V{size - _FRAME}M{_FRAME} {at}H{size - _FRAME}"/>'
        for at in range(_FRAME, size - _FRAME + 1, CELL)
    )
    dots = "".join(_dot(offset) for offset in DOTS.values() if offset in grid.dots)
    arrows = "".join(_arrow(move, offset) for move, offset in ARROWS.items() if offset in grid.arrows)
    return (
        f'<svg class="grid-drawing {css}" viewBox="0 0 {size} {size}" role="img" aria-label="{svg_label(words)}">'
        f'{lines}<path class="grid-piece" d="{TRIANGLE}" transform="{_at((0, 0))}"/>{dots}{arrows}</svg>'
    )


def arrow_svg(move: str) -> str:
    """Return one arrow as an `<svg>` element that decorates a button with text."""
    return (
        f'<svg viewBox="-20 -20 40 40" aria-hidden="true"><path class="grid-arrow" d="{ARROW}" '
        f'transform="rotate({_TURNED[move]})"/></svg>'
    )


def _at(offset: Offset) -> str:
    x, y = ((CENTRE + steps) * CELL + _FRAME + CELL / 2 for steps in (offset[0], -offset[1]))
    return f"translate({x:g} {y:g})"


def _dot(offset: Offset) -> str:
    return f'<circle class="grid-dot" r="12" transform="{_at(offset)}"/>'


def _arrow(move: str, offset: Offset) -> str:
    edge = (offset[0] * (CENTRE + 1), offset[1] * (CENTRE + 1))
    return f'<path class="grid-arrow" d="{ARROW}" transform="{_at(edge)} rotate({_TURNED[move]})"/>'
