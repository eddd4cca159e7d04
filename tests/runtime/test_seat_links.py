"""Links to seats at a table at work: what they open, and what they never do."""

import asyncio
import json
import logging
import re
from collections.abc import AsyncIterator, Callable
from html import unescape
from pathlib import Path

import httpx
import pytest

from captains_table.page.app import create_app
from captains_table.runtime.table import Table
from captains_table.storage.key_files import SEATS
from captains_table.web.security import SEAT_COOKIE
from tests.runtime.seat_guests import ADDRESS, TOKEN, Evening, OpenEvening, evening_at, pick, refused
from tests.support.room_display import ReachedAt
from tests.support.service_at_work import answer


async def test_a_link_becomes_a_strict_cookie_and_shows_its_seat(at: Evening) -> None:
    page = await at.ask("GET", f"/seat?key={at.key(1)}")
    assert (page.status_code, "You are <b>Bart</b>" in page.text) == (200, True)
    assert page.headers["set-cookie"].startswith(f"{SEAT_COOKIE}-80={at.key(1)}; HttpOnly; Max-Age=")
    assert page.headers["set-cookie"].endswith("Path=/; SameSite=Strict")
    again = await at.ask("GET", "/seat", Cookie=f"{SEAT_COOKIE}-80={at.key(1)}")
    assert ("You are <b>Bart</b>" in again.text, "set-cookie" in again.headers) == (True, False)


async def test_a_seat_plays_a_turn_of_its_own_and_nobody_elses(at: Evening) -> None:
    """It throws, moves, answers; Bart, whose turn it is not, does none of it, and nothing changes."""
    at.table.matches.new_match("legend", ["Anne", "Bart"], {"turn_limit": "3"})
    anne, bart = at.key(0), at.key(1)

    async def only_anne(path: str, body: object) -> None:
        before = at.table.view()
        assert refused(await at.seat(bart, path, body), "Bart is not: Anne is to act now")
        assert at.table.view() == before
        answer = await at.seat(anne, path, body)
        assert answer.status_code == 204 or answer.json() == {"moved": before.revision}

    await only_anne("/answer", {"revision": at.table.view().revision, "action": pick("roll")})
    for square in ("e2", "e4"):
        await only_anne("/board/click", {"square": square})
    while "done" not in str(at.table.view().ask):  # noqa: ASYNC110 - a switch takes its time, and says nothing
        await asyncio.sleep(0.01)
    await only_anne("/answer", {"revision": at.table.view().revision, "action": pick("done")})
    assert at.table.view().seat == 1
    assert refused(await at.answer(anne, pick("roll")), "Anne is not: Bart is to act now")
    assert (await at.answer(bart, pick("roll"))).status_code == 204


async def test_a_seat_throws_when_its_own_throw_is_due(at: Evening) -> None:
    """The time it was held goes into the dice as a press at the table does."""
    at.table.matches.new_match("swashbuckle", ["Anne", "Bart"], {"order": "seated"})
    anne, bart = at.key(0), at.key(1)
    assert refused(await at.seat(bart, "/seat/throw", {"held_ms": 5}), "Anne is to act now")
    for wrong in ({}, {"held_ms": -1}, {"held_ms": True}, {"held_ms": "5"}):
        assert (await at.seat(anne, "/seat/throw", wrong)).status_code == 400
    assert (await at.seat(anne, "/seat/throw", {"held_ms": 40})).status_code == 204
    assert all(die.face for die in at.table.view().dice)
    assert refused(await at.seat(anne, "/seat/throw", {"held_ms": 0}), "No throw is due")
    exported = at.table.archive.export(2, "json")
    held = re.search(r'"held_ms": (\d+)', exported)
    assert held is not None
    assert int(held[1]) >= 39


async def test_a_seat_throws_again_what_it_was_offered_when_it_looked(at: Evening) -> None:
    """A second tap on what was shown then throws nothing."""
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


async def test_a_seat_gives_its_own_words_alone(at: Evening) -> None:
    at.table.matches.new_match("swashbuckle", ["Anne", "Bart"], {"order": "seated"})
    bart = at.key(1)
    assert refused(await at.seat(bart, "/words", {"seat": 0, "text": "kraken"}), "own seat, 1")
    page = (await at.ask("GET", "/seat", Cookie=f"{SEAT_COOKIE}-80={bart}")).text
    assert '<input type="hidden" name="words-seat" value="1">' in page
    assert (await at.seat(bart, "/words", {"seat": 1, "text": "kraken"})).status_code == 204
    assert '"text": "kraken"' in at.table.archive.export(2, "json")


