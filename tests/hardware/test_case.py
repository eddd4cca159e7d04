"""The case holds what it is for: nothing meets, plugs have their room, screws hold, and every part can be printed."""

import itertools
import re
from dataclasses import replace
from pathlib import Path

import pytest
import trimesh

from tests.hardware.case_findings import collisions, hanging, loose_screws, not_whole, too_large
from tests.support.case_model import COARSE, Model, model_of, openscad, part_of
from tests.support.effort import LONG_RUN

GLASSES = ["oled-0.96", "oled-1.3", "oled-2.42", "oled-3.12"]
COMPUTERS = ["pi-3", "pi-4", "pi-5", "zero-2"]
TILES = {8: "[4, 4]", 9: "[3, 4]"}
GUIDE = Path(__file__).parents[2] / "hardware" / "README.md"
SWITCHES = ["false", "true"]
RAILS = ["rail_front", "rail_back", "rail_left", "rail_right"]
PIECES = [
    *(("console", f'third="{third}"') for third in ("left", "middle", "right")),
    *(("lid", f'third="{third}"') for third in ("left", "middle", "right")),
    *(
        (f"rail_{side}", f'half="{half}"')
        for side in ("front", "back", "left", "right")
        for half in ("first", "second")
    ),
    *(("bearer", f'half="{half}"') for half in ("first", "second")),
    ("tile", "tile=[1, 1]"),
]
A_FEW = [("bearer", 'half="second"'), ("tile", "tile=[1, 1]")]


def build(files: int, glass: str, computer: str, pico: str, encoder: str) -> tuple[str, ...]:
    chosen = (f"files={files}", f"tile={TILES[files]}", f'glass="{glass}"', f'computer="{computer}"')
    return (*chosen, f"pico={pico}", f"encoder={encoder}", f"lights={encoder}")


EVERYDAY = [
    build(8, "oled-0.96", "pi-4", "true", "true"),
    build(9, "oled-2.42", "zero-2", "false", "false"),
]
EVERY_BUILD = [build(*chosen) for chosen in itertools.product(TILES, GLASSES, COMPUTERS, SWITCHES, SWITCHES)]


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Model:
    """The case as it is drawn where nothing else is said."""
    return model_of(tmp_path_factory.mktemp("case"))


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("definitions", EVERY_BUILD if LONG_RUN else EVERYDAY, ids=" ".join)
def test_everything_of_a_build_has_its_room_its_screws_and_its_place_on_a_printer(
    definitions: tuple[str, ...], tmp_path: Path
) -> None:
    model = model_of(tmp_path, *definitions)
    assert [*collisions(model), *loose_screws(model), *not_whole(model.bodies), *too_large(model.bodies)] == []
    assert_clearances(model)
    assert_the_pico_lies_on_four_studs(model)


def assert_the_pico_lies_on_four_studs(model: Model) -> None:
    """Two take its screws; next to its USB socket there is no room for a head."""
    lids = [body for name, body in model.bodies.items() if name.startswith("lid")]
    for pico in (model.bodies[name] for name in model.bodies.keys() & {"pico"}):
        lowered = pico.translate((0, 0, -0.1))
        assert sum(len((lowered ^ lid).decompose()) for lid in lids) == 4
        assert [screw.name for screw in model.screws].count("pico") == 2


def assert_clearances(model: Model) -> None:
    """Tiles lie apart from each other and from the rails by what they may swell."""
    tiles = [body for name, body in model.bodies.items() if name.startswith("tile")]
    rails = [body for name, body in model.bodies.items() if " rail " in name]
    assert min(one.min_gap(other, 2) for one, other in itertools.combinations(tiles, 2)) == pytest.approx(0.6, abs=0.01)
    above_the_ledge = [rail.trim_by_plane((0, 0, 1), 0.5) for rail in rails]
    gaps = [tile.min_gap(rail, 2) for tile in tiles for rail in above_the_ledge]
    assert min(gaps) == pytest.approx(0.3, abs=0.01)


@pytest.mark.slow
@pytest.mark.parametrize(("glass", "computer"), [("oled-1.3", "pi-5"), ("oled-3.12", "pi-3")])
def test_other_glasses_and_computers_have_their_room_too(glass: str, computer: str, tmp_path: Path) -> None:
    seen = ("lid", "console", "computer", "plug", "glass", "sight", "screw computer", "screw glass")
    assert collisions(model_of(tmp_path, f'glass="{glass}"', f'computer="{computer}"').among(*seen)) == []


