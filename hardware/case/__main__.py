"""Draws the case: pictures of the guide, drawing and drilling template, and the parts to print."""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from captains_table.hardware.profiles.profile import Profile
from captains_table.hardware.profiles.toml_reader import BadProfile
from captains_table.storage.profile_files import load_profile
from hardware.case.build import BED_MM, definition, definitions_of, fits_bed, pieces_of
from hardware.case.drawing import drawing
from hardware.case.openscad import OpenScadError, extent_of, numbers, openscad
from hardware.case.pictures import draw_pictures
from hardware.case.template import pages, template

HERE: Final = Path(__file__).parent
FURTHER: Final = "a further choice, as in table.scad"
DRAWN: Final = ("pico-8x8", "pico-9x8")
WAYS_OUT: Final = (
    "Take a smaller square_mm, a printer with a larger bed, or for a rail one whole piece of wood, 12 x 59 mm in "
    "section (hardware/README.md, section 3)."
)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m hardware.case", description=__doc__)
    parser.add_argument("what", choices=["pictures", "drawings", "parts"])
    parser.add_argument("profile", nargs="*", default=list(DRAWN), help="builds: their names, or files")
    parser.add_argument("--out", type=Path, help="folder for what is made")
    parser.add_argument(
        "-D", dest="more", type=_choice, action="append", default=[], metavar="NAME=VALUE", help=FURTHER
    )
    words = parser.parse_args()
    try:
        for path in _made(words.what, words.profile, words.more, words.out):
            print(path)
    except (BadProfile, OpenScadError) as error:
        raise SystemExit(str(error)) from None


def _choice(text: str) -> str:
    try:
        return definition(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _made(what: str, profiles: list[str], more: list[str], out: Path | None) -> Iterator[Path]:
    if what == "pictures":
        yield from draw_pictures(out or HERE.parent / "pictures")
        return
    for name in profiles:
        if what == "drawings":
            yield from draw_build(load_profile(name), Path(name).stem, more, out or HERE)
        else:
            yield from print_build(load_profile(name), more, (out or HERE / "parts") / Path(name).stem)


def draw_build(profile: Profile, build: str, more: list[str], folder: Path) -> list[Path]:
    """Write a build's drawing and its drilling template, as one sheet and as A4 pages; return the paths."""
    with tempfile.TemporaryDirectory() as scratch:
        measures = numbers([*definitions_of(profile), *more], Path(scratch))
    sheet = template(measures, build)
    made = {
        f"drawing-{build}.svg": drawing(measures, build).text(),
        f"drilling-{build}.svg": sheet.text(),
        f"drilling-{build}-a4.html": pages(sheet),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for file, text in made.items():
        (folder / file).write_text(text, encoding="utf-8")
    return [folder / file for file in made]


def print_build(profile: Profile, more: list[str], folder: Path) -> Iterator[Path]:
    """Write an STL file of every printed part of a build, and report parts too large for the printer.

    The file's name contains the number of copies needed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    bed = f"a bed of {BED_MM:.0f} x {BED_MM:.0f} mm, not even from corner to corner"
    is_too_large = False
    for name, definitions, count in pieces_of(profile):
        out = folder / f"{name}-x{count}.stl"
        openscad([*definitions_of(profile), *more, *definitions], out, "-q")
        yield out
        extent = extent_of(out)
        if not fits_bed(extent):
            is_too_large = True
            size = " x ".join(f"{side:.0f}" for side in extent)
            print(f"Too large for {bed}: {name} is {size} mm", file=sys.stderr)
    if is_too_large:
        print(WAYS_OUT, file=sys.stderr)


if __name__ == "__main__":
    main()
