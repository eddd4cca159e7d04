"""The canvas on which a frame is drawn: text, bars and icons in black, white and grey."""

from collections.abc import Sequence
from functools import cache
from typing import Final

from PIL import Image, ImageDraw

from captains_table.devices.display.packing import GLASS_SIZE, HEIGHT
from captains_table.devices.display.screens.text import LETTER_ROWS, SMALL, Face

LIT_PIXEL: Final = 255
GREY: Final = 80  # black on panels without greys
DARK_PIXEL: Final = 0
BOTTOM: Final = HEIGHT
LINE: Final = LETTER_ROWS + 2  # the height of a line of small letters, with a blank pixel row above and below


class Canvas:
    """A black frame, or a part of one, to draw on."""

    def __init__(self, size: tuple[int, int] = GLASS_SIZE) -> None:
        self.image = Image.new("L", size)
        self.pen = ImageDraw.Draw(self.image)

    @property
    def width(self) -> int:
        """The width in pixels."""
        return self.image.width

    def text(self, x: int, y: int, words: str, face: Face = SMALL, ink: int = LIT_PIXEL) -> int:
        """Write text with its top left corner at a point; return the x position after the text."""
        if words:
            self.pen.bitmap((x, y), face.picture(words), fill=ink)
        return x + face.width(words)

    def lines(self, lines: Sequence[str], top: int, left: int = 0, pitch: int = LINE, face: Face = SMALL) -> None:
        """Write lines below each other, `pitch` pixels apart."""
        for row, line in enumerate(lines):
            self.text(left, top + row * pitch, line, face)

    def text_right(self, right: int, y: int, words: str, face: Face = SMALL, ink: int = LIT_PIXEL) -> int:
        """Write right-aligned text that ends before `right`; return the x position of its start."""
        left = right - face.width(words)
        self.text(left, y, words, face, ink)
        return left

    def text_centred(self, y: int, words: str, face: Face = SMALL) -> None:
        """Write horizontally centred text."""
        self.text((self.width - face.width(words)) // 2, y, words, face)

    def bar(self, x: int, y: int, width: int, height: int = LINE, ink: int = LIT_PIXEL) -> None:
        """Fill a rectangle; a rectangle without area is not drawn."""
        if width > 0 and height > 0:
            self.pen.rectangle((x, y, x + width - 1, y + height - 1), fill=ink)

    def picture(self, x: int, y: int, art: str, ink: int = LIT_PIXEL) -> int:
        """Draw an icon, given in the text format of `drawing`; return the x position after the icon."""
        drawn = drawing(art)
        self.pen.bitmap((x, y), drawn, fill=ink)
        return x + drawn.width

    def paste(self, x: int, y: int, part: "Canvas") -> None:
        """Copy another canvas to a point of this one."""
        self.image.paste(part.image, (x, y))


@cache
def drawing(art: str) -> Image.Image:
    """Return an image from rows of `#` (white) and `.` (black), separated by whitespace."""
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
