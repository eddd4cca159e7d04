"""The parts list has the screws, inserts and plastic that the case's own drawing has."""

from collections import Counter
from functools import cache

import pytest

from captains_table.hardware.kinds import PICO
from captains_table.hardware.wiring.parts import FILAMENT_G, INSERTS, M3_SCREWS, PRINT_HOURS, case_parts, parts_of
from captains_table.storage.profile_files import load_profile
from tests.printing.__main__ import KINDS, built, printed, together
from tests.support.case_model import Model
from tests.support.effort import LONG_RUN

WIRED = ["gpio-8x8", "gpio-9x8", "one-button", "pico-8x8", "pico-9x8"]
GLASSES = {"ssd1306": "oled-0.96", "sh1106": "oled-1.3"}


@cache
def case_of(name: str) -> Model:
    profile = load_profile(name)

    def said(truth: object) -> str:
        return "true" if truth else "false"

    return built(
        profile.shape.files,
        f"pico={said(profile.board == PICO)}",
        f"encoder={said(profile.buttons.encoder)}",
        f"lights={said(profile.lights)}",
        f'glass="{GLASSES[profile.display.kind.key]}"',
    )


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("name", WIRED if LONG_RUN else ["pico-8x8", "one-button"])
def test_every_screw_of_the_case_is_on_the_list_and_no_other(name: str) -> None:
    profile, model = load_profile(name), case_of(name)
    counted = Counter(f"screw {screw.size} x {screw.length:g}" for screw in model.screws)
    listed = Counter(
        {part.what.split(",")[0]: int(part.quantity) for part in case_parts(profile) if "screw " in part.what}
    )
    assert listed == counted
    assert sum(screw.in_insert for screw in model.screws) == INSERTS == sum(M3_SCREWS.values())


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("name", WIRED if LONG_RUN else ["pico-8x8"])
def test_plastic_and_hours_are_those_of_its_volumes(name: str) -> None:
    profile, model = load_profile(name), case_of(name)
    whole = together(model)
    assert FILAMENT_G[profile.shape.files] == pytest.approx(whole.grams, rel=0.03)
    assert PRINT_HOURS[profile.shape.files] == pytest.approx(whole.hours, rel=0.03)
    assert all(part.grams > 0 for part in printed(model).values())
    assert set(printed(model)) == set(KINDS)
    sheet = next(part.what for part in parts_of(profile) if part.what.startswith("sheet "))
    assert size_of(model, "sheet") in sheet
    floor = next(part.what for part in parts_of(profile) if part.what.startswith("hardboard"))
    assert size_of(model, "floor") in floor


def size_of(model: Model, name: str) -> str:
    low_x, low_y, _, high_x, high_y, _ = model.bodies[name].bounding_box()
    return f" {int(high_x - low_x)} x {int(high_y - low_y)} mm"
