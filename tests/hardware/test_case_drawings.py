"""Drawing and drilling template say what the case is, in real millimetres, and are those of its text."""

import math
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from captains_table.storage.profile_files import load_profile, profile_names
from hardware.case import openscad
from hardware.case.__main__ import DRAWN, draw_build, print_build
from hardware.case.build import definition, definitions_of, fits_bed, pieces_of, tile_of
from hardware.case.faces import Cut, faces_of, left_wall, panel
from hardware.case.openscad import SCAD, OpenScadError, numbers
from hardware.case.template import A4, CHECK_MM, PRINTED, pages, template
from tests.support.case_model import part_of

SVG = "{http://www.w3.org/2000/svg}"
BUILDS = [name for name in profile_names() if name != "simulated"]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return numbers(definitions_of(load_profile("pico-8x8")), tmp_path_factory.mktemp("numbers"))


def parsed(text: str) -> ET.Element:
    return ET.fromstring(text)  # noqa: S314 - our own


@pytest.mark.parametrize("name", DRAWN)
def test_the_drawings_in_the_repository_are_those_of_the_case(name: str, tmp_path: Path) -> None:
    for path in draw_build(load_profile(name), name, [], tmp_path):
        landed = SCAD.parent / path.name
        assert landed.read_text(encoding="utf-8") == path.read_text(encoding="utf-8"), "run make case"


@pytest.mark.parametrize("path", sorted(SCAD.parent.glob("*.svg")), ids=lambda path: path.stem)
def test_a_millimetre_is_a_millimetre(path: Path) -> None:
    root = parsed(path.read_text(encoding="utf-8"))
    width, height = root.attrib["width"], root.attrib["height"]
    assert root.attrib["viewBox"] == f"0 0 {width.removesuffix('mm')} {height.removesuffix('mm')}"
    assert width.endswith("mm")
    assert height.endswith("mm")
    assert root.find(f"{SVG}title") is not None


def test_the_template_has_its_holes_where_the_case_has_them(told: dict[str, Any]) -> None:
    root = parsed(template(told, "pico-8x8").text())
    outline = next(rect for rect in root.iter(f"{SVG}rect") if rect.attrib.get("class") == "edge")
    left, low = float(outline.attrib["x"]), float(outline.attrib["y"]) + float(outline.attrib["height"])
    assert [float(outline.attrib[side]) for side in ("width", "height")] == pytest.approx(told["panel_size"], abs=0.01)
    found = {
        tuple(round(value, 2) for value in (float(x) - left, low - float(y), 2 * float(radius)))
        for x, y, radius in ((hole.attrib[side] for side in ("cx", "cy", "r")) for hole in root.iter(f"{SVG}circle"))
    }
    holes = [cut for cut in panel(told).cuts if not isinstance(cut.size, tuple)]
    assert len(holes) == 12
    assert all(any(_is_at(hole, place) for place in found) for hole in holes)


def _is_at(hole: Cut, place: tuple[float, ...]) -> bool:
    return place == pytest.approx((*hole.middle, hole.size), abs=0.02)


def test_what_is_drawn_on_the_panel_is_what_is_cut_into_the_console(told: dict[str, Any], tmp_path: Path) -> None:
    console = part_of(tmp_path, 'part="console"')  # its top lies on the printer's bed
    low = console.bounding_box()[2]
    cuts = panel(told).cuts
    drawn = sum(math.prod(c.size) if isinstance(c.size, tuple) else 0.974 * math.pi / 4 * c.size**2 for c in cuts)
    through = math.prod(told["panel_size"]) - console.slice(low + 2.99).area()
    assert through == pytest.approx(drawn, rel=0.01)


@pytest.mark.slow
def test_a_table_without_lights_has_no_holes_for_their_supply(tmp_path: Path) -> None:
    with_lights, without = (part_of(tmp_path, 'part="console"', f"lights={lit}").volume() for lit in ("true", "false"))
    assert without - with_lights == pytest.approx(3 * (19.4 * 13.2 + 0.974 * math.pi / 4 * 8.2**2), rel=0.01)


def test_the_left_wall_is_drawn_as_it_is_seen_from_outside(told: dict[str, Any]) -> None:
    places = {cut.what: cut.middle[0] for cut in left_wall(told).cuts}
    assert places["switch"] < places["5 V"] < places["cables"]  # the cables are on White's side: to the right


