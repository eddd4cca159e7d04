import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import OpenTable, SitDown
from tests.support.browser import Visitor
from tests.support.person_at_page import Person

pytestmark = pytest.mark.browser
PAWN_TAKES_PAWN = "fen=4k3/8/8/3p4/4P3/p7/8/4K3 w - - 0 1"  # and Black's other pawn is about to find treasure
PAWN_TAKES_KING = "fen=7k/4p1P1/8/8/8/8/8/4K3 w - - 0 1"


def test_a_pawn_is_bought_back_for_what_both_agree_on(sit_down: SitDown) -> None:
    """Which piece, for how much, refused once, agreed to, and put on its lit square."""
    anne = sit_down("rounds=1", PAWN_TAKES_PAWN)
    page = anne.page
    anne.hold_roll()
    anne.move("e4", "d5")
    anne.end_turn()
    anne.hold_roll()
    expect(anne.button("buy-back")).to_have_count(0)  # Bart has no cargo to pay with
    anne.click("a3", "a2")
    anne.hold_roll()
    anne.end_turn()
    anne.hold_roll()
    anne.move("d5", "d6")
    anne.end_turn()
    anne.hold_roll()
    for answer in ("refuse", "agree"):
        anne.choose("buy-back")
        anne.choose("p")
        expect(page.locator("#prompt")).to_contain_text("Your price for the pawn")
        price = page.get_by_label("Your price for the pawn")
        price.fill(price.get_attribute("max") or "")
        with page.expect_response("**/answer*"):
            page.get_by_role("button", name="Offer").click()
        anne.catch_up()
        expect(page.locator("#ask")).to_contain_text("Anne")
        anne.choose(answer)
    expect(page.locator("#prompt")).to_contain_text("take the pawn from beside the board")
    expect(page.locator("[data-square$='7'] .mark-target").first).to_be_attached()
    page.get_by_role("button", name="Take the black pawn").click()
    anne.catch_up()
    anne.click("h7")
    expect(page.locator("#prompt")).to_contain_text("your move is made", ignore_case=True)
    expect(anne.square("h7")).to_have_attribute("aria-label", "black pawn on h7, last move")
    anne.end_turn()


def test_the_genie_carries_the_king(sit_down: SitDown) -> None:
    anne = sit_down("rounds=1", "fen=4k3/p7/8/8/8/8/7P/4K3 w - - 0 1")
    anne.hold_roll()
    anne.button("genie").click()  # asked twice: the Genie comes once a round
    anne.choose("genie")
    expect(anne.page.locator("#prompt")).to_contain_text("The Genie comes")
    anne.hold_roll()
    expect(anne.page.locator("#prompt")).to_contain_text("The Genie carries your king")
    target = anne.page.locator("[data-square]:has(.mark-target)").first.get_attribute("data-square")
    assert target
    anne.move("e1", target)
    expect(anne.square(target)).to_have_attribute("aria-label", f"white king on {target}, last move")


def test_the_next_round_is_set_up_and_the_colours_change(sit_down: SitDown) -> None:
    anne = sit_down("rounds=2", PAWN_TAKES_KING)
    anne.hold_roll()
    anne.click("g7", "h8")
    anne.choose("g7h8q")
    anne.end_turn()
    page = anne.page
    expect(page.locator("#heading")).to_contain_text("Round 2 of 2")
    expect(page.locator("#prompt")).to_contain_text("Set up the pieces")
    page.locator("#repair").get_by_role("button", name="Set up").click()
    expect(page.locator("#prompt")).to_contain_text("Bart (White): throw the dice")
    anne.pawn_turn("e2", "e4")
    expect(page.locator("#prompt")).to_contain_text("Anne (Black): throw the dice")


def test_a_match_is_resumed_by_its_number(open_table: OpenTable, visitor: Visitor) -> None:
    first = open_table("play", "--players", "Anne", "Bart")
    anne = Person(visitor.open(first.printed), first)
    anne.pawn_turn("e2", "e4")
    visitor.accept("ERR_")
    first.stop()
    second = open_table("play", "--players", "Cleo", "Dan")
    second.stop()
    third = open_table("matches", "resume", "1")
    page = visitor.open(f"{third.origin}/table?side=black")
    expect(page.locator("#prompt")).to_contain_text("Bart (Black): throw the dice")
    expect(page.locator("[data-square]").first).to_have_attribute("data-square", "h1")
    assert page.locator('[data-square="e4"]').get_attribute("aria-label") == "white pawn on e4, last move"
