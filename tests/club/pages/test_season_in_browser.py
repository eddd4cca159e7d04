"""The pages about seasons in a real browser: at every size nothing sticks out, and nobody is kept out."""

from collections.abc import Iterator

import msgspec
import pytest
from playwright.sync_api import expect

from captains_table.reporting.messages import FinalScore
from tests.club.recorded_matches import SeasonClub, recorded
from tests.club.served_club import ServedClub, served
from tests.support.axe import found_on
from tests.support.browser import Visitor
from tests.support.first_load import MOST_BYTES, FirstLoads

pytestmark = pytest.mark.browser
SIZES = ((1920, 1080), (1280, 800), (360, 740))
LONG = "Wilhelmina Wrathful Woodworth of the Wide Western Waters, Esquire"[:64]
STICKS_OUT = "document.documentElement.scrollWidth > innerWidth"
PAGES = (
    *("evenings", "evenings/1", "hall/legend", "players?name=Anne"),
    f"results/{recorded('crowns').match}",
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedClub[SeasonClub]]:
    """Serve a club with an evening in which everything happened."""
    club = SeasonClub(tmp_path_factory.mktemp("club"))
    club.begin_evening("Thursday")
    club.tell_recorded()
    legend = msgspec.structs.replace(recorded("legend"), export="")
    club.tell(msgspec.structs.replace(legend, match="1" * 64, seats=(LONG, "W" * 64)), "table-4")
    club.tell(msgspec.structs.replace(legend, match="2" * 64), "table-6", export=b"damaged")
    club.correct(recorded("crowns").match, FinalScore(winner=0, scores=(5, 4)), "miscounted")
    with served(club) as place:
        yield place


def test_every_page_fits_at_every_size_and_keeps_nobody_out(place: ServedClub[SeasonClub], visitor: Visitor) -> None:
    page = visitor.open(place.address)
    loads = FirstLoads(page)
    for address in PAGES:
        loads.open(f"{place.address}{address}")
        assert 0 < loads.taken <= MOST_BYTES, address
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            assert not page.evaluate(STICKS_OUT), (address, width)
        assert found_on(page) == {}, address


def test_from_the_wall_to_a_players_page_and_an_evening_that_is_deleted(
    place: ServedClub[SeasonClub], visitor: Visitor
) -> None:
    page = visitor.open(place.address)
    page.get_by_role("link", name="Hall of fame").click()
    page.get_by_role("link", name="Swashbuckle").click()
    page.locator("summary", has_text="All years").click()
    page.get_by_label("Thursday").check()
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_text("2 matches: 2 proven.")).to_be_visible()
    page.get_by_role("link", name="Bart", exact=True).first.click()
    expect(page.get_by_role("heading", name="Bart", exact=True)).to_be_visible()
    page.get_by_role("link", name="Evenings").click()
    page.get_by_role("link", name="Thursday").click()
    page.get_by_text("Delete this evening").click()
    page.get_by_label("type its name").fill("Thursday")
    page.get_by_role("button", name="Delete the evening").click()
    expect(page.get_by_text("No evening has been played yet")).to_be_visible()
