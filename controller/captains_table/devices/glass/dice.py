"""The row of dice: pips for cargo, roman numerals for the Legend die, held ones white."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from captains_table.devices.glass.canvas import BLACK, WHITE, Canvas
from captains_table.devices.glass.text import BOLD, SMALL
from captains_table.games.contract import Die
from captains_table.games.dice import roman
from captains_table.table.view import Menu, View

TOP: Final = 19
SIDE: Final = 16
ROMAN_WIDTH: Final = 21
TUMBLING: Final = (1, 5, 3, 6, 2, 4)  # every face differs from the one before it
PIP: Final = 2

# Where pips sit in a 3 x 3 grid of columns and rows.
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
    """How wide dice and the gaps around them are in a row."""

    side: int
    roman: int
    gap: int
    group_gap: int


ROOMY: Final = Measures(SIDE, ROMAN_WIDTH, 3, 7)
TIGHT: Final = Measures(14, 18, 1, 3)


def draw_dice(canvas: Canvas, view: View, frame: int) -> None:
    """Draw the dice as they lie; those that tumble change their faces from frame to frame."""
    dice = _as_chosen(view.dice, view.menu)
    measures = ROOMY if _row_width(dice, ROOMY) <= canvas.width else TIGHT
    x = (canvas.width - _row_width(dice, measures)) // 2
    for index, die in enumerate(dice):
        x += _gap_before(dice, index, measures)
        width = _width(die, measures)
        hop = 0
        shown = die
        if index in view.tumbling:
            hop = (frame + index) % 2
            shown = replace(die, face=tumbling_face(frame, index), held=False)
        _draw_die(canvas, (x, TOP + (SIDE - measures.side) - hop), width, measures.side, shown)
        if index == _die_at_cursor(view.menu):
            canvas.bar(x, TOP + SIDE + 1, width, 1)
        x += width


def tumbling_face(frame: int, index: int) -> int:
    """Return a face for a die in the air: another one each frame, neighbours out of step; chance has no part in it."""
    return TUMBLING[(frame + index * 5) % len(TUMBLING)]


def _as_chosen(dice: Sequence[Die], menu: Menu) -> list[Die]:
    """Return the dice with those held that the menu holds while the choice is being made."""
    chosen = {entry.id: entry.held for entry in menu.entries if entry.held is not None}
    held = [chosen.get(str(number)) for number in range(1, len(dice) + 1)]
    return [die if now is None else replace(die, held=now) for die, now in zip(dice, held, strict=True)]


def _die_at_cursor(menu: Menu) -> int | None:
    if menu.cursor is None:
        return None
    entry = menu.entries[menu.cursor]
    return int(entry.id) - 1 if entry.held is not None and entry.id.isdecimal() else None


def _row_width(dice: Sequence[Die], measures: Measures) -> int:
    return sum(_width(die, measures) + _gap_before(dice, index, measures) for index, die in enumerate(dice))


def _gap_before(dice: Sequence[Die], index: int, measures: Measures) -> int:
    if index == 0:
        return 0
    before, die = dice[index - 1], dice[index]
    return measures.gap if (before.kind, before.extra) == (die.kind, die.extra) else measures.group_gap


def _width(die: Die, measures: Measures) -> int:
    return measures.roman if die.kind == "roman" else measures.side


def _draw_die(canvas: Canvas, corner: tuple[int, int], width: int, height: int, die: Die) -> None:
    x, y = corner
    box = (x, y, x + width - 1, y + height - 1)
    fill = WHITE if die.held and die.face is not None else BLACK
    radius = 0 if die.kind == "roman" else 3
    canvas.pen.rounded_rectangle(box, radius=radius, fill=fill, outline=WHITE)
    if die.face is None:
        return
    ink = BLACK if fill == WHITE else WHITE
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
