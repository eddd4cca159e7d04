"""A match of Crowns in a real browser: two on phones, two at the board with the encoder, and the power cut twice."""

import re
from contextlib import closing

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenTable
from tests.e2e.ways_to_play import press_twice
from tests.support.browser import Visitor
from tests.support.crowns_table import NAMES, SHORT_MATCH
from tests.support.looking import PHONE
from tests.support.table_process import Caller

FOR_PHONES = ("--host", "0.0.0.0")  # noqa: S104 - the table of this test only
ANNE, BART, CORA, DIRK = range(4)


def look_again(page: Page) -> None:
    """Wait until the buttons take a press after somebody else's bid."""
    page.wait_for_function("() => performance.now() >= hastyUntil")


class Evening:
    """Anne and Cora at the table's page, by its encoder under n and c, later by its buttons; Bart and Dirk on phones.

    Args:
        open_table: starts a table.
        visitor: opens pages.
    """

    def __init__(self, open_table: OpenTable, visitor: Visitor) -> None:
        self._open, self._visitor = open_table, visitor
        visitor.accept("Failed to load resource")  # while the power is cut
        options = [f"{key}={value}" for key, value in SHORT_MATCH.items()]
        self._table = open_table("play", "crowns", *options, "--players", *NAMES, *FOR_PHONES)
        with closing(Caller(self._table.origin, self._table.token)) as owner:
            keys = list(dict.fromkeys(re.findall(r"/seat\?key=([\w-]+)", owner.get("/seats").text)))
        self.page = visitor.open(f"{self._table.origin}/table?token={self._table.token}")
        self.phones = {
            seat: visitor.open(f"{self._table.origin}/seat?key={keys[seat]}", **PHONE) for seat in (BART, DIRK)
        }
        self._has_encoder = True

    def watches(self) -> Page:
        """Return the page of somebody who has no seat, on a phone of the size of the players' ones."""
        return self._visitor.open(f"{self._table.origin}/table", **PHONE)

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

    def bid(self, seat: int, line: int | None = None) -> None:
        """Outbid the others: on the phone, or at the line of the encoder's menu, or by the page's buttons."""
        look_again(self.phones.get(seat, self.page))
        if seat in self.phones:
            self.phones[seat].locator("[data-raise='1']").tap()
            expect(self.phones[seat].locator(".bids .own.leads")).to_be_visible()
        elif line is not None:
            self.encoder(line, 2)
        else:
            self.page.locator("[name=bidder]").select_option(str(seat))
            self.page.locator("[data-raise='1']").click()
        expect(self.page.locator(".bids .leads")).to_contain_text(NAMES[seat])

    def ring(self, winner: int, line: int | None = None) -> Page:
        """Ring the bell, and return the page of the player who acts now."""
        if line is None:
            look_again(self.page)
            press_twice(self.page, "Ring the bell")
        else:
            self.encoder(line, 2)
        acting = self.phones.get(winner, self.page)
        for page in (self.page, acting):
            expect(page.locator("#prompt")).to_contain_text(f"{NAMES[winner]} (")
        return acting

    def summon(self, page: Page, square: str) -> None:
        """Touch a square of the board, and see the token there."""
        page.locator(f"[data-square={square}]").click()
        expect(page.locator(f"[data-square={square}]")).to_have_attribute("aria-label", re.compile("token"))
        expect(self.page.locator(".ask-auction")).to_be_visible()

    def quickly(self, *turns: tuple[int, str]) -> None:
        """Let players win turns and act in them, by requests alone."""
        with closing(Caller(self._table.origin, self._table.token)) as caller:
            for seat, deed in turns:
                caller.answer(type="bid", seat=seat, value=1)
                caller.answer(type="bell")
                caller.pick(deed)


@pytest.mark.browser
def test_four_bid_act_are_jailed_and_carry_a_crown_off_though_the_power_is_cut_twice(
    open_table: OpenTable, visitor: Visitor
) -> None:
    at = Evening(open_table, visitor)
    bart, dirk = at.phones[BART], at.phones[DIRK]
    dirk.get_by_role("button", name="Let it go").tap()
    at.bid(CORA, line=2)
    expect(dirk.locator(".bids .leads")).to_contain_text("Cora")
    expect(dirk.get_by_role("button", name="Bid after all")).to_be_visible()
    expect(dirk.locator(".bidding")).to_be_hidden()
    watcher = at.watches()
    expect(watcher.locator(".bids .leads")).to_be_visible()
    expect(watcher.locator(".bids .leads")).to_contain_text("Cora")
    expect(watcher.locator(".notice")).to_be_visible()
    expect(watcher.locator(".raises")).to_be_hidden()
    watcher.close()
    at.summon(at.ring(CORA, line=4), "c1")
    expect(dirk.locator(".bidding")).to_be_visible()
    at.bid(BART)
    at.bid(ANNE, line=0)
    at.cut()
    expect(bart.locator(".bids .own b")).to_have_text("1")
    expect(bart.locator(".bids .leads")).to_contain_text("Anne")
    at.summon(at.ring(ANNE), "e1")
    at.quickly((CORA, "c1c3"), (ANNE, "e1d1"), (CORA, "c3c5"), (BART, "summon-c7"), (CORA, "c5c7"))
    at.cut()
    expect(bart.locator("#tallies")).to_contain_text("prison")
    at.bid(BART)
    at.ring(BART).get_by_role("button", name="Leave prison").tap()
    expect(at.page.locator(".ask-auction")).to_be_visible()
    at.quickly((CORA, "c7d7"))
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
