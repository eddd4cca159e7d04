"""The game master's page at a table at work: who gets there, what the master may do, and what the table keeps of it."""

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from captains_table.games.contract import IllegalAction, Pick, PickAsk
from captains_table.page.app import create_app
from captains_table.page.live_pages import master_scene
from captains_table.runtime.table import Table
from captains_table.table.model.events import Answered, TimersSwitched
from captains_table.table.model.view import Phase
from captains_table.web.reach import PageReach
from captains_table.web.security import MASTER_COOKIE, SEAT_COOKIE
from tests.runtime.conftest import on_loop
from tests.runtime.seat_guests import ADDRESS, TOKEN, Evening, OpenEvening, refused
from tests.support.service_at_work import OpenTable

KEY = "aye-aye-master"
NAMES = ("Anne", "Bart", "Cleo")
POSTS = ("/master/correct", "/master/end", "/master/timers/stop", "/master/timers/start")
GOLD = {"what": "gold", "of": "Anne", "to": "+3", "why": "a ring was forgotten"}


class Mastered(Evening):
    """An evening with a game master, and with Crowns on the table."""

    def __init__(self, table: Table, complaints: list[str]) -> None:
        super().__init__(table, complaints)
        self.app = create_app(table, token=TOKEN, reach=PageReach("table.example", 8377), master=KEY)
        table.matches.new_match("crowns", NAMES, {"timer": "300", "timeout": "master"})

    async def master(self, path: str, body: object = None, key: str = KEY) -> httpx.Response:
        return await self.ask("POST", f"{path}?page=master", body or {}, Cookie=f"{MASTER_COOKIE}-80={key}")

    async def look(self, path: str) -> str:
        return (await self.ask("GET", path, Cookie=f"{MASTER_COOKIE}-80={KEY}")).text

    async def answered(self, action: dict[str, object]) -> httpx.Response:
        return await self.master("/answer", {"revision": self.table.view().revision, "action": action})

    def gold(self) -> list[int]:
        return [seat.tallies["gold"] for seat in self.table.view().seats]


@contextmanager
def mastered(open_evening: OpenEvening) -> Iterator[Mastered]:
    with open_evening() as evening:
        yield Mastered(evening.table, evening.complaints)


@pytest.fixture
def at(runner: asyncio.Runner, open_evening: OpenEvening) -> Iterator[Mastered]:
    yield from on_loop(runner, mastered(open_evening))


def impossible(answer: httpx.Response, words: str) -> bool:
    sentence = str(answer.json()["error"])
    assert words in sentence, sentence
    assert "xpected" in sentence, sentence
    return answer.status_code == 400


async def test_without_a_master_there_is_no_such_page_for_anybody(open_evening: OpenEvening) -> None:
    with open_evening() as at:
        at.table.matches.new_match("crowns", NAMES, {})
        for headers in ({}, {"X-Table-Token": TOKEN}, {"Cookie": f"{MASTER_COOKIE}-80={KEY}"}):
            assert (await at.ask("GET", "/master", **headers)).status_code == 404
            for path in POSTS:
                assert (await at.ask("POST", path, GOLD, **headers)).status_code == 404, path
        assert (await at.ask("GET", f"/master?key={KEY}")).status_code == 404
        assert "Game master" not in (await at.owner("GET", "/seats")).text


async def test_nobody_gets_there_without_the_masters_own_key_not_even_the_owner(at: Mastered) -> None:
    before = at.table.view()
    strangers: list[dict[str, str]] = [{}, {"X-Table-Token": TOKEN}, {"X-Master-Key": "guess"}]
    strangers.append({"Cookie": f"{SEAT_COOKIE}-80={at.key(0)}"})
    for headers in strangers:
        for path in ("/master", "/master?key=guess", "/events?page=master"):
            answer = await at.ask("GET", path, **headers)
            assert (answer.status_code, "set-cookie" in answer.headers) == (403, False)
        for path in POSTS:
            assert refused(await at.ask("POST", path, GOLD, **headers), "This is the game master's"), path
    assert at.table.view() == before


