"""Draws instructions for setting up or correcting the pieces, as large as possible, and sometimes a map."""

from collections.abc import Sequence
from typing import Final

from captains_table.devices.display.screens.board_map import draw_map, map_size
from captains_table.devices.display.screens.canvas import BOTTOM, LINE, Canvas
from captains_table.devices.display.screens.header import draw_header, split_prompt
from captains_table.devices.display.screens.menu_lines import draw_menu
from captains_table.devices.display.screens.playing_screen import draw_foot, draw_top
from captains_table.devices.display.screens.text import BOLD, LARGE, SMALL, TALL, shorten, wrap_all
from captains_table.phrases import say, short_form
from captains_table.table.model.view import Phase, View
from captains_table.table.prompts.asks import PUT_RIGHT

BODY_TOP: Final = 11
AT_WORK: Final = {Phase.SETUP: say("Set up"), Phase.RESTORING: say("Restore")}
MOST_REASON: Final = 3  # lines of the reason, which is followed by the instructions in larger letters
MANY_SQUARES: Final = 5  # with this many wrong squares a map is drawn as well
NARROW: Final = 128  # a wider display always shows a map


def draw_recovery(canvas: Canvas, view: View) -> None:
    """Draw the top line and the instructions, with a map if many squares are wrong or the display is wide.

    The instructions are as large as possible. If the menu's first entry is `PUT_RIGHT`, the bottom line shows the menu.
    Otherwise `draw_foot` draws the bottom line in two cases: if there is a fault, and during the set-up of a match with
    a commitment (a hash that will prove the dice).
    """
    _, prompt = split_prompt(view)
    if view.phase in AT_WORK:
        work = view.said(AT_WORK[view.phase])
        draw_header(canvas, work, short_form(work), view.heading, faulty=bool(view.faults))
    else:
        draw_top(canvas, view)
    bottom = BOTTOM
    if view.menu.entries and view.menu.entries[0].id == PUT_RIGHT.id:
        bottom -= LINE
        draw_menu(canvas, view.menu, bottom, 1)
    elif view.faults or (view.phase is Phase.SETUP and view.commitment):
        bottom -= LINE
        draw_foot(canvas, view, bottom)
    width = canvas.width
    wrong = len(view.wrong.missing) + len(view.wrong.extra)
    if view.shape is not None and (wrong >= MANY_SQUARES or canvas.width > NARROW):
        side = map_size(view.shape, bottom - BODY_TOP)
        draw_map(canvas, view, (canvas.width - side[0], BODY_TOP), bottom - BODY_TOP)
        width -= side[0] + 4
    reason = prompt[:1] if view.wrong and len(prompt) > 1 else ()
    shown = () if view.phase is Phase.SETUP else reason  # during set-up the top line says it already
    lines = wrap_all(shown, width, MOST_REASON)
    canvas.lines(lines, BODY_TOP)
    top = BODY_TOP + len(lines) * LINE + (2 if lines else 0)
    draw_large(canvas, prompt[len(reason) :], top, bottom, width)


def draw_large(canvas: Canvas, texts: Sequence[str], top: int, bottom: int, width: int) -> None:
    """Write the first text in the largest face with which all texts fit, and the other texts in small letters.

    If no face fits, all texts are in small letters, in their short forms, and cut if that is not enough.
    """
    if not texts:
        return
    is_long = len(wrap_all(texts, width)) * LINE > bottom - top
    texts = [short_form(text) for text in texts] if is_long else texts
    others = wrap_all(texts[1:], width)
    room = bottom - top - (1 if others else -1)  # lines are two pixels apart; the last needs none below it
    for face in (LARGE, TALL, BOLD, SMALL):
        first = face.wrap(texts[0], width)
        pitch = face.height + 2
        whole = " ".join(first) == " ".join(texts[0].split())
        if whole and len(first) * pitch + len(others) * LINE <= room:
            break
    else:
        first = shorten(first, room // pitch, width)
        others = shorten(others, (room - len(first) * pitch) // LINE, width)
    canvas.lines(first, top, pitch=pitch, face=face)
    canvas.lines(others, top + len(first) * pitch + 2)