async def test_an_answer_counts_as_of_when_it_has_come_whole(at: Evening) -> None:
    """What is taken back, or passes to another, while somebody is still sending the answer, is not theirs any more."""
    key = at.key(0)
    body = json.dumps({"revision": at.table.view().revision, "action": pick("roll")}).encode()

    async def sent(meanwhile: Callable[[], None]) -> httpx.Response:
        async def slowly() -> AsyncIterator[bytes]:
            yield body[:9]
            meanwhile()
            yield body[9:]

        headers = {"Cookie": f"{SEAT_COOKIE}-80={key}"}
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=at.app), base_url="http://localhost") as client:
            return await client.post("/answer?page=seat", content=slowly(), headers=headers)

    stale = await sent(lambda: answer(at.table, "roll"))
    assert (stale.status_code, "glass" in stale.json()["fragments"]) == (409, False)
    at.table.matches.new_match("legend", ["Anne", "Bart"], {})
    key = at.key(0)
    body = json.dumps({"revision": at.table.view().revision, "action": pick("roll")}).encode()
    before = at.table.view()
    assert refused(await sent(lambda: at.keys.renew(0)), "opens no seat")
    assert at.table.view() == before


async def test_a_seat_does_nothing_that_is_the_tables_or_the_owners(at: Evening) -> None:
    before, keys = at.table.view(), at.keys.links()
    for path in (
        *("/new", "/matches/1/resume", "/button/roll/press", "/button/back/release", "/advice"),
        *("/board/set-up", "/board/noise/on", "/board/mask", "/seats/0/renew", "/seats/1/revoke"),
    ):
        assert refused(await at.seat(at.key(0), path), "plays its own seat and no more"), path
    for id_ in ("mask-e4", "put-right"):
        assert refused(await at.answer(at.key(0), pick(id_)), "Switches are the table's")
    assert (at.table.view(), at.keys.links(), len(at.table.matches.listed())) == (before, keys, 1)


async def test_nobody_but_the_owner_sees_the_links(at: Evening) -> None:
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


async def test_links_begin_as_the_owner_came_here_or_as_the_page_is_reached_and_none_is_shown_without_a_network(
    at: Evening,
) -> None:
    by_name = await at.ask("GET", "/seats", **{"X-Table-Token": TOKEN, "Host": "table.example"})
    assert f"http://table.example/seat?key={at.key(0)}" in by_name.text
    reach = ReachedAt("")
    at.app = create_app(at.table, token=TOKEN, reach=reach)
    page = (await at.owner("GET", "/seats")).text
    assert "No network yet" in page
    assert at.key(0) not in page
    for host in ("192.0.2.7", "10.42.0.1"):
        reach.now = f"http://{host}:8377/"
        page = (await at.owner("GET", "/seats")).text
        assert f'href="http://{host}:8377/seat?key={at.key(0)}"' in page
        assert "No network yet" not in page


async def test_those_who_follow_a_seat_that_is_taken_back_are_told(at: Evening) -> None:
    """The stream ends with it, and is not to be had again."""
    cookie = f"{SEAT_COOKIE}-80={at.key(0)}"
    following = asyncio.ensure_future(at.ask("GET", "/events?page=seat", Cookie=cookie))
    other = asyncio.ensure_future(at.ask("GET", "/events?page=seat", Cookie=f"{SEAT_COOKIE}-80={at.key(1)}"))
    for _ in range(200):  # turns of the loop: both streams have said what is to be seen
        await asyncio.sleep(0)
    await at.owner("POST", "/seats/0/revoke")
    events = (await following).text.split("\n\n")
    assert events[1].startswith('data: {"heading":')
    assert events[-2:] == ["event: gone\ndata: ", ""]
    assert refused(await at.ask("GET", "/events?page=seat", Cookie=cookie), "opens no seat")
    assert not other.done()
    other.cancel()
    await asyncio.wait({other})


async def test_a_link_that_is_renewed_or_revoked_opens_nothing_from_then_on(at: Evening) -> None:
    """The other seat's is as it was."""
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


async def test_links_end_with_the_match(at: Evening, tmp_path: Path) -> None:
    at.table.matches.new_match("legend", ["Anne", "Bart"], {"rounds": "1", "fen": "7k/8/8/8/8/8/8/K7 w - - 0 1"})
    anne = at.key(0)
    assert (await at.answer(anne, pick("roll"))).status_code == 204
    while at.table.view().phase != "over":
        seat, offered = at.table.view().seat or 0, str(at.table.view().ask)
        wish = next(id_ for id_ in ("abandon", "agree", "done", "roll") if f"id='{id_}'" in offered)
        assert (await at.answer(at.key(seat), pick(wish))).status_code == 204
    assert at.keys.links() == []
    assert not (tmp_path / SEATS).exists()
    assert refused(await at.ask("GET", f"/seat?key={anne}"), "match is over")
    assert refused(await at.answer(anne, pick("new")), "match is over")


