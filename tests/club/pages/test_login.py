"""Arbiters log in by name and password, act in their own name, and are out when their session ends."""

import asyncio
import hashlib
import logging
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from http.cookies import SimpleCookie
from pathlib import Path

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from captains_table.club.access import Public
from captains_table.club.events.entries import Made, RoundPaired, System
from captains_table.club.pages import login
from captains_table.club.pages.app import create_app
from captains_table.club.pages.club_pages import guarded
from captains_table.club.pages.login import FREE_ATTEMPTS, LONGEST_WAIT_OF_NAME_S, LONGEST_WAIT_S, LoginAttempts
from captains_table.club.pages.programme import Programme
from captains_table.club.store.arbiters import NOBODYS_HASH, SESSION_S, Arbiters, hashed_password, is_password
from captains_table.web.reach import PageReach
from captains_table.web.serving.server import NOISY_LOGS
from tests.club.event_club import AS_ARBITER, FIRST_WINS, NOW_S, PAGE, SECOND_WINS, TOKEN, EventClub, at_work, opened

NAME, PASSWORD = "Anne Arbiter", "correct horse battery"
SWISS = Made(title="Autumn", game="captains-chess", system=System.SWISS, rounds=3)
HERE, CLUB_HTTP, CLUB = "http://localhost", "http://club.local", "https://club.local"
Asked = Callable[..., httpx.AsyncClient]


