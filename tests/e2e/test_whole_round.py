import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import Visitor
from tests.support.person_at_page import Person

pytestmark = pytest.mark.browser
MOST_LOOKS = 1000
SitDown = Callable[..., Person]

# Pawns do everything here, so any Legend die will do: a3 takes b4, c7 becomes a knight, g7 takes the king.
PAWNS = "fen=7k/2P1p1P1/8/8/1p6/P7/8/4K3 w - - 0 1"
KINGS_AND_ROOKS = "fen=r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
CLOSED = "fen=3qk3/pppppppp/8/8/8/8/PPPPPPPP/3QK3 w - - 0 1"
PAWN_STEPS = [(f"{file}{start}", f"{file}{end}") for file in "abgh" for start, end in [(2, 3), (7, 6), (3, 4), (6, 5)]]


def follow(spectator: Page, words: str) -> None:
    """See words appear on a page nobody touches."""
    expect(spectator.locator("#prompt")).to_contain_text(words)


def test_a_whole_round_is_played_by_clicks_and_followed_by_a_spectator(sit_down: SitDown, visitor: Visitor) -> None:
    """From the first throw to the winner: a capture, a promotion, and the king taken."""
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
    anne.click("c7", "c8")
    expect(page.locator("#prompt")).to_contain_text(re.compile("What happened on the board|become"))
    expect(page.locator("#ask [data-pick^=c7c8]")).to_have_count(4)
    anne.choose("c7c8n")
    expect(anne.square("c8")).to_have_attribute("aria-label", "white knight on c8, last move")
    anne.end_turn()
    anne.pawn_turn("e6", "e5")

    anne.hold_roll()
    anne.click("g7", "h8")
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
    """Words and marks say what to do; once the piece is back, play goes on by itself."""
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


def test_set_up_puts_everything_back_with_one_click(sit_down: SitDown) -> None:
    """Where the board is a picture, nobody has to carry pieces one by one."""
    anne = sit_down("rounds=1")
    anne.hold_roll()
    anne.click("d1", "d5")
    expect(anne.page.locator("#prompt")).to_contain_text("This is no move now")
    anne.page.get_by_role("button", name="Set up").click()
    expect(anne.square("d1")).to_have_attribute("aria-label", "white queen on d1")
    anne.move("d2", "d4")


def test_a_move_the_die_forbids_says_which_die_it_needs(sit_down: SitDown) -> None:
    """The queen needs a VI; the words name what the Legend die shows."""
    anne = sit_down("rounds=1", "fen=q6k/pppppppp/8/8/8/Q7/1PPPPPPP/7K w - - 0 1")
    steps = [(f"{file}{start}", f"{file}{end}") for file in "cdef" for start, end in [(2, 3), (7, 6), (3, 4), (6, 5)]]
    anne.await_die(lambda die: die < 6, [step for step in steps if step[0][0] != "a"])
    numeral = ["", "I", "II", "III", "IV", "V"][anne.legend_die()]
    start, end = ("a3", "a6") if "(White)" in anne.page.locator("#prompt").inner_text() else ("a8", "b8")
    anne.click(start, end)
    expect(anne.page.locator("#prompt")).to_contain_text(f"A queen needs a VI; the Legend die shows {numeral}")
    anne.click(end, start)
    expect(anne.page.locator("#prompt")).to_contain_text(", Legend die")


def test_castling_is_two_pieces_moved_and_finds_a_treasure(sit_down: SitDown) -> None:
    """King first, then the rook; its two dice are thrown with the roll button before anything else."""
    anne = sit_down("rounds=1", KINGS_AND_ROOKS)
    anne.await_die(lambda die: die >= 5, PAWN_STEPS)
    rank = "1" if "(White)" in anne.page.locator("#prompt").inner_text() else "8"
    anne.click(f"e{rank}", f"g{rank}", f"h{rank}", f"f{rank}")
    expect(anne.page.locator("#prompt")).to_contain_text("Hidden treasure! Throw for it")
    expect(anne.page.locator("#dice .extra-die")).to_have_count(2)
    anne.hold_roll()
    expect(anne.page.locator("#news")).to_contain_text("finds a treasure of")
    colour = "white" if rank == "1" else "black"
    expect(anne.square(f"g{rank}")).to_have_attribute("aria-label", f"{colour} king on g{rank}, last move")
    expect(anne.square(f"f{rank}")).to_have_attribute("aria-label", f"{colour} rook on f{rank}, last move")
    anne.end_turn()


def test_dice_are_kept_by_clicking_them(sit_down: SitDown) -> None:
    """Those pressed down stay as they lie, and the others fall again."""
    anne = sit_down("rounds=1")
    anne.hold_roll()
    before = anne.dice()
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


def test_a_choice_of_dice_that_was_only_looked_at_is_left_again(sit_down: SitDown) -> None:
    """Whoever touched a die out of curiosity need not throw."""
    anne = sit_down("rounds=1")
    anne.hold_roll()
    before = anne.dice()
    anne.page.locator("#dice [data-die]").first.click()
    expect(anne.page.locator("#prompt")).to_contain_text("Which dice stay?")
    anne.page.get_by_role("button", name="Back").filter(visible=True).click()
    expect(anne.page.locator("#prompt")).to_contain_text(", Legend die")
    anne.catch_up()
    assert anne.dice() == before


def test_a_round_is_abandoned_when_both_agree(sit_down: SitDown) -> None:
    """It is asked twice, then the other player answers."""
    anne = sit_down("rounds=1")
    anne.button("abandon").click()
    expect(anne.button("abandon")).to_have_text("Really? Press again")
    anne.choose("abandon")
    expect(anne.page.locator("#ask")).to_contain_text("Bart")
    expect(anne.page.locator("#prompt")).to_contain_text("Anne would abandon the round")
    anne.choose("agree")
    expect(anne.page.locator("#prompt .prompt")).to_have_text("The match is shared")
