"""The way to the page, as a QR code for a phone's camera and as it is typed.

It is shown before anybody has pressed anything, and where it is asked for.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import segno

from captains_table.devices.display.screens.canvas import BLACK, BOTTOM, LINE, Canvas
from captains_table.devices.display.screens.text import BOLD, SMALL

SIDE: Final = BOTTOM
LEAST_MARGIN: Final = 3  # pixels of light around the code; the standard's four modules where there is room
READABLE: Final = 2  # pixels a module; a camera does not tell smaller ones apart
GAP: Final = 5
BELOW_TITLE: Final = 13
TITLE: Final = "The page"
GO_ON: Final = "Any button goes on"
MOST_LINES: Final = 3
PARTS: Final = ".:/"  # an address is broken behind these


def draw_joining(canvas: Canvas, address: str) -> None:
    """Draw how the page is opened from another device; without a code where that would be too fine to be read.

    What is no address, as that there is no network yet, is written alone.
    """
    code = _modules(address) if "//" in address else ()
    pixels = (SIDE - 2 * LEAST_MARGIN) // len(code) if code else 0
    left = 0
    if pixels >= READABLE:
        _draw_code(canvas, code, pixels)
        left = SIDE + GAP
    width = canvas.width - left
    canvas.text(left, 1, TITLE, BOLD)
    _write(canvas, left, BELOW_TITLE, list(_broken(address.partition("//")[2] or address, width))[:MOST_LINES])
    words = SMALL.wrap(GO_ON, width)
    _write(canvas, left, BOTTOM - len(words) * LINE, words)


def _write(canvas: Canvas, left: int, top: int, lines: Sequence[str]) -> None:
    for row, line in enumerate(lines):
        canvas.text(left, top + row * LINE, line)


def _modules(address: str) -> Sequence[bytearray]:
    return segno.make(address, error="l", boost_error=False, micro=False).matrix


def _draw_code(canvas: Canvas, code: Sequence[bytearray], pixels: int) -> None:
    """Draw it dark on a light ground, as cameras expect it."""
    canvas.bar(0, 0, SIDE, SIDE)
    margin = (SIDE - pixels * len(code)) // 2
    for row, modules in enumerate(code):
        for column, is_dark in enumerate(modules):
            if is_dark:
                canvas.bar(margin + column * pixels, margin + row * pixels, pixels, pixels, BLACK)


def _broken(address: str, width: int) -> Iterator[str]:
    """Yield an address in lines, broken behind dots, colons and strokes."""
    line = ""
    for part in _parts(address):
        if line and SMALL.width(line + part) > width:
            yield SMALL.fit(line, width)
            line = ""
        line += part
    yield SMALL.fit(line, width)


def _parts(address: str) -> Iterator[str]:
    part = ""
    for letter in address:
        part += letter
        if letter in PARTS:
            yield part
            part = ""
    yield part