def test_every_sheet_and_page_has_a_line_of_a_hundred_millimetres(told: dict[str, Any]) -> None:
    sheet = template(told, "pico-8x8")
    lines = parsed(sheet.text()).iter(f"{SVG}line")
    assert any(float(line.attrib["x2"]) - float(line.attrib["x1"]) == CHECK_MM for line in lines)
    cut = pages(sheet)
    assert cut.count(f'width="{A4[0]:g}mm" height="{A4[1]:g}mm"') == cut.count('class="page"') > 1
    assert cut.count("measure this line") >= 2 * cut.count('class="page"')  # the sheet's own, and the page's


def test_the_pages_together_are_the_sheet(told: dict[str, Any]) -> None:
    sheet = template(told, "pico-8x8")
    shown = [tuple(map(float, found)) for found in re.findall(r'viewBox="(\S+) (\S+) 277 190"', pages(sheet))]
    for x in range(0, int(sheet.width), 5):
        for y in range(0, int(sheet.height), 5):
            assert any(left <= x <= left + PRINTED[0] and top <= y <= top + PRINTED[1] for left, top in shown)


@pytest.mark.parametrize("name", BUILDS)
def test_every_build_has_its_faces_and_its_pieces(name: str, tmp_path: Path) -> None:
    profile = load_profile(name)
    cuts = {cut.what for face in faces_of(numbers(definitions_of(profile), tmp_path)) for cut in face.cuts}
    assert ("encoder" in cuts) == (profile.buttons.encoder is not None)
    assert ("Pico" in cuts) == (profile.board.owner == "pico")
    assert ("5 V" in cuts) == (profile.lights is not None)
    columns, rows = tile_of(profile)
    counts = {piece: count for piece, _, count in pieces_of(profile)}
    assert counts["tile"] * columns * rows == profile.shape.files * profile.shape.ranks
    assert len(counts) == 1 + 6 + 2 * 5


@pytest.mark.parametrize(
    ("extent", "fits"),
    [
        ((219.4, 219.4, 12), True),
        ((221, 20, 12), True),  # turned a little
        ((250, 59, 20), True),
        ((20, 59, 255), False),  # as high as that no printer is
        ((255, 59, 20), False),
        ((249, 249, 12), False),
    ],
)
def test_a_part_fits_the_bed_straight_or_from_corner_to_corner(extent: tuple[float, ...], *, fits: bool) -> None:
    assert fits_bed(extent) == fits


@pytest.mark.parametrize("rail_mm", [250, 259])
def test_the_pieces_are_written_with_how_many_are_needed_and_those_too_large_are_named_with_a_way_out(
    rail_mm: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] = []

    def ask(words: list[str], out: Path, *_: str) -> None:
        asked.append(f"{words[-1]} {out.name}")
        long_mm = rail_mm if out.name.startswith("rail_left-second") else 100
        out.write_text(f"  vertex 0 0 0\n  vertex {long_mm} 59 20\n", encoding="utf-8")

    monkeypatch.setattr("hardware.case.__main__.openscad", ask)
    assert len(list(print_build(load_profile("pico-9x8"), ['computer="zero-2"'], tmp_path))) == 17
    assert 'part="tile" tile-x6.stl' in asked
    assert 'third="left" lid-left-x1.stl' in asked
    said = capsys.readouterr().err
    assert ("rail_left-second is 259 x 59 x 20 mm\nTake a smaller square_mm" in said) == (rail_mm == 259)
    assert bool(said) == (rail_mm == 259)


def test_without_openscad_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(OpenScadError, match="openscad is not installed: on Debian, apt-get install openscad xvfb"):
        openscad.numbers([], tmp_path)


def test_what_openscad_refuses_is_said_in_its_words(tmp_path: Path) -> None:
    with pytest.raises(OpenScadError, match="no room for the plugs: expected a deeper console"):
        numbers(["console_depth=90"], tmp_path)


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("computer=zero-2", 'computer="zero-2"'),
        ("button_hole=16", "button_hole=16"),
        ("glass_shift=[0.5, -1]", "glass_shift=[0.5, -1]"),
        ("lights=false", "lights=false"),
        ('computer="pi-5"', 'computer="pi-5"'),
    ],
)
def test_a_further_choice_is_given_to_openscad_as_it_reads_it(given: str, read: str) -> None:
    assert definition(given) == read


@pytest.mark.parametrize("given", ["computer", "=3", "computer=", "a b=3"])
def test_a_choice_without_name_or_value_is_refused(given: str) -> None:
    with pytest.raises(ValueError, match="expected NAME=VALUE"):
        definition(given)
