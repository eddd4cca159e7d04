"""The wall's tiles in a real browser, measured: whole lines are seen of any game with any number of players."""

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import pytest
from playwright.sync_api import expect

from captains_table.club.pages.club_pages import club_renderer
from captains_table.club.pages.programme import Programme
from captains_table.club.pages.wall import Wall, WallViewKey
from captains_table.club.pages.wall_layout import BrowserWindow, lay_out_wall
from captains_table.reporting.messages import Presence
from captains_table.table.model.view import View
from captains_table.web.reach import PageReach
from captains_table.web.serving.guests import Guests
from tests.club.pages.full_tables import NAMES, SCROLLS, moments, ways, wrong_with_tiles
from tests.club.served_club import served
from tests.support.browser import Visitor
from tests.support.effort import LONG_RUN
from tests.support.fake_club import EVENING_S, FakeClub
from tests.support.looking import out_of_sight

pytestmark = pytest.mark.browser
SIZES: Final = {"projector": (1920, 1080), "laptop": (1280, 800), "phone": (390, 844)}
EVERY_COUNT: Final = (1, 4, 12, 40)
TABLES: Final = {"projector": (1, 40), "laptop": (12,), "phone": (4,)}
"""How many tables are on the walls of a size: every count at length."""
SETTLED: Final = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"


def club_of(views: Sequence[View]) -> FakeClub:
    """Return a club whose tables show these views; some of them call, and some went away."""
    club = FakeClub()
    for number, view in enumerate(views, 1):
        club.report(f"table-{number}", view, board=number, title=f"Table by the window {number}")
        if number % 5 == 0:
            club.report(f"table-{number}", needs=True, needs_since_s=EVENING_S)
        if number % 7 == 0:
            club.report(f"table-{number}", presence=Presence.LOST, away_since_s=EVENING_S)
    return club


def walls(clubs: Sequence[FakeClub], window: BrowserWindow) -> list[Mapping[str, str]]:
    """Return all pages of these clubs' walls in such a window, as a page that follows them gets them."""

    async def drawn() -> list[Mapping[str, str]]:
        found = []
        for club in clubs:
            wall = Wall(club, Programme(club.desk), club_renderer(club), Guests(), PageReach("127.0.0.1", 0))
            pages = lay_out_wall(window, len(club.tables.all())).pages
            found += [wall.fragments(WallViewKey(window, page)) for page in range(pages)]
        return found

    with ThreadPoolExecutor(1) as thread:  # this thread's loop is the browser's
        return thread.submit(lambda: asyncio.run(drawn())).result()


@pytest.mark.parametrize("size", SIZES)
def test_every_game_with_any_number_of_players_is_seen_whole(size: str, visitor: Visitor) -> None:
    """Nothing sticks out of a tile, no words lie over others, nothing is cut, and who has no room is counted."""
    width, height = SIZES[size]
    views = [view for game, players in ways() for view in moments(game, players)]
    wrong: list[str] = []
    with served(FakeClub()) as place:
        page = visitor.open(place.address, viewport={"width": width, "height": height})
        expect(page.locator(".harbour")).to_be_visible()
        for count in EVERY_COUNT if LONG_RUN else TABLES[size]:
            clubs = [club_of([*views, *views][first : first + count]) for first in range(0, len(views), count)]
            for fragments in walls(clubs, BrowserWindow(width, height)):
                page.evaluate("(fragments) => showAll(fragments)", dict(fragments))  # as if its stream had brought them
                page.evaluate(SETTLED)
                wrong += [f"{count} tables, {words}" for words in wrong_with_tiles(page)]
                assert size != "projector" or not page.evaluate(SCROLLS)
    assert wrong == []


def test_in_a_window_that_becomes_smaller_more_players_are_counted(visitor: Visitor) -> None:
    with served(club_of([moments("swashbuckle", len(NAMES))[0]])) as place:
        page = visitor.open(place.address, viewport={"width": 1920, "height": 1080})
        seen = page.locator(".tile-seats li:not(.more)").filter(visible=True)
        expect(seen.first).to_be_visible()
        in_full = seen.count()
        page.set_viewport_size({"width": 390, "height": 844})
        expect(seen).to_have_count(7)
        expect(page.locator(".tile-seats .more")).to_have_text(f"and {len(NAMES) - 7} more")
        assert in_full > 7
        assert wrong_with_tiles(page) == []


def test_however_many_tables_call_it_is_said_which_at_every_size(visitor: Visitor) -> None:
    club = FakeClub()
    for number in range(1, 41):
        club.report(f"table-{number}", board=number, title="Table", needs=number > 9, needs_since_s=EVENING_S)
    cut = "calls => calls.filter((call) => call.scrollWidth > call.clientWidth + 1).map((call) => call.textContent)"
    with served(club, token="secret") as place:  # noqa: S106 - a test's
        page = visitor.open(place.address)
        for width, height in SIZES.values():
            page.set_viewport_size({"width": width, "height": height})
            expect(page.locator("#calls .call")).to_have_text(["⚑ Arbiter at", "10", "11", "12", "13", "and 27 more"])
            page.evaluate(SETTLED)
            assert page.locator("#calls .call, #calls").evaluate_all(cut) == []
            assert out_of_sight(page, "#calls .call") == []
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
