import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenTable
from tests.support.browser import Visitor
from tests.support.person_at_page import Person
from tests.support.table_process import Caller, TableProcess, run_command

pytestmark = pytest.mark.browser
SitDown = Callable[..., Person]
Call = Callable[[TableProcess], Caller]
PAWN_TAKES_KING = "fen=7k/4p1P1/8/8/8/8/8/4K3 w - - 0 1"
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True, "device_scale_factor": 2}


def fill_in(page: Page, **fields: str) -> None:
    """Fill in the form for a new match by the words beside its fields, and begin."""
    for label, value in fields.items():
        field = page.get_by_label(label.replace("_", " "))
        if field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(label=value)
        else:
            field.fill(value)
    page.get_by_role("button", name="Begin").click()


def test_a_new_match_begins_from_the_form(open_table: OpenTable, visitor: Visitor) -> None:
    """With its names and options; the old match is kept."""
    page = visitor.open(open_table("play", "--players", "Anne", "Bart").printed)
    page.get_by_role("link", name="New match").first.click()
    fill_in(page, First_player="Ada <b>", Second_player="Béla & Co", Rounds="2", Turns_a_round="30")
    page.wait_for_url("**/table")
    expect(page.locator("#heading")).to_contain_text("Round 1 of 2")
    expect(page.locator("#tallies")).to_contain_text("Ada <b>")
    expect(page.locator("#prompt")).to_contain_text("Ada <b> (White): throw the dice")
    page.locator(".bar").get_by_role("link", name="Matches").click()
    expect(page.locator(".matches li")).to_have_count(2)


def test_a_form_that_cannot_be_read_says_so_and_keeps_what_was_typed(open_table: OpenTable, visitor: Visitor) -> None:
    """One sentence above the form; nothing was started."""
    page = visitor.open(open_table("play", "--players", "Anne", "Bart").printed)
    visitor.accept("400 (Bad Request)")
    page.locator(".bar").get_by_role("link", name="New match").click()
    for fields, sentence in (
        ({"First_player": "Anne", "Second_player": "Anne"}, "expected different names"),
        ({"Second_player": "", "Starting_position": "nonsense"}, "fen=nonsense"),
        ({"Starting_position": "8/8/8/8/8/8/8/8 w - - 0 1"}, "king"),
    ):
        fill_in(page, **fields)
        expect(page.get_by_role("alert").first).to_contain_text(sentence)
        expect(page.get_by_label("First player")).to_have_value("Anne")
    page.locator(".bar").get_by_role("link", name="Matches").click()
    expect(page.locator(".matches li")).to_have_count(1)


def test_matches_are_listed_resumed_and_exported(open_table: OpenTable, visitor: Visitor, tmp_path: Path) -> None:
    """A match that is over proves its dice; one that was left goes on where it stood."""
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
    verified = run_command("verify", files["JSON"])
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


def test_a_game_explains_itself(sit_down: SitDown) -> None:
    """The rules are a page of the table."""
    page = sit_down("rounds=1").page
    page.get_by_role("link", name="Rules").first.click()
    expect(page.locator("h1")).to_contain_text("Legend")
    for words in ("ship", "captain", "crew", "Genie", "treasure", "strike"):
        expect(page.locator("main")).to_contain_text(words, ignore_case=True)


def test_a_page_without_scripts_shows_the_state(sit_down: SitDown, visitor: Visitor) -> None:
    """Board, dice, tallies and what is waited for are in the page itself."""
    anne = sit_down("rounds=1")
    anne.hold_roll()
    anne.move("e2", "e4")
    still = visitor.open(f"{anne.table.origin}/", java_script_enabled=False)
    expect(still.locator('[data-square="e4"]')).to_have_attribute("aria-label", "white pawn on e4, last move")
    expect(still.locator("#dice li")).to_have_count(6)
    assert [die.get_attribute("aria-label") for die in still.locator("#dice [aria-label]").all()] == anne.dice()
    expect(still.locator("#prompt")).to_contain_text("your move is made", ignore_case=True)
    expect(still.locator("#tallies")).to_contain_text("Bart")


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


def test_a_page_that_is_not_there_is_said_to_be_off_the_chart(open_table: OpenTable, visitor: Visitor) -> None:
    """With a way back."""
    table = open_table("play")
    visitor.accept("404 (Not Found)")
    page = visitor.open(f"{table.origin}/nowhere")
    page.get_by_role("link", name="Back to the table").click()
    page.wait_for_url("**/table")


