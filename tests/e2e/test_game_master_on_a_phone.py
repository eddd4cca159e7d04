"""A game master leads a match of Crowns on a real floor from their own page, in a real browser."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenTable
from tests.e2e.ways_to_play import press_twice
from tests.support.axe import found_on, found_on_light
from tests.support.browser import Visitor
from tests.support.looking import PHONE
from tests.support.table_process import TableProcess, write_config

NAMES = ("Anne", "Bart", "Cleo")
MATCH = ("[match]", 'game = "crowns"', f"players = {list(NAMES)}", "options = { timer = 600 }")
MASTERS = re.compile(r"^The game master is at (?P<told>\S+)$", re.MULTILINE)


def floor(open_table: OpenTable, folder: Path, port: int = 0) -> TableProcess:
    """Return a table without a board, its state in a folder."""
    web = ("master = true", f"port = {port}")
    return open_table("run", write_config(folder, *MATCH, table=('board = "none"',), web=web))


def bid(page: Page, name: str, value: int) -> None:
    """Bid for somebody, by the keys alone."""
    page.get_by_label("Who bids").select_option(str(NAMES.index(name)))
    amount = page.locator("#ask").get_by_label("Amount")
    amount.fill(str(value))
    amount.press("Enter")
    expect(page.get_by_label("Bids").locator("li", has_text=name)).to_contain_text(f"bids {value}")


def square(page: Page, name: str) -> None:
    page.locator(f'#board [data-square="{name}"]').tap()


def expect_token(page: Page, token: str, name: str) -> None:
    """Wait until something stands on a square."""
    expect(page.locator("#board").get_by_label(re.compile(f"^{token} on {name}"))).to_have_count(1)


@pytest.mark.browser
def test_a_game_master_leads_a_floor_through_a_power_cut_and_ends_the_match(
    open_table: OpenTable, visitor: Visitor, tmp_path: Path
) -> None:
    visitor.accept("ERR_", "400 (Bad Request)")  # the power cut, and what is refused
    table = floor(open_table, tmp_path)
    master, room = visitor.open(table.said(MASTERS), **PHONE), visitor.open(f"{table.origin}/")
    assert master.url == f"{table.origin}/master", "the key does not stay in the address"
    bid(master, "Anne", 2)
    bid(master, "Bart", 4)
    master.get_by_role("button", name="Stop the time").click()
    expect(room.locator("#tallies .bell")).to_contain_text("The time stands still at")
    table.kill()
    table = floor(open_table, tmp_path, table.port)
    expect(master.locator("#bell")).to_contain_text("The time stands still at")
    expect(master.get_by_label("Bids").locator("li", has_text="Bart")).to_contain_text("bids 4")
    master.get_by_role("button", name="Let the time run on").click()
    expect(master.locator("#bell")).to_contain_text("The bell rings in")
    press_twice(master, "Ring the bell")
    expect(master.locator("#prompt")).to_contain_text("Bart (Black's Boatswain): act")
    assert found_on(master) == {}
    assert found_on_light(master) == {}
    square(master, "a7")
    expect_token(room, "token 2", "a7")
    master.get_by_role("button", name="Undo").click()
    expect(master.locator("#prompt")).to_contain_text("Bart (Black's Boatswain): act")
    square(master, "d6")
    expect(master.locator('#board .may-go[data-square="d5"]')).to_have_count(1)
    master.locator('#board [data-square="d5"]').press("Enter")
    expect_token(room, "black pawn", "d5")
    gold = master.get_by_role("form", name="Correct: gold")
    gold.get_by_label("Of").select_option("Cleo")
    gold.get_by_label("To").fill("-2")
    gold.get_by_label("Why").fill("talked to the bank")
    gold.get_by_role("button", name="Correct the gold").press("Enter")
    expect(room.locator(".wake")).to_contain_text(": talked to the bank")
    expect(gold.get_by_label("To")).to_have_value("")
    crown = master.get_by_role("form", name="Correct: crown")
    crown.get_by_label("To").select_option("d7")
    crown.get_by_role("button", name="Correct the crown").press("Enter")
    expect(master.locator("#toast")).to_contain_text("the other crown lies on d7")
    expect(crown.get_by_label("To")).to_have_value("d7")
    master.evaluate("() => clearTimeout(toastTimer)")  # so that it does not go by itself
    crown.get_by_label("To").select_option("e5")
    crown.get_by_role("button", name="Correct the crown").press("Enter")
    expect(crown.get_by_label("To")).to_have_value("")
    expect(master.locator("#toast")).to_be_hidden()
    press_twice(master, "End the match without a winner", "Nobody wins then. Really? Press again")
    expect(master.locator("#timers")).to_contain_text("The match is over")
    assert master.evaluate("document.documentElement.scrollWidth") == 390, "nothing is wider than the phone"
