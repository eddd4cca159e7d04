"""A match of Crowns in a real browser: two on phones, two at the board with the encoder, and the power cut twice."""

import re

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenTable
from tests.e2e.ways_to_play import press_twice
from tests.support.browser import Visitor
from tests.support.crowns_table import NAMES, SHORT_MATCH
from tests.support.looking import PHONE

FOR_PHONES = ("--host", "0.0.0.0")  # noqa: S104 - the table of this test only
ANNE, BART, CORA, DIRK = range(4)


class Evening:
    """Anne and Cora at the table's page, by its encoder under n and c, later by its buttons; Bart and Dirk on phones.

    Args:
        open_table: starts a table.
        visitor: opens pages.
    """

    def __init__(self, open_table: OpenTable, visitor: Visitor) -> None:
        self._open = open_table
        visitor.accept("Failed to load resource")  # while the power is cut
        options = [f"{key}={value}" for key, value in SHORT_MATCH.items()]
        self._table = open_table("play", "crowns", *options, "--players", *NAMES, *FOR_PHONES)
        token = self._table.printed.partition("=")[2]
        seats = httpx.get(f"{self._table.origin}/seats", headers={"X-Table-Token": token}).text
        keys = list(dict.fromkeys(re.findall(r"/seat\?key=([\w-]+)", seats)))
        self.page = visitor.open(f"{self._table.origin}/table?token={token}")
        self.phones = {
            seat: visitor.open(f"{self._table.origin}/seat?key={keys[seat]}", **PHONE) for seat in (BART, DIRK)
        }
        self._barred: int | None = None
        self._has_encoder = True

    def cut(self) -> None:
        """Cut the table's power, start it again, and look at it anew on every page."""
        port = self._table.port
        self._table.kill()
        self._table = self._open("play", *FOR_PHONES, "--port", str(port))
        for page in (self.page, *self.phones.values()):
            page.reload()
        self._has_encoder = False

    def encoder(self, turns: int, pushes: int) -> None:
        """Turn the encoder on by so many lines, and push it so often."""
        for key in "n" * turns + "c" * pushes:
            self.page.keyboard.press(key)
        self.page.evaluate("() => queue")

    def bid(self, seat: int) -> None:
        """Outbid the others."""
        if seat in self.phones:
            self.phones[seat].locator("[data-raise='1']").tap()
            expect(self.phones[seat].locator(".bids .own.leads")).to_be_visible()
            return
        if self._has_encoder:
            self.encoder([each for each in range(4) if each != self._barred].index(seat), 2)
        else:
            self.page.locator("[name=bidder]").select_option(str(seat))
            self.page.locator("[data-raise='1']").click()
        expect(self.page.locator(".bids .leads")).to_contain_text(NAMES[seat])

    def ring(self, winner: int) -> Page:
        """Ring the bell, and return the page of the player who acts now."""
        if self._has_encoder:
            self.encoder(4 if self._barred is None else 3, 2)
        else:
            press_twice(self.page, "Ring the bell")
        expect(self.page.locator("#prompt")).to_contain_text(f"{NAMES[winner]} (")
        self._barred = winner
        acting = self.phones.get(winner, self.page)
        expect(acting.locator("#prompt")).to_contain_text(f"{NAMES[winner]} (")  # or a phone still shows the auction
        return acting

    def touch(self, page: Page, *squares: str) -> None:
        """Touch squares of the board; where one may level up as well, only the move is meant."""
        for square in squares:
            page.locator(f"[data-square={square}]").click()
        expect(page.locator(f"[data-square={squares[-1]}]")).to_have_attribute("aria-label", re.compile("token"))
        if len(squares) > 1:
            page.locator(f'[data-pick="{"".join(squares)}"]').click()
        expect(self.page.locator(".ask-auction")).to_be_visible()

    def buy(self, seat: int, *squares: str) -> None:
        self.bid(seat)
        self.touch(self.ring(seat), *squares)


@pytest.mark.browser
def test_four_bid_act_are_jailed_and_carry_a_crown_off_though_the_power_is_cut_twice(
    open_table: OpenTable, visitor: Visitor
) -> None:
    at = Evening(open_table, visitor)
    bart, dirk = at.phones[BART], at.phones[DIRK]
    dirk.get_by_role("button", name="Let it go").tap()
    at.bid(CORA)
    expect(dirk.locator(".bids .leads")).to_contain_text("Cora")
    expect(dirk.get_by_role("button", name="Bid after all")).to_be_visible()
    expect(dirk.locator(".bidding")).to_be_hidden()
    at.touch(at.ring(CORA), "c1")
    expect(dirk.locator(".bidding")).to_be_visible()
    at.bid(BART)
    at.bid(ANNE)
    at.cut()
    expect(bart.locator(".bids .own b")).to_have_text("1")
    expect(bart.locator(".bids .leads")).to_contain_text("Anne")
    at.touch(at.ring(ANNE), "e1")
    at.buy(CORA, "c1", "c3")
    at.buy(ANNE, "e1", "d1")
    at.buy(CORA, "c3", "c5")
    at.buy(BART, "c7")
    at.buy(CORA, "c5", "c7")
    at.cut()
    expect(bart.locator("#tallies")).to_contain_text("prison")
    at.bid(BART)
    at.ring(BART).get_by_role("button", name="Leave prison").tap()
    at.buy(CORA, "c7", "d7")
    expect(at.page.locator("#tallies")).to_contain_text("d7, black crown")
    at.bid(DIRK)
    at.ring(DIRK)
    dirk.get_by_role("button", name="Pass").tap()
    at.bid(CORA)
    at.ring(CORA)
    at.page.locator("#moves summary").click()
    at.page.locator('#moves [data-pick="d7-off"]').click()
    for page in (at.page, bart, dirk):
        expect(page.locator("#prompt")).to_contain_text("Cora wins the match")
