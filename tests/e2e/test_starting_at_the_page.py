"""A table's first evening at the page: who plays what, leaving, and the settings of a browser."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import OpenTable
from tests.support.browser import Visitor
from tests.support.looking import PHONE
from tests.support.table_process import write_config

pytestmark = pytest.mark.browser
LOOK_FIRST = """new MutationObserver((_, all) => {
  if (!document.body) return;
  all.disconnect();
  window.first = { ...document.documentElement.dataset };
}).observe(document, { childList: true, subtree: true })"""


def darkest(disc: Locator) -> int:
    """Return how bright, from 0 to 255, the middle of something on a page is at its darkest colour."""
    seen = Image.open(io.BytesIO(disc.screenshot())).convert("RGB")
    x, y = seen.width // 2, seen.height // 2
    return min(seen.crop((x, y, x + 1, y + 1)).tobytes())


def leave_by(page: Page, press: Callable[[], None]) -> None:
    """Leave the match by one press; see the cards, and go the way back."""
    page.get_by_role("button", name="More", exact=True).click()
    button = page.locator("[data-post='/leave']")
    expect(button).to_be_visible()
    button.focus()
    press()
    expect(page.locator(".first")).to_be_visible()
    expect(page.locator(".drawer.open")).to_have_count(0)
    page.get_by_role("button", name="Go on").click()
    expect(button).to_be_attached()
    page.wait_for_load_state()  # there is a button as soon as it is read, and a press that works once the scripts are


def test_a_first_evening_begins_with_nobody_grows_a_third_player_and_is_left_by_mouse_and_keyboard(
    open_table: OpenTable, visitor: Visitor, tmp_path: Path
) -> None:
    page = visitor.open(open_table("run", write_config(tmp_path)).printed)
    expect(page.locator("[data-post='/leave']")).to_have_count(0)
    page.get_by_role("link", name="Play together: Ship, Captain and Crew").click()
    expect(page.locator(".players label:visible input")).to_have_count(2)  # the form is there
    names = page.locator(".players label:visible input").evaluate_all("all => all.map(each => each.value)")
    assert names == ["Sailor", "Mate"]
    page.get_by_label("First player").fill("Ada")
    page.get_by_role("button", name="Add a player").click()
    expect(page.get_by_label("Player 3", exact=True)).to_be_focused()
    page.get_by_label("Player 3", exact=True).fill("Cleo")
    page.get_by_role("button", name="Add a player").click()
    page.get_by_role("button", name="Remove the last one").click()
    page.get_by_label("Second player").fill("Bo")
    expect(page.get_by_label("The last round")).to_be_hidden()
    page.locator("summary", has_text="More options").click()
    expect(page.get_by_label("The last round")).to_be_visible()
    page.locator("[name=mode]").select_option("single")
    for moot in ("target", "finish_round"):
        expect(page.locator(f"[name={moot}]")).to_be_hidden()
    page.locator("[name=mode]").select_option("target")
    page.locator("[name=target]").fill("20")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/table")
    expect(page.locator("#tallies")).to_contain_text("Cleo")

    button = page.locator("[data-post='/leave']")
    page.locator("#roll button").click()
    expect(page.locator("#dice .die")).to_have_count(5)
    leave_by(page, button.click)
    leave_by(page, lambda: page.keyboard.press("Enter"))


def test_what_is_set_is_kept_by_the_browser_and_holds_before_anything_is_painted(
    open_table: OpenTable, visitor: Visitor
) -> None:
    table = open_table("play", "--players", "Anne", "Bart")
    page = visitor.open(table.printed, script=LOOK_FIRST, viewport={"width": 390, "height": 844})

    def at_root() -> dict[str, str]:
        found: dict[str, str] = page.evaluate("({ ...document.documentElement.dataset })")
        return found

    assert at_root() == {}
    page.get_by_role("button", name="Settings").click()
    dialog = page.get_by_role("dialog", name="Settings")
    for theme in ("Light", "Dark"):
        dialog.get_by_text(theme, exact=True).click()
        other = dialog.locator("[name=theme]:not(:checked)").first
        assert darkest(other) > 200, f"in the theme {theme} a disc that is not chosen looks chosen"
    for choice in ("Light", "Sea", "Letters", "Large"):
        dialog.get_by_text(choice, exact=True).click()
    dialog.get_by_role("switch", name="Sounds").uncheck()
    dialog.get_by_role("switch", name="Speech").check()
    expected = {"theme": "light", "board": "sea", "pieces": "letters", "type": "large"}
    assert at_root() == expected
    dialog.get_by_text("Unhurried", exact=True).click()  # the table's own
    expect(page.locator("[data-pace]")).to_have_attribute("data-pace", "unhurried")
    assert page.evaluate("pace()") == 2, "animations follow it"
    kept = page.evaluate("({ ...localStorage })")
    found = {key.removeprefix("captains-table."): value for key, value in kept.items()}
    own = {"explain": "off", "cards": "off"}  # what every visitor of a test has set
    assert found == expected | {"sound": "off", "speech": "on"} | own
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.locator("#ask [data-pick]").first).to_be_attached()  # the table's *back* was not meant
    # No script of the page has run when the body begins: what is seen first is what was set.
    for path in ("/records", "/new", "/switches"):
        page.goto(f"{table.origin}{path}")
        assert page.evaluate("window.first") == expected
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert page.evaluate("getComputedStyle(document.body).color") == "rgb(43, 27, 15)"
    page.get_by_role("button", name="Settings").click()
    for group, choice in (("Theme", "Dark"), ("Board", "Wood"), ("Pieces", "Drawn"), ("Type", "Usual")):
        dialog.get_by_role("group", name=group).get_by_text(choice, exact=True).click()
    assert at_root() == {}


def test_the_board_of_switches_follows_hands_and_arrows(open_table: OpenTable, visitor: Visitor) -> None:
    table = open_table("play", "--players", "Anne", "Bart")
    page = visitor.open(f"{table.origin}/switches", **PHONE)
    e2 = page.locator("[data-switch=e2]")
    expect(e2).to_have_class("switch is-good is-closed")
    e2.click()
    expect(page.locator("#details h2")).to_have_text("e2")
    noisy = "fetch('/board/noise/on', { method: 'POST' })"
    lift = "fetch('/board/click', { method: 'POST', body: JSON.stringify({ square: 'e2' }) })"
    page.evaluate(f"{noisy}.then(() => {lift})")
    expect(e2).to_have_class("switch is-good")
    expect(page.locator("[data-of=now]")).to_have_text("open")
    box = e2.bounding_box()
    assert box
    assert box["width"] >= 44
    page.keyboard.press("ArrowUp")
    expect(page.locator("[data-switch=e3]")).to_be_focused()
    expect(page.locator("#details h2")).to_have_text("e3")
    page.locator("#details [data-mask]").click()
    page.locator("#details [data-mask]").click()
    expect(page.locator("[data-switch=e3]")).to_have_class("switch is-masked")
    expect(page.locator(".all-well")).to_have_text("Not well: e3.")
    expect(page.locator("#details [data-mask]")).to_be_hidden()