async def test_the_masters_key_which_the_owner_sees_as_a_picture_becomes_a_strict_cookie(at: Mastered) -> None:
    seats = (await at.owner("GET", "/seats")).text
    assert f"{ADDRESS}master?key={KEY}" in seats
    assert "The link to the game master's page as a QR code" in seats
    page = await at.ask("GET", f"/master?key={KEY}")
    assert page.status_code == 200
    assert page.headers["cache-control"] == "no-store"
    assert page.headers["set-cookie"].startswith(f"{MASTER_COOKIE}-80={KEY}; HttpOnly; Max-Age=")
    assert page.headers["set-cookie"].endswith("Path=/; SameSite=Strict")
    again = await at.ask("GET", "/master", Cookie=f"{MASTER_COOKIE}-80={KEY}")
    assert "Corrections and penalties" in again.text
    assert 'data-correct="crown"' in again.text


async def test_the_masters_key_opens_nothing_of_the_owners_nor_of_a_seat(at: Mastered) -> None:
    """Not even together with the link of a seat: what a seat may do is done for that seat alone."""
    before = at.table.view()
    cookies = (f"{MASTER_COOKIE}-80={KEY}", f"{MASTER_COOKIE}-80={KEY}; {SEAT_COOKIE}-80={at.key(1)}")
    for cookie in cookies:
        for path in ("/new", "/matches/1/resume", "/button/roll/press", "/advice", "/board/set-up", "/seats/0/renew"):
            assert (await at.ask("POST", f"{path}?page=master", {}, Cookie=cookie)).status_code == 403, path
        body = {"seat": 0, "player": "notus:1"}
        assert (await at.ask("POST", "/player?page=master", body, Cookie=cookie)).status_code == 403
        assert (await at.ask("GET", "/seats", Cookie=cookie)).status_code == 403
    assert at.table.view() == before


async def test_what_is_played_next_is_not_the_masters_to_say(at: Mastered) -> None:
    at.table.matches.new_match("crowns", NAMES, {"timer": "0", "turn_limit": "1"})
    await at.answered({"type": "bell"})
    for phase in (Phase.OVER, Phase.IDLE):
        view = at.table.view()
        assert view.phase is phase
        assert isinstance(view.ask, PickAsk)
        for option in view.ask.options:
            answer = await at.answered({"type": "pick", "id": option.id})
            assert answer.status_code == 403
            assert "expected the table's owner" in answer.json()["error"]
        assert "data-pick" not in await at.look("/master")
        assert at.table.view() == view
        if phase is Phase.OVER:
            at.table.handle(Answered(Pick("new")), view.revision)


async def test_the_master_bids_for_anybody_rings_the_bell_and_picks_for_a_player_whose_time_is_over(
    at: Mastered,
) -> None:
    actions: list[dict[str, object]] = [{"type": "bid", "seat": seat, "value": seat + 1} for seat in (0, 2)]
    actions.append({"type": "bell"})
    for action in actions:
        assert (await at.answered(action)).status_code == 204
    assert at.table.view().seat == 2
    assert (await at.answered({"type": "bell"})).status_code == 204  # Cleo's time is over: the master chooses
    page = await at.look("/master")
    assert 'data-pick="summon-c1"' in page
    assert (await at.answered({"type": "pick", "id": "summon-c1"})).status_code == 204
    assert at.table.view().details["places"]["Cleo"] == "c1"  # type: ignore[index]  # JSON


async def test_the_masters_bell_says_what_comes_of_it_while_somebody_acts(at: Mastered) -> None:
    async def bell() -> str:
        page = await at.look("/master")
        return re.search(r"<button[^>]* data-bell .*?</button>", page)[0]  # type: ignore[index]  # it is there

    assert "Ring the bell<" in await bell()
    assert (await at.answered({"type": "bid", "seat": 0, "value": 1})).status_code == 204
    assert (await at.answered({"type": "bell"})).status_code == 204
    assert "Ring the bell: Anne&#39;s time is over<" in await bell()
    at.table.matches.new_match("crowns", NAMES, {"timer": "300"})
    assert (await at.answered({"type": "bid", "seat": 1, "value": 1})).status_code == 204
    assert (await at.answered({"type": "bell"})).status_code == 204
    assert 'data-confirm="Bart passes then. Really? Press again">Ring the bell: Bart passes<' in await bell()


async def test_what_the_master_corrects_is_in_the_match_for_all_to_see(at: Mastered) -> None:
    was = at.gold()[0]
    assert (await at.master("/master/correct", GOLD)).status_code == 204
    assert at.gold()[0] == was + 3
    words = f"The game master sets the gold of Anne from {was} to {was + 3}: a ring was forgotten"
    assert at.table.view().log[-1].words == words
    assert words in (await at.ask("GET", "/")).text
    assert '"type": "correct"' in at.table.archive.export(1, "json")


