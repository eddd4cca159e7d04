"""The players' clocks side by side, large; the one that runs is white."""

from collections.abc import Sequence
from typing import Final

from captains_table.devices.display.screens.canvas import BLACK, WHITE, Canvas
from captains_table.devices.display.screens.text import BOLD, TALL
from captains_table.table.model.player_clocks import clock_face
from captains_table.table.model.view import SeatView

ROWS: Final = 18
GAP: Final = 2


def draw_clocks(canvas: Canvas, seats: Sequence[SeatView], top: int) -> None:
    """Draw every seat's clock in a box of its own."""
    room = (canvas.width + GAP) // len(seats)
    one_is_on_turn = sum(seat.on_turn for seat in seats) == 1  # while several may bid no clock runs
    for index, seat in enumerate(seats):
        runs = seat.on_turn and one_is_on_turn
        face = clock_face(seat.seconds_left or 0)
        left, width = index * room, room - GAP
        letters = TALL if TALL.width(face) <= width - 4 else BOLD
        if runs:
            canvas.bar(left, top, width, ROWS - 1)
        ink = BLACK if runs else WHITE
        x = left + (width - letters.width(face)) // 2
        canvas.text(x, top + (ROWS - 1 - letters.height) // 2, face, letters, ink)
