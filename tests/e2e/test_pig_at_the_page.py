"""Pig on nine squares, a plug-in, at the page: thrown, banked, walked, and a catch that sends a piece to its corner."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import SitDown
from tests.support.person_at_page import Person

pytestmark = pytest.mark.browser


def bank(page: Person) -> None:
    page.hold_roll()
    page.choose("bank")


def test_a_piece_that_is_caught_is_set_back_into_its_corner(sit_down: SitDown) -> None:
    page = sit_down("pig", "target=500", "catch=1", dice="23")
    prompt = page.page.locator("#prompt")
    bank(page)
    page.click("a1", "b2")
    expect(prompt).to_contain_text("Bart: throw the die")
    bank(page)
    expect(page.button("c3b2")).to_have_text("Catch Anne on b2")
    before = page.tallies()
    page.click("c3", "b2")  # the hand carries both pieces
    expect(prompt).to_contain_text("Anne: throw the die")
    page.catch_up()
    expect(page.square("b2")).to_have_attribute("aria-label", re.compile("black pawn"))
    expect(page.square("a1")).to_have_attribute("aria-label", re.compile("white pawn"))
    after = page.tallies()
    assert after["Bart"]["total"] == before["Bart"]["total"] + 1
    assert after["Anne"]["total"] == before["Anne"]["total"] - 1
    expect(page.page.locator("#log")).to_contain_text("Bart catches Anne")
