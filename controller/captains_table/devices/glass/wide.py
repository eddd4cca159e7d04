"""The layout of a glass twice as wide: the play on the left, the whole menu beside it, the position on the right."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from captains_table.devices.glass.before_after import draw_over
from captains_table.devices.glass.board_map import draw_position, map_side
from captains_table.devices.glass.canvas import BOTTOM, GREY, LINE, Canvas
from captains_table.devices.glass.guidance import BODY_TOP
from captains_table.devices.glass.header import SUM
from captains_table.devices.glass.menu_lines import draw_list
from captains_table.devices.glass.packing import WIDTH
from captains_table.devices.glass.playing import draw_play, draw_top
from captains_table.devices.glass.text import BOLD, SMALL, wrap_all
from captains_table.table.view import Menu, SeatView, View

GUTTER: Final = 4
ROWS: Final = (BOTTOM - BODY_TOP) // LINE
SCORES: Final = 50  # columns for the seats of a game without a board


def draw_wide_playing(canvas: Canvas, view: View, frame: int) -> None:
    """Draw a match at play: the narrow picture without its menu, the menu or the log, the position or the scores."""
    play = Canvas()
    draw_play(play, replace(view, menu=Menu()), frame)
    canvas.paste(0, 0, play)
    draw_top(canvas, view)  # over the part pasted, whose top is empty
    right = _draw_right(canvas, view)
    left = WIDTH + GUTTER
    canvas.bar(left - GUTTER // 2 - 1, BODY_TOP, 1, BOTTOM - BODY_TOP, GREY)
    middle = Canvas((right - GUTTER - left, BOTTOM))
    if view.menu.entries:
        draw_list(middle, view.menu, BODY_TOP, ROWS)
    else:
        _draw_log(middle, view)
    canvas.paste(left, BODY_TOP, _below(middle, BODY_TOP))


def draw_wide_over(canvas: Canvas, view: View) -> None:
    """Draw who won beside every seat's tallies."""
    if view.result is None:
        draw_over(canvas, view)
        return
    half = Canvas()
    draw_over(half, view)
    canvas.paste(0, 0, half)
    canvas.bar(0, 0, canvas.width)  # one top line over both halves
    _draw_top_over(canvas, view)
    scores = Canvas((canvas.width - WIDTH - GUTTER, BOTTOM))
    _draw_seats(scores, sorted(view.seats, key=_total, reverse=True), BODY_TOP + 2)
    canvas.paste(WIDTH + GUTTER, BODY_TOP, _below(scores, BODY_TOP))


def _draw_top_over(canvas: Canvas, view: View) -> None:
    canvas.text(2, 1, "Match over", BOLD, 0)
    canvas.text_right(canvas.width - 2, 1, view.title, SMALL, 0)


def _draw_right(canvas: Canvas, view: View) -> int:
    """Draw the position, or every seat's score where there is no board; return the column it begins in."""
    if view.shape is not None:
        width, height = map_side(view.shape, BOTTOM - BODY_TOP)
        left = canvas.width - width
        draw_position(canvas, view, (left, BODY_TOP + (BOTTOM - BODY_TOP - height) // 2), BOTTOM - BODY_TOP)
        return left
    scores = Canvas((SCORES, BOTTOM))
    _draw_seats(scores, view.seats, BODY_TOP)
    left = canvas.width - SCORES
    canvas.paste(left, BODY_TOP, _below(scores, BODY_TOP))
    return left


def _draw_seats(canvas: Canvas, seats: Sequence[SeatView], top: int) -> None:
    pitch = LINE if len(seats) <= ROWS else LINE - 1
    for row, seat in enumerate(seats):
        y = top + row * pitch
        edge = canvas.text_right(canvas.width, y, str(_total(seat)), BOLD)
        canvas.text(0, y, SMALL.fit(seat.name, edge - GUTTER))


def _total(seat: SeatView) -> int:
    return seat.tallies.get(SUM, sum(seat.tallies.values()))


def _draw_log(canvas: Canvas, view: View) -> None:
    """Write what was done last, the newest at the bottom, older ones grey."""
    lines = wrap_all([line.words for line in view.log], SMALL, canvas.width)[-ROWS:]
    newest = wrap_all([line.words for line in view.log[-1:]], SMALL, canvas.width)
    for row, line in enumerate(lines):
        is_newest = row >= len(lines) - len(newest)
        canvas.text(0, BODY_TOP + 1 + row * LINE, line, SMALL, 255 if is_newest else GREY)


def _below(part: Canvas, top: int) -> Canvas:
    """Return what lies below a row."""
    below = Canvas((part.width, part.image.height - top))
    below.image.paste(part.image, (0, -top))
    return below