AT_THE_RIGHT = ("plug usb-a", "plug rj45")  # the others are in front of their computer


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("computer", COMPUTERS if LONG_RUN else ["pi-4"])
def test_a_stud_moved_under_a_plug_is_found(computer: str, tmp_path: Path) -> None:
    chosen = f'computer="{computer}"'
    seen = ("lid", "plug ", "screw computer")
    model = model_of(tmp_path, chosen).among(*seen)
    assert collisions(model) == []
    plugs = [name for name in model.bodies if " at " in name and name.startswith("plug")]
    for plug in plugs if LONG_RUN else plugs[:1]:
        along = float(plug.split()[-1])
        stud = [100.0, along] if plug.startswith(AT_THE_RIGHT) else [along, -15.0]
        moved = model_of(tmp_path, chosen, f"computer_studs=[{stud}, [61.5, 3.5]]").among(*seen)
        assert any(plug in line for line in collisions(moved)), plug


@pytest.mark.slow
@pytest.mark.parametrize(
    ("definition", "among", "words"),
    [
        ("power_at=[25, 45]", ("power", "switch"), "power board and switch share"),
        ("pico_studs=pico_holes", ("pico", "screw pico"), "pico and screw pico"),  # 0.2 mm, and 0.4 mm3 in all
        ("glass_at=[212, 52]", ("sight", "console"), "console middle and sight of the glass share"),
    ],
)
def test_what_stands_in_the_way_is_found(
    definition: str, among: tuple[str, ...], words: str, case: Model, tmp_path: Path
) -> None:
    assert collisions(case.among(*among)) == []
    assert any(words in line for line in collisions(model_of(tmp_path, definition).among(*among)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("definition", "among", "words"),
    [
        ("column=6", ("lid", "console"), "screw lid at"),  # walls too thin for an insert
        ("pocket=5", ("console", "front rail"), "screw console to rail at"),
        ("rail_screw_z=-39", ("console", "front rail"), "screw console to rail at"),  # at the console's edge
    ],
)
def test_a_screw_without_hold_or_way_is_found(
    definition: str, among: tuple[str, ...], words: str, case: Model, tmp_path: Path
) -> None:
    for model, found in ((case, False), (model_of(tmp_path, definition), True)):
        asked = [screw for screw in model.screws if words.startswith(f"screw {screw.name}")][:2]
        lines = loose_screws(replace(model.among(*among), screws=asked))
        assert any(words in line for line in lines) == found


def test_a_part_that_no_printer_takes_is_found(tmp_path: Path) -> None:
    model = model_of(tmp_path, "tile=[5, 5]").among("tile")
    assert too_large(model.bodies)[0] == "tile [0, 0] is 12 x 249 x 249 mm"


TONGUE_OF_RAIL, TONGUE_OF_LID, WINDOW, SWITCH = (53, 23), (115, 15), (50, 3), (19, 3)
HANGING = {
    ("console", "left"): [SWITCH, WINDOW],
    ("console", "right"): [WINDOW],
    ("lid", "middle"): [TONGUE_OF_LID],
    ("lid", "right"): [TONGUE_OF_LID],
    **{(rail, "second"): [TONGUE_OF_RAIL] for rail in RAILS},
}


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize(("part", "piece"), PIECES if LONG_RUN else [PIECES[0], PIECES[5], PIECES[-1]])
def test_the_guide_names_all_that_a_printer_lays_into_the_air(part: str, piece: str, tmp_path: Path) -> None:
    name, _, which = piece.partition("=")
    expected = HANGING.get((part, which.strip('"')), [])
    assert hanging(part_of(tmp_path, f'part="{part}"', piece)) == expected, name
    guide = GUIDE.read_text(encoding="utf-8")
    for length, width in {WINDOW, SWITCH} & set(expected):
        assert re.search(rf"wall, {width} mm thick, bridges .*\b{length} mm over", guide)


@pytest.mark.parametrize(
    ("files", "largest_mm", "longest"), [(8, 53, ("rail_left", "second")), (9, 50, ("rail_front", "first"))]
)
def test_the_guide_says_how_large_squares_may_be_for_a_common_printer(
    files: int, largest_mm: int, longest: tuple[str, str], tmp_path: Path
) -> None:
    assert re.search(rf"{largest_mm} mm on {files} \S 8", GUIDE.read_text(encoding="utf-8"))
    part, half = longest
    for square_mm in (largest_mm, largest_mm + 1):
        chosen = (f"files={files}", f"tile={TILES[files]}", f"square={square_mm}")
        body = part_of(tmp_path, f'part="{part}"', f'half="{half}"', *chosen)
        assert bool(too_large({part: body})) == (square_mm > largest_mm)


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize(("part", "piece"), PIECES if LONG_RUN else A_FEW)
def test_what_openscad_renders_can_be_printed_and_is_what_was_examined(part: str, piece: str, tmp_path: Path) -> None:
    definitions = (f'part="{part}"', piece)
    out = tmp_path / "part.stl"
    assert openscad(COARSE, *definitions, out=out).returncode == 0
    rendered = trimesh.load_mesh(out)
    assert rendered.is_watertight
    assert rendered.body_count == 1
    assert rendered.volume == pytest.approx(part_of(tmp_path, *definitions).volume(), rel=1e-3)
    assert rendered.extents[2] == min(rendered.extents)  # it lies on its flattest side
