"""The coach at the page: silent until the settings ask for it, then a sentence after each turn against a computer."""

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import OpenTable
from tests.support.browser import Visitor

pytestmark = pytest.mark.browser


def test_whoever_wants_a_coach_is_told_after_a_move_what_it_was_worth_and_sees_the_better_one(
    open_table: OpenTable, visitor: Visitor
) -> None:
    mate_in_one = "fen=3k5/8p/3K5/9/9/9/9/R8 w - - 0 1"
    table = open_table("play", "captains-chess", "--players", "Anne", "boreas:0", mate_in_one)
    page = visitor.open(f"{table.origin}/table")
    page.get_by_role("button", name="Settings").click()
    coach = page.get_by_role("switch", name="Against a computer")
    expect(coach).not_to_be_checked()
    coach.check()
    page.get_by_role("button", name="Done").click()
    for square in ("a1", "b1"):
        with page.expect_response("**/board/click*"):
            page.locator(f'[data-square="{square}"]').click()
    expect(page.locator("#toast")).to_contain_text("“Ra1-b1” cost a mate, or what is worth one. Better: Ra1-a8")
    expect(page.locator("#board .better")).to_have_count(2)
    page.locator('[data-square="d1"]').click()
    expect(page.locator("#board .better")).to_have_count(0)
