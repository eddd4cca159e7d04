"""Pig on nine squares, a plug-in, at the page: thrown, banked, walked, and a catch that sends a piece to its corner."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.support.browser import Visitor
from tests.support.person_at_page import Person
from tests.support.table_process import TableProcess

pytestmark = pytest.mark.browser
OpenTable = Callable[..., TableProcess]
HOMES = {"Anne": "a1", "Bart": "c3"}
OTHER = {"Anne": "Bart", "Bart": "Anne"}
LETTERS = {"Anne": "P", "Bart": "p"}
PAWNS = {"Anne": "white pawn", "Bart": "black pawn"}
MOST_THROWS = 80  # dice are honest: of six throws one is a 1 on average


def whose_turn(page: Person) -> str:
    """Return who throws, banks or moves now."""
    return page.page.locator("#prompt").inner_text().partition(":")[0].strip()


def bank(page: Person, *names: str) -> str:
    """Throw until one of these has something to bank, and bank it; somebody else banks and stays. Return who it was."""
    for _ in range(MOST_THROWS):
        page.hold_roll()
        if "bank" not in page.offers():
            continue  # a 1: the turn is over
        name = whose_turn(page)
        page.choose("bank")
        if name in names:
            return name
        page.choose("done")
    raise AssertionError(f"{MOST_THROWS} throws of honest dice left nothing to bank for {' and '.join(names)}")


def stands(page: Person, name: str, square: str) -> None:
    """Expect somebody's piece on a square."""
    expect(page.square(square)).to_have_attribute("aria-label", re.compile(PAWNS[name]))


def test_a_piece_that_is_caught_is_set_back_into_its_corner(open_table: OpenTable, visitor: Visitor) -> None:
    table = open_table("play", "pig", "--players", "Anne", "Bart", "target=500", "catch=1")
    page = Person(visitor.open(table.printed), table)
    prompt = page.page.locator("#prompt")
    victim = bank(page, "Anne", "Bart")
    catcher = OTHER[victim]
    page.click(HOMES[victim], "b2")
    expect(prompt).to_contain_text(f"{catcher}: throw the die")
    bank(page, catcher)
    expect(page.button(f"{HOMES[catcher]}b2")).to_have_text(f"Catch {victim} on b2")
    before = page.tallies()
    page.click(HOMES[catcher], "b2")
    with page.page.expect_response("**/board/take*"):
        page.page.locator(f'[data-take="{LETTERS[victim]}"]').click()
    page.catch_up()
    page.click(HOMES[victim])
    expect(prompt).to_contain_text(f"{victim}: throw the die")
    page.catch_up()
    stands(page, catcher, "b2")
    stands(page, victim, HOMES[victim])
    after = page.tallies()
    assert after[catcher]["total"] == before[catcher]["total"] + 1
    assert after[victim]["total"] == before[victim]["total"] - 1
    expect(page.page.locator("#log")).to_contain_text(f"{catcher} catches {victim}")
