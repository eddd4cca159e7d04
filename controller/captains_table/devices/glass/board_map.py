"""A little map of the board: which squares are right, to be filled, to be emptied."""

from typing import Final

from captains_table.devices.glass.canvas import WHITE, Canvas
from captains_table.games.contract import Shape, Square
from captains_table.table.view import View

BIGGEST_CELL: Final = 6


def map_side(shape: Shape, room: int) -> tuple[int, int]:
    """Return the map's width and height where it may be `room` rows high."""
    cell = _cell(shape, room)
    return shape.files * cell + 1, shape.ranks * cell + 1


def draw_map(canvas: Canvas, view: View, corner: tuple[int, int], room: int) -> None:
    """Draw the map: a block where a piece is missing, a cross where one is too many, a dot where one stands right."""
    shape = view.shape
    if shape is None:
        return
    left, top = corner
    cell = _cell(shape, room)
    width, height = map_side(shape, room)
    canvas.pen.rectangle((left, top, left + width - 1, top + height - 1), outline=WHITE)
    for square in shape.squares():
        x = left + square.file * cell + 1
        y = top + (shape.ranks - 1 - square.rank) * cell + 1
        _draw_square(canvas, view, square, (x, y), cell - 1)


def _cell(shape: Shape, room: int) -> int:
    return max(2, min(BIGGEST_CELL, (room - 1) // shape.ranks))


def _draw_square(canvas: Canvas, view: View, square: Square, corner: tuple[int, int], size: int) -> None:
    x, y = corner
    if square in view.wrong.missing:
        canvas.bar(x, y, size, size)
    elif square in view.wrong.extra:
        canvas.pen.line((x, y, x + size - 1, y + size - 1), fill=WHITE)
        canvas.pen.line((x, y + size - 1, x + size - 1, y), fill=WHITE)
    elif square in view.switches:
        canvas.bar(x + size // 2, y + size // 2, 1, 1)
