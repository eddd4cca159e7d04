"""What a frame is drawn on: words, bars and little pictures, in black and white."""

from collections.abc import Sequence
from functools import cache
from typing import Final

from PIL import Image, ImageDraw

from captains_table.devices.display.packing import HEIGHT, SIZE
from captains_table.devices.display.screens.text import LETTER_ROWS, SMALL, Face

WHITE: Final = 255
GREY: Final = 80  # only panels with greys show it; on the others it is black
BLACK: Final = 0
BOTTOM: Final = HEIGHT
LINE: Final = LETTER_ROWS + 2  # a line of small letters with a pixel of air above and below


class Canvas:
    """A black frame, or a part of one, to draw on."""

    def __init__(self, size: tuple[int, int] = SIZE) -> None:
        self.image = Image.new("L", size)
        self.pen = ImageDraw.Draw(self.image)

    @property
    def width(self) -> int:
        """How many columns there are to draw in."""
        return self.image.width

    def text(self, x: int, y: int, words: str, face: Face = SMALL, ink: int = WHITE) -> int:
        """Write words with their top left corner at a point; return the column behind them."""
        if words:
            self.pen.bitmap((x, y), face.picture(words), fill=ink)
        return x + face.width(words)

    def lines(self, lines: Sequence[str], top: int, left: int = 0, pitch: int = LINE, face: Face = SMALL) -> None:
        """Write lines one below the other, their tops so many rows apart."""
        for row, line in enumerate(lines):
            self.text(left, top + row * pitch, line, face)

    def text_right(self, right: int, y: int, words: str, face: Face = SMALL, ink: int = WHITE) -> int:
        """Write words that end before a column; return the column they begin in."""
        left = right - face.width(words)
        self.text(left, y, words, face, ink)
        return left

    def text_centred(self, y: int, words: str, face: Face = SMALL) -> None:
        """Write words in the middle."""
        self.text((self.width - face.width(words)) // 2, y, words, face)

    def bar(self, x: int, y: int, width: int, height: int = LINE, ink: int = WHITE) -> None:
        """Fill a rectangle."""
        if width > 0 and height > 0:
            self.pen.rectangle((x, y, x + width - 1, y + height - 1), fill=ink)

    def picture(self, x: int, y: int, art: str, ink: int = WHITE) -> int:
        """Draw a little picture; return the column behind it."""
        drawn = drawing(art)
        self.pen.bitmap((x, y), drawn, fill=ink)
        return x + drawn.width

    def paste(self, x: int, y: int, part: "Canvas") -> None:
        """Put a part of the frame where it belongs."""
        self.image.paste(part.image, (x, y))


@cache
def drawing(art: str) -> Image.Image:
    """Return a picture from rows of `#` (white) and `.` (black), separated by blanks."""
    rows = art.split()
    image = Image.new("1", (len(rows[0]), len(rows)))
    image.putdata([255 if pixel == "#" else 0 for row in rows for pixel in row])
    return image


ARROW: Final = "#... ##.. ###. #### ###. ##.. #..."
HELD: Final = "####### #.....# #.###.# #.###.# #.###.# #.....# #######"
FREE: Final = "####### #.....# #.....# #.....# #.....# #.....# #######"
CUP: Final = """
    .#############.
    ##.#########.##
    #..#########..#
    #..#########..#
    ##.#########.##
    .##.#######.##.
    ....#######....
    .....#####.....
    ......###......
    .......#.......
    ......###......
    ....#######....
    ...#########...
"""
SHIP: Final = """
    ...............#..............
    ...............####...........
    ...............#######........
    ...............####...........
    ........#......#..............
    ........##.....##.............
    .......###.....###............
    ......####.....#####..........
    .....#####.....#######........
    ...#######.....########.......
    ..########.....#########......
    .#########.....##########.....
    ..........#....#.........#....
    ...............#..............
    ##############################
    .############################.
    .#####..####..####..####..###.
    ..##########################..
    ...########################...
    ....######################....
    ..............................
    ##...###...###...###...###...#
    ..###...###...###...###...###.
"""
