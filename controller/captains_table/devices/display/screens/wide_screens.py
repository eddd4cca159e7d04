"""Draws the layout of a display 256 pixels wide.

A running match has the play on the left, the menu or the log in the middle, and the position or the scores on the
right. A finished match has the winner, the tallies or an open question, the digest and the menu on the left, and the
scores on the right.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from captains_table.devices.display.packing import WIDTH
from captains_table.devices.display.screens.board_map import draw_position, map_size
from captains_table.devices.display.screens.canvas import ARROW, BOTTOM, GREY, LINE, LIT_PIXEL, Canvas
from captains_table.devices.display.screens.header import (
    around_turn,
    draw_tallies,
    fitted_name,
    hidden_seats,
    seat_total,
)
from captains_table.devices.display.screens.menu_lines import draw_list, draw_menu, list_width, rows_wanted
from captains_table.devices.display.screens.playing_screen import draw_foot, draw_play, draw_top
from captains_table.devices.display.screens.recovery_screen import BODY_TOP
from captains_table.devices.display.screens.result_screen import (
    BELOW_CUP,
    draw_digest,
    draw_open_question,
    draw_over,
    draw_over_top,
    draw_scores,
    draw_winner,
    scores_of_page,
)
from captains_table.devices.display.screens.text import BOLD, SMALL, wrap_all
from captains_table.table.model.view import CROWD, Menu, SeatView, View

GUTTER: Final = 4
ROWS: Final = (BOTTOM - BODY_TOP) // LINE
BELOW_WINNER: Final = 32
MENU_ROWS: Final = 2
CLOSE: Final = LINE - 1  # the line pitch if there are many seats
SCORES: Final = 50  # pixels of width for the scores of a game without a board


def draw_wide_playing(canvas: Canvas, view: View, frame: int) -> None:
    """Draw a running match: on the left the narrow layout without its menu, and next to it the menu or the log.

    The position or the scores follow on the right; they are left out if a wide menu needs their room.
    """
    play = Canvas()
    foot = draw_play(play, replace(view, menu=Menu()), frame)
    left = WIDTH + GUTTER
    right = canvas.width
    side = _side(view)
    has_side = right - side.width - GUTTER - left >= list_width(view.menu, ROWS)  # a wide menu displaces it
    if foot is not None:
        draw_foot(play, view, foot, others=view.shape is not None or not has_side)
    canvas.paste(0, 0, play)
    draw_top(canvas, view)  # over the empty top of the pasted part
    canvas.bar(left - GUTTER // 2 - 1, BODY_TOP, 1, BOTTOM - BODY_TOP, GREY)
    if has_side:
        right -= side.width
        canvas.paste(right, BODY_TOP, side)
        right -= GUTTER
    middle = Canvas((right - left, BOTTOM - BODY_TOP))
    if view.menu.entries:
        draw_list(middle, view.menu, 0, ROWS)
    else:
        _draw_log(middle, view)
    canvas.paste(left, BODY_TOP, middle)


def draw_wide_over(canvas: Canvas, view: View, frame: int) -> None:
    """Draw a finished match: the winner on the left, and a page of the scores on the right.

    Below the winner are the tallies or an open question, the first digits of the match's SHA digest, and the menu. A
    match that ended without a result is drawn in the narrow layout.
    """
    if view.result is None:
        draw_over(canvas, view, frame)
        return
    draw_over_top(canvas, view, view.title)
    half = Canvas()
    draw_winner(half, view, view.result)
    menu_rows = min(rows_wanted(view.menu, half.width), MENU_ROWS)
    if not draw_open_question(half, view, BELOW_CUP, (BOTTOM - menu_rows * LINE - BELOW_CUP) // LINE):
        draw_tallies(half, view, top=BELOW_WINNER)
    draw_digest(half, view, BOTTOM - (menu_rows + 1) * LINE)
    draw_menu(half, view.menu, BOTTOM - menu_rows * LINE, menu_rows)
    body = half.image.crop((0, BODY_TOP, half.width, BOTTOM))
    canvas.image.paste(body, (0, BODY_TOP))
    scores = Canvas((canvas.width - WIDTH - GUTTER, BOTTOM - BODY_TOP))
    draw_scores(scores, scores_of_page(view, ROWS, frame), view.seats, 1, ROWS)
    canvas.paste(WIDTH + GUTTER, BODY_TOP, scores)


def _side(view: View) -> Canvas:
    """Return the right part of the layout: the position, or the scores of a game without a board."""
    room = BOTTOM - BODY_TOP
    if view.shape is None:
        scores = Canvas((SCORES, room))
        _draw_seats(scores, view.seats)
        return scores
    width, height = map_size(view.shape, room)
    position = Canvas((width, room))
    draw_position(position, view, (0, (room - height) // 2), room)
    return position


def _draw_seats(canvas: Canvas, seats: Sequence[SeatView]) -> None:
    """Draw names and totals of the seats, one below the other.

    If there are at most CROWD seats and not all of them fit, draw only the seats that `draw_tallies` leaves out. If
    there are more seats, mark the seat on turn, and scroll the list to this seat if not all seats fit.
    """
    lines, every = canvas.image.height // CLOSE, seats
    is_crowd = len(seats) > CROWD
    if len(seats) > lines:
        seats = around_turn(seats, lines) if is_crowd else hidden_seats(seats)
    pitch = LINE if len(seats) <= ROWS else CLOSE
    for row, seat in enumerate(seats):
        left = canvas.picture(0, row * pitch, ARROW) + GUTTER // 2 if is_crowd and seat.on_turn else 0
        edge = canvas.text_right(canvas.width, row * pitch, str(seat_total(seat)), BOLD)
        canvas.text(left, row * pitch, fitted_name(seat, every, edge - GUTTER - left))


def _draw_log(canvas: Canvas, view: View) -> None:
    """Draw the latest lines of the log, the newest at the bottom; the newest entry is white, older ones are grey."""
    lines = wrap_all([line.words for line in view.log], canvas.width)[-ROWS:]
    newest = wrap_all([line.words for line in view.log[-1:]], canvas.width)
    for row, line in enumerate(lines):
        is_newest = row >= len(lines) - len(newest)
        canvas.text(0, 1 + row * LINE, line, SMALL, LIT_PIXEL if is_newest else GREY)
