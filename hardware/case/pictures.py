"""Renders the build guide's pictures of the case by OpenSCAD."""

from pathlib import Path
from typing import Final

from hardware.case.openscad import openscad

LOOK: Final = ("--colorscheme=Tomorrow", "-q")
PICTURES: Final = {
    "case": (('part="assembly"',), "--camera=200,120,-30,50,0,25,1560", "--imgsize=1200,960"),
    "exploded": (('part="exploded"',), "--camera=200,120,20,62,0,28,1750", "--imgsize=1200,1000"),
    "inside": (('part="inside"',), "--camera=212,60,-15,215,0,0,620", "--imgsize=1400,620"),
    "tile": (('part="tile"', "tile=[2, 2]"), "--camera=50,50,0,50,0,25,330", "--imgsize=900,640"),
}


def draw_pictures(folder: Path) -> list[Path]:
    """Write all pictures to a folder, and return their paths."""
    drawn = []
    for name, (definitions, camera, size) in PICTURES.items():
        out = folder / f"{name}.png"
        openscad(definitions, out, *LOOK, camera, size, screen=True)
        drawn.append(out)
    return drawn
