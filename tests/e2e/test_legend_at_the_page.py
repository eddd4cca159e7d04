"""Legend at the page by mouse: moves of every kind that go wrong or right, and what both players must agree on."""

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.conftest import Call, OpenTable, SitDown
from tests.support.browser import Visitor
from tests.support.looking import out_of_sight
from tests.support.person_at_page import Person

pytestmark = pytest.mark.browser
PAWN_TAKES_PAWN = "fen=4k3/8/8/3p4/4P3/p7/8/4K3 w - - 0 1"  # and Black's other pawn is about to find treasure
PAWN_TAKES_KING = "fen=7k/4p1P1/8/8/8/8/8/4K3 w - - 0 1"
MAY_CASTLE = "fen=r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
SIX_SHOWN = "123456"  # the Legend die shows VI: any piece may move


def test_a_move_too_early_one_chess_does_not_know_and_one_off_the_board_leave_the_pieces_where_they_are(
    sit_down: SitDown,
) -> None:
    """Dice are kept by clicks meanwhile, a choice only looked at is left again, and the board is turned round."""
    anne = sit_down("rounds=1")
    page = anne.page
    prompt, toast, position = page.locator("#prompt"), page.locator("#toast"), anne.board()
    anne.click("e2")
    expect(toast).to_have_text("Throw the Legend die before you move.")
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    for css, colour in (("color", "rgb(43, 27, 15)"), ("background-color", "rgb(255, 250, 240)")):
        expect(toast).to_have_css(css, colour)
    page.evaluate("delete document.documentElement.dataset.theme")
    expect(page.locator(".refused")).to_have_attribute("data-square", "e2")
    assert (anne.board(), page.locator(".tray.hand").count()) == (position, 0)
    expect(prompt).to_contain_text("throw the dice")

    anne.hold_roll()
    before = anne.dice()
    page.locator("#dice [data-die]").first.click()
    expect(prompt).to_contain_text("Which dice stay?")
    page.get_by_role("button", name="Back").filter(visible=True).click()
    expect(prompt).to_contain_text(", Legend die")
    anne.catch_up()
    assert anne.dice() == before
    anne.choose("throw-again")
    for die in page.locator("#dice [data-die]").all():
        number = int(die.get_attribute("data-die") or 0)
        if (die.get_attribute("aria-pressed") == "true") != (number in (2, 5, 6)):
            with page.expect_response("**/die/*"):
                die.click()
            anne.catch_up()
    anne.hold_roll()
    kept = [anne.dice()[die - 1] for die in (2, 5, 6)]
    assert kept == [f"{before[die - 1]}, held" for die in (2, 5, 6)]

    see_that_nothing_is_spoilt(anne)
    anne.square("e2").hover()
    page.mouse.down()
    page.locator("#tallies").hover()
    expect(page.locator(".carried")).to_have_count(1)
    page.mouse.up()
    expect(anne.square("e2")).to_have_attribute("aria-label", "white pawn on e2, may move")
    page.locator("[data-flip]").click()
    expect(page.locator("[data-square]").first).to_have_attribute("data-square", "h1")
    assert "side=black" in page.url
    for path in ("/matches", "/table"):
        page.goto(anne.table.origin + path)
    expect(page.locator("[data-square]").first).to_have_attribute("data-square", "h1")


def see_that_nothing_is_spoilt(anne: Person) -> None:
    """Click and drag pieces to where they may not go, and find each back on its square."""
    page, toast, position = anne.page, anne.page.locator("#toast"), anne.board()
    for words, squares in (
        ("cannot go to e5 now", ("e2", "e5")),
        ("That pawn is Bart's", ("d7",)),
        ("cannot go to d7 now", ("e2", "d7")),
    ):
        anne.click(*squares)
        expect(toast).to_contain_text(words)
        anne.see_board(position)
        expect(page.locator(".tray.hand")).to_have_count(0)
    anne.click("e2", "d2")
    expect(anne.square("d2")).to_have_attribute("aria-label", "d2, empty")
    page.keyboard.press("Escape")  # puts the other pawn back, and is not the knob's Back
    expect(page.locator(".tray.hand")).to_have_count(0)
    anne.see_board(position)
    drag(anne, "e2", anne.square("d7"))
    anne.see_board(position)
    anne.click("e2")
    drag(anne, "b2", anne.square("e2"))  # in place of the other; a piece dropped on its own side's returns
    expect(page.locator(".tray.hand")).to_have_count(0)
    anne.see_board(position)


