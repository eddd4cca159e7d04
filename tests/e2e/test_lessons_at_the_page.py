"""Lessons in a real browser: begun on a card, played by clicks, left, and never in the way of a match."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenTable
from tests.support.browser import Visitor
from tests.support.looking import DESKTOP, LAPTOP, PHONE, out_of_sight

pytestmark = pytest.mark.browser
MOST_CLICKS = 80
WANTED = """() => {
  const seen = (selector) => [...document.querySelectorAll(selector)].find((each) => each.checkVisibility());
  const button = seen("#ask .primary[data-pick]");
  if (button) return ["pick", button.dataset.pick];
  const square = seen('[data-to]:not([data-to=""])');
  if (square) return ["move", square.dataset.square, square.dataset.to.split(" ")[0]];
  return seen('#roll [aria-disabled="false"]') ? ["throw"] : null;
}"""


def learn(page: Page, game: str) -> None:
    page.locator(f"#card-{game}").get_by_role("button", name="Learn it").click()
    expect(page.locator(".coach")).to_be_visible()


def throw(page: Page) -> None:
    """Hold the roll button for a moment."""
    page.locator("#roll .knob").hover()
    page.mouse.down()
    page.wait_for_timeout(120)
    page.mouse.up()


def test_a_lesson_is_played_by_clicks_to_its_end_and_leads_to_a_match_against_the_computer(
    open_table: OpenTable, visitor: Visitor
) -> None:
    table = open_table("play")
    page = visitor.open(table.printed)
    learn(page, "ship-captain-crew")
    for _ in range(MOST_CLICKS):
        deed = page.wait_for_function(WANTED).json_value()
        if deed == ["pick", "lesson-play"]:
            break
        before = page.locator("#log, #prompt").all_inner_texts()
        throw(page) if deed == ["throw"] else page.locator(f"#ask [data-pick={deed[1]}]").click()
        page.wait_for_function(
            "(before) => [...document.querySelectorAll('#log, #prompt')].map((all) => all.innerText).join() !== before",
            arg=",".join(before),
        )
    expect(page.locator("#prompt")).to_contain_text("That is")
    page.get_by_role("button", name="Play the computer").click()
    expect(page.locator(".coach")).to_have_count(0)
    expect(page.locator("#tallies")).to_contain_text("Zephyr")
    page.goto(f"{table.origin}/matches")
    expect(page.locator("main")).not_to_contain_text("lesson")
    assert len(re.findall("Ship, Captain and Crew", page.locator("main").inner_text())) == 1, "the lesson is no match"


@pytest.mark.parametrize("size", [LAPTOP, PHONE, DESKTOP], ids=["laptop", "phone", "desktop"])
def test_what_the_coach_says_is_seen_whole_with_what_is_to_be_done(
    open_table: OpenTable, visitor: Visitor, size: dict[str, object]
) -> None:
    page = visitor.open(open_table("play").printed, is_drawn=True, **size)
    learn(page, "legend")
    for step in range(1, 5):
        expect(page.locator("#heading")).to_contain_text(f"Lesson {step} of")
        assert out_of_sight(page, ".coach .prompt", ".coach-says") == []
        page.get_by_role("button", name="Show me").click()


def test_a_slip_is_answered_and_the_lesson_goes_back_and_is_left_without_a_trace(
    open_table: OpenTable, visitor: Visitor
) -> None:
    visitor.accept("409 (Conflict)")
    table = open_table("play")
    page = visitor.open(table.printed)
    learn(page, "legend")
    for _ in range(3):
        page.get_by_role("button", name="Show me").click()
    expect(page.locator("#heading")).to_contain_text("Lesson 4 of")
    page.locator("[data-square=d1]").click()
    expect(page.locator("#toast")).to_contain_text("worth more than II")
    throw(page)
    expect(page.locator(".coach.slipped")).to_contain_text("first move the pawn")
    page.get_by_role("button", name="Back").click()
    expect(page.locator("#heading")).to_contain_text("Lesson 3 of")
    page.get_by_role("button", name="Skip").click()
    expect(page.locator(".first .card").first).to_be_visible()
    expect(page.locator(".waiting")).to_have_count(0)
    page.get_by_role("button", name="Play the computer: Legend").click()
    expect(page.locator("#roll")).to_contain_text("Throw all six")
    for path, status, words in (("legend", 409, "A match is open"), ("legend?step=x", 400, "no step 'x'")):
        refused = page.request.post(f"{table.origin}/lessons/{path}", headers={"Origin": table.origin})
        assert (refused.status, words in refused.text()) == (status, True)


def test_the_sheet_shows_the_box_of_which_the_coach_speaks(open_table: OpenTable, visitor: Visitor) -> None:
    table = open_table("play")
    page = visitor.open(table.printed, is_drawn=True, **PHONE)
    page.request.post(f"{table.origin}/lessons/swashbuckle?step=5", headers={"Origin": table.origin})
    expect(page.locator("#ask .primary[data-pick=score-sixes]")).to_be_visible()
    page.wait_for_function("""() => {
      const bottom = (selector) => document.querySelector(selector)?.getBoundingClientRect().bottom ?? Infinity;
      return bottom("#sheet [data-fill=score-sixes]") <= bottom("#sheet") + 1;
    }""")
