"""What a thing means is told in a real browser: under a resting pointer, a held finger, and by F1."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import SitDown

pytestmark = pytest.mark.browser
NOT_EXPLAINED = """async () => {
  const found = [...document.querySelectorAll(Object.keys(PLACES).join())].map((each) => thingAt(each).of);
  const empty = [...document.querySelectorAll("[data-square]:not(:has(.piece, .mark, .thing))")];
  const nothing = new Set(empty.map((each) => `square ${each.dataset.square}`));
  const asked = [...new Set(found)].filter((of) => !nothing.has(of));
  const meaning = async (of) => (await fetch(`/meaning?${new URLSearchParams({ of })}`)).json();
  const answers = await Promise.all(asked.map(meaning));
  return asked.filter((of, place) => !answers[place].sentences.length);
}"""


def hold_with_a_finger(page: Page, selector: str) -> None:
    """Hold a thing with a finger until it is explained, and let go; the click that follows is the browser's."""
    touch = {"pointerType": "touch", "isPrimary": True, "bubbles": True, "button": 0}
    page.locator(selector).dispatch_event("pointerdown", touch)
    expect(page.locator(".explanation")).to_be_visible()
    page.locator(selector).dispatch_event("pointerup", touch)
    page.locator(selector).dispatch_event("click")


def test_everything_on_the_page_is_explained_by_pointer_finger_and_key_and_escape_closes_it(sit_down: SitDown) -> None:
    anne = sit_down("rounds=1")
    page, box = anne.page, anne.page.locator(".explanation")
    page.evaluate("for (const name of ['explain', 'cards']) localStorage.setItem(`captains-table.${name}`, 'on')")
    assert page.evaluate(NOT_EXPLAINED) == []
    page.locator('[data-what="tally cargo"]').hover()
    expect(box).to_contain_text("Cargo is money")
    page.locator('[data-what="tally legend"]').hover()
    expect(box).to_contain_text("Legend is fame")  # also straight from one thing to the next
    page.mouse.move(2, 2)
    expect(box).to_be_hidden()

    anne.hold_roll()
    assert page.evaluate(NOT_EXPLAINED) == []
    card = page.locator(".first-card")
    expect(card).to_contain_text("The Genie")
    card.get_by_role("button", name="I see").click()
    expect(card).to_be_hidden()
    before = (anne.board(), anne.offers())
    hold_with_a_finger(page, '[data-square="b1"]')
    expect(box).to_contain_text("A knight, worth 2")
    hold_with_a_finger(page, '[data-pick="throw-again"] >> nth=0')
    expect(box).to_contain_text("up to twice in a turn")
    assert (anne.board(), anne.offers()) == before, "a held finger does nothing else"
    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    anne.square("e1").focus()
    page.keyboard.press("F1")
    expect(box).to_contain_text("The king, worth 5")
    expect(page.get_by_role("link", name="Rule L13")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#L13")).to_be_in_viewport()
    expect(page.get_by_role("button", name="Try it")).to_have_count(0)  # no lesson takes the place of a match
