"""Step charts as SVG: a line for each player, labelled at its end; lines can be told apart without colours.

Every chart is drawn twice, wide and narrow; the stylesheet shows the drawing that fits, so that text keeps its size.
The module also draws the symbol of a line alone and the bar of a score, and writes numbers with their sign.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import floor, log10

from captains_table.games.common.short_names import count_letters, short_names
from captains_table.phrases import decimal, in_language, say
from captains_table.web.page_language import on_page, page_language

WIDE = 760, 330, 16
NARROW = 350, 330, 8
"""The size of a drawing: its width, its height, and how many letters of a name fit."""
STYLES = 8
"""The number of distinct line styles (colour, shape and dashes); further lines repeat them."""

_LEAST_LABELLED = 9  # per cent of the bar: a narrower part has no room for its number
_TOP, _BOTTOM, _LEFT = 14, 34, 40
_LETTER = 8.7
_LINE_HEIGHT = 16
_MOST_TICKS, _MOST_SHAPES = 6, 7
_R = 4.5
_SHAPES = (
    '<rect x="-4.2" y="-4.2" width="8.4" height="8.4"/>',
    f'<circle r="{_R}"/>',
    '<path d="M0-5.6L5.3 4H-5.3z"/>',
    '<path d="M0-6L5 0 0 6-5 0z"/>',
    '<path d="M0 5.6L-5.3-4H5.3z"/>',
    '<path d="M-5-1.7h3.300v-3.300h3.400v3.300h3.300v3.400h-3.300v3.300h-3.400v-3.300h-3.300z"/>',
    '<path d="M-5.500 0l2.700-4.700h5.500l2.800 4.700-2.800 4.700h-5.500z"/>',
    '<path d="M0-6L1.7-1.8 6.1-1.5 2.7 1.3 3.8 5.6 0 3.200l-3.800 2.400 1.100-4.300-3.400-2.800 4.400-.3z"/>',
)


@dataclass(frozen=True, slots=True)
class ChartLine:
    """A player's line.

    Attributes:
        style: the number of the line's style; see STYLES.
        name: the label at the line's end.
        values: all values, from the beginning.
        last: the last value in words; it follows the label.
    """

    style: int
    name: str
    values: Sequence[float]
    last: str


@dataclass(frozen=True, slots=True)
class _Box:
    """The plot area.

    Attributes:
        left, right, top, bottom: the edges in the drawing.
        count: the place on the horizontal axis at the right edge; the left edge is place 0.
        lo, hi: the values at the bottom and at the top.
    """

    left: float
    right: float
    top: float
    bottom: float
    count: int
    lo: float
    hi: float

    def x(self, place: float) -> float:
        return self.left + (self.right - self.left) * place / max(1, self.count)

    def y(self, value: float) -> float:
        return self.bottom - (self.bottom - self.top) * (value - self.lo) / (self.hi - self.lo)


def shape_svg(style: int) -> str:
    """Return the symbol of a line's style as an `<svg>` element."""
    return (
        f'<svg class="chart-shape line-{style % STYLES}" viewBox="-8 -8 16 16" aria-hidden="true">'
        f'<g class="shape">{_SHAPES[style % STYLES]}</g></svg>'
    )


def bar_svg(parts: Sequence[int], longest: int, place: str = "", colours: Sequence[str] = ()) -> str:
    """Return a bar that is divided into the parts of a score, as SVG.

    Args:
        parts: the parts; negative ones are left out.
        longest: the score whose bar fills the whole width.
        place: attributes that place the bar in a larger picture.
        colours: the colours of the parts; without them a style sheet colours the classes `part-0` to `part-3`.
    """
    drawn, left = [], 0.0
    for number, part in enumerate(parts):
        width = min(100 - left, 100 * max(part, 0) / max(longest, 1))
        fill = f' fill="{colours[number % len(colours)]}"' if colours else ""
        drawn.append(f'<rect class="part-{number % 4}"{fill} x="{left:.2f}%" width="{width:.2f}%" height="100%"/>')
        if len(parts) > 1 and width >= _LEAST_LABELLED:
            white = ' fill="#fff"' if colours else ""
            drawn.append(f'<text{white} x="{left:.2f}%" y="50%" dx="0.5em" dy="0.35em">{part}</text>')
        left += width
    return f'<svg class="score-bar" aria-hidden="true"{place}>{"".join(drawn)}</svg>'


def step_chart(lines: Sequence[ChartLine], *, label: str, along: str, signed: bool = False) -> str:
    """Return a chart as two drawings, a wide one and a narrow one.

    Args:
        lines: the lines, at least one; all have the same number of values.
        label: a description for screen readers.
        along: the label of the horizontal axis.
        signed: whether positive values on the vertical axis get a plus sign.
    """
    lines, label, along = in_language(list(lines), page_language()), on_page(label), on_page(along)
    return "".join(
        _chart(lines, size, f"chart chart-{name}", label, along, signed=signed)
        for name, size in (("wide", WIDE), ("narrow", NARROW))
    )


