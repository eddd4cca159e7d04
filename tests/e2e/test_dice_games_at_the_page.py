"""The games without a board on a real page, in a real browser."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenTable, TellDice
from tests.e2e.ways_to_play import press_twice
from tests.support.browser import Visitor
from tests.support.person_at_page import Person

pytestmark = pytest.mark.browser
SIZES: list[dict[str, Any]] = [
    {"viewport": {"width": 1280, "height": 800}},
    {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True},
]


def is_as_wide_as_the_window(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


@pytest.mark.parametrize("game", ["swashbuckle", "ship-captain-crew"])
def test_a_game_of_many_fits_laptop_and_phone(game: str, open_table: OpenTable, visitor: Visitor) -> None:
    names = ["Anne", "Bartholomew", "Cora", "Dirk", "Elsa", "Finn", "Gwen", "Hugo"]
    names += [f"Sailor the {number}th" for number in range(len(names) + 1, 33)]
    table = open_table(
        "play", game, "captain=" + names[-1] if game == "swashbuckle" else "order=seated", "--players", *names
    )
    for size in SIZES:
        anne = Person(visitor.open(table.printed, **size), table)
        assert is_as_wide_as_the_window(anne.page)
        for turn in anne.page.locator("#tallies .on-turn, #sheet table:first-child thead .on-turn").all():
            expect(turn).to_be_in_viewport(ratio=0.9)
        for path in ("/", "/records", f"/new?game={game}"):
            anne.page.goto(f"{table.origin}{path}")
            assert is_as_wide_as_the_window(anne.page), path


def test_on_a_phone_a_box_of_any_column_is_filled_and_a_penalty_called(tell_dice: TellDice, visitor: Visitor) -> None:
    options = ("order=seated", "columns=6", "penalty=2", "pirate1=Sunnyseas")
    table = tell_dice("11133", "swashbuckle", *options, names=("Anne", "Bart"))
    anne = Person(visitor.open(table.printed, **SIZES[1]), table)
    page = anne.page
    anne.hold_roll()
    with page.expect_response("**/answer*"):
        page.get_by_role("button", name="Full boat, column 6: 25").tap()
    anne.catch_up()
    anne.choose("no-curse")
    expect(page.locator("#prompt")).to_contain_text("Bart")  # and his columns are shown in place of hers
    page.locator("#all-sheets summary").tap()
    boat = page.locator("#all-sheets tr", has=page.get_by_role("rowheader", name="Full boat", exact=True)).locator("td")
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


def test_only_the_sheets_are_printed(open_table: OpenTable, visitor: Visitor) -> None:
    table = open_table("play", "swashbuckle", "order=seated", "--players", "Anne", "Bart")
    page = visitor.open(f"{table.origin}/")
    page.emulate_media(media="print")
    expect(page.locator(".score-sheet").first).to_be_visible()
    for hidden in (".bar", "#prompt", "#dice", "#log"):
        expect(page.locator(hidden)).to_be_hidden()
