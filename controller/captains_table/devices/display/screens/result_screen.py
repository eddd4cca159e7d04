"""Draws a finished match: the winner and everybody's score, an open question about the end, the digest and the menu.

If there are too many scores for one page, the display turns through several pages.
"""

from collections.abc import Sequence
from typing import Final

from captains_table.devices.display.screens.canvas import BOTTOM, CUP, LINE, Canvas
from captains_table.devices.display.screens.header import draw_header, fitted_name
from captains_table.devices.display.screens.menu_lines import draw_menu, rows_wanted
from captains_table.devices.display.screens.recovery_screen import BODY_TOP, draw_large
from captains_table.devices.display.screens.text import BOLD, LARGE, SMALL, TALL, short_name, shorten, wrap_all
from captains_table.games.contract import Result, is_nobodys
from captains_table.phrases import say, short_form
from captains_table.table.model.verdict import ranking, reasons
from captains_table.table.model.view import SeatView, View

MATCH_OVER: Final = say("Match over")
DIGEST_SHOWN: Final = 16
BELOW_CUP: Final = 28
MARGINS: Final = 16  # pixels around and between the words of the top line, with room for the fault mark


def result_page_count(view: View, rows: int) -> int:
    """Return how many pages of `rows` rows the scores of a finished match fill; 1 if no scores are drawn."""
    seats = len(view.seats) if view.result is not None and not _open_lines(view, 1) else 0
    return max(1, -(-seats // (_columns(seats, rows) * rows)))


def rows_below_cup(view: View, width: int) -> int:
    """Return how many rows of scores fit below the winner on a display `width` pixels wide."""
    return (BOTTOM - (_menu_rows(view, width) + bool(view.digest)) * LINE - BELOW_CUP) // LINE


def _menu_rows(view: View, width: int) -> int:
    return min(rows_wanted(view.menu, width), 1)


def draw_over(canvas: Canvas, view: View, frame: int) -> None:
    """Draw a finished match: the winner, a page of the scores or an open question, the digest, and the menu.

    A match without a result is drawn with its prompt only.
    """
    draw_over_top(canvas, view, short_form(view.title))
    if view.result is None:
        draw_large(canvas, view.prompt, BODY_TOP, BOTTOM, canvas.width)
        return
    draw_winner(canvas, view, view.result)
    menu_rows, rows = _menu_rows(view, canvas.width), rows_below_cup(view, canvas.width)
    if not draw_open_question(canvas, view, BELOW_CUP, rows):
        shown = scores_of_page(view, rows, frame)
        draw_scores(canvas, shown, view.seats, BELOW_CUP + 2, rows, beside_menu=bool(menu_rows or view.digest))
    draw_digest(canvas, view, BOTTOM - (menu_rows + 1) * LINE)
    draw_menu(canvas, view.menu, BOTTOM - menu_rows * LINE, menu_rows)


def draw_digest(canvas: Canvas, view: View, top: int) -> None:
    """Draw the first digits of the match's digest, for players to write down; nothing while there is no digest."""
    if view.digest:
        canvas.text(2, top, "SHA")
        canvas.text_right(canvas.width, top, view.digest[:DIGEST_SHOWN])


def draw_open_question(canvas: Canvas, view: View, top: int, rows: int) -> bool:
    """Draw an open question about the match's end in at most `rows` lines; return whether there is such a question.

    While there is an open question, the scores are not final.
    """
    words = _open_lines(view, canvas.width)
    canvas.lines(shorten(words, rows, canvas.width), top + 1)
    return bool(words)


def _open_lines(view: View, width: int) -> Sequence[str]:
    return wrap_all(view.prompt[1:] if view.ask is not None else (), width)


def draw_over_top(canvas: Canvas, view: View, game: str) -> None:
    """Draw the top line: why the match ended so; without a reason "Match over", and the game's name if there is room.

    If a long reason does not leave room for "Match over", the reason stands alone.
    """
    why = "" if view.result is None else view.said(next(iter(reasons(view.result, view.latest_events)), ""))
    is_over = view.said(MATCH_OVER)
    room = canvas.width - MARGINS
    alone = room if view.faults else canvas.width - 4
    if why and BOLD.width(is_over) + SMALL.width(why) > room:
        bold = why if BOLD.width(why) <= room else ""
        draw_header(canvas, bold, bold, "" if bold else SMALL.fit(why, alone), faulty=bool(view.faults))
        return
    has_room = BOLD.width(is_over) + SMALL.width(game) < room
    draw_header(canvas, is_over, is_over, why or (game if has_room else ""), faulty=bool(view.faults))


def draw_winner(canvas: Canvas, view: View, result: Result) -> None:
    """Draw the cup, and to its right the result.

    The result is the winner's name, "Shared" or "Nobody wins"; in a match of one player, it is the score.
    """
    winner = None if result.winner is None else view.seats[result.winner].called
    canvas.picture(1, BODY_TOP + 1, CUP)
    is_alone, room = len(view.seats) == 1, canvas.width - 22
    if is_alone:
        words = view.said(say("Score {score}", result.scores[0]))
    elif winner is not None:
        words = view.said(say("{name} wins", winner))
    elif is_nobodys(result.winner, result.scores):
        words = view.said(say("Nobody wins"))
    else:
        words = view.said(say("Draw") if result.scores[2:] == () else say("Shared"))
    face = LARGE if LARGE.width(words) <= room else TALL
    if winner is not None and not is_alone:
        beside = face.width(view.said(say("{name} wins", "")))
        name = short_name(winner, [seat.called for seat in view.seats], room - beside, face)
        words = view.said(say("{name} wins", name))
    canvas.text(22, BODY_TOP + 1, face.fit(words, room), face)


def scores_of_page(view: View, rows: int, frame: int) -> list[tuple[str, SeatView, str]]:
    """Return the rank as text, the seat and the score of each seat on the current page, best first.

    The rank is an empty text if all seats fit on one page.

    Args:
        view: the view with the result.
        rows: the number of rows of a page.
        frame: the number of pages turned so far.
    """
    ranked = [] if view.result is None else ranking(view.result)
    pages = result_page_count(view, rows)
    room = _columns(len(ranked), rows) * rows
    first = frame % pages * room
    return [
        (f"{place}. " if pages > 1 else "", view.seats[seat], score)
        for place, seat, _, score in ranked[first : first + room]
    ]


def _columns(seats: int, rows: int) -> int:
    """Return the number of columns for the scores: 2 if the seats fit in two columns but not in one, otherwise 1."""
    return 2 if rows < seats <= 2 * rows else 1


def draw_scores(
    canvas: Canvas,
    shown: Sequence[tuple[str, SeatView, str]],
    seats: Sequence[SeatView],
    top: int,
    rows: int,
    *,
    beside_menu: bool = False,
) -> None:
    """Draw ranks, names and scores from `top` down, in columns of at most `rows` rows.

    `shown` lists the rank, the seat and the score of each seat on this page. `seats` are all seats of the match; their
    number determines the number of columns. `beside_menu` says whether a menu or the match's digest is drawn
    directly below the scores; the rows may then be closer together.
    """
    columns = _columns(len(seats), rows)
    pitch = LINE + 1 if rows > len(seats) else LINE - 1 if beside_menu else LINE  # keeps the letters clear of the menu
    width = canvas.width // columns
    for number, (place, seat, score) in enumerate(shown):
        column, row = divmod(number, rows)
        y = top + row * pitch
        left, right = column * width + 2, (column + 1) * width - (2 if columns == 1 else 5)
        edge = canvas.text_right(right, y, score.replace("½", "1/2"), BOLD)
        left = canvas.text(left, y, place) if place else left
        canvas.text(left, y, fitted_name(seat, seats, edge - 6 - left))
