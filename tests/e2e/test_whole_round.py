"""A round of Legend by clicks: moves and throws of every kind, and a spectator who follows it."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import SitDown, TellDice
from tests.support.browser import Visitor
from tests.support.person_at_page import Person

pytestmark = pytest.mark.browser
MOST_LOOKS = 1000

# Pawns do everything here, so any Legend die will do: a3 takes b4, g7 takes the king and becomes a queen.
PAWNS = "fen=7k/4p1P1/8/8/1p6/P7/8/4K3 w - - 0 1"


def follow(spectator: Page, words: str) -> None:
    """See words appear on a page nobody touches."""
    expect(spectator.locator("#prompt")).to_contain_text(words)


def test_a_whole_round_is_played_by_clicks_and_followed_by_a_spectator(sit_down: SitDown, visitor: Visitor) -> None:
    anne = sit_down("rounds=1", PAWNS)
    page = anne.page
    spectator = visitor.open(f"{anne.table.origin}/")
    spectator.evaluate("window.neverReloaded = true")
    display = page.locator("#glass img")
    pictures: set[str | None] = set()

    def watch_them_tumble() -> None:
        expect(page.locator("#dice .tumbling")).to_have_count(6)
        expect(spectator.locator("#dice .tumbling")).to_have_count(6)
        for _ in range(MOST_LOOKS):
            pictures.add(display.get_attribute("src"))
            if len(pictures) >= 3:
                return
            page.wait_for_timeout(50)
        raise AssertionError("the dice did not tumble on the glass")

    anne.hold_roll(watch_them_tumble)
    expect(spectator.locator("#dice .thrown")).to_have_count(6)
    follow(spectator, "Anne (White), Legend die")

    anne.move("a3", "b4")  # takes
    expect(spectator.locator('[data-square="b4"]')).to_have_attribute("aria-label", "white pawn on b4, last move")
    expect(page.locator("#hand .beside")).to_contain_text("Beside the board")
    expect(page.get_by_role("button", name="Take the black pawn")).to_be_visible()
    anne.end_turn()
    follow(spectator, "Bart (Black): throw the dice")
    anne.pawn_turn("e7", "e6")

    anne.hold_roll()
    anne.click("g7", "h8")
    expect(page.locator("#prompt")).to_contain_text(re.compile("What happened on the board|become"))
    expect(page.locator("#ask [data-pick^=g7h8]")).to_have_count(4)
    anne.choose("g7h8q")
    expect(page.locator("#prompt")).to_contain_text("the king is taken", ignore_case=True)
    expect(page.locator("#news")).to_contain_text("+5")
    anne.end_turn()

    expect(page.locator("#prompt .prompt")).to_have_text("Anne wins the match")
    expect(spectator.get_by_role("heading", name="Anne wins the match")).to_be_visible()
    tallies = anne.tallies()
    assert tallies["Anne"]["legend"] >= 5 + 3  # the king, and three dice of one or more
    assert page.get_by_role("link", name="New match").count() >= 1
    assert spectator.evaluate("window.neverReloaded")


def test_a_move_before_the_throw_and_one_chess_does_not_know_are_guided_home(sit_down: SitDown) -> None:
    anne = sit_down("rounds=1")
    prompt = anne.page.locator("#prompt")
    anne.click("e2", "e4")
    expect(prompt).to_contain_text("Throw the Legend die before you move")
    expect(prompt).to_contain_text("Put the white pawn from e4 back on e2")
    expect(anne.square("e4").locator(".mark-not-this-die").first).to_be_attached()
    anne.click("e4", "e2")
    expect(prompt).to_contain_text("throw the dice")

    anne.hold_roll()
    anne.click("e2", "e5")
    expect(prompt).to_contain_text("This is no move now")
    expect(prompt).to_contain_text("Put the white pawn from e5 back on e2")
    expect(anne.page.get_by_role("button", name="Set up")).to_be_visible()
    expect(anne.page.locator("#ask [data-pick]:visible")).to_have_count(0)
    expect(anne.square("e2").locator(".mark-put-here").first).to_be_attached()
    expect(anne.square("e5").locator(".mark-take-away").first).to_be_attached()
    anne.click("e5", "e2")
    expect(prompt).to_contain_text(", Legend die")
    anne.move("e2", "e4")
    anne.end_turn()
    expect(prompt).to_contain_text("Bart (Black): throw the dice")


def test_a_move_the_die_forbids_says_which_die_it_needs(tell_dice: TellDice, visitor: Visitor) -> None:
    table = tell_dice("123455", "legend", "rounds=1", "fen=q6k/pppppppp/8/8/8/Q7/1PPPPPPP/7K w - - 0 1")
    anne = Person(visitor.open(table.printed), table)
    anne.hold_roll()
    anne.click("a3", "a6")
    expect(anne.page.locator("#prompt")).to_contain_text("A queen needs a VI; the Legend die shows V")
    anne.click("a6", "a3")
    expect(anne.page.locator("#prompt")).to_contain_text(", Legend die")


def test_castling_is_two_pieces_moved_and_finds_a_treasure(tell_dice: TellDice, visitor: Visitor) -> None:
    table = tell_dice("123456", "legend", "rounds=1", "fen=r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1")
    anne = Person(visitor.open(table.printed), table)
    anne.hold_roll()
    anne.click("e1", "g1", "h1", "f1")
    expect(anne.page.locator("#prompt")).to_contain_text("Hidden treasure! Throw for it")
    expect(anne.page.locator("#dice .extra-die")).to_have_count(2)
    anne.hold_roll()
    expect(anne.page.locator("#news")).to_contain_text("finds a treasure of")
    expect(anne.square("g1")).to_have_attribute("aria-label", "white king on g1, last move")
    expect(anne.square("f1")).to_have_attribute("aria-label", "white rook on f1, last move")
    anne.end_turn()


def test_dice_are_kept_by_clicking_them_and_a_choice_only_looked_at_is_left_again(sit_down: SitDown) -> None:
    anne = sit_down("rounds=1")
    prompt = anne.page.locator("#prompt")
    anne.hold_roll()
    before = anne.dice()
    anne.page.locator("#dice [data-die]").first.click()
    expect(prompt).to_contain_text("Which dice stay?")
    anne.page.get_by_role("button", name="Back").filter(visible=True).click()
    expect(prompt).to_contain_text(", Legend die")
    anne.catch_up()
    assert anne.dice() == before
    anne.choose("throw-again")
    for die in anne.page.locator("#dice [data-die]").all():
        number = int(die.get_attribute("data-die") or 0)
        if (die.get_attribute("aria-pressed") == "true") != (number in (2, 5, 6)):
            die.click()
    with anne.page.expect_response("**/answer*"):
        anne.page.get_by_role("button", name="Throw the others").click()
    anne.catch_up()
    kept = [words.removesuffix(", held") for words in anne.dice()]
    assert [kept[die - 1] for die in (2, 5, 6)] == [before[die - 1] for die in (2, 5, 6)]
    assert all(anne.dice()[die - 1].endswith(", held") for die in (2, 5, 6))
