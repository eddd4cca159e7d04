"""The build guide: its pictures and pages are there, its commands name what exists, and its case is a body."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from captains_table.hardware.kinds import AUTO, BOUGHT_KINDS, BoardKind, Senses
from captains_table.hardware.wiring.parts import parts_of
from captains_table.storage.profile_files import load_profile, profile_names
from tests.support.case_model import openscad, part_of
from tests.support.effort import LONG_RUN

HARDWARE = Path(__file__).parents[2] / "hardware"
GUIDE = (HARDWARE / "README.md").read_text(encoding="utf-8")
PICTURED = ["assembly", "exploded", "inside"]  # the parts alone are evaluated with them
PARTS = ["everything", "tile", "bearer", "rail_front", "rail_back", "rail_left", "rail_right", "console", "lid"]


def test_every_picture_is_shown_and_well_formed() -> None:
    pictures = {path.name for path in (HARDWARE / "pictures").iterdir()}
    assert pictures == set(re.findall(r"pictures/([\w.-]+)", GUIDE))
    for picture in (HARDWARE / "pictures").glob("*.svg"):
        root = ET.parse(picture).getroot()  # noqa: S314 - our own file
        assert root.find("{http://www.w3.org/2000/svg}title") is not None, picture


def test_the_guide_draws_and_tells_how_the_roll_buttons_light_sits_with_the_room_that_the_case_gives_it() -> None:
    section = GUIDE.partition("### The light in the roll button")[2].partition("\n### ")[0]
    assert "pictures/button.svg" in section
    bought = {part.use: part.what for part in parts_of(load_profile("pico-8x8"))}
    for words in ("illuminated", "round board of 10 mm", "LED"):
        assert words in section
        assert words in bought["roll"] + bought["in the roll button"]
    sizes = (HARDWARE / "case" / "dimensions.scad").read_text(encoding="utf-8")
    room = re.search(r"button_body = \[30, (\d+)\]", sizes)
    assert room is not None
    assert f"{room[1]} mm with wires" in (HARDWARE / "pictures" / "button.svg").read_text(encoding="utf-8")


def test_the_guide_names_the_system_and_the_boards_that_the_table_takes() -> None:
    alone = GUIDE.partition("1. **Pi alone**")[2].partition("\n2. **")[0]
    assert alone.index("(64-bit)") < alone.index("full-upgrade") < alone.index("make install")
    assert "a Pico or Pico W (no Pico 2)" in GUIDE


@pytest.mark.parametrize(
    "kind", [kind for kind in BOUGHT_KINDS.values() if kind is not AUTO], ids=lambda kind: kind.key
)
def test_what_a_bought_board_can_is_told_as_its_record_has_it(kind: BoardKind) -> None:
    rows = [row.strip("| ").split(" | ") for row in GUIDE.splitlines() if row.endswith(f'| `"{kind.key}"` |')]
    reads = {Senses.PIECES: "which kind of piece", Senses.IDENTITIES: "which piece (chips)"}[kind.senses]
    assert reads in {row[2] for row in rows}
    for _, price, _, lights, buttons, _ in rows:
        assert re.search(r"\d{3}", price)
        assert (lights != "none", buttons != "none") == (bool(kind.lights), bool(kind.buttons))


def test_every_build_but_the_simulated_one_has_its_row() -> None:
    for name in profile_names():
        assert (f"wiring/{name}.md" in GUIDE) == (name != "simulated")
    named = set(re.findall(r"PROFILE=([\w-]+)", GUIDE))
    assert named <= set(profile_names())


def test_the_bus_speed_of_the_guide_is_that_of_the_wiring_pages() -> None:
    line = "dtparam=i2c_arm=on,i2c_arm_baudrate=400000"
    assert line in GUIDE
    assert all(line in page.read_text(encoding="utf-8") for page in (HARDWARE / "wiring").glob("*.md"))


@pytest.mark.long
@pytest.mark.parametrize("part", PICTURED + PARTS if LONG_RUN else PICTURED)
def test_every_part_of_the_case_compiles_without_a_warning(part: str, tmp_path: Path) -> None:
    made = openscad(f'part="{part}"', "files=9", out=tmp_path / "part.csg")
    assert made.returncode == 0
    assert [line for line in made.stderr.splitlines() if not line.startswith("ECHO: ")] == []
    assert "cube" in (tmp_path / "part.csg").read_text()


def test_a_tile_measures_what_its_squares_measure_less_what_it_may_swell(tmp_path: Path) -> None:
    square = load_profile("pico-8x8").square_mm
    low_x, low_y, low_z, high_x, high_y, high_z = part_of(
        tmp_path, 'part="tile"', "tile=[2, 1]", f"square={square}"
    ).bounding_box()
    measured = (high_x - low_x, high_y - low_y, high_z - low_z)
    assert measured == pytest.approx((2 * square - 0.6, square - 0.6, 12))


@pytest.mark.parametrize(
    ("definition", "words"),
    [
        ("reed_shift=0", "over the reed's dead spot"),
        ("square=25", "expected a larger square"),
        ("files=12", "expected 8 or 9"),
        ('part="roof"', "expected assembly"),
        ("console_depth=90", "no room for the plugs: expected a deeper console"),
    ],
)
def test_what_cannot_be_built_is_refused_in_words(definition: str, words: str, tmp_path: Path) -> None:
    made = openscad(definition, out=tmp_path / "part.stl")
    assert made.returncode != 0
    assert words in made.stderr
