from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import OpenTable
from tests.e2e.ways_to_play import ByKeys
from tests.support.browser import Visitor

pytestmark = pytest.mark.browser
SitDown = Callable[..., ByKeys]


@pytest.fixture
def sit_down(open_table: OpenTable, visitor: Visitor) -> SitDown:
    """Return what starts a table and opens its page for somebody who uses keys alone."""

    def start(*options: str) -> ByKeys:
        table = open_table("play", "--players", "Anne", "Bart", *options)
        return ByKeys(visitor.open(table.printed), table)

    return start


def test_back_leaves_the_choice_of_dice(sit_down: SitDown) -> None:
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
    anne = sit_down("rounds=1")
    revision = anne.page.locator("#ask [data-revision]").get_attribute("data-revision")
    anne.page.get_by_role("link", name="New match").first.click()
    anne.page.get_by_label("First player").fill("")
    anne.page.get_by_label("First player").press_sequentially("Bianca n c b")
    assert anne.page.get_by_label("First player").input_value() == "Bianca n c b"
    anne.page.locator(".bar").get_by_role("link", name="Play").click()
    anne.catch_up()
    assert anne.page.locator("#ask [data-revision]").get_attribute("data-revision") == revision