def scrolls_sideways(page: Page) -> bool:
    """Return whether something is wider than the screen."""
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


def test_a_phone_shows_everything_without_scrolling_sideways(sit_down: SitDown, visitor: Visitor) -> None:
    """Before the throw, after it, while dice are chosen, and while the board is put right."""
    anne = sit_down("rounds=1")
    page = visitor.open(anne.table.printed, **PHONE)
    phone = Person(page, anne.table)
    board = page.locator("svg.board").bounding_box()
    assert board
    assert board["x"] >= 0
    assert board["x"] + board["width"] <= 390
    assert board["height"] == pytest.approx(board["width"], abs=2)
    assert board["y"] + board["height"] <= 844
    assert_reachable(page, "[data-button=roll]")
    phone.open_drawer()
    for name in ("next", "choose", "back"):
        assert_reachable(page, f"[data-button={name}]")
    phone.close_drawer()
    assert not scrolls_sideways(page)
    anne.hold_roll()
    phone.catch_up()
    assert not scrolls_sideways(page)
    assert_reachable(page, '[data-pick="abandon"]')
    anne.click("e2", "e5")
    expect(page.locator("#prompt")).to_contain_text("This is no move now")
    assert not scrolls_sideways(page)
    assert_reachable(page, "[data-post='/board/set-up']")
    page.locator("[data-post='/board/set-up']").tap()
    expect(page.locator("#prompt")).to_contain_text(", Legend die")
    page.locator("#dice [data-die]").first.tap()
    expect(page.locator("#prompt")).to_contain_text("Which dice stay?")
    assert not scrolls_sideways(page)
    assert_reachable(page, "[data-throw]")
    for path in ("/", "/new", "/matches", "/rules/legend"):
        page.goto(anne.table.origin + path)
        assert not scrolls_sideways(page), path


def test_a_phone_plays_by_touch(open_table: OpenTable, visitor: Visitor) -> None:
    """Tapping squares and answers is enough."""
    table = open_table("play", "--players", "Anne", "Bart", "rounds=1")
    page = visitor.open(table.printed, **PHONE)
    page.locator("[data-button=roll]").tap()
    expect(page.locator("#dice .thrown")).to_have_count(6)
    page.locator('[data-square="d2"]').tap()
    expect(page.locator('[data-square="d4"] .mark-target').first).to_be_attached()
    page.locator('[data-square="d4"]').tap()
    expect(page.locator("#prompt")).to_contain_text("your move is made", ignore_case=True)
    page.locator('[data-pick="done"]').tap()
    expect(page.locator("#prompt")).to_contain_text("Bart (Black): throw the dice")


SHAPES = """(marks) => marks.map((mark) => [...mark.querySelectorAll("path, circle, rect")]
  .filter((shape) => !shape.matches(".square-light, .square-dark, .tint"))
  .map((shape) => shape.tagName + [...shape.attributes].filter((a) => a.name !== "class").map((a) => a.value).join())
  .join())"""


def test_marks_differ_in_shape_and_not_only_in_colour(sit_down: SitDown) -> None:
    """With every colour taken away, each mark of the key is still another drawing; the board uses the same ones."""
    anne = sit_down("rounds=1")
    anne.open_drawer()
    anne.page.get_by_text("Keys and marks").click()
    shapes: list[str] = anne.page.locator(".marks-key:not(.of-crowns) .key-square").evaluate_all(SHAPES)
    assert len(shapes) == len(set(shapes)) == 10
    assert all(shapes)
    anne.hold_roll()
    anne.move("e2", "e4")
    anne.end_turn()
    anne.hold_roll()
    on_board = {}
    for mark in ("last-move", "may-move"):
        found: list[str] = anne.page.locator(f"[data-square] > g.mark-{mark}:has(path)").evaluate_all(SHAPES)
        assert len(set(found)) == 1
        on_board[mark] = found[0]
    anne.click("e7", "e3")
    for mark in ("take-away", "put-here"):
        marked = anne.page.locator(f"[data-square] > g.mark-{mark}:has(path)")
        expect(marked).to_have_count(1)
        found = marked.evaluate_all(SHAPES)
        on_board[mark] = "".join(found)
    assert len(set(on_board.values())) == 4
