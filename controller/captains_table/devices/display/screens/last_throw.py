"""The last throw, for a moment in the place of the next player's dice: what it scored is lit, and what comes then."""

from dataclasses import replace
from typing import Final

from captains_table.devices.display.screens.canvas import BOTTOM, LINE, Canvas
from captains_table.devices.display.screens.dice_row import draw_dice
from captains_table.devices.display.screens.header import draw_header, draw_tallies
from captains_table.devices.display.screens.text import BOLD, SMALL, shorten, wrap_all
from captains_table.table.model.view import LastThrow, Menu, Phase, View

WORDS_TOP: Final = 40
WORDS_ROWS: Final = 2


def seen_last(view: View) -> LastThrow | None:
    """Return the last throw if it is to be shown: what is to be put right, or asked about the board, comes first."""
    at_fault = bool(view.wrong) and view.phase in (Phase.PLAYING, Phase.RESTORING)
    return None if at_fault or view.asks_about_board or view.phase is Phase.IDLE else view.last_throw


def draw_last_top(canvas: Canvas, view: View, last: LastThrow) -> None:
    """Draw the top line: whose throw it was."""
    seat = view.seats[last.seat]
    draw_header(canvas, seat.called, seat.called, view.heading, faulty=bool(view.faults), honours=seat.honours)


def draw_last_throw(canvas: Canvas, view: View, last: LastThrow) -> None:
    """Draw what stands below the top line: the tallies by now, the dice, what they came to, what follows."""
    draw_tallies(canvas, view)
    lit = tuple(replace(die, held=index in last.lit) for index, die in enumerate(last.dice))
    draw_dice(canvas, replace(view, dice=lit, slots=(), tumbling=(), menu=Menu()), 0)
    bold = BOLD.width(last.words) <= canvas.width
    if bold:
        canvas.text_centred(WORDS_TOP, last.words, BOLD)
    else:
        lines = shorten(wrap_all([last.words], SMALL, canvas.width), WORDS_ROWS, SMALL, canvas.width)
        for row, line in enumerate(lines):
            canvas.text_centred(WORDS_TOP - 2 + row * LINE, line)
    if view.prompt:
        canvas.text(0, BOTTOM - LINE + 1, SMALL.fit(view.prompt[0], canvas.width))
