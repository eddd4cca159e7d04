"""A view as a picture for the glass: which screen, in the layout of its size; the lobby, and a button that is held."""

from typing import Final

from PIL import Image

from captains_table.devices.display.packing import SIZE, WIDE
from captains_table.devices.display.screens import result_screen, standing_screen
from captains_table.devices.display.screens.canvas import BLACK, BOTTOM, LINE, SHIP, Canvas
from captains_table.devices.display.screens.header import draw_header
from captains_table.devices.display.screens.joining_screen import draw_joining
from captains_table.devices.display.screens.menu_lines import draw_menu, rows_wanted
from captains_table.devices.display.screens.playing_screen import draw_playing, seen_last
from captains_table.devices.display.screens.recovery_screen import AT_WORK, BODY_TOP, MOST_REASON, draw_recovery, write
from captains_table.devices.display.screens.result_screen import draw_over, rows_below_cup
from captains_table.devices.display.screens.text import SMALL, TALL, shorten, wrap_all
from captains_table.devices.display.screens.wide_screens import ROWS, draw_wide_over, draw_wide_playing
from captains_table.table.model.view import Hold, Phase, View

LAYOUTS = {
    # size: playing, over, whether there are greys
    SIZE: (draw_playing, draw_over, False),
    WIDE: (draw_wide_playing, draw_wide_over, True),
}
BAR_HEIGHT: Final = 12
FRAME: Final = 2
LOBBY_ROWS: Final = 4


def page_count(view: View, size: tuple[int, int] = SIZE) -> int:
    """Return how many pages a view has on a glass of a size, which turns them by itself; 1 where it stands still."""
    if view.phase is not Phase.OVER or seen_last(view) is not None:
        return standing_screen.page_count(view)
    return result_screen.page_count(view, ROWS if size == WIDE else rows_below_cup(view, size[0]))


def draw(view: View, frame: int = 0, size: tuple[int, int] = SIZE) -> Image.Image:
    """Return the frame that shows a view (128 x 64: mode "1"; 256 x 64: mode "L").

    Args:
        view: what is to be seen.
        frame: counts the pictures of one view: it animates dice that tumble, and turns pages (`page_count`).
        size: which layout; one of `LAYOUTS`.
    """
    playing, over, greys = LAYOUTS[size]
    canvas = Canvas(size)
    if view.hold is not None:
        draw_hold(canvas, view.hold)
    elif view.joining:
        draw_joining(canvas, view.joining)
    elif seen_last(view) is not None:
        playing(canvas, view, frame)
    elif view.phase is Phase.OVER:
        over(canvas, view, frame)
    elif view.phase is Phase.IDLE:
        draw_idle(canvas, view)
    elif view.wrong or view.phase in AT_WORK:
        draw_recovery(canvas, view)
    else:
        playing(canvas, view, frame)
    return canvas.image if greys else canvas.image.convert("1", dither=Image.Dither.NONE)


def draw_hold(canvas: Canvas, hold: Hold) -> None:
    """Draw how much of a long hold is done, what comes of it, and what of letting go."""
    for row, line in enumerate(wrap_all([hold.words], SMALL, canvas.width)):
        canvas.text_centred(4 + row * LINE, line)
    top, width = 26, canvas.width - 16
    canvas.bar(8, top, width, BAR_HEIGHT)
    canvas.bar(8 + FRAME, top + FRAME, width - 2 * FRAME, BAR_HEIGHT - 2 * FRAME, BLACK)
    canvas.bar(8, top, round(width * hold.share), BAR_HEIGHT)
    canvas.text_centred(BOTTOM - LINE - 4, hold.then)


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
