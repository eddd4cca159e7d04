"""Every page of the site, with a match of each game on the table: fit for everybody, and soon there.

In the light theme too where people play, choose a game and look back; `make long` judges every screen in both themes.
"""

from typing import Final

import pytest
from playwright.sync_api import Page

from tests.e2e.conftest import Call, OpenTable
from tests.support.axe import AXE, found_on, found_on_light
from tests.support.browser import Visitor
from tests.support.first_load import MOST_BYTES, FirstLoads
from tests.support.looking import PHONE, touching

SITE: Final = (
    *(
        "/",
        "/table",
        "/seats",
        "/seat",
        "/switches",
        "/new",
        "/new?game=swashbuckle",
        "/designs",
        "/designs/signs",
        "/matches",
    ),
    *("/matches/1", "/verify", "/records", "/rules", "/rules/swashbuckle", "/nothing-here"),
)
PAGES: Final = {
    "legend": SITE,
    "captains-chess": ("/table",),
    "ship-captain-crew": ("/table",),
    "swashbuckle": ("/", "/table"),
}
IN_BOTH_THEMES: Final = {"/table", "/new", "/matches/1", "/rules/swashbuckle"}


def seat_link(owner: Page) -> str:
    """Return the path that opens the first seat, as the page with the links has it."""
    return f"/seat{owner.locator('.address a').first.inner_text().partition('/seat')[2]}"


def touching_at_any_width(page: Page) -> list[str]:
    """Return which buttons touch on a page and in its drawer, on a laptop and on a phone."""
    size, found = page.viewport_size, touching(page)
    page.set_viewport_size(PHONE["viewport"])
    found += touching(page)
    if page.locator("#more-drawer").count():
        page.evaluate("document.getElementById('more-drawer').classList.add('open')")
        found += touching(page)
        page.evaluate("document.getElementById('more-drawer').classList.remove('open')")
    page.set_viewport_size(size or PHONE["viewport"])
    return found


@pytest.mark.browser
def test_no_page_keeps_anybody_out_has_buttons_that_touch_or_loads_slowly(
    open_table: OpenTable, call: Call, visitor: Visitor
) -> None:
    table = open_table("play", "legend", "--players", "Anne", "Bart", "--host", "0.0.0.0")  # noqa: S104
    caller = call(table)
    page = visitor.open(f"{table.origin}/table?token={table.token}", script=AXE)
    visitor.accept("status of 404")
    loads, found, near, taken, link = FirstLoads(page), {}, {}, {}, ""
    for game, paths in PAGES.items():
        assert caller.post("/new", {"game": game, "name1": "Anne", "name2": "Bart"}).status_code == 204
        if game != "captains-chess":
            caller.hold_roll()  # so that dice lie and something is asked
        for path in paths:
            loads.open(table.origin + (path if path != "/seat" else link))
            if path == "/seats":
                link = seat_link(page)
            taken[f"{path} with {game}"] = loads.taken
            near[f"{path} with {game}"] = touching_at_any_width(page)  # before it is drawn, for axe
            found[f"{path} with {game}"] = found_on(page)
            if path in IN_BOTH_THEMES:
                found[f"{path} with {game}, light"] = found_on_light(page)
        table.expected_complaints = "127.0.0.1 came with a link that opens no seat.\n"  # that of the first match
    assert {path: rules for path, rules in found.items() if rules} == {}
    assert {path: pairs for path, pairs in near.items() if pairs} == {}
    assert {path: size for path, size in taken.items() if not 0 < size <= MOST_BYTES} == {}
