"""Draws the row of dice: first the berths (places for dice with certain faces), then the other dice.

The Legend die has a roman numeral, all other dice have pips. Held dice are white. Tumbling dice hop and change their
faces. The die at the menu's cursor is underlined.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from captains_table.devices.display.screens.canvas import DARK_PIXEL, LIT_PIXEL, Canvas
from captains_table.devices.display.screens.text import BOLD, SMALL
from captains_table.games.common.dice import roman
from captains_table.games.contract import Die, Slot
from captains_table.table.model.view import Menu, View

TOP: Final = 19
SIDE: Final = 16
ROMAN_WIDTH: Final = 21
TUMBLING: Final = (1, 5, 3, 6, 2, 4)  # the faces of a tumbling die in turn
PIP: Final = 2

# The pips of each face as (column, row) in a 3 x 3 grid.
PIPS: Final = {
    1: ((1, 1),),
    2: ((0, 2), (2, 0)),
    3: ((0, 2), (1, 1), (2, 0)),
    4: ((0, 0), (0, 2), (2, 0), (2, 2)),
    5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    6: ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
}


@dataclass(frozen=True, slots=True)
class Measures:
    """The widths in pixels of dice and of the gaps in a row.

    Attributes:
        side: the width and height of a die with pips and of an empty berth, and the height of the Legend die.
        roman: the width of the Legend die.
        gap: the gap between dice of one group.
        group_gap: the gap between groups, such as berths, other dice with pips, and the Legend die.
    """

    side: int
    roman: int
    gap: int
    group_gap: int


ROOMY: Final = Measures(SIDE, ROMAN_WIDTH, 3, 7)
TIGHT: Final = Measures(14, 18, 1, 3)


def draw_dice(canvas: Canvas, view: View, frame: int) -> None:
    """Draw the dice and berths of a view, and underline the die at the menu's cursor.

    Tumbling dice hop and change their faces from frame to frame.
    """
    places = _places(view)
    measures = ROOMY if _row_width(places, ROOMY) <= canvas.width else TIGHT
    x = (canvas.width - _row_width(places, measures)) // 2
    for number, place in enumerate(places):
        x += _gap_before(places, number, measures)
        width = _width(place, measures)
        top = TOP + (SIDE - measures.side)
        if place.die is None:
            _draw_empty_slot(canvas, (x, top), measures.side, place.wanted)
        else:
            hop, die = _in_the_air(place, frame) if place.index in view.tumbling else (0, place.die)
            _draw_die(canvas, (x, top - hop), width, measures.side, die)
        if place.index is not None and place.index == _die_at_cursor(view.menu):
            canvas.bar(x, TOP + SIDE + 1, width, 1)
        x += width


@dataclass(frozen=True, slots=True)
class _Place:
    """A place in the row: a die with its index in the view, or an empty berth with the face it needs."""

    die: Die | None
    index: int | None = None
    wanted: int = 0
    is_berth: bool = False


def _places(view: View) -> list[_Place]:
    """Return the places in the row: first the berths (places for dice with certain faces), then the other dice."""
    dice = _as_chosen(view.dice, view.menu)
    slots = [_slot(slot, dice) for slot in view.slots if slot.fixed]
    moored = {place.index for place in slots}
    return slots + [_Place(die, index) for index, die in enumerate(dice) if index not in moored]


def _slot(slot: Slot, dice: Sequence[Die]) -> _Place:
    if slot.die is None:
        return _Place(None, wanted=slot.face, is_berth=True)
    return _Place(dice[slot.die - 1], slot.die - 1, is_berth=True)


def _in_the_air(place: _Place, frame: int) -> tuple[int, Die]:
    """Return how many pixels a tumbling die is raised in this frame, and the die with the face to draw."""
    index = place.index or 0
    return (frame + index) % 2, Die(tumbling_face(frame, index), "pips" if place.die is None else place.die.kind)


def tumbling_face(frame: int, index: int) -> int:
    """Return the face of a tumbling die in a frame.

    The face is not random: it changes with every frame, and it differs from the faces of neighbouring dice.
    """
    return TUMBLING[(frame + index * 5) % len(TUMBLING)]


def _as_chosen(dice: Sequence[Die], menu: Menu) -> list[Die]:
    """Return the dice with `held` set as chosen in the menu so far; dice that the menu does not offer are unchanged."""
    chosen = {entry.id: entry.held for entry in menu.entries if entry.held is not None}
    held = [chosen.get(str(number)) for number in range(1, len(dice) + 1)]
    return [die if now is None else replace(die, held=now) for die, now in zip(dice, held, strict=True)]


def _die_at_cursor(menu: Menu) -> int | None:
    if menu.cursor is None:
        return None
    entry = menu.entries[menu.cursor]
    return int(entry.id) - 1 if entry.held is not None and entry.id.isdecimal() else None


def _row_width(places: Sequence[_Place], measures: Measures) -> int:
    return sum(_width(place, measures) + _gap_before(places, number, measures) for number, place in enumerate(places))


def _gap_before(places: Sequence[_Place], number: int, measures: Measures) -> int:
    if number == 0:
        return 0
    return measures.gap if _group(places[number - 1]) == _group(places[number]) else measures.group_gap


def _group(place: _Place) -> tuple[bool, str, bool]:
    return (True, "", False) if place.is_berth or place.die is None else (False, place.die.kind, place.die.extra)


def _width(place: _Place, measures: Measures) -> int:
    return measures.roman if place.die is not None and place.die.kind == "roman" else measures.side


def _draw_empty_slot(canvas: Canvas, corner: tuple[int, int], side: int, wanted: int) -> None:
    """Draw an empty berth: its corners, and the face it needs."""
    x, y = corner
    far_x, far_y, arm = x + side - 1, y + side - 1, 3
    for left in (x, far_x - arm + 1):
        for top in (y, far_y):
            canvas.bar(left, top, arm, 1)
    for left in (x, far_x):
        for top in (y, far_y - arm + 1):
            canvas.bar(left, top, 1, arm)
    digit = str(wanted)
    canvas.text(x + (side - SMALL.width(digit) + 1) // 2, y + (side - SMALL.height + 1) // 2, digit)


def _draw_die(canvas: Canvas, corner: tuple[int, int], width: int, height: int, die: Die) -> None:
    x, y = corner
    box = (x, y, x + width - 1, y + height - 1)
    fill = LIT_PIXEL if die.held and die.face is not None else DARK_PIXEL
    radius = 0 if die.kind == "roman" else 3
    canvas.pen.rounded_rectangle(box, radius=radius, fill=fill, outline=LIT_PIXEL)
    if die.face is None:
        return
    ink = DARK_PIXEL if fill == LIT_PIXEL else LIT_PIXEL
    if die.kind == "roman":
        _write_roman(canvas, box, die.face, ink)
    else:
        _draw_pips(canvas, (x, y), width, die.face, ink)


def _write_roman(canvas: Canvas, box: tuple[int, int, int, int], face: int, ink: int) -> None:
    left, top, right, bottom = box
    numeral = roman(face)
    style = BOLD if BOLD.width(numeral) <= right - left - 3 else SMALL
    x = left + (right - left + 1 - style.width(numeral)) // 2
    y = top + (bottom - top + 1 - style.height + 1) // 2
    canvas.text(x, y, numeral, style, ink)
    if bottom - top + 1 >= SIDE:  # a smaller die has no room for the bars of a carved numeral
        canvas.bar(x - 1, y - 2, style.width(numeral) + 2, 1, ink)
        canvas.bar(x - 1, y + style.height + 1, style.width(numeral) + 2, 1, ink)


def _draw_pips(canvas: Canvas, corner: tuple[int, int], side: int, face: int, ink: int) -> None:
    step = (side - 2 * 3 - PIP) // 2
    for column, row in PIPS.get(face, ()):
        canvas.bar(corner[0] + 3 + column * step, corner[1] + 3 + row * step, PIP, PIP, ink)
