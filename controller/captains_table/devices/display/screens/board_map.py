"""Draws a small map of the board, with the squares to fill or to empty, or with the position of the pieces."""

from collections.abc import Callable
from typing import Final

from captains_table.devices.display.screens.canvas import DARK_PIXEL, GREY, LIT_PIXEL, Canvas
from captains_table.games.contract import Shape, Square
from captains_table.table.model.view import View

BIGGEST_CELL: Final = 6

DrawSquare = Callable[[Canvas, View, Square, tuple[int, int], int], None]


def map_size(shape: Shape, room: int) -> tuple[int, int]:
    """Return the map's width and height in pixels, for at most `room` pixels of height."""
    cell = _cell(shape, room)
    return shape.files * cell + 1, shape.ranks * cell + 1


def draw_map(canvas: Canvas, view: View, corner: tuple[int, int], room: int) -> None:
    """Draw a map for correcting the board: a block, a cross, a dot or nothing on each square.

    A block marks a missing piece, a cross a piece that must be removed, a dot a piece that stands correctly.
    """
    _draw_squares(canvas, view, corner, room, _draw_wrong)


def draw_position(canvas: Canvas, view: View, corner: tuple[int, int], room: int) -> None:
    """Draw the position: White's pieces are filled, Black's pieces are hollow, and squares with a mark are grey."""
    _draw_squares(canvas, view, corner, room, _draw_piece)


def _draw_squares(canvas: Canvas, view: View, corner: tuple[int, int], room: int, draw_square: DrawSquare) -> None:
    shape = view.shape
    if shape is None:
        return
    left, top = corner
    cell = _cell(shape, room)
    width, height = map_size(shape, room)
    canvas.pen.rectangle((left, top, left + width - 1, top + height - 1), outline=LIT_PIXEL)
    for square in shape.squares():
        x = left + square.file * cell + 1
        y = top + (shape.ranks - 1 - square.rank) * cell + 1
        draw_square(canvas, view, square, (x, y), cell - 1)


def _cell(shape: Shape, room: int) -> int:
    return max(2, min(BIGGEST_CELL, (room - 1) // shape.ranks))


def _draw_wrong(canvas: Canvas, view: View, square: Square, corner: tuple[int, int], size: int) -> None:
    x, y = corner
    if square in view.wrong.missing:
        canvas.bar(x, y, size, size)
    elif square in view.wrong.extra:
        canvas.pen.line((x, y, x + size - 1, y + size - 1), fill=LIT_PIXEL)
        canvas.pen.line((x, y + size - 1, x + size - 1, y), fill=LIT_PIXEL)
    elif square in view.switches:
        canvas.bar(x + size // 2, y + size // 2, 1, 1)


def _draw_piece(canvas: Canvas, view: View, square: Square, corner: tuple[int, int], size: int) -> None:
    x, y = corner
    if square in view.marks:
        canvas.bar(x, y, size, size, GREY)
    piece = view.pieces.get(square)
    if piece is None:
        return
    canvas.bar(x + 1, y + 1, size - 2, size - 2)
    if piece.islower():
        canvas.bar(x + 2, y + 2, size - 4, size - 4, DARK_PIXEL)
