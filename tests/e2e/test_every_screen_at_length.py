"""Every screen of a table is fit for everybody: in both themes, at any size, enlarged, and with few colours.

Only `make long` looks at them all; `python -m tests.e2e.screenshots FOLDER` draws them.
"""

from collections.abc import Mapping
from typing import Any, Final

import pytest

from tests.e2e.conftest import OpenTable
from tests.e2e.every_screen import THEMES, put_on, resize, screens_of_a_table
from tests.support.axe import found_on
from tests.support.browser import Visitor
from tests.support.looking import cut_or_covered, without_sign_of_focus

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.timeout(3600)]
SIZES: Final = {"1366x768": (1366, 768), "390x844": (390, 844)}
ENLARGED: Final = {"200 % of 1366x768": (683, 384), "320 px wide": (320, 640)}


def told(faults: Mapping[str, Any]) -> str:
    return "\n".join(f"{where}: {fault}" for where, found in faults.items() for fault in found)


def test_axe_finds_nothing_on_any_screen_in_either_theme(open_table: OpenTable, visitor: Visitor) -> None:
    page, faults = visitor.open("about:blank"), {}
    visitor.accept("Failed to load resource")
    for name, screen in screens_of_a_table(open_table, page):
        for size, pixels in SIZES.items():
            resize(screen, pixels)
            for theme in THEMES:
                put_on(screen, theme)
                rules = found_on(screen)
                faults[f"{name} at {size}, {theme}"] = [f"{rule} {each}" for rule in rules for each in rules[rule]]
            put_on(screen, "dark")
    assert told(faults) == ""


@pytest.mark.parametrize("colours", ["none", "active"], ids=["all-colours", "forced-colours"])
def test_nothing_is_cut_or_covered_enlarged_or_with_few_colours_and_the_focus_is_seen(
    colours: str, open_table: OpenTable, visitor: Visitor
) -> None:
    page, faults = visitor.open("about:blank", is_drawn=True, forced_colors=colours), {}
    visitor.accept("Failed to load resource")
    for name, screen in screens_of_a_table(open_table, page):
        for size, pixels in (SIZES | ENLARGED).items():
            resize(screen, pixels)
            faults[f"{name} at {size}"] = cut_or_covered(screen) if not name.endswith(", room") else []
        resize(screen, SIZES["1366x768"])
        faults[f"{name}, focus"] = without_sign_of_focus(screen)
    assert told(faults) == ""