def _chart(
    lines: Sequence[ChartLine], size: tuple[int, int, int], css: str, label: str, along: str, *, signed: bool
) -> str:
    width, height, letters = size
    names = short_names(tuple(line.name for line in lines), letters)
    labels = [f"{name} {line.last}".strip() for name, line in zip(names, lines, strict=True)]
    room = max(map(count_letters, labels)) * _LETTER + 22
    values = [value for line in lines for value in line.values]
    lo, hi, tick = _bounds(min(values), max(values))
    count = max(len(line.values) for line in lines) - 1
    box = _Box(_LEFT, width - room, _TOP, height - _BOTTOM, count, lo, hi)
    drawn = [_grid(box, tick, signed=signed), _turns(box, along)]
    drawn += [_line(box, line) for line in lines]
    drawn += _labels(box, lines, labels)
    return (
        f'<svg class="{css}" viewBox="0 0 {width} {height}" role="img" aria-label="{escape(label)}">'
        f"{''.join(drawn)}</svg>"
    )


def _bounds(least: float, most: float) -> tuple[float, float, float]:
    """Return the lowest and the highest value of the axis, and the distance between ticks, as round numbers.

    The axis includes 0 and the given least and greatest values.
    """
    least, most = min(0.0, least), max(0.0, most)
    span = max(most - least, 1.0)
    rough = span / _MOST_TICKS
    power = 10.0 ** floor(log10(rough))
    tick = next(power * step for step in (1, 2, 5, 10) if power * step >= rough)
    tick = max(tick, 1.0) if span > _MOST_TICKS else tick
    return tick * floor(least / tick), -tick * floor(-max(most, least + tick) / tick), tick


def _grid(box: _Box, tick: float, *, signed: bool) -> str:
    marks = round((box.hi - box.lo) / tick)
    drawn = []
    for mark in range(marks + 1):
        value = box.lo + mark * tick
        y = box.y(value)
        zero = " zero" if abs(value) < tick / 2 else ""
        drawn.append(f'<path class="grid{zero}" d="M{box.left:g} {y:.1f}H{box.right:.1f}"/>')
        words = f"{abs(value):g}"
        words = _signed(words, value) if signed or value < 0 else words
        drawn.append(f'<text class="tick" x="{box.left - 6:g}" y="{y + 4:.1f}" text-anchor="end">{words}</text>')
    return "".join(drawn)


def _turns(box: _Box, along: str) -> str:
    """Return the horizontal axis: evenly spaced ticks with numbers, and the label `along`."""
    every = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10**9) if box.count / step <= _MOST_TICKS)
    y = box.bottom + 16
    marks = "".join(
        f'<text class="tick" x="{box.x(place):.1f}" y="{y:g}" text-anchor="middle">{place}</text>'
        for place in range(0, box.count + 1, every)
    )
    middle = (box.left + box.right) / 2
    return (
        f'{marks}<text class="tick along" x="{middle:.1f}" y="{y + 14:g}" text-anchor="middle">{escape(along)}</text>'
    )


def _line(box: _Box, line: ChartLine) -> str:
    path = f"M{box.x(0):.1f} {box.y(line.values[0]):.1f}"
    for place, value in enumerate(line.values[1:], start=1):
        path += f"H{box.x(place):.1f}" + (f"V{box.y(value):.1f}" if value != line.values[place - 1] else "")
    last = len(line.values) - 1
    places = sorted({round(last * share / _MOST_SHAPES) for share in range(1, _MOST_SHAPES + 1)} - {0}) or [last]
    shape = _SHAPES[line.style % STYLES]
    shapes = "".join(
        f'<g class="shape" transform="translate({box.x(place):.1f} {box.y(line.values[place]):.1f})">{shape}</g>'
        for place in places
    )
    return f'<g class="line line-{line.style % STYLES}"><path class="trail" d="{path}"/>{shapes}</g>'


def _labels(box: _Box, lines: Sequence[ChartLine], labels: Sequence[str]) -> list[str]:
    """Return each line's label at its end, moved apart where labels would overlap."""
    ends = sorted(((box.y(line.values[-1]), place) for place, line in enumerate(lines)))
    lowest = box.bottom + 4
    placed: list[float] = []
    for y, _ in ends:
        placed.append(max(y, placed[-1] + _LINE_HEIGHT) if placed else max(y, box.top))
    for place in range(len(placed) - 1, -1, -1):
        placed[place] = min(placed[place], lowest - (len(placed) - 1 - place) * _LINE_HEIGHT)
    drawn = []
    for (end, index), y in zip(ends, placed, strict=True):
        drawn.append(
            f'<path class="lead" d="M{box.right + 6:.1f} {end:.1f}L{box.right + 13:.1f} {y:.1f}"/>'
            f'<text class="name" x="{box.right + 16:.1f}" y="{y + 4.5:.1f}">{escape(labels[index])}</text>'
        )
    return drawn


def signed(value: float) -> str:
    """Return a number with one decimal and its sign; 0.0 has no sign."""
    words = decimal(abs(value))
    if words == "0.0" or not value:
        return words
    return say("\N{MINUS SIGN}{number}", words) if value < 0 else say("+{number}", words)


def _signed(words: str, value: float) -> str:
    sign = "\N{MINUS SIGN}" if value < 0 else "+" if value else ""
    return sign + words
