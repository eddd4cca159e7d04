"""Between matches: what can be played, asked screen by screen in the lobby."""

from typing import Final

from captains_table.devices.display.screens.canvas import BOTTOM, LINE, SHIP, Canvas
from captains_table.devices.display.screens.header import draw_header
from captains_table.devices.display.screens.menu_lines import draw_menu, rows_wanted
from captains_table.devices.display.screens.recovery_screen import BODY_TOP, MOST_REASON, write
from captains_table.devices.display.screens.text import SMALL, TALL, shorten, wrap_all
from captains_table.table.model.view import View

LOBBY_ROWS: Final = 4


def draw_idle(canvas: Canvas, view: View) -> None:
    """Draw what can be played."""
    if view.menu.entries:
        _draw_lobby(canvas, view)
        return
    words = shorten(wrap_all(view.faults[:1] or view.prompt, SMALL, canvas.width), 2, SMALL, canvas.width)
    title = wrap_all([view.title], TALL, canvas.width - 36)[:2]
    top = BOTTOM - len(words) * LINE
    above = top - 4
    for row, line in enumerate(title):
        canvas.text(2, (above - len(title) * 18) // 2 + 2 + row * 18, line, TALL)
    canvas.picture(canvas.width - 33, (above - 23) // 2, SHIP)
    canvas.bar(0, above, canvas.width if words else 0, 1)
    for row, line in enumerate(words):
        canvas.text_centred(top + row * LINE + 1, line)


def _draw_lobby(canvas: Canvas, view: View) -> None:
    """Draw what is asked before a match: two lines of words and four of the menu, or three and three."""
    draw_header(canvas, view.title, view.title, view.heading, faulty=bool(view.faults))
    words = shorten(wrap_all(view.prompt, SMALL, canvas.width), MOST_REASON, SMALL, canvas.width)
    rows = min(rows_wanted(view.menu, canvas.width), LOBBY_ROWS - len(words) // MOST_REASON)
    below = BOTTOM - rows * LINE
    pitch = min(LINE, (below - BODY_TOP) // len(words)) if words else LINE
    write(canvas, words, BODY_TOP + (1 if len(words) == 1 else 0), pitch, SMALL)
    draw_menu(canvas, view.menu, below, rows)
