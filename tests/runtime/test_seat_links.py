"""Links to seats at a table at work: what they open, and what they never do."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import httpx
import pytest
import zxingcpp
from PIL import Image

from captains_table import catalog
from captains_table.catalog import GameEntry
from captains_table.games import registry
from captains_table.games.contract import Pick
from captains_table.page.app import create_app
from captains_table.table.model.events import Answered
from captains_table.web.security import SEAT_COOKIE
from tests.support.harbour_auction import HarbourAuction
from tests.support.room_display import ReachedAt
from tests.support.seat_guests import ADDRESS, TOKEN, Evening, evening, pick, refused

HARBOUR = HarbourAuction()


@pytest.fixture
def _harbour() -> Iterator[None]:
    catalog.add_game(GameEntry(game=HARBOUR))
    yield
    registry.GAMES.pop(HARBOUR.key)
    catalog._entries.pop(HARBOUR.key)


# --- what a link opens ------------------------------------------------------------------------------------------------


def test_a_link_becomes_a_strict_cookie_and_shows_its_seat(tmp_path: Path) -> None:
    async def do(at: Evening) -> None:
        at.table.matches.new_match("legend", ["Anne", "Bart"], {})
        page = await at.ask("GET", f"/seat?key={at.key(1)}")
        assert page.status_code == 200
        assert "You are <b>Bart</b>" in page.text
        assert page.headers["set-cookie"].startswith(f"{SEAT_COOKIE}-80={at.key(1)}; HttpOnly; Max-Age=")
        assert page.headers["set-cookie"].endswith("Path=/; SameSite=Strict")
        again = await at.ask("GET", "/seat", Cookie=f"{SEAT_COOKIE}-80={at.key(1)}")
        assert "You are <b>Bart</b>" in again.text
        assert "set-cookie" not in again.headers

    assert evening(tmp_path, do) == []


def test_a_seat_plays_a_turn_of_its_own_and_nobody_elses(tmp_path: Path) -> None:
    """It throws, moves, answers; Bart, whose turn it is not, does none of it, and nothing changes."""

    async def do(at: Evening) -> None:
        at.table.matches.new_match("legend", ["Anne", "Bart"], {"turn_limit": "3"})
        anne, bart = at.key(0), at.key(1)

        async def only_anne(path: str, body: object) -> None:
            before = at.table.view()
            assert refused(await at.seat(bart, path, body), "Bart is not: Anne is to act now")
            assert at.table.view() == before
            assert (await at.seat(anne, path, body)).status_code == 204

        await only_anne("/answer", {"revision": at.table.view().revision, "action": pick("roll")})
        for square in ("e2", "e4"):
            await only_anne("/board/click", {"square": square})
        while "done" not in str(at.table.view().ask):  # noqa: ASYNC110 - a switch takes its time, and says nothing
            await asyncio.sleep(0.01)
        await only_anne("/answer", {"revision": at.table.view().revision, "action": pick("done")})
        assert at.table.view().seat == 1
        assert refused(await at.answer(anne, pick("roll")), "Anne is not: Bart is to act now")
        assert (await at.answer(bart, pick("roll"))).status_code == 204

    assert evening(tmp_path, do) == []


def test_a_seat_throws_when_its_own_throw_is_due(tmp_path: Path) -> None:
    """The time it was held goes into the dice as a press at the table does."""

    async def do(at: Evening) -> None:
        at.table.matches.new_match("swashbuckle", ["Anne", "Bart"], {"order": "seated"})
        anne, bart = at.key(0), at.key(1)
        assert refused(await at.seat(bart, "/seat/throw", {"held_ms": 5}), "Anne is to act now")
        for wrong in ({}, {"held_ms": -1}, {"held_ms": True}, {"held_ms": "5"}):
            assert (await at.seat(anne, "/seat/throw", wrong)).status_code == 400
        assert (await at.seat(anne, "/seat/throw", {"held_ms": 40})).status_code == 204
        assert all(die.face for die in at.table.view().dice)
        assert refused(await at.seat(anne, "/seat/throw", {"held_ms": 0}), "No throw is due")
        exported = at.table.archive.export(1, "json")
        held = re.search(r'"held_ms": (\d+)', exported)
        assert held is not None
        assert int(held[1]) >= 39

    assert evening(tmp_path, do) == []


def test_a_seat_throws_again_what_it_was_offered_when_it_looked(tmp_path: Path) -> None:
    """A second tap on what was shown then throws nothing."""

    async def do(at: Evening) -> None:
        at.table.matches.new_match("swashbuckle", ["Anne", "Bart"], {"order": "seated"})
        anne, bart = at.key(0), at.key(1)
        await at.seat(anne, "/seat/throw", {"held_ms": 0})
        offered = {"held_ms": 0, "revision": at.table.view().revision}
        assert at.table.view().roll.dice
        assert refused(await at.seat(bart, "/seat/throw", offered), "Anne is to act now")
        assert (await at.seat(anne, "/seat/throw", offered)).status_code == 204
        thrown = at.table.view().dice
        assert (await at.seat(anne, "/seat/throw", offered)).status_code == 409
        assert (await at.seat(anne, "/seat/throw", {"held_ms": 0, "revision": "now"})).status_code == 400
        assert at.table.view().dice == thrown
        await at.seat(anne, "/seat/throw", {"held_ms": 0, "revision": at.table.view().revision})
        again = {"held_ms": 0, "revision": at.table.view().revision}
        assert refused(await at.seat(anne, "/seat/throw", again), "No throw is due", "Anne is to choose an answer")

    assert evening(tmp_path, do) == []


@pytest.mark.usefixtures("_harbour")
def test_a_seat_bids_for_itself_alone_and_rings_no_bell(tmp_path: Path) -> None:
    async def do(at: Evening) -> None:
        at.table.matches.new_match(HARBOUR.key, ["Anne", "Bart", "Cora"], {})
        at.throw()
        cora = at.key(2)
        assert (await at.answer(cora, {"type": "bid", "seat": 2, "value": 3})).status_code == 204
        before = at.table.view()
        assert refused(await at.answer(cora, {"type": "bid", "seat": 0, "value": 3}), "of seat 0", "own seat, 2")
        assert refused(await at.answer(cora, {"type": "bell"}), "bell")
        assert refused(await at.answer(cora, pick("roll")), "bid of your own seat")
        assert at.table.view() == before
        page = (await at.ask("GET", "/seat", Cookie=f"{SEAT_COOKIE}-80={cora}")).text
        assert re.findall(r'data-bid="(\d)"', page) == ["2"]
        assert "data-bell" not in page

    assert evening(tmp_path, do) == []


def test_a_seat_gives_its_own_words_alone(tmp_path: Path) -> None:
    async def do(at: Evening) -> None:
        at.table.matches.new_match("swashbuckle", ["Anne", "Bart"], {"order": "seated"})
        bart = at.key(1)
        assert refused(await at.seat(bart, "/words", {"seat": 0, "text": "kraken"}), "own seat, 1")
        page = (await at.ask("GET", "/seat", Cookie=f"{SEAT_COOKIE}-80={bart}")).text
        assert '<input type="hidden" name="words-seat" value="1">' in page
        assert (await at.seat(bart, "/words", {"seat": 1, "text": "kraken"})).status_code == 204
        assert '"text": "kraken"' in at.table.archive.export(1, "json")

    assert evening(tmp_path, do) == []


def test_an_answer_to_what_is_no_longer_asked_is_a_conflict_and_shows_the_seats_page(tmp_path: Path) -> None:
    async def do(at: Evening) -> None:
        at.table.matches.new_match("legend", ["Anne", "Bart"], {})
        old = at.table.view().revision
        assert (await at.answer(at.key(0), pick("roll"), old)).status_code == 204
        stale = await at.answer(at.key(0), pick("roll"), old)
        assert stale.status_code == 409
        assert "glass" not in stale.json()["fragments"]

    assert evening(tmp_path, do) == []


def test_an_answer_counts_as_of_when_it_has_come_whole(tmp_path: Path) -> None:
    """What is taken back, or passes to another, while somebody is still sending his answer, is not his any more."""

    async def do(at: Evening) -> None:
        at.table.matches.new_match("legend", ["Anne", "Bart"], {})
        key = at.key(0)
        body = json.dumps({"revision": at.table.view().revision, "action": pick("roll")}).encode()

        async def sent(meanwhile: Callable[[], None]) -> httpx.Response:
            async def slowly() -> AsyncIterator[bytes]:
                yield body[:9]
                meanwhile()
                yield body[9:]

            headers = {"Cookie": f"{SEAT_COOKIE}-80={key}"}
            async with httpx.AsyncClient(
                transport=httpx.ASGITransport(app=at.app), base_url="http://localhost"
            ) as client:
                return await client.post("/answer?page=seat", content=slowly(), headers=headers)

        assert (
            await sent(lambda: at.table.handle(Answered(Pick("roll")), at.table.view().revision))
        ).status_code == 409
        at.table.matches.new_match("legend", ["Anne", "Bart"], {})
        key = at.key(0)
        body = json.dumps({"revision": at.table.view().revision, "action": pick("roll")}).encode()
        before = at.table.view()
        assert refused(await sent(lambda: at.keys.renew(0)), "opens no seat")
        assert at.table.view() == before

    assert evening(tmp_path, do) == []


# --- what it never does -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "/new",
        "/matches/1/resume",
        "/button/roll/press",
        "/button/back/release",
        "/advice",
        "/board/set-up",
        "/board/noise/on",
        "/board/mask",
        "/seats/0/renew",
        "/seats/1/revoke",
    ],
)
def test_a_seat_does_nothing_that_is_the_tables_or_the_owners(tmp_path: Path, path: str) -> None:
    async def do(at: Evening) -> None:
        at.table.matches.new_match("legend", ["Anne", "Bart"], {})
        before, keys = at.table.view(), at.keys.links()
        assert refused(await at.seat(at.key(0), path), "plays its own seat and no more")
        assert (at.table.view(), at.keys.links(), len(at.table.matches.listed())) == (before, keys, 1)

    assert evening(tmp_path, do) == []


def test_a_seat_masks_no_switch_by_an_answer(tmp_path: Path) -> None:
    async def do(at: Evening) -> None:
        at.table.matches.new_match("legend", ["Anne", "Bart"], {})
        for id_ in ("mask-e4", "put-right"):
            assert refused(await at.answer(at.key(0), pick(id_)), "Switches are the table's")

    assert evening(tmp_path, do) == []


def test_nobody_but_the_owner_sees_the_links(tmp_path: Path) -> None:
    async def do(at: Evening) -> None:
        at.table.matches.new_match("legend", ["Anne", "Bart"], {})
        keys = [at.key(0), at.key(1)]
        for cookie in ("", f"{SEAT_COOKIE}-80={keys[0]}"):
            page = await at.ask("GET", "/seats", Cookie=cookie)
            assert refused(page, "owner")
        for path in ("/", "/table", "/seat", "/matches", "/export/1.json", "/events"):
            answer = await at.ask("HEAD" if path == "/events" else "GET", path, Cookie=f"{SEAT_COOKIE}-80={keys[0]}")
            assert answer.status_code == 200
            assert not any(key in answer.text for key in keys)
        shown = await at.owner("GET", "/seats")
        assert all(f"{ADDRESS}seat?key={key}" in shown.text for key in keys)
        assert shown.text.count('class="segno"') == 2

    assert evening(tmp_path, do) == []


def test_a_phone_reads_the_address_off_the_picture(tmp_path: Path) -> None:
    """The picture on the page is drawn as a browser does, roughly, and read by a reader that is not ours."""

    async def do(at: Evening) -> None:
        at.table.matches.new_match("legend", ["Anne", "Bart"], {})
        page = (await at.owner("GET", "/seats")).text
        pictures = re.findall(r'<svg viewBox="0 0 (\d+) \d+".*?class="qrline" stroke="#000" d="([^"]+)"', page)
        read = [zxingcpp.read_barcodes(painted(int(size), path))[0].text for size, path in pictures]
        assert read == [f"{ADDRESS}seat?key={at.key(seat)}" for seat in (0, 1)]

    assert evening(tmp_path, do) == []


def painted(size: int, path: str) -> Image.Image:
    """Return a picture of dark lines on white, given as segno writes them: moves and strokes, one unit wide."""
    image = Image.new("L", (size, size), 255)
    x, y = 0.0, 0.0
    for letter, words in re.findall(r"([Mmh])([^Mmh]*)", path):
        numbers = [float(word) for word in re.findall(r"-?[\d.]+", words)]
        if letter == "h":
            image.paste(0, (int(x), int(y), int(x + numbers[0]), int(y) + 1))
            x += numbers[0]
        else:
            x, y = (numbers[0], numbers[1]) if letter == "M" else (x + numbers[0], y + numbers[1])
    return image.resize((size * 8, size * 8), Image.Resampling.NEAREST)


def test_links_begin_as_the_owner_came_here_if_others_can_come_so(tmp_path: Path) -> None:
    async def do(at: Evening) -> None:
        at.table.matches.new_match("legend", ["Anne", "Bart"], {})
        by_name = await at.ask("GET", "/seats", **{"X-Table-Token": TOKEN, "Host": "table.example"})
        assert f"http://table.example/seat?key={at.key(0)}" in by_name.text

    assert evening(tmp_path, do) == []


def test_links_begin_as_the_page_is_reached_now_and_none_is_shown_without_a_network(tmp_path: Path) -> None:
    async def do(at: Evening) -> None:
        reach = ReachedAt("")
        at.app = create_app(at.table, token=TOKEN, reach=reach)
        at.table.matches.new_match("legend", ["Anne", "Bart"], {})
        page = (await at.owner("GET", "/seats")).text
        assert "No network yet" in page
        assert at.key(0) not in page
        for host in ("192.0.2.7", "10.42.0.1"):
            reach.now = f"http://{host}:8377/"
            page = (await at.owner("GET", "/seats")).text
            assert f'href="http://{host}:8377/seat?key={at.key(0)}"' in page
            assert "No network yet" not in page

    assert evening(tmp_path, do) == []


def test_whoever_follows_a_seat_that_is_taken_back_is_told(tmp_path: Path) -> None:
    """The stream ends with it, and is not to be had again."""

    async def do(at: Evening) -> None:
        at.table.matches.new_match("legend", ["Anne", "Bart"], {})
        cookie = f"{SEAT_COOKIE}-80={at.key(0)}"
        following = asyncio.ensure_future(at.ask("GET", "/events?page=seat", Cookie=cookie))
        other = asyncio.ensure_future(at.ask("GET", "/events?page=seat", Cookie=f"{SEAT_COOKIE}-80={at.key(1)}"))
        await asyncio.sleep(0.1)
        await at.owner("POST", "/seats/0/revoke")
        events = (await following).text.split("\n\n")
        assert events[1].startswith('data: {"heading":')
        assert events[-2:] == ["event: gone\ndata: ", ""]
        assert refused(await at.ask("GET", "/events?page=seat", Cookie=cookie), "opens no seat")
        assert not other.done()
        other.cancel()
        await asyncio.wait({other})

    assert evening(tmp_path, do) == []
