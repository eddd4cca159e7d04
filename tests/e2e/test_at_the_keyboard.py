from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import OpenTable
from tests.support.browser import Visitor
from tests.support.ways_to_play import ByKeys

pytestmark = pytest.mark.browser
SitDown = Callable[..., ByKeys]


@pytest.fixture
def sit_down(open_table: OpenTable, visitor: Visitor) -> SitDown:
    """Return what starts a table and opens its page for somebody who uses keys alone."""

    def start(*options: str) -> ByKeys:
        table = open_table("play", "--players", "Anne", "Bart", *options)
        return ByKeys(visitor.open(table.printed), table)

    return start


def test_two_turns_are_played_by_keys_alone(sit_down: SitDown) -> None:
    """Space rolls, arrows and Enter move, N and C choose."""
    anne = sit_down("rounds=1")
    page = anne.page
    anne.hold_roll()
    expect(page.locator("#dice .thrown")).to_have_count(6)
    anne.tab_to_the_board()
    anne.walk("e2")
    page.keyboard.press("Enter")
    expect(page.locator("#hand")).to_contain_text("In the hand")
    assert anne.focused() == "e2"
    anne.walk("e4")
    page.keyboard.press("Enter")
    expect(page.locator("#prompt")).to_contain_text("your move is made", ignore_case=True)
    anne.catch_up()
    assert anne.focused() == "e4"
    anne.choose("done")
    expect(page.locator("#prompt")).to_contain_text("Bart (Black): throw the dice")
    assert anne.focused() == "e4"  # nothing takes the focus away
    anne.hold_roll()
    expect(page.locator("#prompt")).to_contain_text("Bart (Black), Legend die")


def test_back_leaves_the_choice_of_dice(sit_down: SitDown) -> None:
    """Throw again is chosen, thought better of, and chosen again."""
    anne = sit_down("rounds=1")
    anne.hold_roll()
    dice = anne.dice()
    anne.choose("throw-again")
    expect(anne.page.locator("#prompt")).to_contain_text("Which dice stay?")
    anne.press("b")
    expect(anne.page.locator("#prompt")).to_contain_text(", Legend die")
    assert anne.dice() == dice
    anne.choose("throw-again")
    expect(anne.page.locator("#prompt")).to_contain_text("Which dice stay?")
    anne.press("Escape")
    expect(anne.page.locator("#prompt")).to_contain_text(", Legend die")


def test_keys_do_not_touch_the_table_while_a_field_is_typed_in(sit_down: SitDown) -> None:
    """A name with the letters n, c and b in it is a name."""
    anne = sit_down("rounds=1")
    revision = anne.page.locator("#ask [data-revision]").get_attribute("data-revision")
    anne.page.get_by_role("link", name="New match").first.click()
    anne.page.get_by_label("First player").fill("")
    anne.page.get_by_label("First player").press_sequentially("Bianca n c b")
    assert anne.page.get_by_label("First player").input_value() == "Bianca n c b"
    anne.page.locator(".bar").get_by_role("link", name="Play").click()
    anne.catch_up()
    assert anne.page.locator("#ask [data-revision]").get_attribute("data-revision") == revision
