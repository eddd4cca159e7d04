import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Call, OpenTable, SitDown
from tests.support.browser import Visitor
from tests.support.looking import PHONE
from tests.support.person_at_page import Person, open_drawer
from tests.support.table_process import run_here

pytestmark = pytest.mark.browser
PAWN_TAKES_KING = "fen=7k/4p1P1/8/8/8/8/8/4K3 w - - 0 1"


def fill_in(page: Page, **fields: str) -> None:
    """Fill in the form for a new match by the words beside its fields, and begin."""
    for label, value in fields.items():
        field = page.get_by_label(label.replace("_", " "))
        if field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(label=value)
        else:
            field.fill(value)
    page.get_by_role("button", name="Begin").click()


def test_matches_are_listed_resumed_and_exported(open_table: OpenTable, visitor: Visitor, tmp_path: Path) -> None:
    table = open_table("play", "--players", "Anne", "Bart", "rounds=1", PAWN_TAKES_KING)
    anne = Person(visitor.open(table.printed, accept_downloads=True), table)
    page = anne.page
    anne.hold_roll()
    left = anne.dice()
    page.goto(f"{table.origin}/new")
    fill_in(page, First_player="Cleo", Second_player="Dan", Rounds="1", Starting_position=PAWN_TAKES_KING[4:])
    page.wait_for_url("**/table")
    anne.hold_roll()
    anne.click("g7", "h8")
    anne.choose("g7h8q")
    anne.end_turn()
    expect(page.locator("#prompt .prompt")).to_have_text("Cleo wins the match")

    page.locator(".bar").get_by_role("link", name="Matches").click()
    expect(page.locator(".matches li").first).to_contain_text("Cleo won")
    files = {}
    for form in ("JSON", "PGN"):
        with page.expect_download() as downloading:
            page.locator(".matches li").first.get_by_role("link", name=form).click()
        files[form] = tmp_path / downloading.value.suggested_filename
        downloading.value.save_as(files[form])
    verified = run_here("verify", files["JSON"])
    assert (verified.returncode, verified.stderr) == (0, "")
    assert "throws are the seed's" in verified.stdout
    assert json.loads(files["JSON"].read_text())["seats"] == ["Cleo", "Dan"]
    pgn = files["PGN"].read_text()
    assert '[White "Cleo"]' in pgn
    assert "g7xh8=Q" in pgn

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
    anne.catch_up()


def scrolls_sideways(page: Page) -> bool:
    wide: bool = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    return wide


def assert_reachable(page: Page, selector: str) -> None:
    """Scroll something into sight and find nothing lying over it, nor any part of it off the screen."""
    element = page.locator(selector)
    element.scroll_into_view_if_needed()
    box = element.bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    assert element.evaluate(
        """element => { const box = element.getBoundingClientRect();
        return element.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)); }"""
    ), f"{selector} is covered"


def test_on_a_phone_no_page_scrolls_sideways_and_the_drawer_has_the_knobs(
    open_table: OpenTable, visitor: Visitor
) -> None:
    table = open_table("play", "--players", "Anne", "Bart", "rounds=1")
    page = visitor.open(table.printed, **PHONE)
    open_drawer(page)
    for name in ("next", "choose", "back"):
        assert_reachable(page, f"[data-button={name}]")
    for path in (
        "/table",
        "/",
        "/new",
        "/new?game=captains-chess",
        "/matches",
        "/rules/legend",
        "/rules/captains-chess",
    ):
        page.goto(table.origin + path)
        assert not scrolls_sideways(page), path
