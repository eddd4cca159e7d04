"""Own words for the dice, typed at the page, in a real browser."""

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import SitDown

pytestmark = pytest.mark.browser


def test_words_typed_at_the_page_stir_the_dice(sit_down: SitDown) -> None:
    anne = sit_down()
    page = anne.page
    seal = page.locator(".seal")
    expect(seal).to_contain_text("they convince nobody but its owner")
    anne.open_drawer()
    page.get_by_text("Stir the dice with words of your own").click()
    page.get_by_role("combobox", name="Who").select_option("Bart")
    page.get_by_role("textbox", name="Words").fill("a parrot's oath")
    page.get_by_role("button", name="Stir the dice").click()
    expect(seal).to_contain_text("this proves the dice to Bart")
    expect(page.get_by_role("textbox", name="Words")).to_have_value("")
    anne.hold_roll()
    expect(page.locator("[data-words]")).to_have_count(0)
