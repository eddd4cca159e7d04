"""Draws a menu as a scrolling list with a cursor; in a single row if the entries are numbers or fit side by side."""

from collections.abc import Sequence
from typing import Final

from captains_table.devices.display.screens.canvas import DARK_PIXEL, FREE, HELD, LINE, LIT_PIXEL, Canvas
from captains_table.devices.display.screens.text import SMALL, short_name
from captains_table.table.model.view import Menu, MenuEntry, first_shown

PAD: Final = 2
BOX: Final = 9
SPREAD: Final = 10
SCROLL_BAR: Final = 5
LEAST_NAME: Final = 20


def rows_wanted(menu: Menu, width: int) -> int:
    """Return how many lines the whole menu needs on a display `width` pixels wide."""
    if not menu.entries:
        return 0
    return 1 if _side_by_side(menu.entries, width) or _are_amounts(menu.entries) else len(menu.entries)


def draw_menu(canvas: Canvas, menu: Menu, top: int, rows: int) -> None:
    """Draw the menu in at most `rows` lines, scrolled so that the cursor is visible."""
    if rows <= 0 or not menu.entries:
        return
    if _are_amounts(menu.entries):
        _draw_amounts(canvas, menu, top)
    elif _side_by_side(menu.entries, canvas.width):
        _draw_row(canvas, menu, top)
    else:
        draw_list(canvas, menu, top, rows)


def list_width(menu: Menu, rows: int) -> int:
    """Return the width in pixels at which a list of `rows` lines shows every label in full."""
    widest = max((_width(entry) for entry in menu.entries), default=0)
    return widest + (SCROLL_BAR if len(menu.entries) > rows else 0)


def draw_list(canvas: Canvas, menu: Menu, top: int, rows: int) -> None:
    """Draw the menu as a list of `rows` lines, scrolled so that the cursor is visible."""
    entries = menu.entries
    first = first_shown(menu.cursor, len(entries), rows)
    room = canvas.width - _draw_place(canvas, menu, top, rows)
    for row, entry in enumerate(entries[first : first + rows]):
        y = top + row * LINE
        _draw_entry(canvas, menu, entry, (0, y), room, chosen=first + row == menu.cursor)


def _draw_place(canvas: Canvas, menu: Menu, top: int, rows: int) -> int:
    """Draw the scroll position, as a number or a scroll bar; return the number of pixels that it takes from the width.

    A single line has the number, unless it would cut a label for which there is room beside the bar.

    Draw nothing and return 0 if all entries fit.
    """
    count = len(menu.entries)
    cursor = menu.cursor or 0
    if count <= rows:
        return 0
    number = SMALL.width(f"{count}/{count}") + 4
    if rows == 1 and not canvas.width - number < max(map(_width, menu.entries)) <= canvas.width - SCROLL_BAR:
        canvas.text_right(canvas.width, top + 1, f"{cursor + 1}/{count}")
        return number
    height = rows * LINE - 1
    thumb = max(4, height * rows // count)
    canvas.bar(canvas.width - 2, top, 1, height)
    canvas.bar(canvas.width - 3, top + (height - thumb) * cursor // (count - 1), 3, thumb)
    return SCROLL_BAR


def _draw_row(canvas: Canvas, menu: Menu, top: int) -> None:
    gaps = SPREAD * (len(menu.entries) - 1)
    x = (canvas.width - gaps - sum(_width(entry) for entry in menu.entries)) // 2
    for index, entry in enumerate(menu.entries):
        _draw_entry(canvas, menu, entry, (x, top), canvas.width - x, chosen=index == menu.cursor)
        x += _width(entry) + SPREAD


def _draw_amounts(canvas: Canvas, menu: Menu, top: int) -> None:
    """Draw the amount at the cursor in the middle, with as many of the next lower and higher amounts as fit."""
    middle = menu.cursor or 0
    step = SMALL.width(menu.entries[-1].label) + 2 * PAD + 4
    reach = (canvas.width // step - 1) // 2
    for offset in range(-reach, reach + 1):
        index = middle + offset
        if not 0 <= index < len(menu.entries):
            continue
        entry = menu.entries[index]
        x = canvas.width // 2 + offset * step - _width(entry) // 2
        _draw_entry(canvas, menu, entry, (x, top), canvas.width - x, chosen=index == menu.cursor)


def _draw_entry(
    canvas: Canvas, menu: Menu, entry: MenuEntry, corner: tuple[int, int], room: int, *, chosen: bool
) -> None:
    x, y = corner
    label = _fitted(entry, menu, room - _width(entry) + SMALL.width(entry.label))
    if chosen:
        box = 0 if entry.held is None else BOX
        canvas.bar(x, y, SMALL.width(label) + 2 * PAD + box)
    ink = DARK_PIXEL if chosen else LIT_PIXEL
    x += PAD
    if entry.held is not None:
        canvas.picture(x, y + 1, HELD if entry.held else FREE, ink)
        x += BOX
    canvas.text(x, y + 1, label, SMALL, ink)


def _fitted(entry: MenuEntry, menu: Menu, room: int) -> str:
    """Return an entry's label shortened to `room` pixels so that it differs from those of the menu's other entries.

    In "Barbara: raise to 3" only the name is shortened, if enough of it remains.
    """
    words = entry.label.removeprefix(entry.name)
    left = room - SMALL.width(words)
    if words == entry.label or SMALL.width(entry.label) <= room or left < LEAST_NAME:
        return short_name(entry.label, [each.label for each in menu.entries], room)
    return short_name(entry.name, [each.name for each in menu.entries if each.name], left) + words


def _width(entry: MenuEntry) -> int:
    return SMALL.width(entry.label) + 2 * PAD + (0 if entry.held is None else BOX)


def _side_by_side(entries: Sequence[MenuEntry], width: int) -> bool:
    return sum(_width(entry) + SPREAD for entry in entries) - SPREAD <= width


def _are_amounts(entries: Sequence[MenuEntry]) -> bool:
    return all(entry.label.isdecimal() for entry in entries)
