"""A view as a picture for the glass: which screen, in the layout of its size."""

from typing import Final

from PIL import Image

from captains_table.devices.display.packing import SIZE, WIDE
from captains_table.devices.display.screens import result_screen, standing_screen
from captains_table.devices.display.screens.canvas import BLACK, BOTTOM, LINE, Canvas
from captains_table.devices.display.screens.joining_screen import draw_joining
from captains_table.devices.display.screens.last_throw import seen_last
from captains_table.devices.display.screens.lobby_screen import draw_idle
from captains_table.devices.display.screens.playing_screen import draw_playing
from captains_table.devices.display.screens.recovery_screen import AT_WORK, draw_recovery
from captains_table.devices.display.screens.result_screen import draw_over, rows_below_cup
from captains_table.devices.display.screens.text import SMALL, wrap_all
from captains_table.devices.display.screens.wide_screens import ROWS, draw_wide_over, draw_wide_playing
from captains_table.table.model.view import Hold, Phase, View

LAYOUTS = {
    # size: playing, over, whether there are greys
    SIZE: (draw_playing, draw_over, False),
    WIDE: (draw_wide_playing, draw_wide_over, True),
}
BAR_HEIGHT: Final = 12
FRAME: Final = 2


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
