"""The pages around a match in a real browser: matches listed and resumed, the way to each page, and what is typed."""

import json
import re
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Call, OpenTable, SitDown
from tests.e2e.ways_to_play import ByKeys
from tests.support.browser import Visitor
from tests.support.looking import SMALL_PHONE
from tests.support.person_at_page import Person
from tests.support.table_process import run_here

pytestmark = pytest.mark.browser
PAWN_TAKES_KING: Final = "7k/4p1P1/8/8/8/8/8/4K3 w - - 0 1"
SIZES: Final = ((1366, 768), (390, 844), (1920, 1080))
ENTRIES: Final = ("Play", "Matches", "Records", "Pieces", "Rules")
PATHS: Final = ("/matches", "/new?game=captains-chess", "/rules/legend", "/records", "/")


def test_matches_are_begun_listed_resumed_and_exported(
    open_table: OpenTable, call: Call, visitor: Visitor, tmp_path: Path
) -> None:
    table = open_table("play", "rounds=1", "--players", "Anne", "Bart")
    anne = Person(visitor.open(table.printed), table)
    page = anne.page
    anne.hold_roll()
    left = anne.dice()
    page.goto(f"{table.origin}/new?game=legend")
    typed = {"First player": "Cleo", "Second player": "Dan", "Rounds": "1", "Starting position": PAWN_TAKES_KING}
    page.locator("summary", has_text="More options").click()
    for label, value in typed.items():
        page.get_by_label(label).fill(value)
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/table")
    call(table).play_one_turn("g7h8q")
    expect(page.locator("#prompt .prompt")).to_have_text("Cleo wins the match")

    page.locator(".bar").get_by_role("link", name="Matches").click()
    expect(page.locator(".matches li").first).to_contain_text("Cleo won")
    page.locator(".matches li").first.locator("a[href^='/matches/']").first.click()
    page.locator("summary", has_text="Keep a picture or a copy").click()
    files = {}
    for form in ("JSON", "PGN"):
        with page.expect_download() as downloading:
            page.locator(".copies").get_by_role("link", name=form).click()
        files[form] = tmp_path / downloading.value.suggested_filename
        downloading.value.save_as(files[form])
    verified = run_here("verify", files["JSON"])
    assert (verified.returncode, verified.stderr) == (0, "")
    assert "throws are the seed's" in verified.stdout
    assert json.loads(files["JSON"].read_text())["seats"] == ["Cleo", "Dan"]
    pgn = files["PGN"].read_text()
    assert '[White "Cleo"]' in pgn
    assert "g7xh8=Q" in pgn

    page.go_back()
    page.get_by_role("button", name="Resume").click()
    page.wait_for_url("**/table")
    anne.catch_up()
    assert anne.dice() == left
    expect(page.locator("#prompt")).to_contain_text("Anne (White), Legend die")


def test_a_click_is_not_lost_when_the_board_changes_between_press_and_release(sit_down: SitDown, call: Call) -> None:
    anne = sit_down("rounds=1")
    bart = call(anne.table)
    anne.square("e2").hover()
    anne.page.mouse.down()
    bart.hold_roll()
    expect(anne.page.locator('#dice [aria-label^="roman die: "]')).to_have_attribute("aria-label", re.compile("[IV]$"))
    with anne.page.expect_response("**/board/click*"):
        anne.page.mouse.up()
    expect(anne.page.locator(".tray.hand")).to_be_attached()  # it is lifted


def test_keys_leave_the_choice_of_dice_and_do_not_touch_the_table_while_a_field_is_typed_in(
    open_table: OpenTable, visitor: Visitor
) -> None:
    table = open_table("play", "rounds=1", "--players", "Anne", "Bart")
    anne = ByKeys(visitor.open(table.printed), table)
    prompt = anne.page.locator("#prompt")
    anne.hold_roll()
    dice = anne.dice()
    for key in ("b", "Escape"):
        expect(anne.page.locator("#ask .at-cursor")).to_have_count(1)
        assert cursor_sign(anne.page) == "none"  # nobody has used the knob
        anne.press("n")
        assert "▸" in cursor_sign(anne.page)
        anne.choose("throw-again")
        anne.page.mouse.click(1, 1)
        expect(prompt).to_contain_text("Which dice stay?")
        anne.press(key)
        expect(prompt).to_contain_text(", Legend die")
        assert anne.dice() == dice
    revision = anne.page.locator("#ask [data-revision]").get_attribute("data-revision")
    for width, height in SIZES:
        anne.page.set_viewport_size({"width": width, "height": height})
        see_the_drawers_close(anne)
    anne.open_drawer()
    anne.page.get_by_role("link", name="New match").click()
    anne.page.get_by_role("link", name="Play together: Legend").click()
    anne.page.get_by_label("First player").fill("")
    anne.page.get_by_label("First player").press_sequentially("Bianca n c b")
    assert anne.page.get_by_label("First player").input_value() == "Bianca n c b"
    anne.page.locator(".bar").get_by_role("link", name="Play").click()
    anne.catch_up()
    assert anne.page.locator("#ask [data-revision]").get_attribute("data-revision") == revision


