"""The game master's page at a table at work: who gets there, what he may do, and what the table keeps of it."""

import re
from collections.abc import Awaitable, Callable
from pathlib import Path

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
from tests.support.seat_guests import ADDRESS, TOKEN, Evening, evening, refused
from tests.support.service_at_work import at_a_table

KEY = "aye-aye-master"
NAMES = ("Anne", "Bart", "Cleo")
POSTS = ("/master/correct", "/master/end", "/master/timers/stop", "/master/timers/start")
GOLD = {"what": "gold", "of": "Anne", "to": "+3", "why": "a ring was forgotten"}
Do = Callable[["Mastered"], Awaitable[None]]


class Mastered(Evening):
    """An evening with a game master, and with Crowns on the table."""

    def __init__(self, table: Table, complaints: list[str]) -> None:
        super().__init__(table, complaints)
        self.app = create_app(table, token=TOKEN, reach=PageReach("table.example", 8377), master=KEY)
        table.matches.new_match("crowns", NAMES, {"timer": "300", "timeout": "master"})

    async def master(self, path: str, body: object = None, key: str = KEY) -> httpx.Response:
        """Post as the game master does from his page."""
        return await self.ask("POST", f"{path}?page=master", body or {}, Cookie=f"{MASTER_COOKIE}-80={key}")

    async def answered(self, action: dict[str, object]) -> httpx.Response:
        """Answer as the game master does."""
        return await self.master("/answer", {"revision": self.table.view().revision, "action": action})

    def gold(self) -> list[int]:
        """Return what is in the purses."""
        return [seat.tallies["gold"] for seat in self.table.view().seats]


def mastered(state: Path, do: Do) -> None:
    """Spend an evening with a game master."""

    async def spend(at: Evening) -> None:
        await do(Mastered(at.table, at.complaints))

    assert evening(state, spend) == []


def impossible(answer: httpx.Response, words: str) -> bool:
    """Return whether something cannot be, and is refused with a sentence that has these words."""
    sentence = str(answer.json()["error"])
    assert words in sentence, sentence
    assert "xpected" in sentence, sentence
    return answer.status_code == 400


# --- who gets there -------------------------------------------------------------------------------------------------


def test_without_a_master_there_is_no_such_page_for_anybody(tmp_path: Path) -> None:
    async def do(at: Evening) -> None:
        at.table.matches.new_match("crowns", NAMES, {})
        for headers in ({}, {"X-Table-Token": TOKEN}, {"Cookie": f"{MASTER_COOKIE}-80={KEY}"}):
            assert (await at.ask("GET", "/master", **headers)).status_code == 404
            for path in POSTS:
                assert (await at.ask("POST", path, GOLD, **headers)).status_code == 404, path
        assert (await at.ask("GET", f"/master?key={KEY}")).status_code == 404
        assert "Game master" not in (await at.owner("GET", "/seats")).text

    assert evening(tmp_path, do) == []


def test_nobody_gets_there_without_the_masters_own_key_not_even_the_owner(tmp_path: Path) -> None:
    async def do(at: Mastered) -> None:
        before = at.table.view()
        strangers: list[dict[str, str]] = [
            {},
            {"X-Table-Token": TOKEN},
            {"X-Master-Key": "guess"},
            {"Cookie": f"{SEAT_COOKIE}-80={at.key(0)}"},
        ]
        for headers in strangers:
            for path in ("/master", "/master?key=guess", "/events?page=master"):
                answer = await at.ask("GET", path, **headers)
                assert (answer.status_code, "set-cookie" in answer.headers) == (403, False)
            for path in POSTS:
                assert refused(await at.ask("POST", path, GOLD, **headers), "This is the game master's"), path
        assert at.table.view() == before

    mastered(tmp_path, do)


def test_his_key_becomes_a_strict_cookie_that_opens_his_page(tmp_path: Path) -> None:
    async def do(at: Mastered) -> None:
        page = await at.ask("GET", f"/master?key={KEY}")
        assert page.status_code == 200
        assert page.headers["cache-control"] == "no-store"
        assert page.headers["set-cookie"].startswith(f"{MASTER_COOKIE}-80={KEY}; HttpOnly; Max-Age=")
        assert page.headers["set-cookie"].endswith("Path=/; SameSite=Strict")
        again = await at.ask("GET", "/master", Cookie=f"{MASTER_COOKIE}-80={KEY}")
        assert "Corrections and penalties" in again.text
        assert 'data-correct="crown"' in again.text

    mastered(tmp_path, do)


