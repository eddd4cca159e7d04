"""The type of the pages: the files that the style sheets name, and the alphabets that names are written in."""

import re
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from captains_table.web.static_files import STATIC

SHEET = (STATIC / "type.css").read_text(encoding="utf-8")
FACE = re.compile(
    r'font-family: "(?P<family>[^"]+)"; font-weight: (?P<weight>[0-9 ]+);[^}]*?'
    r'url\("(?P<file>[^"]+)"\)[^}]*?unicode-range: (?P<range>[^;]+);'
)
FACES = [face.groupdict() for face in FACE.finditer(SHEET)]
NAMES = "Ça\u011fr\u0131 Øystein Łukasz Žofie Þór Œuvre Ξένια Ιεβλέβ Юрій Ґанна Её Ћирић 0123456789 ½ … \u2019 \u2013"


def covered(ranges: str) -> set[int]:
    found: set[int] = set()
    for part in ranges.split(","):
        first, _, last = part.strip().removeprefix("U+").partition("-")
        found |= set(range(int(first, 16), int(last or first, 16) + 1))
    return found


def test_each_font_file_is_named_by_the_style_sheet_and_has_its_licence_next_to_it() -> None:
    assert {Path(face["file"]).name for face in FACES} == {file.name for file in (STATIC / "fonts").glob("*.woff2")}
    assert SHEET.count("@font-face") == len(FACES)
    for licence in ("OFL-Alegreya.txt", "OFL-Alegreya-Sans.txt"):
        assert "SIL Open Font License, Version 1.1" in (STATIC / "fonts" / licence).read_text(encoding="utf-8")


@pytest.mark.parametrize(("family", "weight"), sorted({(face["family"], face["weight"]) for face in FACES}))
def test_names_of_europe_are_written_in_one_family(family: str, weight: str) -> None:
    drawn: set[int] = set()
    for face in FACES:
        if (face["family"], face["weight"]) == (family, weight):
            drawn |= covered(face["range"]) & set(TTFont(STATIC / face["file"]).getBestCmap())
    assert {char for char in NAMES if ord(char) not in drawn} == set()