def cursor_sign(page: Page) -> str:
    """Return what the page draws at the answer under the knob's cursor."""
    sign: str = page.locator("#ask .at-cursor").evaluate("(it) => getComputedStyle(it, '::before').content")
    return sign


def see_the_drawers_close(person: ByKeys) -> None:
    """Close a drawer by Escape, which leaves no choice meanwhile, and by a click beside it, which moves no piece."""
    page = person.page
    more, drawer = page.locator("[data-drawer=more-drawer]"), page.locator(".drawer.open")
    asked = page.locator("#ask").inner_text()
    more.click()
    expect(drawer.locator("[data-close]")).to_be_focused()
    key = drawer.locator("#key summary")
    key.press("Enter")
    for closed in (page.locator("#key[open]"), drawer):
        expect(closed).to_have_count(1)
        page.keyboard.press("Escape")
        expect(closed).to_have_count(0)
    expect(more).to_be_focused()
    more.click()
    box = person.square("a2").bounding_box()
    assert box
    page.mouse.click(box["x"] + 4, box["y"] + box["height"] / 2)
    expect(drawer).to_have_count(0)
    expect(more).to_be_focused()
    person.catch_up()
    assert page.locator("#ask").inner_text() == asked
    expect(page.locator(".tray.hand, .lifted")).to_have_count(0)


def is_reachable(page: Page, selector: str) -> bool:
    """Scroll something into sight; return whether it is whole on the screen, and nothing lies over it."""
    element = page.locator(selector)
    element.scroll_into_view_if_needed()
    return bool(
        element.evaluate(
            """element => { const box = element.getBoundingClientRect();
            const isWhole = box.left >= 0 && box.right <= innerWidth;
            return isWhole && element.contains(
              document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)); }"""
        )
    )


def test_on_a_small_phone_every_page_and_the_knobs_are_in_reach_and_nothing_scrolls_sideways(sit_down: SitDown) -> None:
    anne = sit_down("rounds=1", **SMALL_PHONE)
    page = anne.page
    anne.open_workshop()
    for name in ("next", "choose", "back"):
        assert is_reachable(page, f"[data-button={name}]")
    links = page.locator(".drawer-nav").get_by_role("link")
    links.first.scroll_into_view_if_needed()
    for name in ENTRIES:
        expect(page.locator(".drawer-nav").get_by_role("link", name=name, exact=True)).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.locator(".drawer-nav").get_by_role("link", name="Pieces").tap()
    expect(page.get_by_role("heading", name="Pieces for Crowns")).to_be_visible()
    for path in PATHS:
        page.goto(anne.table.origin + path)
        assert page.evaluate("document.documentElement.scrollWidth") == 360, path
        if path == "/":  # the display has no bar
            continue
        for name in ENTRIES:
            expect(page.locator(".bar").get_by_role("link", name=name, exact=True)).to_be_in_viewport(ratio=1)
        rows = {link.bounding_box()["y"] for link in page.locator(".bar nav a").all()}  # type: ignore[index]  # seen
        assert len(rows) == 1, path


def test_words_typed_at_the_page_stir_the_dice_and_moves_on_a_noisy_board_are_understood(
    sit_down: SitDown, call: Call, visitor: Visitor
) -> None:
    visitor.accept("409 (Conflict)")  # an answer while a neighbour's switch still flickers is given again
    anne = sit_down()
    page = anne.page
    seal, noisy = page.locator(".seal"), page.get_by_role("switch", name="Noisy board")
    expect(seal).to_contain_text("they convince only its owner")
    anne.open_workshop()
    page.get_by_text("Stir the dice with words of your own").click()
    page.get_by_role("combobox", name="Who").select_option("Bart")
    page.get_by_role("textbox", name="Words").fill("a parrot's oath")
    page.get_by_role("button", name="Stir the dice").click()
    expect(seal).to_contain_text("this proves the dice to Bart")
    expect(page.get_by_role("textbox", name="Words")).to_have_value("")
    expect(noisy).to_have_attribute("aria-checked", "false")
    noisy.click()
    expect(noisy).to_have_attribute("aria-checked", "true")
    switches = call(anne.table)
    for start, end in (("g2", "g4"), ("g7", "g5"), ("a2", "a4"), ("a7", "a5")):  # not every move makes a contact bounce
        anne.pawn_turn(start, end)
        expect(anne.square(end)).to_have_attribute("aria-label", re.compile("pawn"))
        if any(each["flickers"] for each in switches.get("/switches.json").json()["switches"]):
            break
    else:
        pytest.fail("four pieces were lifted and put down on a noisy board, and no contact bounced")
    expect(page.locator("[data-words]")).to_have_count(0)
    anne.open_drawer()
    noisy.click()
    expect(noisy).to_have_attribute("aria-checked", "false")