def test_his_key_opens_nothing_of_the_owners_nor_of_a_seat(tmp_path: Path) -> None:
    """Not even beside the link of a seat: what a seat may do is done for that seat alone."""

    async def do(at: Mastered) -> None:
        before = at.table.view()
        cookies = (f"{MASTER_COOKIE}-80={KEY}", f"{MASTER_COOKIE}-80={KEY}; {SEAT_COOKIE}-80={at.key(1)}")
        for cookie in cookies:
            for path in (
                "/new",
                "/matches/1/resume",
                "/button/roll/press",
                "/advice",
                "/board/set-up",
                "/seats/0/renew",
            ):
                assert (await at.ask("POST", f"{path}?page=master", {}, Cookie=cookie)).status_code == 403, path
            body = {"seat": 0, "player": "notus:1"}
            assert (await at.ask("POST", "/player?page=master", body, Cookie=cookie)).status_code == 403
            assert (await at.ask("GET", "/seats", Cookie=cookie)).status_code == 403
        assert at.table.view() == before

    mastered(tmp_path, do)


def test_what_is_played_next_is_not_his_to_say(tmp_path: Path) -> None:
    async def do(at: Mastered) -> None:
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
            assert "data-pick" not in (await at.ask("GET", "/master", Cookie=f"{MASTER_COOKIE}-80={KEY}")).text
            assert at.table.view() == view
            if phase is Phase.OVER:
                at.table.handle(Answered(Pick("new")), view.revision)

    mastered(tmp_path, do)


def test_the_owner_finds_his_address_as_a_picture_beside_those_of_the_seats(tmp_path: Path) -> None:
    async def do(at: Mastered) -> None:
        page = (await at.owner("GET", "/seats")).text
        assert f"{ADDRESS}master?key={KEY}" in page
        assert "The link to the game master's page as a QR code" in page

    mastered(tmp_path, do)


# --- what he does ---------------------------------------------------------------------------------------------------


def test_he_bids_for_anybody_rings_the_bell_and_picks_for_whoever_timed_out(tmp_path: Path) -> None:
    async def do(at: Mastered) -> None:
        actions: list[dict[str, object]] = [{"type": "bid", "seat": seat, "value": seat + 1} for seat in (0, 2)]
        actions.append({"type": "bell"})
        for action in actions:
            assert (await at.answered(action)).status_code == 204
        assert at.table.view().seat == 2
        assert (await at.answered({"type": "bell"})).status_code == 204  # her time is over: it is his to choose
        page = (await at.ask("GET", "/master", Cookie=f"{MASTER_COOKIE}-80={KEY}")).text
        assert 'data-pick="summon-c1"' in page
        assert (await at.answered({"type": "pick", "id": "summon-c1"})).status_code == 204
        assert at.table.view().details["places"]["Cleo"] == "c1"  # type: ignore[index]  # JSON

    mastered(tmp_path, do)


def test_his_bell_says_what_comes_of_it_while_somebody_acts(tmp_path: Path) -> None:
    async def do(at: Mastered) -> None:
        async def bell() -> str:
            page = (await at.ask("GET", "/master", Cookie=f"{MASTER_COOKIE}-80={KEY}")).text
            return re.search(r"<button[^>]* data-bell .*?</button>", page)[0]  # type: ignore[index]  # it is there

        assert "Ring the bell<" in await bell()
        assert (await at.answered({"type": "bid", "seat": 0, "value": 1})).status_code == 204
        assert (await at.answered({"type": "bell"})).status_code == 204
        assert "Ring the bell: the time is over, Anne may still act<" in await bell()
        at.table.matches.new_match("crowns", NAMES, {"timer": "300"})
        assert (await at.answered({"type": "bid", "seat": 1, "value": 1})).status_code == 204
        assert (await at.answered({"type": "bell"})).status_code == 204
        assert 'data-confirm="Bart passes then. Really? Press again">Ring the bell: Bart passes<' in await bell()

    mastered(tmp_path, do)


def test_what_he_corrects_is_in_the_match_for_all_to_see(tmp_path: Path) -> None:
    async def do(at: Mastered) -> None:
        was = at.gold()[0]
        assert (await at.master("/master/correct", GOLD)).status_code == 204
        assert at.gold()[0] == was + 3
        words = f"The game master sets the gold of Anne from {was} to {was + 3}: a ring was forgotten"
        assert at.table.view().log[-1].words == words
        assert words in (await at.ask("GET", "/")).text
        assert '"type": "correct"' in at.table.archive.export(1, "json")

    mastered(tmp_path, do)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (GOLD | {"to": "-99"}, "cannot have"),
        (GOLD | {"of": "Nobody"}, "there is no gold of 'Nobody'"),
        ({"what": "place", "of": "Anne", "to": "a2"}, "a pawn stands on a2"),
        ({"what": "crown", "of": "white", "to": "d7"}, "the other crown lies on d7"),
        (GOLD | {"to": 3}, "cannot be read"),
        (GOLD | {"why": "\ud800"}, "cannot be read"),
    ],
)
def test_what_cannot_be_corrected_is_refused_in_a_sentence_and_changes_nothing(
    tmp_path: Path, body: dict[str, object], words: str
) -> None:
    async def do(at: Mastered) -> None:
        before, exported = at.table.view(), at.table.archive.export(1, "json")
        if body.get("why") == "\ud800":  # as no client of ours writes it
            headers = {"Cookie": f"{MASTER_COOKIE}-80={KEY}", "Content-Type": "application/json"}
            async with httpx.AsyncClient(
                transport=httpx.ASGITransport(app=at.app), base_url="http://localhost", headers=headers
            ) as client:
                answer = await client.post("/master/correct", content='{"what": "gold", "of": "\\ud800", "to": "1"}')
        else:
            answer = await at.master("/master/correct", body)
        assert impossible(answer, words)
        assert (at.table.view(), at.table.archive.export(1, "json")) == (before, exported)

    mastered(tmp_path, do)


