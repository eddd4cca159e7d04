"""Stepping through a match in a browser, at several sizes: keys, slider, list, links, and a file that is dropped."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from captains_table.table.history.review import JudgedDecision
from tests.support.browser import Visitor
from tests.support.forgeries import played
from tests.support.looking import out_of_sight
from tests.support.reviewed import entries_of, reviewed, serving_reviews

pytestmark = pytest.mark.browser
SIZES = {"laptop": (1366, 768), "phone": (390, 844), "phone on its side": (844, 390)}
SMALLEST = 44  # pixels that a finger needs
LONG = ("Wilhelmina-Charlotte", "Bart", "Maximilian von Hohenstein")
CUT_OFF = """() => [...document.querySelectorAll(".chart text")].filter((text) => text.checkVisibility())
  .map((text) => [text.getBoundingClientRect(), text.closest("svg").getBoundingClientRect(), text.textContent])
  .filter(([it, all]) => it.left < all.left || it.right > all.right || it.top < all.top || it.bottom > all.bottom)
  .map(([it, all, words]) => `${words}: ${it.left} to ${it.right} in ${all.left} to ${all.right}`)"""
CUT_BY_HEADING = """() => {
  const edge = document.querySelector(".moves-scroll").getBoundingClientRect().top
    + document.querySelector(".moves-scroll h3").offsetHeight;
  return [...document.querySelectorAll(".moves-scroll li")].map((it) => [it.getBoundingClientRect(), it.innerText])
    .filter(([box]) => box.top < edge - 4 && box.bottom > edge + 4).map(([, words]) => words);
}"""
DROP = """(text) => {
  const files = new DataTransfer();
  files.items.add(new File([text], "match-3.json", { type: "application/json" }));
  const dropped = new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true });
  document.querySelector("[data-drop]").dispatchEvent(dropped);
}"""
TOO_SMALL = """(smallest) => [...document.querySelectorAll("main a, main button, main input, main summary")]
  .filter((it) => it.checkVisibility())
  .map((it) => [it.getBoundingClientRect(), it.outerHTML])
  .filter(([box]) => box.width && (box.height < smallest - 0.5 || box.width < smallest - 0.5))
  .map(([box, html]) => `${box.width} x ${box.height}: ${html}`)"""
STEPS_AT = "() => JSON.stringify(document.querySelector('.steps')?.getBoundingClientRect())"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Serve a match of Legend and one of Swashbuckle."""
    legend = entries_of("legend", luck=5, options={"rounds": "1", "turn_limit": "12"})
    swashbuckle = entries_of("swashbuckle", luck=5, names=LONG)
    judged = [JudgedDecision(4, 0, "Anne: a dear one", 3.25, "another one")]
    with serving_reviews(reviewed(legend, 1), reviewed(swashbuckle, 2), judged=judged) as served:
        yield served


@pytest.fixture(scope="module")
def visitor(browser: Browser) -> Iterator[Visitor]:
    visitor = Visitor(browser, is_plain=True)
    yield visitor
    visitor.leave()


@pytest.fixture(scope="module")
def page(visitor: Visitor) -> Page:
    return visitor.open("about:blank", permissions=["clipboard-read", "clipboard-write"])


def test_a_match_is_stepped_through_by_keys_slider_list_and_buttons(page: Page, address: str) -> None:
    page.goto(f"{address}matches/1?at=4")
    count, words = page.locator(".count b"), page.locator(".moment-words .prompt")
    page.keyboard.press("ArrowRight")
    expect(count).to_have_text("5")
    assert page.url.endswith("?at=5")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(count).to_have_text("3")
    slider = page.get_by_label("Moment", exact=True)
    slider.focus()
    page.keyboard.press("End")
    expect(page.get_by_label("One on")).to_have_attribute("aria-disabled", "true")
    last = count.inner_text()
    slider.fill("2")
    expect(count).to_have_text("2")
    line = page.locator(".moves-scroll a").nth(7)
    line.click()
    expect(count).to_have_text("7")
    expect(line).to_have_attribute("aria-current", "step")
    expect(words).to_have_text(line.locator("span").first.inner_text())
    expect(slider).to_have_value("7")
    expect(page.locator("#share")).to_have_value(f"{address}matches/1?at=7#review")
    page.get_by_label("To the beginning").click()
    expect(count).to_have_text("0")
    expect(page.get_by_label("To the beginning")).to_be_focused()
    page.get_by_label("To the end").click()
    expect(count).to_have_text(last)


