"""The picture of the guide: where a piece closes its square, and what is left of its field on the next ones."""

import math
from collections.abc import Iterator
from typing import Final

import numpy as np
from contourpy import LineType, contour_generator

from captains_table.hardware.wiring.sensing import SquareSensor
from tests.field.margins import (
    CLOSES,
    DISTURBS,
    OFF_MM,
    SQUARE_MM,
    Build,
    margins,
    millitesla,
    thresholds,
    what_it_was_run_with,
)
from tests.field.model import Points, gathered

GREEN, PALE, PINK, GREY, RED, BLUE = "#3a9d5d", "#bfe3c9", "#f6d9d9", "#666666", "#c22222", "#3366cc"
BOLD: Final = 'text-anchor="middle" font-weight="bold"'
CENTRED: Final = 'text-anchor="middle"'
RIGHT: Final = 'text-anchor="end"'
HALO: Final = 'text-anchor="end" paint-order="stroke" stroke="#fff" stroke-width="4"'

MAP_LEFT: Final = 40.0
TOP: Final = 60.0
HIGH: Final = 350.0  # of map and curve
SCALE: Final = HIGH / SQUARE_MM
GRID_MM: Final = 1.0
CURVE_LEFT: Final = 500.0
WIDE: Final = 460.0
DECADES: Final = (-2.0, 1.5)  # of millitesla, bottom and top
FARTHEST_MM: Final = 50.0


def picture(sensor: SquareSensor) -> str:
    """Return the picture as SVG."""
    build = Build(sensor)
    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 470" font-family="sans-serif" font-size="14">',
        "<title>Where a piece closes its square, and what reaches its neighbours</title>",
        f"<desc>Made by make field: {what_it_was_run_with(sensor)}.</desc>",
        '<rect width="1000" height="470" fill="#fff"/>',
        *_map(build),
        *_curve(build),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _text(x: float, y: float, words: str, style: str = "", colour: str = "#000") -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" fill="{colour}" {style}>{words}</text>'


# --- a square from above --------------------------------------------------------------------------------------------


def _map(build: Build) -> Iterator[str]:
    yield _text(MAP_LEFT + HIGH / 2, 40, "a square from above: where its piece closes it", BOLD)
    yield f'<g transform="translate({MAP_LEFT} {TOP})"><rect width="{HIGH}" height="{HIGH}" fill="{PINK}"/>'
    axis = np.arange(-SQUARE_MM / 2, SQUARE_MM / 2 + GRID_MM / 2, GRID_MM)
    ratio = _ratio(build, axis)
    for level, colour in ((1.0, PALE), (CLOSES, GREEN)):
        yield f'<path d="{_outline(axis, ratio, level)}" fill="{colour}" fill-rule="evenodd"/>'
    yield from _reed(build)
    yield _circle(OFF_MM, 'stroke="#000" stroke-dasharray="5 4"')
    yield _circle(build.sensor.magnet.diameter_mm / 2, f'stroke="{BLUE}" stroke-width="2"')
    yield f'<rect width="{HIGH}" height="{HIGH}" fill="none" stroke="#a07840" stroke-width="2"/></g>'
    yield from _legend()


def _legend() -> Iterator[str]:
    meanings = ((0, GREEN, f"{CLOSES:g} times the field needed"), (205, PALE, "closes"), (275, PINK, "may stay open"))
    x, y = MAP_LEFT, TOP + HIGH + 12
    for place, colour, words in meanings:
        yield f'<rect x="{x + place}" y="{y}" width="14" height="12" fill="{colour}"/>'
        yield _text(x + place + 20, y + 11, words)
    yield _text(x, y + 33, f"blue: the magnet; dashed: {OFF_MM:g} mm off the middle")


def _circle(radius_mm: float, style: str) -> str:
    return f'<circle cx="{HIGH / 2}" cy="{HIGH / 2}" r="{radius_mm * SCALE}" fill="none" {style}/>'


def _ratio(build: Build, axis: Points) -> Points:
    """Return the field of the weakest magnet over what is needed, on a grid of places of its piece."""
    x, y = np.meshgrid(axis, axis)
    magnet = build.sensor.magnet
    felt = gathered(magnet, magnet.remanence_t[0], build.wire(), np.column_stack([x.ravel(), y.ravel()]))
    return np.asarray(np.abs(felt).reshape(x.shape) / thresholds(build)[0].most)


def _outline(axis: Points, ratio: Points, level: float) -> str:
    """Return the outline of what is above a level as an SVG path; the edge of the square counts as below."""
    ringed = np.pad(ratio, 1)
    around = np.pad(axis, 1, mode="reflect", reflect_type="odd")
    lines = contour_generator(around, around, ringed, line_type=LineType.Separate).lines(level)
    assert isinstance(lines, list)  # contourpy gives other shapes for other line types
    half = SQUARE_MM / 2
    outlines = ("L".join(f"{_within(x + half):.0f} {_within(half - y):.0f}" for x, y in line) for line in lines)
    return " ".join(f"M{outline}Z" for outline in outlines)


