"""A match that is over: who won, and what everybody scored."""

from collections.abc import Sequence
from typing import Final

from captains_table.devices.display.screens.canvas import BOTTOM, CUP, LINE, Canvas
from captains_table.devices.display.screens.header import called_within, draw_header
from captains_table.devices.display.screens.menu_lines import draw_menu, rows_wanted
from captains_table.devices.display.screens.recovery_screen import BODY_TOP, draw_large
from captains_table.devices.display.screens.text import BOLD, LARGE, SMALL, TALL, Face, shorten, wrap_all
from captains_table.games.contract import Result, is_nobodys
from captains_table.table.model.view import SeatView, View

MATCH_OVER: Final = "Match over"
BELOW_CUP: Final = 28
MARGINS: Final = 16  # around and between the words of the top line, with room for a mark that something is broken


def draw_over(canvas: Canvas, view: View) -> None:
    """Draw who won and every seat's score."""
    draw_over_top(canvas, view, view.title.partition(" ~ ")[0])
    if view.result is None:
        draw_large(canvas, view.prompt, BODY_TOP, BOTTOM, canvas.width)
        return
    draw_winner(canvas, view, view.result)
    menu_rows = min(rows_wanted(view.menu, canvas.width), 1)
    rows = (BOTTOM - menu_rows * LINE - BELOW_CUP) // LINE
    if not draw_open(canvas, view, BELOW_CUP, rows):
        draw_scores(canvas, view.seats, view.result.scores, BELOW_CUP + 2, rows, beside_menu=menu_rows > 0)
    draw_menu(canvas, view.menu, BOTTOM - menu_rows * LINE, menu_rows)


def draw_open(canvas: Canvas, view: View, top: int, rows: int) -> bool:
    """Draw what is still open about the end, in so many lines; return whether anything is, so that no score is sure."""
    words = wrap_all(view.prompt[1:] if view.ask is not None else (), SMALL, canvas.width)
    for row, line in enumerate(shorten(words, rows, SMALL, canvas.width)):
        canvas.text(0, top + row * LINE + 1, line)
    return bool(words)


def draw_over_top(canvas: Canvas, view: View, game: str) -> None:
    """Draw the top line: that the match is over, and which game it was where there is room."""
    has_room = BOLD.width(MATCH_OVER) + SMALL.width(game) < canvas.width - MARGINS
    draw_header(canvas, MATCH_OVER, MATCH_OVER, game if has_room else "", faulty=bool(view.faults))


def draw_winner(canvas: Canvas, view: View, result: Result) -> None:
    """Draw the cup and who won it; whoever played alone won over nobody, so there the score."""
    winner = None if result.winner is None else view.seats[result.winner].called
    canvas.picture(1, BODY_TOP + 1, CUP)
    alone = f"Score {result.scores[0]}" if len(view.seats) == 1 else ""
    drawn = "Nobody wins" if is_nobodys(result.winner, result.scores) else "Shared"
    words = alone or (drawn if winner is None else f"{winner} wins")
    room = canvas.width - 22
    face = LARGE if LARGE.width(words) <= room else TALL
    canvas.text(22, BODY_TOP + 1, words if alone or winner is None else _winner(winner, face, room), face)


def draw_scores(
    canvas: Canvas, seats: Sequence[SeatView], scores: Sequence[int], top: int, rows: int, *, beside_menu: bool = False
) -> None:
    """Draw names and scores, best first, in two columns where one has too few rows; those that lead have room."""
    ranked = sorted(zip(seats, scores, strict=True), key=lambda pair: -pair[1])
    columns = 1 if len(ranked) <= rows else 2
    pitch = LINE + 1 if rows > len(ranked) else LINE - 1 if beside_menu else LINE  # a menu keeps clear of letters
    width = canvas.width // columns
    for place, (seat, score) in enumerate(ranked[: rows * columns]):
        column, row = divmod(place, rows)
        y = top + row * pitch
        left, right = column * width + 2, (column + 1) * width - (2 if columns == 1 else 5)
        edge = canvas.text_right(right, y, str(score), BOLD)
        canvas.text(left, y, called_within(seat, edge - 6 - left))


def _winner(name: str, face: Face, room: int) -> str:
    ending = " wins"
    return face.fit(name, room - face.width(ending)) + ending