async def test_links_are_of_one_match_and_wait_while_it_is_left(at: Evening) -> None:
    """They open no other, and after another was begun they open nothing any more."""
    first = at.key(0)
    at.table.matches.leave(for_good=False)
    assert at.keys.links() == []
    assert refused(await at.ask("GET", f"/seat?key={first}"), "left")
    at.table.matches.resume(1)
    assert at.key(0) == first
    at.table.matches.new_match("legend", ["Anne", "Bart"], {})
    assert refused(await at.answer(first, pick("roll")), "opens no seat")
    at.table.matches.resume(1)
    assert at.key(0) != first
    assert refused(await at.answer(first, pick("roll")), "opens no seat")


async def test_links_outlast_a_restart_in_the_middle_of_the_match(open_evening: OpenEvening, tmp_path: Path) -> None:
    with open_evening() as at:
        at.table.matches.new_match("legend", ["Anne", "Bart"], {})
        await at.owner("POST", "/seats/1/revoke")
        key = at.key(0)
    with open_evening() as at:
        at.table.matches.begin("", (), {})
        assert [link.key for link in at.keys.links()] == [key, None]
        assert (await at.answer(key, pick("roll"))).status_code == 204
    assert (tmp_path / SEATS).stat().st_mode & 0o777 == 0o600


@pytest.mark.usefixtures("runner")
async def test_another_journal_in_the_place_of_this_brings_no_link_back(tmp_path: Path) -> None:
    """Its match has the same number, the same players, and other dice."""
    other = tmp_path / "other"
    other.mkdir()
    keys: list[str] = []
    for folder in (tmp_path, other):
        with evening_at(folder) as at:
            at.table.matches.new_match("legend", ["Anne", "Bart"], {})
            keys.append(at.key(0))
    (other / SEATS).write_text((tmp_path / SEATS).read_text())
    with evening_at(other) as at:
        at.table.matches.begin("", (), {})
        assert at.key(0) not in keys
        assert refused(await at.answer(keys[0], pick("roll")), "opens no seat")


async def test_a_file_of_keys_that_cannot_be_used_is_named_and_the_match_goes_on(
    open_evening: OpenEvening, tmp_path: Path
) -> None:
    (tmp_path / SEATS).mkdir()
    with open_evening(complains=True) as at:
        at.table.matches.new_match("legend", ["Anne", "Bart"], {})
        assert (await at.answer(at.key(0), pick("roll"))).status_code == 204
    unreadable, unwritable = at.complaints
    assert str(tmp_path / SEATS) in unreadable
    assert "new links" in unreadable
    assert str(tmp_path / SEATS) in unwritable
    assert "after a restart" in unwritable


async def test_a_key_that_opens_nothing_is_told_in_the_log_with_who_came(
    at: Evening, caplog: pytest.LogCaptureFixture
) -> None:
    """Odd ones as well, and they do no harm."""
    before = at.table.view()
    near = f"{at.key(0)[:-1]}{'A' if at.key(0)[-1] != 'A' else 'B'}"
    with caplog.at_level(logging.WARNING):
        for key in (near, at.key(0)[:-1], f"{at.key(0)}A", "x" * 5000, "%C3%A9%00"):
            assert refused(await at.ask("GET", f"/seat?key={key}"), "opens no seat")
            body = {"revision": 1, "action": pick("roll")}
            assert refused(await at.ask("POST", "/answer", body, **{"X-Seat-Key": key}))
    assert at.table.view() == before
    assert set(caplog.messages) == {"127.0.0.1 came with a link that opens no seat."}
    assert len(caplog.messages) == 6  # each key once, and one is another in a header than in an address


async def test_where_nobody_else_can_reach_the_page_the_owner_is_told_how_they_could(table: Table) -> None:
    table.matches.new_match("legend", ["Anne", "Bart"], {})
    at = Evening(table, [])
    page = (await at.owner("GET", "/seats")).text
    assert ('host = "0.0.0.0"' in unescape(page), "segno" in page, "data-copy" in page) == (True, False, False)
    at.app = create_app(table, token=TOKEN, reach=ReachedAt(""), restart="play --host 0.0.0.0")
    page = (await at.owner("GET", "/seats")).text
    assert re.search(r'<code id="(\w+)">play --host 0.0.0.0</code>.*data-copy="\1"', page)
    assert 'href="/seats"' in (await at.owner("GET", "/table")).text
    assert refused(await at.ask("GET", "/seat?key=anything"), "this machine alone")
    assert (await at.owner("POST", "/seats/0/renew")).status_code == 409