def test_the_time_he_stops_stands_still_on_every_page_until_he_starts_it(tmp_path: Path) -> None:
    async def do(at: Mastered) -> None:
        assert (await at.master("/master/timers/stop")).status_code == 204
        assert impossible(await at.master("/master/timers/stop"), "The timers stand still already")
        for path in ("/", "/table", "/master"):
            page = (await at.ask("GET", path, Cookie=f"{MASTER_COOKIE}-80={KEY}")).text
            assert "The time stands still at" in page, path
            assert "The game master has stopped the time" in page, path
        assert (await at.master("/master/timers/start")).status_code == 204
        assert not at.table.view().timers_stopped
        assert (await at.master("/master/timers/sideways")).status_code == 404

    mastered(tmp_path, do)


def test_the_owner_lets_the_time_run_on_when_no_master_is_there_any_more(tmp_path: Path) -> None:
    """After a start without him; nobody else may, and there is a button for it only while the time stands still."""

    async def stop(at: Mastered) -> None:
        assert "/timers/start" not in (await at.owner("GET", "/table")).text
        assert (await at.master("/master/timers/stop")).status_code == 204

    async def start(at: Evening) -> None:
        at.table.matches.resume(1)
        assert 'data-post="/timers/start"' in (await at.owner("GET", "/table")).text
        assert refused(await at.seat(at.key(0), "/timers/start"), "its own seat")
        assert (await at.ask("POST", "/timers/start")).status_code == 403
        assert (await at.owner("POST", "/timers/start")).status_code == 204
        assert not at.table.view().timers_stopped
        assert at.table.view().log[-1].words == "The timers run on"
        assert impossible(await at.owner("POST", "/timers/start"), "The timers run already")

    mastered(tmp_path, stop)
    assert evening(tmp_path, start) == []


def test_the_end_he_makes_is_nobodys_win_and_the_last_thing_he_does(tmp_path: Path) -> None:
    async def do(at: Mastered) -> None:
        assert (await at.master("/master/end")).status_code == 204
        view = at.table.view()
        assert view.phase is Phase.OVER
        assert view.result is not None
        assert view.result.winner is None
        assert impossible(await at.master("/master/end"), "no match is played now")
        assert impossible(await at.master("/master/correct", GOLD), "no match is played now")
        assert master_scene(at.table, flipped=False).corrections == ()

    mastered(tmp_path, do)


def test_a_match_of_another_game_says_that_it_needs_no_master(tmp_path: Path) -> None:
    async def do(at: Mastered) -> None:
        at.table.matches.new_match("swashbuckle", ["Anne"], {})
        page = (await at.ask("GET", "/master", Cookie=f"{MASTER_COOKIE}-80={KEY}")).text
        assert "Swashbuckle needs no game master" in page
        assert impossible(await at.master("/master/correct", GOLD), "expected a match of a game that has one")

    mastered(tmp_path, do)


# --- what the table keeps -------------------------------------------------------------------------------------------


def test_what_he_corrected_and_the_time_he_stopped_are_there_after_a_restart(tmp_path: Path) -> None:
    left: list[int | None] = []

    async def before(table: Table) -> None:
        at = Mastered(table, [])
        await at.master("/master/correct", {"what": "place", "of": "Bart", "to": "d4"})
        await at.master("/master/timers/stop")
        left.append(table.view().bell_seconds)

    def after(table: Table) -> None:
        with pytest.raises(IllegalAction, match="no match is played"):
            table.handle(TimersSwitched(run=True))
        table.matches.begin("", (), {})
        view = table.view()
        assert (view.bell_seconds, view.timers_stopped) == (left[0], True)
        assert view.details["places"]["Bart"] == "d4"  # type: ignore[index]  # JSON
        table.handle(TimersSwitched(run=True))
        assert not table.view().timers_stopped

    at_a_table(tmp_path, before)
    at_a_table(tmp_path, after)
