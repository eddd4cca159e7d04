"""What the club's pages show to everybody: each address has a step of `public`, and above it all are refused."""

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from starlette.routing import Mount, Route

from captains_table.club.access import Public
from captains_table.club.events.entries import Made, System
from captains_table.club.pages.app import create_app
from captains_table.club.pages.club_pages import club_renderer
from captains_table.club.pages.programme import Programme
from captains_table.club.pages.wall import Wall, WallViewKey
from captains_table.club.pages.wall_layout import BrowserWindow
from captains_table.web.reach import PageReach
from captains_table.web.serving.guests import Guests
from tests.club.event_club import AS_ARBITER, FIRST_WINS, PAGE, TOKEN, EventClub, at_work, opened
from tests.support.documents import read_documents

SWISS = Made(title="Autumn & Co", game="captains-chess", system=System.SWISS, rounds=3)
REFUSED = "Not open to everybody"
THERE = {
    "user": "table-1", "number": "1", "game": "captains-chess", "file": "white-king.svg", "match": "ab" * 32,
    "player": "1", "deed": "end", "seal": "ab" * 32,
}  # fmt: skip
STREAMS = ("/events?table", "/events?overlay", "/events?public", "/events?event")
NOT_THERE = dict.fromkeys(THERE, "nobody-99")
"""What addresses name, as it is in the club below and as it is in none."""


@asynccontextmanager
async def visited(folder: Path, public: Public) -> AsyncIterator[tuple[EventClub, httpx.AsyncClient]]:
    """Yield a club with an event and a result, and a guest of its pages, without a pass."""
    with opened(folder) as club:
        app = create_app(club, Programme(club.desk), token=TOKEN, public=public)
        guest = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost", headers=PAGE)
        club.overlay_secrets["table-1"] = "a-secret"
        async with at_work(club), guest:
            number = club.begin(SWISS, "Anne", "Bart")
            await club.pair(number)
            await club.play("table-1", FIRST_WINS)
            yield club, guest


def routes_of(club: EventClub) -> Iterator[tuple[str, bool]]:
    """Yield the path of each route of the club's pages, and whether it shows something."""
    for route in create_app(club, Programme(club.desk)).routes:
        assert isinstance(route, Route | Mount)
        yield route.path, isinstance(route, Route) and "GET" in (route.methods or ())


def filled(address: str, names: dict[str, str]) -> str:
    """Return an address with these names in it; a stream is asked for what its parameter names."""
    what = {"table": names["user"], "event": names["number"], "public": names["number"]}
    what["overlay"] = f"{names['user']}&secret=a-secret"
    path, _, parameter = address.format(**names).partition("?")
    path += "?secret=a-secret" if path.endswith("/overlay") else ""
    return f"{path}?{parameter}={what[parameter]}" if parameter else path


def guided() -> dict[str, Public]:
    """Return the step of each address in the guide's table; all other addresses are the arbiters' alone."""
    guide = read_documents()["docs/club-setup.md"].text
    rows = re.findall(r"^\| `(\w+)` \|.*?\| (`/.*) \|$", guide, re.MULTILINE)
    found = [(address, Public(step)) for step, cell in rows for address in re.findall(r"`([^`]+)`", cell)]
    assert len(found) == len(dict(found)), "an address is in two rows"
    return dict(found)


def test_each_address_in_the_guide_is_served_and_what_else_is_served_is_the_arbiters(tmp_path: Path) -> None:
    with opened(tmp_path) as club:
        served = {path for path, _ in routes_of(club)}
    assert guided().keys() - served == {*STREAMS} - {"/events?event"}
    missing = {path for path in served - guided().keys() if not path.startswith("/arbiter/")}
    deeds = {"/evenings/{number}/delete", "/tables/{user}/large", "/tables/{user}/overlay/renew"}
    assert missing == {"/arbiter", *deeds}


@pytest.mark.parametrize("public", Public)
async def test_who_has_no_pass_sees_what_is_public_and_not_whether_there_is_anything_else(
    tmp_path: Path, public: Public
) -> None:
    async with visited(tmp_path, public) as (club, guest):
        pages, steps = {path for path, shows in routes_of(club) if shows}, guided()
        for address in (*pages, *STREAMS):
            shown = public.shows(steps.get(address))
            there = await guest.head(filled(address, THERE)) if shown else await guest.get(filled(address, THERE))
            assert (there.status_code == 403) is not shown, address
            if not shown:
                other = await guest.get(filled(address, NOT_THERE))
                assert REFUSED in there.text
                assert (other.status_code, other.text) == (403, there.text), address
            assert (await guest.head(filled(address, THERE), headers=AS_ARBITER)).status_code != 403, address


@pytest.mark.parametrize(
    ("public", "there", "gone"),
    [
        (Public.WALL, (), ("/evenings", "/hall", 'href="/events/1"')),
        (Public.EVENTS, ('href="/events/1"',), ("/evenings", "/hall")),
        (Public.ALL, ("/evenings", "/hall", 'href="/events/1"'), ()),
    ],
)
async def test_no_link_leads_where_one_is_refused(
    tmp_path: Path, public: Public, there: tuple[str, ...], gone: tuple[str, ...]
) -> None:
    async with visited(tmp_path, public) as (club, guest):
        live = Wall(club, Programme(club.desk), club_renderer(club, public), Guests(), PageReach("127.0.0.1", 0))
        wall = (await guest.get("/")).text + live.fragments(WallViewKey(BrowserWindow()))["standings"]
        paper = (await guest.get("/nowhere")).text
    assert [words for words in there if words not in wall] == []
    assert [words for words in gone if words in wall + paper] == []


async def test_health_says_no_numbers_where_nothing_is_public(tmp_path: Path) -> None:
    async with visited(tmp_path, Public.NOTHING) as (_, guest):
        assert (await guest.get("/health")).json() == {"status": "ok"}
        assert (await guest.get("/health", headers=AS_ARBITER)).json()["tables"] == 3


async def test_a_refusal_offers_the_log_in_and_tells_scripts_the_same_in_json(tmp_path: Path) -> None:
    async with visited(tmp_path, Public.NOTHING) as (_, guest):
        page = await guest.get("/evenings/1")
        assert 'href="/arbiter/login"' in page.text
        assert 'href="/"' not in page.text.partition("<main")[2], "the wall would be refused too"
        answer = await guest.get("/evenings/1/exports.zip", headers={"accept": "*/*"})
    assert answer.json() == {"error": "This club does not show this page to everybody: log in to see it."}
