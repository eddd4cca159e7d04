"""axe-core judges every page of the site, with a match of each game on the table: it finds nothing."""

from typing import Final

import pytest
from playwright.sync_api import Page

from tests.e2e.conftest import OpenTable
from tests.support.axe import found_on
from tests.support.browser import Visitor
from tests.support.four_games import FOUR
from tests.support.table_process import Caller, TableProcess

OF_EVERY_GAME: Final = ("/", "/table")
OF_THE_TABLE: Final = (
    *("/", "/table", "/seats", "/seat", "/switches"),
    "/new",
    "/new?game=swashbuckle",
    "/designs",
    "/designs/draw",
    "/designs/signs",
    "/matches",
    "/matches/1",
    "/verify",
    "/records",
    "/rules",
    "/rules/legend",
    "/rules/swashbuckle",
    "/nothing-here",
)


def play_a_little(table: TableProcess) -> None:
    """Throw whatever is due, so that dice lie and something is asked."""
    caller = Caller(table.origin)
    token = table.printed.partition("token=")[2]
    for way in ("press", "release"):
        assert caller.post(f"/button/roll/{way}", **{"X-Table-Token": token}).status_code == 204
    caller.close()


def begin(page: Page, table: TableProcess, game: str) -> None:
    """Begin another match, from the form for it."""
    page.goto(f"{table.origin}/new?game={game}")
    page.get_by_label("First player").fill("Anne")
    page.get_by_label("Second player").fill("Bart")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/table")


def seat_link(owner: Page) -> str:
    """Return the path that opens the first seat, as the page with the links, which comes before it, has it."""
    return f"/seat{owner.locator('.address a').first.inner_text().partition('/seat')[2]}"


@pytest.mark.browser
def test_no_page_keeps_anybody_out(open_table: OpenTable, visitor: Visitor) -> None:
    table = open_table("play", FOUR[0], "--players", "Anne", "Bart", "--host", "0.0.0.0")  # noqa: S104
    page = visitor.open(f"{table.origin}/table?{table.printed.partition('?')[2]}")
    visitor.accept("status of 404")
    found = {}
    for game in FOUR:
        if game != FOUR[0]:
            begin(page, table, game)
            table.expected_complaints = "127.0.0.1 came with a link that opens no seat.\n"  # that of the first match
        play_a_little(table)
        for path in OF_THE_TABLE if game == FOUR[0] else OF_EVERY_GAME:
            page.goto(table.origin + (path if path != "/seat" else seat_link(page)))
            found[f"{path} with {game}"] = found_on(page)
    assert {path: rules for path, rules in found.items() if rules} == {}
