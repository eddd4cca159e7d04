"""Links to seats at a table at work: what they open, until when, and what they never do."""

import asyncio
import json
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import zxingcpp
from PIL import Image

from captains_table import catalog
from captains_table.catalog import GameEntry
from captains_table.games import registry
from captains_table.games.contract import Pick
from captains_table.runtime.seat_desk import SeatDesk
from captains_table.runtime.service import TableService
from captains_table.storage.seat_key_file import SEATS, SeatKeyFile
from captains_table.table.lobby.match_setup import Leave
from captains_table.table.model.events import Button
from captains_table.web.app import create_app
from captains_table.web.port import SeatKeys
from captains_table.web.rights import SEAT_COOKIE
from tests.support.harbour_auction import HarbourAuction
from tests.support.service_at_work import at_a_table

TOKEN = "ahoy-there"  # noqa: S105 - a secret of this test only
ADDRESS = "http://table.example:8377/"
HARBOUR = HarbourAuction()
GOOD_KEY = re.compile(r"[\w-]{22}")
Do = Callable[["Evening"], Awaitable[None]]


class Evening:
    """A table that guests can reach, its owner, and whoever has a link."""

    def __init__(self, table: TableService, complaints: list[str]) -> None:
        self.table = table
        self.complaints = complaints
        self.app = create_app(table, token=TOKEN, allowed_hosts=("localhost", "table.example"), address=ADDRESS)

    @property
    def keys(self) -> SeatKeys:
        """The links, as the page knows them."""
        keys = self.table.seat_keys()
        assert keys is not None
        return keys

    def key(self, seat: int) -> str:
        """Return the key of a seat."""
        key = self.keys.links()[seat].key
        assert key is not None
        assert GOOD_KEY.fullmatch(key)
        return key

    async def ask(self, method: str, path: str, body: object = None, **headers: str) -> httpx.Response:
        """Ask the page for something."""
        transport = httpx.ASGITransport(app=self.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.request(method, path, json=body, headers=headers)

    async def owner(self, method: str, path: str, body: object = None) -> httpx.Response:
        """Ask as the table's owner does."""
        return await self.ask(method, path, body, **{"X-Table-Token": TOKEN})

    async def seat(self, key: str, path: str, body: object = None) -> httpx.Response:
        """Post as whoever has a key does, from his own page."""
        return await self.ask("POST", f"{path}?page=seat", body or {}, Cookie=f"{SEAT_COOKIE}={key}")

    async def answer(self, key: str, action: dict[str, Any], revision: int | None = None) -> httpx.Response:
        """Answer what is asked now, unless a revision is named."""
        shown = self.table.view().revision if revision is None else revision
        return await self.seat(key, "/answer", {"revision": shown, "action": action})

    def throw(self) -> None:
        """Throw at the table."""
        self.table.press(Button.ROLL)
        self.table.release(Button.ROLL)


def evening(state: Path, do: Do) -> list[str]:
    """Spend an evening at the table whose state is in a directory; return what it complained about."""
    complaints: list[str] = []

    async def run(table: TableService) -> None:
        await do(Evening(table, complaints))

    at_a_table(state, run, seats=lambda: SeatDesk(SeatKeyFile(state / SEATS), complaints.append))
    return complaints


def pick(id_: str) -> dict[str, str]:
    return {"type": "pick", "id": id_}


def refused(answer: httpx.Response, *words: str) -> bool:
    """Return whether something was refused with one sentence that has these words in it, and what was expected."""
    sentence = str(answer.json()["error"])
    assert all(each in sentence for each in (*words, "xpected")), sentence
    return answer.status_code == 403


@pytest.fixture
def _harbour() -> Iterator[None]:
    catalog.add(GameEntry(game=HARBOUR))
    yield
    registry.GAMES.pop(HARBOUR.key)
    catalog._entries.pop(HARBOUR.key)


# --- what a link opens ------------------------------------------------------------------------------------------------


def test_a_link_becomes_a_strict_cookie_and_shows_its_seat(tmp_path: Path) -> None:
    async def do(at: Evening) -> None:
        at.table.new_match("legend", ["Anne", "Bart"], {})
        page = await at.ask("GET", f"/seat?key={at.key(1)}")
        assert page.status_code == 200
        assert "You are <b>Bart</b>" in page.text
        assert page.headers["set-cookie"].startswith(f"{SEAT_COOKIE}={at.key(1)}; HttpOnly; Max-Age=")
        assert page.headers["set-cookie"].endswith("Path=/; SameSite=strict")
        again = await at.ask("GET", "/seat", Cookie=f"{SEAT_COOKIE}={at.key(1)}")
        assert "You are <b>Bart</b>" in again.text
        assert "set-cookie" not in again.headers

    assert evening(tmp_path, do) == []


def test_a_seat_plays_a_turn_of_its_own_and_nobody_elses(tmp_path: Path) -> None:
    """It throws, moves, answers; Bart, whose turn it is not, does none of it, and nothing changes."""

    async def do(at: Evening) -> None:
        at.table.new_match("legend", ["Anne", "Bart"], {"turn_limit": "3"})
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
        at.table.new_match("swashbuckle", ["Anne", "Bart"], {"order": "seated"})
        anne, bart = at.key(0), at.key(1)
        assert refused(await at.seat(bart, "/seat/throw", {"held_ms": 5}), "Anne is to act now")
        for wrong in ({}, {"held_ms": -1}, {"held_ms": True}, {"held_ms": "5"}):
            assert (await at.seat(anne, "/seat/throw", wrong)).status_code == 400
        assert (await at.seat(anne, "/seat/throw", {"held_ms": 40})).status_code == 204
        assert all(die.face for die in at.table.view().dice)
        assert refused(await at.seat(anne, "/seat/throw", {"held_ms": 0}), "No throw is due")
        exported = at.table.export(1, "json")
        held = re.search(r'"held_ms": (\d+)', exported)
        assert held is not None
        assert int(held[1]) >= 39

    assert evening(tmp_path, do) == []


@pytest.mark.usefixtures("_harbour")
def test_a_seat_bids_for_itself_alone_and_rings_no_bell(tmp_path: Path) -> None:
    async def do(at: Evening) -> None:
        at.table.new_match(HARBOUR.key, ["Anne", "Bart", "Cora"], {})
        at.throw()
        cora = at.key(2)
        assert (await at.answer(cora, {"type": "bid", "seat": 2, "value": 3})).status_code == 204
        before = at.table.view()
        assert refused(await at.answer(cora, {"type": "bid", "seat": 0, "value": 3}), "of seat 0", "own seat, 2")
        assert refused(await at.answer(cora, {"type": "bell"}), "bell")
        assert refused(await at.answer(cora, pick("roll")), "bid of your own seat")
        assert at.table.view() == before
        page = (await at.ask("GET", "/seat", Cookie=f"{SEAT_COOKIE}={cora}")).text
        assert re.findall(r'data-bid="(\d)"', page) == ["2"]
        assert "data-bell" not in page

    assert evening(tmp_path, do) == []


def test_a_seat_gives_its_own_words_alone(tmp_path: Path) -> None:
    async def do(at: Evening) -> None:
        at.table.new_match("swashbuckle", ["Anne", "Bart"], {"order": "seated"})
        bart = at.key(1)
        assert refused(await at.seat(bart, "/words", {"seat": 0, "text": "kraken"}), "own seat, 1")
        page = (await at.ask("GET", "/seat", Cookie=f"{SEAT_COOKIE}={bart}")).text
        assert '<input type="hidden" name="words-seat" value="1">' in page
        assert (await at.seat(bart, "/words", {"seat": 1, "text": "kraken"})).status_code == 204
        assert '"text": "kraken"' in at.table.export(1, "json")

    assert evening(tmp_path, do) == []


def test_an_answer_to_what_is_no_longer_asked_is_a_conflict_and_shows_the_seats_page(tmp_path: Path) -> None:
    async def do(at: Evening) -> None:
        at.table.new_match("legend", ["Anne", "Bart"], {})
        old = at.table.view().revision
        assert (await at.answer(at.key(0), pick("roll"), old)).status_code == 204
        stale = await at.answer(at.key(0), pick("roll"), old)
        assert stale.status_code == 409
        assert "glass" not in stale.json()["fragments"]

    assert evening(tmp_path, do) == []


def test_an_answer_counts_as_of_when_it_has_come_whole(tmp_path: Path) -> None:
    """What is taken back, or passes to another, while somebody is still sending his answer, is not his any more."""

    async def do(at: Evening) -> None:
        at.table.new_match("legend", ["Anne", "Bart"], {})
        key = at.key(0)
        body = json.dumps({"revision": at.table.view().revision, "action": pick("roll")}).encode()

        async def sent(meanwhile: Callable[[], None]) -> httpx.Response:
            async def slowly() -> AsyncIterator[bytes]:
                yield body[:9]
                meanwhile()
                yield body[9:]

            headers = {"Cookie": f"{SEAT_COOKIE}={key}"}
            async with httpx.AsyncClient(
                transport=httpx.ASGITransport(app=at.app), base_url="http://localhost"
            ) as client:
                return await client.post("/answer?page=seat", content=slowly(), headers=headers)

        assert (await sent(lambda: at.table.answer(Pick("roll"), at.table.view().revision))).status_code == 409
        at.table.new_match("legend", ["Anne", "Bart"], {})
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
        at.table.new_match("legend", ["Anne", "Bart"], {})
        before, keys = at.table.view(), at.keys.links()
        assert refused(await at.seat(at.key(0), path), "plays its own seat and no more")
        assert (at.table.view(), at.keys.links(), len(at.table.matches())) == (before, keys, 1)

    assert evening(tmp_path, do) == []


def test_a_seat_masks_no_switch_by_an_answer(tmp_path: Path) -> None:
    async def do(at: Evening) -> None:
        at.table.new_match("legend", ["Anne", "Bart"], {})
        for id_ in ("mask-e4", "put-right"):
            assert refused(await at.answer(at.key(0), pick(id_)), "Switches are the table's")

    assert evening(tmp_path, do) == []


def test_nobody_but_the_owner_sees_the_links(tmp_path: Path) -> None:
    async def do(at: Evening) -> None:
        at.table.new_match("legend", ["Anne", "Bart"], {})
        keys = [at.key(0), at.key(1)]
        for cookie in ("", f"{SEAT_COOKIE}={keys[0]}"):
            page = await at.ask("GET", "/seats", Cookie=cookie)
            assert refused(page, "owner")
        for path in ("/", "/table", "/seat", "/matches", "/export/1.json", "/events"):
            answer = await at.ask("HEAD" if path == "/events" else "GET", path, Cookie=f"{SEAT_COOKIE}={keys[0]}")
            assert answer.status_code == 200
            assert not any(key in answer.text for key in keys)
        shown = await at.owner("GET", "/seats")
        assert all(f"{ADDRESS}seat?key={key}" in shown.text for key in keys)
        assert shown.text.count('class="segno"') == 2

    assert evening(tmp_path, do) == []


def test_a_phone_reads_the_address_off_the_picture(tmp_path: Path) -> None:
    """The picture on the page is drawn as a browser does, roughly, and read by a reader that is not ours."""

    async def do(at: Evening) -> None:
        at.table.new_match("legend", ["Anne", "Bart"], {})
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
        at.table.new_match("legend", ["Anne", "Bart"], {})
        by_name = await at.ask("GET", "/seats", **{"X-Table-Token": TOKEN, "Host": "table.example"})
        assert f"http://table.example/seat?key={at.key(0)}" in by_name.text

    assert evening(tmp_path, do) == []


def test_whoever_follows_a_seat_that_is_taken_back_is_told(tmp_path: Path) -> None:
    """The stream ends with it, and is not to be had again."""

    async def do(at: Evening) -> None:
        at.table.new_match("legend", ["Anne", "Bart"], {})
        cookie = f"{SEAT_COOKIE}={at.key(0)}"
        following = asyncio.ensure_future(at.ask("GET", "/events?page=seat", Cookie=cookie))
        other = asyncio.ensure_future(at.ask("GET", "/events?page=seat", Cookie=f"{SEAT_COOKIE}={at.key(1)}"))
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


# --- until when -------------------------------------------------------------------------------------------------------


def test_a_link_that_is_renewed_or_revoked_opens_nothing_from_then_on(tmp_path: Path) -> None:
    """The other seat's is as it was."""

    async def do(at: Evening) -> None:
        at.table.new_match("legend", ["Anne", "Bart"], {})
        old, other = at.key(0), at.key(1)
        assert (await at.owner("POST", "/seats/0/renew")).status_code == 303
        assert at.key(0) != old
        assert refused(await at.answer(old, pick("roll")), "opens no seat")
        assert refused(await at.ask("GET", f"/seat?key={old}"), "opens no seat")
        assert (await at.answer(at.key(0), pick("roll"))).status_code == 204
        assert (await at.owner("POST", "/seats/0/revoke")).status_code == 303
        assert [link.key for link in at.keys.links()] == [None, other]
        for seat in ("2", "x", "-1"):
            assert (await at.owner("POST", f"/seats/{seat}/renew")).status_code == 404

    assert evening(tmp_path, do) == []


def test_links_end_with_the_match(tmp_path: Path) -> None:
    async def do(at: Evening) -> None:
        at.table.new_match("legend", ["Anne", "Bart"], {"rounds": "1", "fen": "7k/8/8/8/8/8/8/K7 w - - 0 1"})
        anne = at.key(0)
        assert (await at.answer(anne, pick("roll"))).status_code == 204
        while at.table.view().phase != "over":
            seat = at.table.view().seat
            assert seat is not None
            ask = at.table.view().ask
            offered = {option.id for option in ask.options}  # type: ignore[union-attr]
            wish = next(id_ for id_ in ("abandon", "agree", "done", "roll") if id_ in offered)
            assert (await at.answer(at.key(seat), pick(wish))).status_code == 204
        assert at.keys.links() == []
        assert not (tmp_path / SEATS).exists()
        assert refused(await at.ask("GET", f"/seat?key={anne}"), "match is over")
        assert refused(await at.answer(anne, pick("new")), "match is over")

    assert evening(tmp_path, do) == []


def test_links_are_of_one_match_and_wait_while_it_is_left(tmp_path: Path) -> None:
    """They open no other, and after another was begun they open nothing any more."""

    async def do(at: Evening) -> None:
        at.table.new_match("legend", ["Anne", "Bart"], {})
        first = at.key(0)
        at.table._handle_request(Leave())
        assert at.keys.links() == []
        assert refused(await at.ask("GET", f"/seat?key={first}"), "left")
        at.table.resume(1)
        assert at.key(0) == first
        at.table.new_match("legend", ["Anne", "Bart"], {})
        assert refused(await at.answer(first, pick("roll")), "opens no seat")
        at.table.resume(1)
        assert at.key(0) != first
        assert refused(await at.answer(first, pick("roll")), "opens no seat")

    assert evening(tmp_path, do) == []


def test_links_outlast_a_restart_in_the_middle_of_the_match(tmp_path: Path) -> None:
    keys: list[str] = []

    async def do(at: Evening) -> None:
        at.table.new_match("legend", ["Anne", "Bart"], {})
        await at.owner("POST", "/seats/1/revoke")
        keys.append(at.key(0))

    async def go_on(at: Evening) -> None:
        at.table.begin("", (), {})
        assert [link.key for link in at.keys.links()] == [keys[0], None]
        assert (await at.answer(keys[0], pick("roll"))).status_code == 204

    assert evening(tmp_path, do) + evening(tmp_path, go_on) == []
    assert (tmp_path / SEATS).stat().st_mode & 0o777 == 0o600


def test_another_journal_in_the_place_of_this_brings_no_link_back(tmp_path: Path) -> None:
    """Its match has the same number, the same players, and other dice."""
    keys: list[str] = []

    async def begin(at: Evening) -> None:
        at.table.new_match("legend", ["Anne", "Bart"], {})
        keys.append(at.key(0))

    async def look(at: Evening) -> None:
        at.table.begin("", (), {})
        assert at.key(0) not in keys
        assert refused(await at.answer(keys[0], pick("roll")), "opens no seat")

    other = tmp_path / "other"
    other.mkdir()
    evening(tmp_path, begin)
    evening(other, begin)
    (other / SEATS).write_text((tmp_path / SEATS).read_text())
    assert evening(other, look) == []


def test_a_file_of_keys_that_cannot_be_used_is_named_and_the_match_goes_on(tmp_path: Path) -> None:
    async def do(at: Evening) -> None:
        at.table.new_match("legend", ["Anne", "Bart"], {})
        assert (await at.answer(at.key(0), pick("roll"))).status_code == 204

    (tmp_path / SEATS).mkdir()
    unreadable, unwritable = evening(tmp_path, do)
    assert str(tmp_path / SEATS) in unreadable
    assert "new links" in unreadable
    assert str(tmp_path / SEATS) in unwritable
    assert "after a restart" in unwritable


def test_a_key_that_opens_nothing_is_told_in_the_log_with_who_came(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Odd ones as well, and they do no harm."""

    async def do(at: Evening) -> None:
        at.table.new_match("legend", ["Anne", "Bart"], {})
        before = at.table.view()
        near = f"{at.key(0)[:-1]}{'A' if at.key(0)[-1] != 'A' else 'B'}"
        for key in (near, at.key(0)[:-1], f"{at.key(0)}A", "x" * 5000, "%C3%A9%00"):
            assert refused(await at.ask("GET", f"/seat?key={key}"), "opens no seat")
            assert refused(
                await at.ask("POST", "/answer", {"revision": 1, "action": pick("roll")}, **{"X-Seat-Key": key})
            )
        assert at.table.view() == before

    with caplog.at_level(logging.WARNING):
        assert evening(tmp_path, do) == []
    assert caplog.messages == ["127.0.0.1 came with a link that opens no seat."] * 10


def test_where_nobody_else_can_reach_the_page_the_owner_is_told_how_they_could(tmp_path: Path) -> None:
    async def do(table: TableService) -> None:
        table.new_match("legend", ["Anne", "Bart"], {})
        at = Evening(table, [])
        page = (await at.owner("GET", "/seats")).text
        assert "--host 0.0.0.0" in page
        assert "segno" not in page
        assert 'href="/seats"' in (await at.owner("GET", "/table")).text
        assert refused(await at.ask("GET", "/seat?key=anything"), "this machine alone")
        assert (await at.owner("POST", "/seats/0/renew")).status_code == 409

    at_a_table(tmp_path, do)
