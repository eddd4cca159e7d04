"""Captain's Chess on the page: nine files, a clock that is pressed by the roll button, a crown, and the end."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import OpenTable
from tests.support.browser import Visitor
from tests.support.person_at_page import Person

pytestmark = pytest.mark.browser
FEN = "fen=4k4/2B6/9/9/9/9/3r5/R3K3R w - - 0 1"


@pytest.fixture
def at_chess(open_table: OpenTable, visitor: Visitor) -> Callable[..., Person]:
    """Return what starts a match of Captain's Chess and opens its page."""

    def start(*options: str) -> Person:
        table = open_table("play", "captains-chess", "--players", "Anne", "Bart", *options)
        return Person(visitor.open(table.printed), table)

    return start


def test_a_move_is_clicked_and_the_roll_button_presses_the_clock(at_chess: Callable[..., Person]) -> None:
    anne = at_chess("clock=9+40")
    timers = anne.page.get_by_role("timer")
    expect(timers).to_have_count(2)
    anne.click("g1", "f3")
    expect(anne.square("f3")).to_have_attribute("aria-label", re.compile("white captain"))
    expect(anne.page.locator("#prompt")).to_contain_text("Anne (White): press the clock")
    anne.page.keyboard.press("Space")
    expect(anne.page.locator("#prompt")).to_contain_text("Bart (Black): your move")
    expect(timers.first).to_have_text(re.compile(r"9:(40|[123]\d)"))  # 40 if no second of hers was used
    expect(timers.last).to_have_text(re.compile(r"8:5\d"))  # and it runs
    anne.click("c8", "c6")
    expect(anne.page.locator("#prompt")).to_contain_text(re.compile("no move now|lit square|Put the"))


def test_a_bishop_is_crowned_and_a_bare_king_ends_the_match(at_chess: Callable[..., Person]) -> None:
    anne = at_chess(FEN)
    anne.click("c7", "d8")
    expect(anne.square("d8")).to_have_attribute("aria-label", re.compile("white crowned bishop"))
    expect(anne.square("d8").locator("use")).to_have_attribute("href", "/pieces.svg#white-crowned-bishop")
    anne.click("e8", "d8")
    expect(anne.square("d8")).to_have_attribute("aria-label", re.compile("black king"))
    anne.click("e1", "d2")
    expect(anne.page.locator("#prompt")).to_contain_text("Anne wins the match")