@pytest.fixture(autouse=True)
def cheap_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash with little work: what a real hash costs is no concern of these tests."""
    monkeypatch.setattr(hashed_password, "__defaults__", (None, 2, 8, 1))
    monkeypatch.setattr(login, "NOBODYS_HASH", hashed_password("", bytes(16)).rpartition("$")[0] + "$")


@asynccontextmanager
async def asked(folder: Path, https_port: int = 0) -> AsyncIterator[tuple[EventClub, Asked, Arbiters]]:
    """Yield a club with one arbiter, a function that returns a browser of its pages, and its arbiters."""
    with opened(folder) as club:
        arbiters = Arbiters(club.store.database)
        arbiters.add(NAME, PASSWORD)
        reach = PageReach("0.0.0.0", 8378, ("club.local",))  # noqa: S104 - nothing listens
        app = create_app(
            club, Programme(club.desk), token=TOKEN, public=Public.WALL, https_port=https_port, reach=reach
        )

        def browser(base: str = CLUB, address: str = "192.168.1.7") -> httpx.AsyncClient:
            transport = httpx.ASGITransport(app, client=(address, 5000))
            return httpx.AsyncClient(transport=transport, base_url=base, headers=PAGE)

        async with at_work(club):
            yield club, browser, arbiters


async def log_in(browser: httpx.AsyncClient, name: str = NAME, password: str = PASSWORD) -> httpx.Response:
    return await browser.post("/arbiter/login", data={"name": name, "password": password})


async def test_a_session_opens_the_arbiters_pages_until_the_browser_logs_out(tmp_path: Path) -> None:
    async with asked(tmp_path) as (_, browser, _), browser() as anne:
        assert (await anne.get("/arbiter")).status_code == 403
        assert 'name="password"' in (await anne.get("/arbiter/login")).text
        begun = await log_in(anne, "  anne   ARBITER ")
        assert (begun.status_code, begun.headers["location"]) == (303, "/arbiter")
        (cookie,) = SimpleCookie(begun.headers["set-cookie"]).values()
        assert (cookie["httponly"], cookie["samesite"], cookie["secure"]) == (True, "Strict", True)
        assert int(cookie["max-age"]) == SESSION_S
        page = await anne.get("/arbiter")
        assert f'Log out<span class="unseen">: {NAME}' in page.text
        assert page.headers["cache-control"] == "no-store", "nobody goes back to it after the log-out"
        assert (await anne.get("/evenings")).status_code == 200, "more than is public"
        kept = dict(anne.cookies)
        assert (await anne.post("/arbiter/logout")).headers["location"] == "/arbiter/login"
        assert not anne.cookies
        assert (
            await anne.get("/arbiter", headers={"cookie": "; ".join(map("=".join, kept.items()))})
        ).status_code == 403


async def test_lines_about_wrong_log_ins_fill_no_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with asked(tmp_path) as (_, browser, _), browser() as stranger:
        await log_in(stranger, NAME, "guessed")
    assert {record.name for record in caplog.records if "wrong name or password" in record.message} <= {*NOISY_LOGS}
    assert "wrong name or password" in caplog.text


async def test_who_logs_out_with_the_token_is_out_too(tmp_path: Path) -> None:
    async with asked(tmp_path) as (_, browser, _), browser() as anne:
        (cookie,) = SimpleCookie((await anne.get(f"/arbiter?token={TOKEN}")).headers["set-cookie"]).values()
        assert cookie["secure"], "the owner's cookie too"
        await anne.post("/arbiter/logout")
        assert (await anne.get("/arbiter")).status_code == 403


@pytest.mark.parametrize("end", ["removed", "new password", "time"])
async def test_a_session_ends_with_its_arbiter_password_or_time(tmp_path: Path, end: str) -> None:
    async with asked(tmp_path) as (club, browser, arbiters), browser() as anne:
        await log_in(anne)
        key = next(value for name, value in anne.cookies.items() if name.startswith("captains-table-session"))
        assert arbiters.arbiter_of(key, NOW_S + SESSION_S - 1) == NAME
        if end == "removed":
            arbiters.remove(NAME)
        elif end == "new password":
            arbiters.change_password(NAME.lower(), "another long password")
        else:
            club.at_s += SESSION_S
        assert (await anne.get("/arbiter")).status_code == 403
        assert (await anne.post("/arbiter/evening", data={"title": "T"})).status_code == 403
        assert arbiters.arbiter_of(key, club.at_s) == ""
        if end == "new password":
            assert (await log_in(anne)).status_code == 403
            assert (await log_in(anne, password="another long password")).status_code == 303  # noqa: S106 - a test's


async def test_a_stream_ends_when_the_log_in_does() -> None:
    """No client in this process gives part of an answer before its end, so that the stream is read here."""
    may: list[bool] = [True, True, False]

    async def numbers() -> AsyncIterator[str]:
        for number in range(5):
            yield str(number)

    async def streaming(_: Request) -> Response:
        return StreamingResponse(numbers())

    scope = {"type": "http", "may_touch": True, "user_name": "Anne", "has_token": False}
    request = Request({**scope, "may_still_touch": lambda: may.pop(0)})
    answer = await guarded(streaming, Public.WALL, Public.ALL)(request)
    assert isinstance(answer, StreamingResponse)
    assert [part async for part in answer.body_iterator] == ["0", "1"]


async def test_the_logs_of_an_event_and_of_corrections_say_who_it_was(tmp_path: Path) -> None:
    async with asked(tmp_path) as (club, browser, _), browser() as anne:
        await log_in(anne)
        number = club.begin(SWISS, "Bart", "Cleo")
        for deed in ("pair", "publish"):
            await anne.post(f"/arbiter/events/{number}/{deed}")
        await club.play("table-1", FIRST_WINS)
        match = club.store.results()[0].outcome.match
        wrong = {"winner": "1", "scores": "0 : 1"}
        await anne.post(f"/arbiter/results/{match}", data={**wrong, "why": "seen"})
        await anne.post(f"/arbiter/events/{number}/end", data={"why": "late"}, headers=AS_ARBITER)
        assert (await anne.post("/arbiter/logout")).status_code == 303
        await anne.post(f"/arbiter/events/{number}/withdraw", data={"player": "1"}, headers=AS_ARBITER)
        logged = club.desk.log.entries(number)
        by = {type(each.entry).__name__: each.arbiter for each in logged}
        assert by["Made"] == "", "nobody who asked for a page"
        assert (by["RoundPaired"], by["RoundPublished"], by["Reported"]) == (NAME, NAME, "")
        assert by["Closed"] == NAME, "the log-in counts before the token"
        page = (await anne.get(f"/arbiter/events/{number}", headers=AS_ARBITER)).text
        assert f"by <bdi>{NAME}</bdi>" in page
        assert [each.arbiter for each in club.store.corrections()] == [NAME]
        assert club.store.result(match).ending == SECOND_WINS
        assert f"(seen), by {NAME}" in (await anne.get("/arbiter", headers=AS_ARBITER)).text
        await anne.post(f"/arbiter/results/{match}", data={**wrong, "why": "again"}, headers=AS_ARBITER)
        assert club.store.corrections()[-1].arbiter == "the token"
        assert any(isinstance(each.entry, RoundPaired) for each in logged)


async def test_a_deleted_evening_takes_no_name_from_the_log_of_another(tmp_path: Path) -> None:
    async with asked(tmp_path) as (club, browser, _), browser() as anne:
        await log_in(anne)
        number = club.begin(SWISS, "Bart", "Cleo")
        await anne.post(f"/arbiter/events/{number}/pair")
        await anne.post(f"/arbiter/events/{number}/publish")
        await anne.post("/arbiter/evening", data={"title": "Another"})
        await club.play("table-1", FIRST_WINS)
        evening = club.store.results()[0].evening
        await anne.post(f"/evenings/{evening}/delete", data={"title": club.store.evening(evening).title})
        kept = {type(each.entry).__name__: each.arbiter for each in club.desk.log.entries(number)}
        assert "Reported" not in kept
        assert kept["RoundPaired"] == NAME


@pytest.mark.parametrize(("https_port", "words"), [(8379, f'href="{CLUB}:8379/arbiter/login"'), (0, "behind a proxy")])
async def test_a_password_is_refused_where_the_network_could_read_it(
    tmp_path: Path, https_port: int, words: str
) -> None:
    async with asked(tmp_path, https_port) as (_, browser, _):
        for base, address in ((CLUB_HTTP, "192.168.1.7"), (CLUB_HTTP, "127.0.0.1"), (HERE, "192.168.1.7")):
            async with browser(base, address) as anne:
                for answer in (await anne.get("/arbiter/login"), await log_in(anne)):
                    assert (answer.status_code, "set-cookie" in answer.headers) == (403, False)
                    assert words.replace(CLUB, base.replace("http", "https")) in answer.text
                    assert 'name="password"' not in answer.text
        async with browser(HERE, "127.0.0.1") as anne:
            begun = await log_in(anne)
            assert begun.status_code == 303
            assert "Secure" not in begun.headers["set-cookie"], "it would not come back over http"


async def test_another_page_cannot_log_a_browser_in(tmp_path: Path) -> None:
    async with asked(tmp_path) as (_, browser, _), browser() as anne:
        fields = {"name": NAME, "password": PASSWORD}
        answer = await anne.post("/arbiter/login", data=fields, headers={"origin": "https://elsewhere.example"})
        assert answer.status_code == 403
        answer = await anne.post(
            "/arbiter/login", content=b'{"name": "\\ud800"}', headers={"content-type": "application/json"}
        )
        assert (answer.status_code, login.WRONG in answer.text) == (403, True)
        assert not anne.cookies


async def test_guesses_wait_longer_and_longer_and_keep_only_the_guesser_out(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with asked(tmp_path) as (_, browser, _), browser() as guesser, browser(address="192.168.1.8") as anne:
        await log_in(anne)
        with caplog.at_level(logging.WARNING):
            for guess in range(FREE_ATTEMPTS):
                answer = await log_in(guesser, password=f"guess {guess}")
                assert (answer.status_code, login.WRONG in answer.text) == (403, True)
        assert "192.168.1.7 tried to log in" in caplog.text
        assert "guess" not in caplog.text
        late = await log_in(guesser)
        assert late.status_code == 429, "though the password is right"
        assert "try again in 1 s" in late.text
        assert (await log_in(guesser, "somebody else")).status_code == 429
        assert (await log_in(anne)).status_code == 303
        unknown = await log_in(anne, "nobody of this name")
        assert (unknown.status_code, login.WRONG in unknown.text) == (403, True)


def test_waiting_doubles_up_to_a_limit_a_name_is_never_locked_and_memory_is_bounded() -> None:
    attempts, now_s = LoginAttempts(), 0.0
    for _ in range(40):
        while wait_s := attempts.wait_s("10.0.0.1", "anne", now_s):
            now_s += wait_s
    assert attempts.wait_s("10.0.0.1", "anne", now_s) == LONGEST_WAIT_S
    assert attempts.wait_s("10.0.0.2", "anne", now_s) == LONGEST_WAIT_OF_NAME_S
    assert attempts.wait_s("10.0.0.2", "bart", now_s) == 0
    assert attempts.wait_s("10.0.0.2", "anne", now_s + LONGEST_WAIT_OF_NAME_S) == 0
    attempts.succeed("10.0.0.2", "anne")
    for _ in range(FREE_ATTEMPTS + 3):
        attempts.wait_s("10.0.0.3", "anne", now_s)
    assert attempts.wait_s("10.0.0.2", "anne", now_s) == 0, "from where Anne has logged in before, only her own count"
    assert attempts.wait_s("10.0.0.4", "anne", now_s) > 0
    assert attempts.wait_s("::1", "anne", now_s) == 0, "nor is Anne kept out at the server's own computer"
    assert attempts.wait_s("10.0.0.1", "anne", now_s + login.FORGET_S + 1) == 0
    for number in range(3 * login.REMEMBERED):
        attempts.wait_s(f"10.1.{number // 256}.{number % 256}", f"name {number}", now_s)
        attempts.succeed(f"10.1.{number // 256}.{number % 256}", f"name {number}")
    assert len(attempts._failed) <= login.REMEMBERED
    assert len(attempts._known) <= login.REMEMBERED


async def test_passwords_are_checked_one_at_a_time_off_the_loop_and_few_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checking, go_on = [0], threading.Event()

    def checked(_password: str, _known: str) -> bool:
        checking[0] += 1
        go_on.wait()
        return False

    monkeypatch.setattr(login, "is_password", checked)
    async with asked(tmp_path) as (_, browser, _):
        browsers = [browser(address=f"192.168.1.{number}") for number in range(login.MOST_AT_ONCE + 1)]
        waiting = [asyncio.ensure_future(log_in(each, f"name {place}")) for place, each in enumerate(browsers)]
        done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        assert [task.result().status_code for task in done] == [503]
        assert checking == [1]
        assert (await browsers[0].get("/")).status_code == 200, "the loop is free meanwhile"
        own = asyncio.ensure_future(log_in(browser(HERE, "::1")))
        await asyncio.sleep(0)
        go_on.set()
        assert {answer.status_code for answer in await asyncio.gather(*waiting)} == {403, 503}
        assert (await own).status_code == 403, "it waited, and was checked"
        assert checking == [login.MOST_AT_ONCE + 1]


async def test_those_who_crowd_the_log_in_keep_nobody_out_where_they_logged_in_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with asked(tmp_path) as (_, browser, _), browser(address="192.168.1.8") as anne:
        assert (await log_in(anne)).status_code == 303
        monkeypatch.setattr(login, "MOST_AT_ONCE", 0)
        assert (await log_in(anne)).status_code == 303
        assert (await log_in(browser())).status_code == 503


async def test_a_password_that_changes_while_it_is_checked_opens_nothing(tmp_path: Path) -> None:
    async with asked(tmp_path) as (_, _, arbiters):
        before = arbiters.password_of(NAME)
        assert before is not None
        arbiters.change_password(NAME, "another long password")
        assert arbiters.begin_session(NAME, before, NOW_S) is None


async def test_a_revoked_token_opens_nothing_and_log_ins_go_on(tmp_path: Path) -> None:
    async with asked(tmp_path) as (_, browser, arbiters), browser() as anne:
        assert (await anne.get("/arbiter", headers=AS_ARBITER)).status_code == 200
        arbiters.revoke_token()
        assert (await anne.get("/arbiter", headers=AS_ARBITER)).status_code == 403
        assert (await anne.get(f"/?token={TOKEN}")).status_code == 403
        assert (await anne.post("/arbiter/evening", data={"title": "T"}, headers=AS_ARBITER)).status_code == 403
        assert (await log_in(anne)).status_code == 303
        assert (await anne.get("/arbiter")).status_code == 200


def test_a_hash_has_a_salt_of_its_own_and_its_parameters_and_a_known_answer() -> None:
    first, second = hashed_password(PASSWORD), hashed_password(PASSWORD)
    assert first.split("$")[3] != second.split("$")[3]
    expected = hashlib.scrypt(b"password", salt=b"NaCl", n=1024, r=8, p=16)
    assert expected.hex().startswith("fdbabe1c9d3472007856e7190d01e9fe"), "RFC 7914, section 12"
    assert hashed_password("password", b"NaCl", 1024, 8, 16) == f"1024$8$16${b'NaCl'.hex()}${expected.hex()}"
    assert is_password("password", f"1024$8$16${b'NaCl'.hex()}${expected.hex()}")
    assert not is_password("", NOBODYS_HASH)
    decomposed, composed = "cafe\u0301 au lait long", "caf\u00e9 au lait long"
    assert decomposed != composed
    assert is_password(composed, hashed_password(decomposed)), "as another keyboard writes it"
