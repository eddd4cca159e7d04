"""The board as SVG, of any size: pieces, signs, marks, coordinates and clickable squares; and a small version of it.

Each square also has a label in words for screen readers; the small version has none.
"""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from captains_table.games.contract import Shape, Square, Thing
from captains_table.phrases import listed, say, several
from captains_table.table.model.view import Mark
from captains_table.web.page_language import svg_label
from captains_table.web.svg import marks_svg, things_svg
from captains_table.web.svg.pieces_svg import PIECE_SIZE, has_art, picture_svg, piece_name, piece_svg

FRAME = 12  # so that on a phone 390 px wide each square of nine files is large enough for a finger


@dataclass(frozen=True, slots=True)
class BoardStyle:
    """Options for drawing a board.

    Attributes:
        touchable: whether squares can be clicked, to move pieces on the simulated board.
        picks: whether squares can be clicked to pick a move, at a table without a board.
        flipped: whether the board is seen from Black's side.
        ghosts: maps squares to the pieces that should be there; a piece is drawn faintly on an empty square with the
            mark `PUT_HERE`, and on every empty square while a piece is in the hand.
        holds: whether a piece is in the hand.
        targets: maps a square to those to which its piece may move; the page highlights them at once on a click.
        things: maps a square to its signs besides the piece, such as crowns and rings.
        lines: pairs of squares that a line connects, such as a strike at a king.
        advised: the squares from and to which the advice is to move.
    """

    touchable: bool = False
    picks: bool = False
    flipped: bool = False
    ghosts: Mapping[Square, str] | None = None
    holds: bool = False
    targets: Mapping[Square, Sequence[str]] | None = None
    things: Mapping[Square, Sequence[Thing]] = field(default_factory=dict)
    lines: Sequence[tuple[Square, Square]] = ()
    advised: Sequence[Square] = ()

    @property
    def may_be_clicked(self) -> bool:
        """Whether squares can be clicked."""
        return self.touchable or self.picks


def board_svg(
    shape: Shape, pieces: Mapping[Square, str], marks: Mapping[Square, Mark], look: BoardStyle | None = None
) -> str:
    """Return the board as one `<svg>`.

    Args:
        shape: files and ranks.
        pieces: maps each occupied square to its piece's FEN letter.
        marks: maps each marked square to its mark.
        look: the drawing options; `None`: the defaults.
    """
    look = look or BoardStyle()
    width, height = shape.files * PIECE_SIZE + 2 * FRAME, shape.ranks * PIECE_SIZE + 2 * FRAME
    order = reading_order(shape, flipped=look.flipped)
    drawn = [_square(square, shape, pieces, marks.get(square), look) for square in order]
    rows = "".join(f'<g role="row">{"".join(row)}</g>' for row in zip(*[iter(drawn)] * shape.files, strict=True))
    lines = "".join(_line(*ends, shape, look) for ends in look.lines)
    touch = " data-board" if look.touchable else " data-picks" if look.picks else ""
    return (
        f'<svg class="board" viewBox="0 0 {width} {height}" role="grid"{touch} '
        f'aria-label="{svg_label(say("Board"))}" data-files="{shape.files}">'
        f'<rect class="frame" width="{width}" height="{height}" rx="4"/>'
        f'<rect class="inlay" x="{FRAME - 2}" y="{FRAME - 2}" width="{width - 2 * FRAME + 4}" '
        f'height="{height - 2 * FRAME + 4}" rx="1"/>{coordinates_svg(shape, flipped=look.flipped)}{rows}{lines}</svg>'
    )


def _line(start: Square, end: Square, shape: Shape, look: BoardStyle) -> str:
    """Return a line from the middle of one square to the middle of another."""
    (x, y), (to_x, to_y) = (corner_of(square, shape, flipped=look.flipped) for square in (start, end))
    half = PIECE_SIZE / 2
    return f'<path class="sight" d="M{x + half:g} {y + half:g}L{to_x + half:g} {to_y + half:g}"/>'


def square_label(square: Square, piece: str | None, mark: Mark | None, things: Sequence[Thing] = ()) -> str:
    """Return a square in words for a screen reader: "white knight on b1, may move"."""
    if piece:
        words = say("{piece} on {square}", piece_name(piece), str(square))
    elif things:
        words = say("{square}, no piece", str(square))
    else:
        words = say("{square}, empty", str(square))
    marked = [marks_svg.MARK_WORDS[mark]] if mark else []
    return listed([words, *(things_svg.THING_NAMES[thing] for thing in things), *marked], ",")


def reading_order(shape: Shape, *, flipped: bool = False) -> list[Square]:
    """Return the squares in the order in which a drawing shows them: top row first, left to right."""
    squares = [Square(file, rank) for rank in range(shape.ranks) for file in reversed(range(shape.files))]
    return squares if flipped else squares[::-1]


def corner_of(square: Square, shape: Shape, *, flipped: bool = False) -> tuple[int, int]:
    """Return where the upper left corner of a square is in the drawing of a board with a frame."""
    column = shape.files - 1 - square.file if flipped else square.file
    row = square.rank if flipped else shape.ranks - 1 - square.rank
    return FRAME + column * PIECE_SIZE, FRAME + row * PIECE_SIZE