def drag(person: Person, start: str, end: Locator) -> None:
    """Drag a piece by the mouse, and wait until the table has answered."""
    person.square(start).hover()
    person.page.mouse.down()
    with person.page.expect_response(lambda answer: '"dropped":true' in (answer.request.post_data or "")):
        end.hover()
        expect(person.page.locator(".carried")).to_have_count(1)
        person.page.mouse.up()
    person.catch_up()


def test_castling_is_two_pieces_moved_and_finds_a_treasure_and_the_genie_carries_the_other_king(
    sit_down: SitDown,
) -> None:
    anne = sit_down("rounds=1", MAY_CASTLE, dice=SIX_SHOWN)
    page = anne.page
    prompt = page.locator("#prompt")
    anne.hold_roll()
    anne.click("e1", "h1")  # the king takes the rook along
    expect(prompt).to_contain_text("Hidden treasure! Throw for it")
    expect(page.locator("#dice .extra-die")).to_have_count(2)
    anne.hold_roll()
    expect(page.locator("#news")).to_contain_text("finds a treasure of")
    expect(anne.square("g1")).to_have_attribute("aria-label", "white king on g1, last move")
    expect(anne.square("f1")).to_have_attribute("aria-label", "white rook on f1, last move")
    anne.end_turn()
    anne.hold_roll()
    anne.choose("genie")  # asked twice: the Genie comes once a round
    expect(prompt).to_contain_text("The Genie comes")
    anne.hold_roll()
    expect(prompt).to_contain_text("The Genie carries your king")
    target = page.locator("[data-square]:has(.mark-target)").first.get_attribute("data-square")
    assert target
    anne.move("e8", target)
    expect(anne.square(target)).to_have_attribute("aria-label", f"black king on {target}, last move")


def test_a_pawn_is_bought_back_for_what_both_agree_on(open_table: OpenTable, call: Call, visitor: Visitor) -> None:
    """Which piece, for how much, refused once, agreed to, and put on its lit square."""
    table = open_table("play", PAWN_TAKES_PAWN, "rounds=1", "--players", "Anne", "Bart")
    caller = call(table)
    caller.play_one_turn("e4d5")
    caller.hold_roll()
    caller.pick("a3a2")
    caller.play_one_turn()  # which throws for the treasure
    caller.play_one_turn("d5d6")
    anne = Person(visitor.open(table.printed), table)
    page = anne.page
    prompt = page.locator("#prompt")
    anne.hold_roll()
    for answer in ("refuse", "agree"):
        anne.choose("buy-back")
        anne.choose("p")
        expect(prompt).to_contain_text("Your price for the pawn")
        price = page.get_by_label("Your price for the pawn")
        price.fill(price.get_attribute("max") or "")
        with page.expect_response("**/answer*"):
            page.get_by_role("button", name="Offer").click()
        anne.catch_up()
        expect(page.locator("#ask")).to_contain_text("Anne")
        anne.choose(answer)
    expect(prompt).to_contain_text("take the pawn from beside the board")
    expect(page.locator("[data-square$='7'] .mark-target").first).to_be_attached()
    page.get_by_role("button", name="Take the black pawn").click()
    anne.catch_up()
    anne.click("h7")
    expect(prompt).to_contain_text("your move is made", ignore_case=True)
    expect(anne.square("h7")).to_have_attribute("aria-label", "black pawn on h7, last move")
    anne.end_turn()


def test_the_next_round_is_set_up_and_the_colours_change(open_table: OpenTable, call: Call, visitor: Visitor) -> None:
    table = open_table("play", PAWN_TAKES_KING, "rounds=2", "--players", "Anne", "Bart")
    call(table).play_one_turn("g7h8q")
    page = visitor.open(table.printed)
    expect(page.locator("#heading")).to_contain_text("Round 2 of 2")
    expect(page.locator("#prompt")).to_contain_text("Set up the pieces")
    for width, height in ((1366, 768), (390, 844), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        assert out_of_sight(page, "#repair button") == []
    page.locator("#repair").get_by_role("button", name="Set up").click()
    expect(page.locator("#prompt")).to_contain_text("Bart (White): throw the dice")
    call(table).play_one_turn("e2e4")
    expect(page.locator("#prompt")).to_contain_text("Anne (Black): throw the dice")
