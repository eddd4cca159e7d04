"""A piece drawn by finger on a phone and by keyboard, saved, printed, and a match started with it."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.conftest import OpenTable
from tests.support.axe import found_on, found_on_light
from tests.support.browser import Visitor
from tests.support.crowns_play import KNIGHT
from tests.support.looking import PHONE

LEAPS = ("b5", "d5", "a4", "e4", "a2", "e2", "b1", "d1")


def press_while_the_last_touch_arrives(page: Page, first: str, second: str) -> None:
    """Touch one cell, and hold the space bar on another until the page was told what the first comes to."""
    held: list[Route] = []
    page.route("**/designs/draw.json*", lambda route: held.append(route), times=1)  # noqa: PLW0108 - takes an attribute
    with page.expect_request("**/designs/draw.json*"):
        page.tap(f'[data-cell="{first}"]')
    page.locator(f'[data-cell="{second}"]').focus()
    page.keyboard.down("Space")
    held[0].continue_()
    page.wait_for_url(f"**{first.replace('-', '=')}*")
    page.keyboard.up("Space")


@pytest.mark.browser
def test_a_piece_is_drawn_by_finger_and_by_keys_saved_and_played(open_table: OpenTable, visitor: Visitor) -> None:
    table = open_table("play", "swashbuckle", "--players", "Anne", "Bart")
    page = visitor.open(f"{table.origin}/designs/draw", **PHONE)
    page.fill("[name=name]", "Ferris")
    for dot in LEAPS:
        page.tap(f'[data-cell="levelled-{dot}"]')
    expect(page.locator('[data-cell="levelled-d1"]')).to_have_attribute("aria-pressed", "true")
    press_while_the_last_touch_arrives(page, "standard-b4", "standard-d4")
    for keys in (["ArrowDown", "ArrowDown"], ["ArrowLeft", "ArrowLeft"]):
        for key in keys:
            page.keyboard.press(key)
        page.keyboard.press("Space")
    page.get_by_role("button", name="Save").tap()  # with the last tap in it, though it may not be shown yet
    expect(page.get_by_text("Ferris is kept.")).to_be_visible()
    page.get_by_role("link", name="Change Ferris").click()
    expect(page.get_by_role("button", name="one forward, one left; 2.5").first).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(page.get_by_text("It may be played with.")).to_be_visible()
    assert found_on(page) == {}
    assert found_on_light(page) == {}
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.get_by_role("link", name="Play with it").click()
    expect(page.locator("[name=piece1]")).to_have_value(KNIGHT)
    page.locator("#form [name=name1]:visible").first.fill("Anne")
    page.locator("#form [name=name2]:visible").first.fill("Bart")
    page.get_by_role("button", name="Begin").last.click()
    expect(page.locator(".live-heading")).to_contain_text("Crowns")
    assert f'"piece1": "{KNIGHT}"' in page.request.get(f"{table.origin}/export/2.json").text()
