"""The case holds what it is for: nothing meets, plugs have their room, screws hold, and every part can be printed."""

import itertools
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import trimesh
from manifold3d import Manifold
from numpy.typing import NDArray

from hardware.case.build import fits_bed
from tests.support.case_model import COARSE, Model, Screw, model_of, openscad, part_of
from tests.support.effort import LONG_RUN

TOUCHING_MM = 0.02  # bodies that lie on each other share rounding, not room
PRINTED = ("tile", "front rail", "back rail", "left rail", "right rail", "rail_", "bearer", "console", "lid")
SIDES = 32
FULL = 0.95  # of a ring that has to be in plastic
SELF_CUT_WALL_MM = 0.8  # around a screw that cuts its thread
LEAST_HOLD_MM = 3.0  # of a thread
LEAST_HANGING_MM2 = 30.0  # what is smaller, as around a screw's head, is printed without a word


def printed(name: str) -> bool:
    """Return whether a body is printed, or cut of wood."""
    return name.startswith(PRINTED)


def collisions(model: Model) -> list[str]:
    """Return a line for each two bodies that want the same room."""
    boxes = {name: body.bounding_box() for name, body in model.bodies.items()}
    found = []
    for one, other in itertools.combinations(model.bodies, 2):
        if not _boxes_meet(boxes[one], boxes[other]):
            continue
        shared = model.bodies[one] ^ model.bodies[other]
        depth = max((min(_extent(piece)) for piece in shared.decompose()), default=0)
        if depth > TOUCHING_MM:
            found.append(f"{one} and {other} share {shared.volume():.2f} mm3, {depth:.2f} mm deep")
    return found


def loose_screws(model: Model) -> list[str]:
    """Return a line for each screw whose head, hole or hold is not there."""
    plastic = {name: body for name, body in model.bodies.items() if not name.startswith("screw")}
    return [line for screw in model.screws for line in _screw_findings(model, plastic, screw)]


def too_large(bodies: dict[str, Manifold]) -> list[str]:
    """Return a line for each printed part that, on its flattest side, fits the bed neither straight nor diagonally."""
    parts = {name: sorted(_extent(body)) for name, body in bodies.items() if printed(name)}
    return [
        f"{name} is {' x '.join(f'{size:.0f}' for size in extent)} mm"
        for name, extent in parts.items()
        if not fits_bed(extent[::-1])  # on its flattest side
    ]


def hanging(part: Manifold) -> list[tuple[int, int]]:
    """Return length and width of each level face that a printed part has in the air, small ones left out."""
    mesh = part.to_mesh()
    points, corners = np.array(mesh.vert_properties)[:, :3].round(3), np.array(mesh.tri_verts)
    first, second, third = (points[corners[:, place]] for place in range(3))
    normals = np.cross(second - first, third - first)
    level = np.all(points[corners][:, :, 2] == points[corners][:, :1, 2], axis=1)
    in_the_air = level & (normals[:, 2] < 0) & (points[corners][:, 0, 2] > points[:, 2].min() + 0.05)
    faces: list[tuple[set[tuple[float, ...]], float]] = []
    for triangle, normal in zip(points[corners[in_the_air]], normals[in_the_air], strict=True):
        seen, area = set(map(tuple, triangle)), -normal[2] / 2
        for face in [face for face in faces if face[0] & seen]:
            faces.remove(face)
            seen, area = seen | face[0], area + face[1]
        faces.append((seen, area))
    sizes = [np.ptp(np.array(list(seen)), axis=0)[:2] for seen, area in faces if area > LEAST_HANGING_MM2]
    return sorted((int(max(size)), int(min(size))) for size in sizes)


def not_whole(bodies: dict[str, Manifold]) -> list[str]:
    """Return a line for each printed part that is empty, or falls apart into several."""
    counted = {name: len(body.decompose()) for name, body in bodies.items() if printed(name)}
    return [f"{name} is {count} bodies" for name, count in counted.items() if count != 1]


