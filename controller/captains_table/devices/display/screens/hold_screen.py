"""A button that is held for the table's own menu."""

from typing import Final

from captains_table.devices.display.screens.canvas import BLACK, BOTTOM, LINE, Canvas
from captains_table.devices.display.screens.text import SMALL, wrap_all
from captains_table.table.model.view import Hold

BAR_HEIGHT: Final = 12
FRAME: Final = 2


def draw_hold(canvas: Canvas, hold: Hold) -> None:
    """Draw how much of a long hold is done, what comes of it, and what of letting go."""
    for row, line in enumerate(wrap_all([hold.words], SMALL, canvas.width)):
        canvas.text_centred(4 + row * LINE, line)
    top, width = 26, canvas.width - 16
    canvas.bar(8, top, width, BAR_HEIGHT)
    canvas.bar(8 + FRAME, top + FRAME, width - 2 * FRAME, BAR_HEIGHT - 2 * FRAME, BLACK)
    canvas.bar(8, top, round(width * hold.share), BAR_HEIGHT)
    canvas.text_centred(BOTTOM - LINE - 4, hold.then)