def test_it_opens_at_the_last_moment_and_judging_moves_nothing(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto(f"{address}matches/1")
    shown = page.locator(".moves-scroll [aria-current]")
    expect(shown).to_be_in_viewport(ratio=0.7)
    assert shown.get_attribute("data-at") == page.locator("#slide").get_attribute("max")
    assert page.evaluate(CUT_BY_HEADING) == []
    judge = page.locator("[data-judge]")
    judge.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    judge.click()
    expect(page.locator("#decisions .costliest")).to_contain_text("better: another one")
    assert page.evaluate("scrollY") == before > 0
    assert (
        page.locator("#decisions-title").evaluate("(it) => it.matches(':focus') && getComputedStyle(it).outlineStyle")
        == "none"
    )
    expect(page.locator(".moves-scroll .cost")).to_have_count(1)
    page.locator(".copies summary").click()
    page.get_by_role("link", name="Rematch").click()
    expect(page.get_by_label("First player").first).to_have_value("Anne")
    expect(page.locator("main .primary")).to_have_text("Begin")


@pytest.mark.parametrize("match", [1, 2], ids=["a board", "a sheet of three with long names"])
def test_on_any_screen_all_is_in_reach_and_the_buttons_stay_where_they_are(
    page: Page, address: str, match: int
) -> None:
    page.goto(f"{address}matches/{match}?at=4")
    for name, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        page.locator(".turning-points a").first.click()
        expect(page.locator(".moment-luck")).to_contain_text("luck +")
        expect(page.locator(".steps")).to_be_in_viewport()
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        assert page.evaluate(TOO_SMALL, SMALLEST) == [], name
        assert page.locator(".chart:visible").count() == 2
        assert page.evaluate(CUT_OFF) == [], name
        before, at = page.evaluate(STEPS_AT), page.locator(".count b").inner_text()
        page.get_by_label("One back").click()
        expect(page.locator(".count b")).to_have_text(str(int(at) - 1))
        page.wait_for_function(f"(before) => ({STEPS_AT})() === before", arg=before)  # nobody need look for the button


def test_on_a_phone_the_board_and_its_buttons_come_first_and_the_list_lets_the_page_scroll_on(
    page: Page, address: str
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{address}matches/1?at=4")
    assert out_of_sight(page, ".review-verdict", ".moment-board", ".steps") == []
    page.locator(".moves-scroll").hover()
    before = page.evaluate("document.querySelector('.moves-scroll').scrollTop = 1e6, scrollY")
    page.mouse.wheel(0, 300)
    page.wait_for_function("(before) => scrollY > before", arg=before)


def test_without_scripts_the_links_lead_through_it(visitor: Visitor, address: str) -> None:
    page = visitor.open(f"{address}matches/1?at=4", java_script_enabled=False)
    page.get_by_label("One on").click()
    expect(page.locator(".count b")).to_have_text("5")
    page.locator(".moves-scroll a").nth(2).click()
    expect(page.locator(".count b")).to_have_text("2")
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".count b")).to_have_text("2")
    page.get_by_label("Turn the board").click()
    expect(page.locator(".board [data-square]").first).to_have_attribute("data-square", "h1")


def test_the_link_is_copied_and_a_dropped_file_is_verified(page: Page, address: str) -> None:
    page.goto(f"{address}matches/1?at=4")
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == f"{address}matches/1?at=4#review"
    page.goto(f"{address}verify")
    page.evaluate(DROP, json.dumps(played("clock")))
    expect(page.get_by_role("heading", name="Proven: match-3.json")).to_be_visible()
