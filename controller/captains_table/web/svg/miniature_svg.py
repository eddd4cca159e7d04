"""The board as a small picture: what stands where and what was done last, with nothing to touch and no coordinates.

A wall shows dozens of them, and each is sent anew with every move: it is a tenth of what `board_svg` writes.
"""

import functools
from collections.abc import Mapping, Sequence

from captains_table.games.contract import Shape, Square, Thing
from captains_table.table.model.view import Mark
from captains_table.web.svg import marks_svg, things_svg
from captains_table.web.svg.pieces_svg import SIZE, has_art, picture_svg, piece_svg


def miniature_svg(
    shape: Shape, pieces: Mapping[Square, str], marks: Mapping[Square, Mark], things: Mapping[Square, Sequence[Thing]]
) -> str:
    """Return the board as one `<svg>`, White below.

    Args:
        shape: files and ranks.
        pieces: square -> FEN letter.
        marks: square -> what it means.
        things: what squares have beside pieces.
    """
    width, height = shape.files * SIZE, shape.ranks * SIZE
    drawn = "".join(
        _square(square, shape, pieces.get(square, ""), marks.get(square), things.get(square, ()))
        for square in sorted({*pieces, *marks, *things})
    )
    return (
        f'<svg class="miniature" viewBox="0 0 {width} {height}" role="img" aria-label="Board, {len(pieces)} pieces">'
        f'<rect class="square-light" width="{width}" height="{height}"/>'
        f'<path class="square-dark" d="{_dark_squares(shape)}"/>{drawn}</svg>'
    )


@functools.cache
def _dark_squares(shape: Shape) -> str:
    """Return all dark squares as one path."""
    dark = [square for square in shape.squares() if (square.file + square.rank) % 2 == 0]
    return "".join(f"M{square.file * SIZE} {_top(square, shape)}h{SIZE}v{SIZE}h-{SIZE}z" for square in dark)


def _square(square: Square, shape: Shape, piece: str, mark: Mark | None, things: Sequence[Thing]) -> str:
    x, y = square.file * SIZE, _top(square, shape)
    is_picture = bool(piece) and has_art(piece)
    drawn = picture_svg(piece, x, y) if is_picture else _at(x, y, piece_svg(piece)) if piece else ""
    under = f"{marks_svg.under(mark) if mark else ''}{things_svg.under(things)}"
    over = f"{things_svg.over(things)}{marks_svg.over(mark) if mark else ''}"
    return f"{_at(x, y, under)}{drawn}{_at(x, y, over)}"


def _at(x: int, y: int, drawn: str) -> str:
    return f'<g transform="translate({x} {y})">{drawn}</g>' if drawn else ""


def _top(square: Square, shape: Shape) -> int:
    return (shape.ranks - 1 - square.rank) * SIZE