def _square(square: Square, shape: Shape, pieces: Mapping[Square, str], mark: Mark | None, look: BoardStyle) -> str:
    x, y = corner_of(square, shape, flipped=look.flipped)
    piece = pieces.get(square)
    ghost = (look.ghosts or {}).get(square)
    things = look.things.get(square, ())
    drawn = [
        f'<rect class="square-{shade_of(square)}" width="{PIECE_SIZE}" height="{PIECE_SIZE}"/>',
        marks_svg.mark_under_piece(mark) if mark else "",
        things_svg.signs_under_piece(things),
        piece_svg(ghost, "piece ghost") if ghost and not piece and (look.holds or mark is Mark.PUT_HERE) else "",
        piece_svg(piece) if piece else "",
        things_svg.signs_over_piece(things),
        marks_svg.mark_over_piece(mark) if mark else "",
        f'<rect class="advised-square" x="3" y="3" width="{PIECE_SIZE - 6}" height="{PIECE_SIZE - 6}" rx="8"/>'
        if square in look.advised
        else "",
        f'<rect class="focus" x="1.5" y="1.5" width="{PIECE_SIZE - 3}" height="{PIECE_SIZE - 3}"/>'
        if look.may_be_clicked
        else "",
    ]
    touch = f' tabindex="{0 if (x, y) == (FRAME, FRAME) else -1}"' if look.may_be_clicked else ""
    ends = (look.targets or {}).get(square)
    touch += f' data-to="{" ".join(ends)}"' if ends else ""
    label = square_label(square, piece, mark, things)
    label = say("{square}, advised", label) if square in look.advised else label
    place = f'data-square="{square}" transform="translate({x} {y})"'
    touch += f' aria-label="{svg_label(label)}"'
    return f'<g class="square" {place} role="gridcell"{touch}>{"".join(drawn)}</g>'


def coordinates_svg(shape: Shape, *, flipped: bool = False) -> str:
    """Return the names of files and ranks on the frame, below and at the left."""
    low, half = FRAME * 1.5 + shape.ranks * PIECE_SIZE, PIECE_SIZE / 2
    places = {square: corner_of(square, shape, flipped=flipped) for square in shape.squares() if 0 in square}
    files = [(x + half, low, str(square)[0]) for square, (x, _) in places.items() if square.rank == 0]
    ranks = [(FRAME / 2, y + half, str(square)[1:]) for square, (_, y) in places.items() if square.file == 0]
    words = (f'<text x="{x:g}" y="{y + 3:g}">{word}</text>' for x, y, word in files + ranks)
    return f'<g class="coordinates" aria-hidden="true">{"".join(words)}</g>'


def shade_of(square: Square) -> str:
    """Return the colour of a square, `light` or `dark`."""
    return "dark" if (square.file + square.rank) % 2 == 0 else "light"


def miniature_svg(
    shape: Shape,
    pieces: Mapping[Square, str],
    marks: Mapping[Square, Mark],
    things: Mapping[Square, Sequence[Thing]],
) -> str:
    """Return the board as a small picture, White below, without coordinates and clickable squares.

    The SVG is a tenth as long as that of `board_svg`, because the club's wall shows dozens of boards and sends a board
    again after each move on it.

    Args:
        shape: files and ranks.
        pieces: maps each occupied square to its piece's FEN letter.
        marks: maps each marked square to its mark.
        things: signs on squares besides pieces.
    """
    width, height = shape.files * PIECE_SIZE, shape.ranks * PIECE_SIZE
    drawn = "".join(
        _small_square(square, shape, pieces.get(square, ""), marks.get(square), things.get(square, ()))
        for square in sorted({*pieces, *marks, *things})
    )
    return (
        f'<svg class="miniature" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{svg_label(several(len(pieces), "Board, {n} pieces", "Board, {n} pieces"))}">'
        f'<rect class="square-light" width="{width}" height="{height}"/>'
        f'<path class="square-dark" d="{_dark_squares(shape)}"/>{drawn}</svg>'
    )


@functools.cache
def _dark_squares(shape: Shape) -> str:
    """Return all dark squares as one path."""
    dark = [square for square in shape.squares() if shade_of(square) == "dark"]
    return "".join(
        f"M{square.file * PIECE_SIZE} {_top(square, shape)}h{PIECE_SIZE}v{PIECE_SIZE}h-{PIECE_SIZE}z" for square in dark
    )


def _small_square(square: Square, shape: Shape, piece: str, mark: Mark | None, things: Sequence[Thing]) -> str:
    x, y = square.file * PIECE_SIZE, _top(square, shape)
    is_picture = bool(piece) and has_art(piece)
    drawn = picture_svg(piece, x, y) if is_picture else _at(x, y, piece_svg(piece)) if piece else ""
    under = f"{marks_svg.mark_under_piece(mark) if mark else ''}{things_svg.signs_under_piece(things)}"
    over = f"{things_svg.signs_over_piece(things)}{marks_svg.mark_over_piece(mark) if mark else ''}"
    return f"{_at(x, y, under)}{drawn}{_at(x, y, over)}"


def _at(x: int, y: int, drawn: str) -> str:
    return f'<g transform="translate({x} {y})">{drawn}</g>' if drawn else ""


def _top(square: Square, shape: Shape) -> int:
    return (shape.ranks - 1 - square.rank) * PIECE_SIZE
