"""A whole match of every game at the page, each in another way: by one finger, by the keyboard alone, by the mouse."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Call, OpenTable
from tests.e2e.ways_to_play import ByFinger, ByKeys
from tests.support.browser import Visitor
from tests.support.looking import PHONE
from tests.support.person_at_page import Person

pytestmark = pytest.mark.browser
PAWNS = "fen=7k/4p1P1/8/8/1p6/P7/8/4K3 w - - 0 1"  # with any die a pawn may move
BISHOP = "fen=4k4/2B6/9/9/9/9/3r5/R3K3R w - - 0 1"
BOXES = 16
PRESSES_MS = 150  # within which a page would have pressed
PICTURES = 3  # of dice that tumble on the glass


def revision(page: Page) -> int:
    """Return how many actions the match has."""
    return int(page.locator("#ask > .ask").get_attribute("data-revision") or 0)


def wins(person: Person) -> None:
    expect(person.page.locator("#prompt .prompt")).to_have_text("Anne wins the match")


def test_a_match_of_legend_is_played_by_one_finger_and_followed_by_a_spectator(
    open_table: OpenTable, visitor: Visitor
) -> None:
    """Roll is held, a piece dragged, others tapped; one is taken, one becomes a queen, and takes the king."""
    table = open_table("play", "legend", "rounds=1", PAWNS, "--players", "Anne", "Bart", dice="6543265431")
    visitor.accept("409 (Conflict)")  # a finger may be sooner than the switches have settled, and taps again
    anne = ByFinger(visitor.open(table.printed, **PHONE), table)
    page = anne.page
    spectator = visitor.open(f"{table.origin}/")
    spectator.evaluate("window.neverReloaded = true")

    def watch_them_tumble() -> None:
        for each in (page, spectator):
            expect(each.locator("#dice .tumbling")).to_have_count(6)
        glass, seen = page.locator("#glass img"), set[str | None]()
        while len(seen) < PICTURES:  # or it hangs, and is given up
            seen.add(glass.get_attribute("src"))
            page.wait_for_timeout(50)

    anne.hold_roll(watch_them_tumble)
    expect(spectator.locator("#dice .thrown")).to_have_count(6)
    expect(spectator.locator("#prompt")).to_contain_text("Anne (White), Legend die")
    anne.finger.down(anne.square("a3"))
    assert page.locator(".lifted").get_attribute("data-square") == "a3"
    assert page.locator(".may-go").count() == 2
    anne.finger.slide(anne.square("a4"))
    expect(page.locator(".carried")).to_have_count(1)
    expect(anne.square("b4").locator(".mark-target").first).to_be_attached()
    anne.finger.slide(anne.square("b4"))
    anne.finger.up()
    expect(page.locator(".carried")).to_have_count(0)
    for each in (page, spectator):
        expect(each.locator('[data-square="b4"]')).to_have_attribute("aria-label", "white pawn on b4, last move")
    assert page.evaluate("scrollY") == 0
    expect(page.locator("[data-undo]")).to_have_attribute("aria-disabled", "false")  # it is taken for a move
    expect(page.locator("#hand .beside")).to_contain_text("Beside the board")
    anne.end_turn()
    expect(spectator.locator("#prompt")).to_contain_text("Bart (Black): throw the dice")
    anne.pawn_turn("e7", "e6")
    anne.hold_roll()
    anne.click("g7", "h8")
    expect(page.locator("#ask [data-pick^=g7h8]")).to_have_count(4)
    anne.choose("g7h8q")
    expect(page.locator("#prompt")).to_contain_text("the king is taken", ignore_case=True)
    expect(page.locator("#news")).to_contain_text("+5")
    anne.end_turn()
    wins(anne)
    expect(spectator.get_by_role("heading", name="Anne wins")).to_be_visible()
    assert anne.tallies()["Anne"]["legend"] >= 5 + 3  # the king, and three dice of one or more
    assert page.get_by_role("link", name="Another game").count() >= 1
    assert spectator.evaluate("window.neverReloaded")


def test_a_match_of_captains_chess_is_played_by_keys_on_the_clock_and_ends_with_a_bare_king(
    open_table: OpenTable, visitor: Visitor
) -> None:
    """Space, which holds the Roll button, presses the clock; a bishop is crowned on the way.

    Then the page presses, but none that has not moved.
    """
    table = open_table("play", "captains-chess", BISHOP, "clock=9+40", "--players", "Anne", "Bart")
    anne, other = ByKeys(visitor.open(table.printed), table), visitor.open(table.printed)
    other.evaluate("localStorage.setItem('captains-table.clock', 'on')")
    prompt, timers = anne.page.locator("#prompt"), anne.page.get_by_role("timer")
    anne.click("c7", "d8")
    expect(anne.square("d8")).to_have_attribute("aria-label", re.compile("white crowned bishop"))
    expect(anne.square("d8").locator("use")).to_have_attribute("href", "/pieces.svg#white-crowned-bishop")
    for page in (anne.page, other):
        expect(page.locator("#prompt")).to_contain_text("Anne (White): press the clock")
    anne.page.wait_for_timeout(PRESSES_MS)
    expect(prompt).to_contain_text("Anne (White): press the clock")
    anne.page.keyboard.press("Space")
    expect(prompt).to_contain_text("Bart (Black): you are in check")
    expect(timers.first).to_have_text(re.compile(r"9:(40|[123]\d)"))  # 40 if no second of hers was used
    expect(timers.last).to_have_text(re.compile(r"8:5\d"))  # and it runs
    anne.page.locator("[data-settings]").press("Enter")
    anne.page.get_by_role("switch", name="Press it after each move I make here").press(" ")
    anne.page.keyboard.press("Escape")
    before = revision(anne.page)
    anne.click("e8", "d8")
    expect(anne.square("d8")).to_have_attribute("aria-label", re.compile("black king"))
    expect(prompt).to_contain_text("Anne (White): your move")
    assert revision(anne.page) == before + 2  # the move and one press
    anne.click("e1", "d2")
    wins(anne)


def test_a_match_of_ship_captain_and_crew_is_played_by_keys(open_table: OpenTable, visitor: Visitor) -> None:
    words = ("mode=single", "order=seated", "--players", "Anne", "Bart")
    table = open_table("play", "ship-captain-crew", *words, dice="6543265431")  # Anne has 5 of cargo, Bart 4
    visitor.accept("409 (Conflict)")
    anne = ByKeys(visitor.open(table.printed), table)
    for _ in ("Anne", "Bart"):
        anne.hold_roll()
        anne.choose("stand")
    wins(anne)


def test_the_last_turn_of_a_match_of_swashbuckle_is_played_by_mouse(
    open_table: OpenTable, call: Call, visitor: Visitor
) -> None:
    table = open_table("play", "swashbuckle", "order=seated", "--players", "Anne", dice="654321256134")
    caller = call(table)
    for _ in range(BOXES - 1):
        caller.hold_roll()
        caller.pick(re.findall(r'data-fill="([^"]+)"', caller.get("/table").text)[0])
    anne = Person(visitor.open(table.printed), table)
    anne.hold_roll()
    anne.choose(str(anne.page.locator("#sheet [data-fill]").first.get_attribute("data-fill")))
    expect(anne.page.locator("#prompt .prompt")).to_contain_text("Anne ends with")