def _within(mm: float) -> float:
    return min(SQUARE_MM, max(0.0, mm)) * SCALE


def _reed(build: Build) -> Iterator[str]:
    """Draw the reed: its leads and its glass."""
    wire = build.wire()
    x, y = ((SQUARE_MM / 2 + wire.middle[0]) * SCALE, (SQUARE_MM / 2 - wire.middle[1]) * SCALE)
    angle = -math.degrees(math.atan2(wire.towards[1], wire.towards[0]))
    length, across = (size * SCALE for size in build.sensor.reed.glass_mm)
    half = wire.straight_mm / 2 * SCALE
    yield f'<g transform="translate({x:.0f} {y:.0f}) rotate({angle:.0f})">'
    yield f'<path d="M{-half:.0f} 0H{half:.0f}" stroke="#444" stroke-width="3"/>'
    yield (
        f'<rect x="{-length / 2:.0f}" y="{-across / 2:.0f}" width="{length:.0f}" height="{across:.0f}" '
        f'rx="{across / 2:.0f}" fill="#dff3f7" fill-opacity=".8" stroke="#567"/></g>'
    )


# --- how the field falls off ----------------------------------------------------------------------------------------


def _curve(build: Build) -> Iterator[str]:
    yield _text(CURVE_LEFT + WIDE / 2, 40, "what the reed feels of a piece", BOLD)
    closes, stays = thresholds(build)
    low, high = millitesla(build, stays.least), millitesla(build, closes.most)
    top, tall = _height(high), _height(low) - _height(high)
    yield f'<rect x="{CURVE_LEFT}" y="{top:.0f}" width="{WIDE}" height="{tall:.0f}" fill="#eeeeee"/>'
    yield from _led_away(build, build.sensor.magnet.remanence_t[0])
    yield _label(math.sqrt(low * high), GREY, "where reeds of this class close and open", 5)
    yield from _limit(CLOSES * high, GREEN, f"{CLOSES:g} times what closes every reed", -7)
    yield from _limit(DISTURBS * low, RED, f"{DISTURBS:g} of the weakest that holds one closed", 18)
    others = millitesla(build, margins(build).disturbs * stays.least)
    yield f'<path d="M{CURVE_LEFT} {_height(others):.0f}h{WIDE}" stroke="{RED}" stroke-width="2.5"/>'
    yield _label(others, RED, f"pieces on all eight neighbours, at their worst: {others:.2f} mT", 36)
    yield from _axes()


def _limit(value: float, colour: str, words: str, below: int) -> Iterator[str]:
    yield f'<path d="M{CURVE_LEFT} {_height(value):.0f}h{WIDE}" stroke="{colour}" stroke-dasharray="6 4"/>'
    yield _label(value, colour, words, below)


def _label(value: float, colour: str, words: str, below: int) -> str:
    halo = "" if colour == GREY else HALO
    return _text(CURVE_LEFT + WIDE - 8, _height(value) + below, words, halo or RIGHT, colour)


def _led_away(build: Build, remanence_t: float) -> Iterator[str]:
    """Draw the field of a piece that is led away along the reed, away from its dead spot."""
    away = np.arange(0, FARTHEST_MM + 0.5, 0.5)
    along = -np.array(build.wire().towards)
    felt = np.abs(gathered(build.sensor.magnet, remanence_t, build.wire(), np.outer(away, along)))
    points = (
        f"{_across(distance):.0f} {_height(millitesla(build, field)):.0f}"
        for distance, field in zip(away.tolist(), felt.tolist(), strict=True)
    )
    yield f'<path d="M{"L".join(points)}" fill="none" stroke="{BLUE}" stroke-width="2.5"/>'


def _axes() -> Iterator[str]:
    bottom = TOP + HIGH
    yield f'<rect x="{CURVE_LEFT}" y="{TOP}" width="{WIDE}" height="{HIGH}" fill="none" stroke="{GREY}"/>'
    for value in (0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30):
        yield f'<path d="M{CURVE_LEFT - 5} {_height(value):.0f}h5" stroke="{GREY}"/>'
        yield _text(CURVE_LEFT - 9, _height(value) + 5, f"{value:g}", RIGHT)
    for distance in range(0, int(FARTHEST_MM) + 1, 10):
        yield f'<path d="M{_across(distance):.0f} {bottom}v5" stroke="{GREY}"/>'
        yield _text(_across(distance), bottom + 20, str(distance), CENTRED)
    words = "mm from the square's middle, along the reed and away from it"
    yield _text(CURVE_LEFT + WIDE / 2, bottom + 40, words, CENTRED)
    yield _text(CURVE_LEFT - 9, TOP - 8, "mT", RIGHT)


def _across(distance_mm: float) -> float:
    return CURVE_LEFT + distance_mm / FARTHEST_MM * WIDE


def _height(millitesla_along: float) -> float:
    low, high = DECADES
    return TOP + HIGH * (high - math.log10(millitesla_along)) / (high - low)
