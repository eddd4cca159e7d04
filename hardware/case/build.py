"""Converts a build's profile to OpenSCAD definitions, and lists the parts of the case to print. Pure."""

import math
import re
from collections.abc import Iterator, Sequence
from typing import Final

from captains_table.hardware.profiles.profile import Profile

BED_MM, BED_HEIGHT_MM = 220.0, 250.0  # of the smallest common printers, which limit the size of tiles
NO_WORD: Final = re.compile(r'-?[\d.]+|true|false|\[.*\]|".*"')
RAILS: Final = ("rail_front", "rail_back", "rail_left", "rail_right")


def definitions_of(profile: Profile) -> list[str]:
    """Return the OpenSCAD definitions of a profile's case."""
    columns, rows = tile_of(profile)
    return [
        f"files={profile.shape.files}",
        f"ranks={profile.shape.ranks}",
        f"square={profile.square_mm}",
        f"tile=[{columns}, {rows}]",
        f'glass="{profile.display.kind.case_name}"',
        f"encoder={_word(profile.buttons.encoder is not None)}",
        f"lights={_word(profile.lights is not None)}",
        f"pico={_word(profile.board.owner == 'pico')}",
    ]


def definition(text: str) -> str:
    """Return NAME=VALUE as OpenSCAD reads it: a value that is a word gets quotes.

    Raises:
        ValueError: the name or the value is missing.
    """
    name, equals, value = text.partition("=")
    if not (name.isidentifier() and equals and value):
        raise ValueError(f"{text}: expected NAME=VALUE, such as button_hole=16")
    return text if NO_WORD.fullmatch(value) else f'{name}="{value}"'


def tile_of(profile: Profile) -> tuple[int, int]:
    """Return columns and rows of the largest tiles that divide the board evenly and fit a common printer."""
    return _largest(profile.shape.files, profile.square_mm), _largest(profile.shape.ranks, profile.square_mm)


def fits_bed(extent: Sequence[float]) -> bool:
    """Return whether a part of this width, depth and height fits the printer, straight or diagonally."""
    *sides, height = extent
    return height <= BED_HEIGHT_MM and min(max(sides), sum(sides) / math.sqrt(2)) <= BED_MM


def pieces_of(profile: Profile) -> Iterator[tuple[str, list[str], int]]:
    """Yield the parts to print: file name, OpenSCAD definitions, number of copies."""
    columns, rows = tile_of(profile)
    files, ranks = profile.shape.files, profile.shape.ranks
    for half in ("first", "second"):  # the longest parts first, so that one too large is found early
        for rail in RAILS:
            yield f"{rail}-{half}", [f'part="{rail}"', f'half="{half}"'], 1
        yield f"bearer-{half}", ['part="bearer"', f'half="{half}"'], ranks // rows - 1
    yield "tile", ['part="tile"'], (files // columns) * (ranks // rows)
    for part in ("console", "lid"):
        for third in ("left", "middle", "right"):
            yield f"{part}-{third}", [f'part="{part}"', f'third="{third}"'], 1


def _largest(squares: int, square_mm: float) -> int:
    fitting = [count for count in range(1, squares + 1) if squares % count == 0 and count * square_mm <= BED_MM]
    return max(fitting)


def _word(truth: bool) -> str:  # noqa: FBT001 - only converted to text
    return "true" if truth else "false"
