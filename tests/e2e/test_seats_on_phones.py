"""Two players, each with a phone of their own, in a real browser."""

import io

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenTable
from tests.support.browser import Visitor
from tests.support.looking import PHONE
from tests.support.person_at_page import open_drawer


def scanned(page: Page, seat: int) -> str:
    """Return what a phone reads off the picture on the owner's page."""
    picture = Image.open(io.BytesIO(page.locator(".qr").nth(seat).screenshot()))
    return str(zxingcpp.read_barcodes(picture)[0].text)


@pytest.mark.browser
def test_at_the_printed_address_two_players_scan_their_seats_and_play_each_their_own(
    open_table: OpenTable, visitor: Visitor
) -> None:
    table = open_table("play", "swashbuckle", "order=seated", "--players", "Anne", "Bart", "--host", "0.0.0.0")  # noqa: S104
    owner = visitor.open(f"{table.origin}/table?token={table.token}", is_drawn=True)
    assert owner.url == f"{table.origin}/table", "the token does not stay in the address"
    watcher = visitor.open(f"{table.origin}/table")
    expect(watcher.get_by_role("main")).to_contain_text("You are watching")
    expect(watcher.get_by_role("button", name="Throw")).to_have_count(0)
    open_drawer(owner)
    owner.get_by_role("link", name="Seats").click()
    addresses = [scanned(owner, seat) for seat in (0, 1)]
    assert addresses == owner.locator(".address a").all_inner_texts()
    anne, bart = (visitor.open(f"{table.origin}/seat?{each.partition('?')[2]}", **PHONE) for each in addresses)
    assert anne.url == f"{table.origin}/seat"
    expect(bart.locator("#ask")).to_have_text("Anne is to act.")
    anne.locator("[data-cast]").click()
    anne.locator('[data-pick^="score-"]').first.click()
    anne.locator('[data-pick="no-curse"]').click()
    expect(anne.locator("#ask")).to_have_text("Bart is to act.")
    expect(bart.locator("[data-cast]")).to_have_attribute("aria-disabled", "false")
    expect(anne.locator("[data-cast]")).to_have_attribute("aria-disabled", "true")
    owner.get_by_role("button", name="Revoke Bart's link").click()
    expect(owner.locator(".qr")).to_have_count(1)
    expect(bart.locator("#ended")).to_be_visible()
    expect(anne.locator("#ended")).to_be_hidden()
