"""Every screen of a table is fit for everybody: in both themes, at any size, enlarged, and with few colours.

Only `make long` looks at them all; `python -m tests.e2e.screenshots --every FOLDER` draws them.
"""

from collections.abc import Mapping
from typing import Any, Final

import pytest
from playwright.sync_api import Page

from tests.e2e.conftest import OpenTable
from tests.support.axe import found_on
from tests.support.browser import Visitor
from tests.support.effort import LONG_RUN
from tests.support.every_screen import screens_of_a_table
from tests.support.looking import cut_or_covered

pytestmark = [
    pytest.mark.browser,
    pytest.mark.long,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(not LONG_RUN, reason="every screen is for `make long`"),
]
SIZES: Final = {"1366x768": (1366, 768), "390x844": (390, 844)}
ENLARGED: Final = {"200 % of 1366x768": (683, 384), "320 px wide": (320, 640)}
THEMES: Final = ("dark", "light")
WITHOUT_FOCUS: Final = """(most) => {
  const drawn = (element) => {
    const css = element && getComputedStyle(element);
    return css && css.outlineStyle !== "none" && parseFloat(css.outlineWidth) >= 1;
  };
  const inside = (element) => element.matches("[data-square]") && element.querySelector("rect");
  const shows = (element) => drawn(element) || drawn(element.closest("label")) || drawn(inside(element));
  const can = "a[href], button:not(:disabled), summary, input:not([type=hidden], :disabled), select, [tabindex='0']";
  const found = [];
  for (const element of [...document.querySelectorAll(can)].slice(0, most)) {
    if (!element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })) continue;
    element.focus({ preventScroll: true, focusVisible: true });
    const isUnseen = document.activeElement === element && !shows(element);
    if (isUnseen) found.push(`no sign of the focus: ${element.outerHTML.slice(0, 100)}`);
  }
  document.activeElement.blur();
  return found;
}"""
MOST_FOCUSED: Final = 80


def put_on(page: Page, theme: str) -> None:
    page.evaluate(
        "(theme) => { if (theme === 'dark') delete document.documentElement.dataset.theme;"
        " else document.documentElement.dataset.theme = theme; }",
        theme,
    )


def resized(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")


def told(faults: Mapping[str, Any]) -> str:
    return "\n".join(f"{where}: {fault}" for where, found in faults.items() for fault in found)


def test_axe_finds_nothing_on_any_screen_in_either_theme(open_table: OpenTable, visitor: Visitor) -> None:
    page, faults = visitor.open("about:blank"), {}
    visitor.accept("Failed to load resource")
    for name, screen in screens_of_a_table(open_table, page):
        for size, pixels in SIZES.items():
            resized(screen, pixels)
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
            resized(screen, pixels)
            faults[f"{name} at {size}"] = cut_or_covered(screen) if not name.endswith(", room") else []
        resized(screen, SIZES["1366x768"])
        faults[f"{name}, focus"] = screen.evaluate(WITHOUT_FOCUS, MOST_FOCUSED)
    assert told(faults) == ""
