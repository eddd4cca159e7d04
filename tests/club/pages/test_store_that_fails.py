"""While the disk does not give what is kept, the pages that need it say so, and all the others go on."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import httpx
import pytest

from captains_table.club.events.entries import Made, System
from captains_table.club.pages.club_pages import club_renderer
from captains_table.club.pages.event_pages import EventPages
from captains_table.club.pages.programme import Programme
from captains_table.club.pages.wall import Wall, WallViewKey
from captains_table.club.pages.wall_layout import BrowserWindow
from captains_table.web.reach import PageReach
from captains_table.web.serving.guests import Guests
from tests.club.event_club import AS_ARBITER, FIRST_WINS, EventClub, pages_of_events

SWISS = Made(title="Swiss", game="captains-chess", system=System.SWISS, rounds=3)
READING = (
    "/evenings", "/evenings/1", "/evenings/1/exports.zip", "/hall", f"/results/{'ab' * 32}", "/arbiter",
    "/arbiter/players", "/arbiter/events/1", "/arbiter/events/1/sheet", "/arbiter/events/1/report.trf",
)  # fmt: skip
GOING_ON = ("/", "/tables/table-1", "/health", "/arbiter/new")
WORDS = "What the club keeps cannot be read: interrupted. The tables play on"


@asynccontextmanager
async def asked(folder: Path) -> AsyncIterator[tuple[EventClub, httpx.AsyncClient]]:
    """Yield a club with an event in its second evening, and a client of its pages that has the token."""
    async with pages_of_events(folder) as (club, guest):
        await club.pair(club.begin(SWISS, "Anne", "Bart"))
        guest.headers.update(AS_ARBITER)
        yield club, guest


@contextmanager
def failing(club: EventClub) -> Iterator[None]:
    """Let every look at the club's file fail meanwhile, and every word that is written to it."""
    club.store.database.set_progress_handler(lambda: 1, 1)
    yield
    club.store.database.set_progress_handler(None, 1)


@pytest.mark.slow
async def test_a_page_that_cannot_be_read_says_what_is_wrong_and_all_others_go_on(tmp_path: Path) -> None:
    async with asked(tmp_path) as (club, guest):
        club.desk.forget()  # as after a restart: nothing of the event is known by heart
        with failing(club):
            found = {path: await guest.get(path) for path in (*READING, *GOING_ON)}
        assert {path: found[path].status_code for path in READING} == dict.fromkeys(READING, 503)
        assert {path: found[path].status_code for path in GOING_ON} == dict.fromkeys(GOING_ON, 200)
        assert all(WORDS in found[path].text and "Back to the wall" in found[path].text for path in READING)
        assert (await guest.get("/arbiter/events/1")).status_code == 200
        assert club.failures == []


async def test_what_the_arbiter_does_meanwhile_changes_nothing_and_says_so(tmp_path: Path) -> None:
    async with asked(tmp_path) as (club, guest):
        with failing(club):
            refused = await guest.post("/arbiter/players", data={"name": "Cleo"})
            kept = await guest.post("/evenings/1/delete", data={"title": club.title})
        assert (refused.status_code, kept.status_code) == (507, 507)
        assert all("nothing was changed: interrupted" in answer.text for answer in (refused, kept))
        assert [player.name for player in club.desk.log.players()] == ["Anne", "Bart"]
        [evening] = club.store.evenings()
        club.store.database.execute(
            "CREATE TRIGGER full BEFORE DELETE ON evenings BEGIN SELECT raise(ABORT, 'full'); END"
        )
        undeleted = await guest.post("/evenings/1/delete", data={"title": evening.title})
        assert undeleted.status_code == 507
        assert "The evening could not be deleted wholly: full. Expected a disk with room" in undeleted.text
        assert [player.name for player in club.desk.log.players()] == ["Anne", "Bart"]
        club.store.database.execute("DROP TRIGGER full")
        assert (await guest.post("/evenings/1/delete", data={"title": evening.title})).status_code == 303
        assert club.desk.events() == []


async def test_the_wall_keeps_the_standings_and_what_waits_and_an_event_s_page_what_it_shows(tmp_path: Path) -> None:
    async with asked(tmp_path) as (club, _):
        programme = Programme(club.desk)
        page = EventPages(club, programme, club_renderer(club), Guests())
        before, waiting = programme.standings(), programme.waiting("table-1")
        assert before is not None
        assert waiting
        assert page.fragments(1)
        club.desk.forget()
        with failing(club):
            assert programme.standings() == before
            assert programme.waiting("table-1") == waiting
            assert page.fragments(1) == {}
        await club.play("table-1", FIRST_WINS)
        assert programme.standings() != before
        assert page.fragments(1)


async def test_results_that_the_wall_could_not_read_are_told_with_the_next(tmp_path: Path) -> None:
    async with asked(tmp_path) as (club, _):
        wall = Wall(club, Programme(club.desk), club_renderer(club), Guests(), PageReach("127.0.0.1", 0))
        club.tell("table-1", club.published["table-1"][0], FIRST_WINS)
        with failing(club):
            assert "Anne beats Bart" not in wall.fragments(WallViewKey(BrowserWindow()))["news"]
        club.correct(club.store.results()[0].outcome.match, FIRST_WINS, "as it was")
        assert "Anne beats Bart" in wall.fragments(WallViewKey(BrowserWindow()))["news"]
