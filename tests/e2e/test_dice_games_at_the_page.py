"""The games without a board on a real page, in a real browser."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import SitDown
from tests.e2e.ways_to_play import press_twice
from tests.support.browser import Visitor
from tests.support.looking import PHONE, SMALL_PHONE

pytestmark = pytest.mark.browser
SHIPS: tuple[str, str, dict[str, Any]] = (
    "ship-captain-crew",
    "order=seated",
    {"viewport": {"width": 1280, "height": 800}},
)


def is_as_wide_as_the_window(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


@pytest.mark.parametrize(
    ("game", "option", "size"),
    [("swashbuckle", "captain=Sailor the 32th", SMALL_PHONE), SHIPS],
    ids=["phone", "laptop"],
)
def test_a_match_of_32_fits_a_phone_and_a_laptop(
    game: str, option: str, size: dict[str, Any], sit_down: SitDown
) -> None:
    names = ["Anne", "Bartholomew", *(f"Sailor the {number}th" for number in range(3, 33))]
    anne = sit_down(game, option, names=names, **size)
    assert is_as_wide_as_the_window(anne.page)
    for turn in anne.page.locator("#tallies .on-turn, #sheet table:first-child thead .on-turn").all():
        expect(turn).to_be_in_viewport(ratio=0.9)
    for path in ("/", "/records", f"/new?game={game}"):
        anne.page.goto(f"{anne.table.origin}{path}")
        assert is_as_wide_as_the_window(anne.page), path


def test_on_a_phone_a_box_of_any_column_is_filled_and_a_penalty_called(sit_down: SitDown, visitor: Visitor) -> None:
    """Of the display only the sheets are printed."""
    options = ("order=seated", "columns=6", "penalty=2", "pirate1=Sunnyseas")
    anne = sit_down("swashbuckle", *options, dice="11133", **SMALL_PHONE)
    page = anne.page
    anne.hold_roll()
    with page.expect_response("**/answer*"):
        page.get_by_role("button", name="Full boat, column 6: 25").tap()
    anne.catch_up()
    anne.choose("no-curse")
    expect(page.locator("#prompt")).to_contain_text("Bart")  # and Bart's columns are shown in place of Anne's
    page.get_by_role("radio", name="Sunnyseas").tap()
    boat = page.get_by_role("row", name="Full boat").get_by_role("cell")
    expect(boat.nth(5)).to_have_text("25")
    page.get_by_role("button", name="More", exact=True).tap()
    with page.expect_response("**/answer*"):
        press_twice(page, "Penalty for Bart")
    page.get_by_role("button", name="Close: More").tap()
    anne.catch_up()
    expect(page.locator("#prompt")).to_contain_text("Bart: a penalty of 2?")
    anne.choose("agree")
    expect(page.locator("#tallies")).to_contain_text("Sunnyseas")
    expect(page.locator("#tallies tr", has_text="Bart").locator("td").last).to_have_text("-2")
    assert is_as_wide_as_the_window(page)
    display = visitor.open(f"{anne.table.origin}/", **PHONE)
    display.emulate_media(media="print")
    expect(display.locator(".score-sheet").first).to_be_visible()
    for hidden in (".bar", "#prompt", "#dice", "#log"):
        expect(display.locator(hidden)).to_be_hidden()
    display.close()  # so that nobody else sees it as it is printed
