"""Every page of the site is reached from every other one, on a phone as well, without pushing anything into sight."""

from typing import Final

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import OpenTable
from tests.support.browser import Visitor

SMALL: Final = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
ENTRIES: Final = ("Play", "New match", "Matches", "Records", "Pieces", "Rules")


@pytest.mark.browser
def test_on_a_small_phone_every_page_is_in_reach_from_the_bar_and_from_more(
    open_table: OpenTable, visitor: Visitor
) -> None:
    table = open_table("play")
    page = visitor.open(f"{table.origin}/table", **SMALL)
    expect(page.get_by_role("link", name="Draw a piece")).to_be_visible()
    page.get_by_role("button", name="More").tap()
    for name in ENTRIES:
        expect(page.locator(".drawer-nav").get_by_role("link", name=name, exact=True)).to_be_in_viewport(ratio=1)
    page.locator(".drawer-nav").get_by_role("link", name="Pieces").tap()
    expect(page.get_by_role("heading", name="Pieces for Crowns")).to_be_visible()
    for path in ("/designs", "/matches", "/new", "/rules", "/records", "/verify"):
        page.goto(table.origin + path)
        for name in ENTRIES:
            expect(page.locator(".bar").get_by_role("link", name=name, exact=True)).to_be_in_viewport(ratio=1)
        rows = {link.bounding_box()["y"] for link in page.locator(".bar nav a").all()}  # type: ignore[index]  # seen
        assert len(rows) == 1, path
        assert page.evaluate("document.documentElement.scrollWidth") == 360, path
