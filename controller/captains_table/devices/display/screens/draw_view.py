"""Draws a view as a frame for the display: chooses the screen and layout, and counts the pages.

It also draws some screens itself: start screen, lobby, page address with QR code, and long press.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

import segno
from PIL import Image

from captains_table.devices.display.packing import GLASS_SIZE, WIDE
from captains_table.devices.display.screens import result_screen, standing_screen
from captains_table.devices.display.screens.canvas import BOTTOM, DARK_PIXEL, LINE, SHIP, Canvas
from captains_table.devices.display.screens.header import draw_header
from captains_table.devices.display.screens.menu_lines import draw_menu, rows_wanted
from captains_table.devices.display.screens.playing_screen import draw_playing, visible_last_throw
from captains_table.devices.display.screens.recovery_screen import AT_WORK, BODY_TOP, MOST_REASON, draw_recovery
from captains_table.devices.display.screens.result_screen import draw_over, rows_below_cup
from captains_table.devices.display.screens.text import BOLD, SMALL, TALL, wrap_all
from captains_table.devices.display.screens.wide_screens import ROWS, draw_wide_over, draw_wide_playing
from captains_table.phrases import say
from captains_table.table.model.view import LongPress, Phase, View

LAYOUTS = {
    # size: functions for a running and for a finished match, and whether the panel has greys
    GLASS_SIZE: (draw_playing, draw_over, False),
    WIDE: (draw_wide_playing, draw_wide_over, True),
}
BAR_HEIGHT: Final = 12
FRAME: Final = 2
LOBBY_ROWS: Final = 4
LEAST_MARGIN: Final = 3  # white pixels around the QR code; the standard asks for four modules, if there is room
READABLE: Final = 2  # pixels per module of the QR code; a camera cannot read smaller ones
BESIDE_CODE: Final = 5
BELOW_TITLE: Final = 13
TITLE: Final = say("The page")
GO_ON: Final = say("Any button goes on")
MOST_LINES: Final = 3
PARTS: Final = r"[^.:/]*[.:/]|[^.:/]+"  # an address may be wrapped after dots, colons and slashes


def view_page_count(view: View, size: tuple[int, int] = GLASS_SIZE) -> int:
    """Return how many pages the display turns through while it shows a view; 1 for a still view."""
    if view.phase is not Phase.OVER or visible_last_throw(view) is not None:
        return standing_screen.standings_page_count(view)
    return result_screen.result_page_count(view, ROWS if size == WIDE else rows_below_cup(view, size[0]))


def draw_view(view: View, frame: int = 0, size: tuple[int, int] = GLASS_SIZE) -> Image.Image:
    """Return the image that shows a view (128 x 64: mode "1"; 256 x 64: mode "L").

    Args:
        view: the view to draw.
        frame: the number of the animation frame; for a view with several pages (`view_page_count`), the number of pages
            turned so far.
        size: the size of the layout; one of `LAYOUTS`.
    """
    playing, over, greys = LAYOUTS[size]
    canvas = Canvas(size)
    if view.hold is not None:
        draw_hold(canvas, view.hold)
    elif view.joining:
        draw_joining(canvas, view)
    elif visible_last_throw(view) is not None and not view.reading:
        playing(canvas, view, frame)
    elif view.phase is Phase.OVER:
        over(canvas, view, frame)
    elif view.reading or view.phase is Phase.IDLE:
        draw_idle(canvas, view)
    elif view.wrong or view.phase in AT_WORK:
        draw_recovery(canvas, view)
    else:
        playing(canvas, view, frame)
    return canvas.image if greys else canvas.image.convert("1", dither=Image.Dither.NONE)


def draw_hold(canvas: Canvas, hold: LongPress) -> None:
    """Draw a long press: its effect, the progress bar, and the effect of releasing the button now."""
    for row, line in enumerate(wrap_all([hold.words], canvas.width)):
        canvas.text_centred(4 + row * LINE, line)
    top, width = 26, canvas.width - 16
    canvas.bar(8, top, width, BAR_HEIGHT)
    canvas.bar(8 + FRAME, top + FRAME, width - 2 * FRAME, BAR_HEIGHT - 2 * FRAME, DARK_PIXEL)
    canvas.bar(8, top, round(width * hold.share), BAR_HEIGHT)
    canvas.text_centred(BOTTOM - LINE - 4, hold.then)


def draw_idle(canvas: Canvas, view: View) -> None:
    """Draw the table without a match: the lobby if the view has a menu, otherwise the start screen.

    The start screen has the title, a ship, and the first fault; without a fault it has the prompt instead.
    """
    if view.menu.entries:
        _draw_lobby(canvas, view)
        return
    words = wrap_all(view.faults[:1] or view.prompt, canvas.width, 2)
    title = TALL.wrap(view.title, canvas.width - 36)[:2]
    top = BOTTOM - len(words) * LINE
    above = top - 4
    canvas.lines(title, (above - len(title) * 18) // 2 + 2, 2, 18, TALL)
    canvas.picture(canvas.width - 33, (above - 23) // 2, SHIP)
    canvas.bar(0, above, canvas.width if words else 0, 1)
    for row, line in enumerate(words):
        canvas.text_centred(top + row * LINE + 1, line)


def _draw_lobby(canvas: Canvas, view: View) -> None:
    """Draw the lobby, or a text to be read: the title, at most three lines of the prompt, and the menu.

    The menu has at most four lines, or three below a prompt of three lines. A prompt above a single line has four.
    """
    title, heading = (view.reading, "") if view.reading else (view.title, view.heading)
    draw_header(canvas, title, title, heading, faulty=bool(view.faults))
    words = wrap_all(view.prompt, canvas.width, MOST_REASON + (len(view.menu.entries) == 1))
    rows = min(rows_wanted(view.menu, canvas.width), LOBBY_ROWS - len(words) // MOST_REASON)
    below = BOTTOM - rows * LINE
    pitch = min(LINE, (below - BODY_TOP) // len(words)) if words else LINE
    canvas.lines(words, BODY_TOP + (len(words) == 1), pitch=pitch)
    draw_menu(canvas, view.menu, below, rows)


def draw_joining(canvas: Canvas, view: View) -> None:
    """Draw the address of the table's page, with a QR code if the code's modules are large enough for a camera.

    A text that is not an address (such as one about a missing network) is drawn without a code.
    """
    address = view.joining
    code = segno.make(address, error="l", boost_error=False, micro=False).matrix if "//" in address else ()
    pixels = (BOTTOM - 2 * LEAST_MARGIN) // len(code) if code else 0
    left = 0
    if pixels >= READABLE:
        _draw_code(canvas, code, pixels)
        left = BOTTOM + BESIDE_CODE
    width = canvas.width - left
    canvas.text(left, 1, view.said(TITLE), BOLD)
    canvas.lines(list(_broken(address.partition("//")[2] or address, width))[:MOST_LINES], BELOW_TITLE, left)
    words = SMALL.wrap(view.said(GO_ON), width)
    canvas.lines(words, BOTTOM - len(words) * LINE, left)


def _draw_code(canvas: Canvas, code: Sequence[bytearray], pixels: int) -> None:
    """Draw a QR code black on white, as cameras expect it."""
    canvas.bar(0, 0, BOTTOM, BOTTOM)
    margin = (BOTTOM - pixels * len(code)) // 2
    for row, modules in enumerate(code):
        for column, is_dark in enumerate(modules):
            if is_dark:
                canvas.bar(margin + column * pixels, margin + row * pixels, pixels, pixels, DARK_PIXEL)


def _broken(address: str, width: int) -> Iterator[str]:
    """Yield the lines of an address, wrapped after dots, colons and slashes."""
    line = ""
    for part in re.findall(PARTS, address):
        if line and SMALL.width(line + part) > width:
            yield SMALL.fit(line, width)
            line = ""
        line += part
    yield SMALL.fit(line, width)
