"""Before and after a match: what can be played, who won."""

from captains_table.devices.glass.canvas import BOTTOM, CUP, LINE, SHIP, Canvas
from captains_table.devices.glass.guidance import BODY_TOP, draw_large, write
from captains_table.devices.glass.header import draw_header
from captains_table.devices.glass.menu_lines import draw_menu, rows_wanted
from captains_table.devices.glass.text import BOLD, LARGE, SMALL, TALL, Face, shorten, wrap_all
from captains_table.games.contract import Result
from captains_table.table.view import View


def draw_idle(canvas: Canvas, view: View) -> None:
    """Draw what can be played."""
    rows = min(rows_wanted(view.menu, canvas.width), 4)
    words = shorten(wrap_all(view.faults[:1] or view.prompt, SMALL, canvas.width), 2, SMALL, canvas.width)
    if rows:
        draw_header(canvas, view.title, view.title, view.heading, faulty=bool(view.faults))
        write(canvas, words[:1], BODY_TOP + 1, LINE, SMALL)
        draw_menu(canvas, view.menu, BOTTOM - rows * LINE, rows)
        return
    title = wrap_all([view.title], TALL, canvas.width - 36)[:2]
    top = BOTTOM - len(words) * LINE
    above = top - 4
    for row, line in enumerate(title):
        canvas.text(2, (above - len(title) * 18) // 2 + 2 + row * 18, line, TALL)
    canvas.picture(canvas.width - 33, (above - 23) // 2, SHIP)
    canvas.bar(0, above, canvas.width if words else 0, 1)
    for row, line in enumerate(words):
        canvas.text_centred(top + row * LINE + 1, line)


def draw_over(canvas: Canvas, view: View) -> None:
    """Draw who won and every seat's score."""
    game = view.title.partition(" ~ ")[0]
    draw_header(canvas, "Match over", "Match over", game, faulty=bool(view.faults))
    if view.result is None:
        draw_large(canvas, view.prompt, BODY_TOP, BOTTOM, canvas.width)
        return
    draw_winner(canvas, view, view.result)
    menu_rows = min(rows_wanted(view.menu, canvas.width), 1)
    draw_scores(canvas, view, view.result, 30, (BOTTOM - 29) // LINE - menu_rows)
    draw_menu(canvas, view.menu, BOTTOM - menu_rows * LINE, menu_rows)


def draw_winner(canvas: Canvas, view: View, result: Result) -> None:
    """Draw the cup and who won it."""
    winner = None if result.winner is None else view.seats[result.winner].name
    canvas.picture(1, BODY_TOP + 1, CUP)
    words = "Shared" if winner is None else f"{winner} wins"
    room = canvas.width - 22
    face = LARGE if LARGE.width(words) <= room else TALL
    canvas.text(22, BODY_TOP + 1, words if winner is None else _winner(winner, face, room), face)


def draw_scores(canvas: Canvas, view: View, result: Result, top: int, rows: int) -> None:
    """Draw as many scores as there are rows, the best first."""
    scores = sorted(zip(view.seats, result.scores, strict=True), key=lambda pair: -pair[1])
    for row, (seat, score) in enumerate(scores[:rows]):
        y = top + row * (LINE + 1 if rows > len(scores) else LINE)
        edge = canvas.text_right(canvas.width - 2, y, str(score), BOLD)
        canvas.text(2, y, SMALL.fit(seat.name, edge - 8))


def _winner(name: str, face: Face, room: int) -> str:
    ending = " wins"
    return face.fit(name, room - face.width(ending)) + ending