def _boxes_meet(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return all(one[axis] < other[axis + 3] and other[axis] < one[axis + 3] for axis in range(3))


def _screw_findings(model: Model, bodies: dict[str, Manifold], screw: Screw) -> list[str]:
    size, tip = model.sizes[screw.size], screw.length - screw.through
    hold = model.insert_length if screw.in_insert else min(tip, screw.holds)
    wall = model.insert_wall if screw.in_insert else SELF_CUT_WALL_MM
    core = size.shank if screw.in_insert else size.holding - 0.1
    held = (screw.through + 0.2, screw.through + hold - 0.2)
    head = _share(_ring(screw, (0, 0.3), size.clearance + 0.2, size.head), bodies)
    around = _share(_ring(screw, held, size.holding + 0.1, size.holding + 2 * wall), bodies)
    bore = _share(_ring(screw, (0.05, screw.length - 0.05), 0, core), bodies)
    findings = {
        f"its head lies on {head:.0%} of what it should": head < FULL,
        f"what holds it is {around:.0%} there": around < FULL,
        f"its hole is filled by {bore:.0%}": bore > 1 - FULL,
        f"it is {tip - screw.holds:.1f} mm longer than its hole": tip > screw.holds,
        f"only {tip:.1f} mm of it hold": tip < LEAST_HOLD_MM,
    }
    return [f"screw {screw.name} at {screw.at}: {line}" for line, wrong in findings.items() if wrong]


def _share(probe: Manifold, bodies: dict[str, Manifold]) -> float:
    """Return how much of a probe is filled by bodies."""
    box = probe.bounding_box()
    shared = sum((probe ^ body).volume() for body in bodies.values() if _boxes_meet(box, body.bounding_box()))
    return float(shared / probe.volume())


def _ring(screw: Screw, span: tuple[float, float], inner: float, outer: float) -> Manifold:
    """Return a ring around a screw's axis, over a span below its head, with an inner and an outer diameter."""
    start, end = span
    ring = Manifold.cylinder(end - start, outer / 2, outer / 2, SIDES)
    if inner:
        ring -= Manifold.cylinder(end - start, inner / 2, inner / 2, SIDES)
    return ring.translate((0, 0, start)).transform(_frame(screw))


def _frame(screw: Screw) -> NDArray[np.float64]:
    """Return the matrix that leads z to the screw's direction, and the origin to its head."""
    way = np.array(screw.way, dtype=float)
    side = np.array((1.0, 0, 0)) if abs(way[0]) < 0.5 else np.array((0, 1.0, 0))
    across = np.cross(way, side)
    return np.column_stack([np.cross(across, way), across, way, np.array(screw.at, dtype=float)])


def _extent(part: Manifold) -> tuple[float, float, float]:
    low_x, low_y, low_z, high_x, high_y, high_z = part.bounding_box()
    return high_x - low_x, high_y - low_y, high_z - low_z


GLASSES = ["oled-0.96", "oled-1.3", "oled-2.42", "oled-3.12"]
COMPUTERS = ["pi-3", "pi-4", "pi-5", "zero-2"]
TILES = {8: "[4, 4]", 9: "[3, 4]"}
GUIDE = Path(__file__).parents[2] / "hardware" / "README.md"
SWITCHES = ["false", "true"]
RAILS = ["rail_front", "rail_back", "rail_left", "rail_right"]
PIECES = [
    *((part, f'third="{third}"') for part in ("console", "lid") for third in ("left", "middle", "right")),
    *((part, f'half="{half}"') for part in (*RAILS, "bearer") for half in ("first", "second")),
    ("tile", "tile=[1, 1]"),
]


def build(files: int, glass: str, computer: str, pico: str, encoder: str) -> tuple[str, ...]:
    chosen = (f"files={files}", f"tile={TILES[files]}", f'glass="{glass}"', f'computer="{computer}"')
    return (*chosen, f"pico={pico}", f"encoder={encoder}", f"lights={encoder}")


EVERYDAY = [build(9, "oled-3.12", "pi-5", "false", "false")]
EVERY_BUILD = [build(*chosen) for chosen in itertools.product(TILES, GLASSES, COMPUTERS, SWITCHES, SWITCHES)]


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Model:
    """The case as it is drawn where nothing else is said."""
    return model_of(tmp_path_factory.mktemp("case"))


@pytest.mark.slow
def test_everything_of_the_case_as_it_is_drawn_has_its_room_its_screws_and_its_place_on_a_printer(case: Model) -> None:
    assert_sound(case)


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("definitions", EVERY_BUILD if LONG_RUN else EVERYDAY, ids=" ".join)
def test_everything_of_a_build_has_its_room_its_screws_and_its_place_on_a_printer(
    definitions: tuple[str, ...], tmp_path: Path
) -> None:
    assert_sound(model_of(tmp_path, *definitions))


def assert_sound(model: Model) -> None:
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


AT_THE_RIGHT = ("plug usb-a", "plug rj45")  # the others are in front of their computer


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("computer", COMPUTERS if LONG_RUN else ["pi-4"])
def test_a_stud_moved_under_a_plug_is_found(computer: str, case: Model, tmp_path: Path) -> None:
    chosen = f'computer="{computer}"'
    seen = ("lid", "plug ", "screw computer")
    model = (model_of(tmp_path, chosen) if LONG_RUN else case).among(*seen)
    assert collisions(model) == []
    plugs = [name for name in model.bodies if " at " in name and name.startswith("plug")]
    for plug in plugs if LONG_RUN else plugs[:1]:
        along = float(plug.split()[-1])
        stud = [100.0, along] if plug.startswith(AT_THE_RIGHT) else [along, -15.0]
        moved = model_of(tmp_path, chosen, f"computer_studs=[{stud}, [61.5, 3.5]]").among(*seen)
        assert any(plug in line for line in collisions(moved)), plug


@pytest.fixture(scope="module")
def spoiled(tmp_path_factory: pytest.TempPathFactory) -> Model:
    """A case of which several things are wrong, each in another place."""
    wrong = ("power_at=[25, 45]", "pico_studs=pico_holes", "glass_at=[212, 52]", "column=6", "pocket=5")
    return model_of(tmp_path_factory.mktemp("spoiled"), *wrong)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("among", "words"),
    [
        (("power", "switch"), "power board and switch share"),
        (("pico", "screw pico"), "pico and screw pico"),  # 0.2 mm, and 0.4 mm3 in all
        (("sight", "console"), "console middle and sight of the glass share"),
    ],
)
def test_what_stands_in_the_way_is_found(among: tuple[str, ...], words: str, case: Model, spoiled: Model) -> None:
    assert collisions(case.among(*among)) == []
    assert any(words in line for line in collisions(spoiled.among(*among)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("among", "words"),
    [
        (("lid", "console"), "screw lid at"),  # walls of its column too thin for an insert
        (("console", "front rail"), "screw console to rail at"),  # its pocket too shallow
    ],
)
def test_a_screw_without_hold_or_way_is_found(among: tuple[str, ...], words: str, case: Model, spoiled: Model) -> None:
    for model, found in ((case, False), (spoiled, True)):
        asked = [screw for screw in model.screws if words.startswith(f"screw {screw.name}")][:2]
        lines = loose_screws(replace(model.among(*among), screws=asked))
        assert any(words in line for line in lines) == found


def test_a_part_that_no_printer_takes_is_found(tmp_path: Path) -> None:
    tile = part_of(tmp_path, 'part="tile"', "tile=[5, 5]")
    assert too_large({"tile": tile}) == ["tile is 12 x 249 x 249 mm"]


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
@pytest.mark.parametrize(("part", "piece"), PIECES if LONG_RUN else PIECES[-1:])
def test_what_openscad_renders_can_be_printed_and_is_what_was_examined(part: str, piece: str, tmp_path: Path) -> None:
    definitions = (f'part="{part}"', piece)
    out = tmp_path / "part.stl"
    assert openscad(COARSE, *definitions, out=out).returncode == 0
    rendered = trimesh.load_mesh(out)
    assert rendered.is_watertight
    assert rendered.body_count == 1
    assert rendered.volume == pytest.approx(part_of(tmp_path, *definitions).volume(), rel=1e-3)
    assert rendered.extents[2] == min(rendered.extents)  # it lies on its flattest side