async def test_what_cannot_be_corrected_is_refused_in_a_sentence_and_changes_nothing(at: Mastered) -> None:
    before, exported = at.table.view(), at.table.archive.export(1, "json")
    for body, words in (
        (GOLD | {"to": "-99"}, "cannot have"),
        (GOLD | {"of": "Nobody"}, "there is no gold of 'Nobody'"),
        ({"what": "place", "of": "Anne", "to": "a2"}, "a pawn stands on a2"),
        ({"what": "crown", "of": "white", "to": "d7"}, "the other crown lies on d7"),
        (GOLD | {"to": 3}, "cannot be read"),
    ):
        assert impossible(await at.master("/master/correct", body), words)
    headers = {"Cookie": f"{MASTER_COOKIE}-80={KEY}", "Content-Type": "application/json"}
    broken = '{"what": "gold", "of": "\\ud800", "to": "1"}'  # as no client of ours writes it
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=at.app), base_url="http://localhost") as client:
        answer = await client.post("/master/correct", content=broken, headers=headers)
    assert impossible(answer, "cannot be read")
    assert (at.table.view(), at.table.archive.export(1, "json")) == (before, exported)


async def test_the_time_stands_still_on_every_page_from_when_the_master_stops_it_until_it_is_started(
    at: Mastered,
) -> None:
    assert (await at.master("/master/timers/stop")).status_code == 204
    assert impossible(await at.master("/master/timers/stop"), "The timers stand still already")
    for path in ("/", "/table", "/master"):
        page = await at.look(path)
        assert "The time stands still at" in page, path
        assert "The game master has stopped the time" in page, path
    assert (await at.master("/master/timers/start")).status_code == 204
    assert not at.table.view().timers_stopped
    assert (await at.master("/master/timers/sideways")).status_code == 404


async def test_the_owner_lets_the_time_run_on_when_no_master_is_there_any_more(open_evening: OpenEvening) -> None:
    """After a start without one; nobody else may, and there is a button for it only while the time stands still."""
    with mastered(open_evening) as before:
        assert "/timers/start" not in (await before.owner("GET", "/table")).text
        assert (await before.master("/master/timers/stop")).status_code == 204
    with open_evening() as at:
        at.table.matches.resume(1)
        assert 'data-post="/timers/start"' in (await at.owner("GET", "/table")).text
        assert refused(await at.seat(at.key(0), "/timers/start"), "its own seat")
        assert (await at.ask("POST", "/timers/start")).status_code == 403
        assert (await at.owner("POST", "/timers/start")).status_code == 204
        assert not at.table.view().timers_stopped
        assert at.table.view().log[-1].words == "The timers run on"
        assert impossible(await at.owner("POST", "/timers/start"), "The timers run already")


async def test_an_end_made_by_the_master_is_nobodys_win_and_the_last_thing_done(at: Mastered) -> None:
    assert (await at.master("/master/end")).status_code == 204
    view = at.table.view()
    assert view.result is not None
    assert (view.phase, view.result.winner) == (Phase.OVER, None)
    assert impossible(await at.master("/master/end"), "no match is played now")
    assert impossible(await at.master("/master/correct", GOLD), "no match is played now")
    assert master_scene(at.table, flipped=False).corrections == ()


async def test_a_match_of_another_game_says_that_it_needs_no_master(at: Mastered) -> None:
    at.table.matches.new_match("swashbuckle", ["Anne"], {})
    page = await at.look("/master")
    assert "Swashbuckle needs no game master" in page
    assert impossible(await at.master("/master/correct", GOLD), "expected a match of a game that has one")


async def test_what_the_master_corrected_and_stopped_is_there_after_a_restart(open_table: OpenTable) -> None:
    left: list[int | None] = []
    with open_table() as table:
        at = Mastered(table, [])
        await at.master("/master/correct", {"what": "place", "of": "Bart", "to": "d4"})
        await at.master("/master/timers/stop")
        left.append(table.view().bell_seconds)
    with open_table() as table:
        with pytest.raises(IllegalAction, match="no match is played"):
            table.handle(TimersSwitched(run=True))
        table.matches.begin("", (), {})
        view = table.view()
        assert (view.bell_seconds, view.timers_stopped) == (left[0], True)
        assert view.details["places"]["Bart"] == "d4"  # type: ignore[index]  # JSON
        table.handle(TimersSwitched(run=True))
        assert not table.view().timers_stopped
