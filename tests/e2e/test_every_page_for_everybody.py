"""axe-core judges every page of the site, with a match of each game on the table: it finds nothing."""

from typing import Final

import pytest
from playwright.sync_api import Page

from tests.e2e.conftest import OpenTable
from tests.support.axe import found_on
from tests.support.browser import Visitor
from tests.support.four_games import FOUR
from tests.support.table_process import Caller, TableProcess

WITH_THE_MATCH: Final = ("/", "/table", "/seats", "/seat", "/switches")
WITHOUT: Final = (
    "/new",
    *(f"/new?game={game}" for game in FOUR),
    "/designs",
    "/designs/draw",
    "/designs/signs",
    "/matches",
    "/matches/1",
    "/verify",
    "/records",
    "/rules",
    *(f"/rules/{game}" for game in FOUR),
    "/nothing-here",
)


def play_a_little(table: TableProcess) -> None:
    """Throw whatever is due, so that dice lie and something is asked."""
    caller = Caller(table.origin)
    token = table.printed.partition("token=")[2]
    for way in ("press", "release"):
        assert caller.post(f"/button/roll/{way}", **{"X-Table-Token": token}).status_code == 204
    caller.close()


def seat_link(owner: Page) -> str:
    """Return the path that opens the first seat, as the page with the links, which comes before it, has it."""
    return f"/seat{owner.locator('.address a').first.inner_text().partition('/seat')[2]}"


@pytest.mark.browser
@pytest.mark.parametrize("game", FOUR)
def test_no_page_keeps_anybody_out(game: str, open_table: OpenTable, visitor: Visitor) -> None:
    table = open_table("play", game, "--players", "Anne", "Bart", "--host", "0.0.0.0")  # noqa: S104
    play_a_little(table)
    page = visitor.open(f"{table.origin}/table?{table.printed.partition('?')[2]}")
    visitor.accept("status of 404")
    found = {}
    for path in [*WITH_THE_MATCH, *(WITHOUT if game == FOUR[0] else ())]:
        page.goto(table.origin + (path if path != "/seat" else seat_link(page)))
        found[path] = found_on(page)
    assert {path: rules for path, rules in found.items() if rules} == {}
