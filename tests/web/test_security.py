"""Who may press: hosts, origins, tokens and cookies, and guesses at them."""

import asyncio
import logging
from http import cookies

import httpx
import pytest
from starlette.datastructures import Headers

from captains_table.web import security
from captains_table.web.reach import PageReach
from captains_table.web.security import ADDRESSES, COOKIE, FORGET_S, FREE_GUESSES, SLOW_S, Guesses, cookie_of
from tests.support.fake_table import FakeTable
from tests.support.visiting import get, post, visit, visit_there

TOKEN = "ahoy-there"  # noqa: S105 - a secret of this test only
BACKSLASHES = '\\"' * 25_000


def test_our_host_is_welcome_on_any_port_and_our_own_bare_address_unlisted() -> None:
    """A table that listens everywhere is reached by the address that the visitor's network gives it."""
    for host in ("localhost", "localhost:9", "LOCALHOST:80"):
        assert get(FakeTable(), "/", Host=host).status_code == 200
    assert get(FakeTable(), "http://192.168.1.5:8080/").status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "[", "", "localhost.evil.example", "a@localhost.evil", "[::1", "127.0.0.9"]
)
def test_a_host_that_is_not_ours_is_refused(host: str) -> None:
    """A name rebound to our address reaches neither page nor buttons."""
    table = FakeTable()
    answer = get(table, "/", Host=host)
    assert answer.status_code == 400
    assert "expected one of 127.0.0.1" in answer.json()["error"]
    assert post(table, "/button/roll/press", Host=host).status_code == 400
    assert table.calls == []


def test_buttons_are_pressed_by_our_own_page_or_by_none_and_not_by_another_page() -> None:
    """A page open in the same browser cannot press our buttons."""
    table = FakeTable()
    for origin in ("http://evil.example", "http://localhost:9999", "null", "http://["):
        assert post(table, "/button/roll/press", Origin=origin).status_code == 403
    assert table.calls == []
    assert post(table, "/button/roll/press", Origin="http://localhost:8080").status_code == 204
    assert post(table, "/button/roll/press").status_code == 204


def test_without_the_token_one_may_only_watch() -> None:
    table = FakeTable()
    assert get(table, "/table", token=TOKEN).status_code == 200
    for name, value in (("X-Nothing", ""), ("X-Table-Token", "wrong"), ("Cookie", f"{COOKIE}-8080=wrong")):
        assert post(table, "/button/roll/press", token=TOKEN, **{name: value}).status_code == 403
    assert table.calls == []
    assert post(table, "/button/roll/press", token=TOKEN, **{"X-Table-Token": TOKEN}).status_code == 204


def test_the_token_in_the_address_becomes_a_strict_cookie_and_a_wrong_one_none() -> None:
    async def open_then_press(client: httpx.AsyncClient) -> httpx.Response:
        page = await client.get(f"/?token={TOKEN}")
        assert page.status_code == 200
        assert "SameSite=Strict" in page.headers["set-cookie"]
        assert "HttpOnly" in page.headers["set-cookie"]
        return await client.post("/button/roll/press")

    assert visit(FakeTable(), open_then_press, token=TOKEN).status_code == 204
    answer = get(FakeTable(), "/?token=wrong", token=TOKEN)
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


def test_every_answer_says_what_the_browser_may_load() -> None:
    for path in ("/", "/table", "/static/table.js", "/pieces.svg", "/nowhere"):
        headers = get(FakeTable(), path).headers
        assert headers["content-security-policy"].startswith("default-src 'self'; img-src 'self' data:")
        assert headers["x-content-type-options"] == "nosniff"


def test_loopback_is_called_by_loopback_names_only() -> None:
    assert PageReach("127.0.0.1", 80).hosts() == {"localhost", "127.0.0.1", "::1"}
    everywhere = PageReach("0.0.0.0", 80).hosts()  # noqa: S104 - not listened on here
    assert "0.0.0.0" not in everywhere  # noqa: S104
    assert any(host.endswith(".local") for host in everywhere)
    assert "table.lan" in PageReach("table.lan", 80).hosts()


# --- one browser, several tables --------------------------------------------------------------------------------------


def test_tables_at_two_ports_of_one_computer_leave_each_others_cookies_alone() -> None:
    """A browser sends a host's cookies to each of its ports."""
    jar, tokens = httpx.Cookies(), {f"localhost:{port}": f"{TOKEN}-{port}" for port in (8080, 8378)}

    def kept() -> str:
        return "; ".join(f"{name}={value}" for name, value in jar.items())

    for host, token in tokens.items():
        jar.update(get(FakeTable(), f"http://{host}/?token={token}", token=token, Cookie=kept()).cookies)
    assert dict(jar) == {f"{COOKIE}-{port}": f"{TOKEN}-{port}" for port in (8080, 8378)}
    for host, token in tokens.items():
        pressed = post(FakeTable(), f"http://{host}/button/roll/press", token=token, Cookie=kept())
        assert pressed.status_code == 204


def test_a_cookie_without_a_port_still_opens_its_own_table_and_becomes_one_with_it() -> None:
    cookie = {"Cookie": f"{COOKIE}={TOKEN}"}
    answer = get(FakeTable(), "/table", token=TOKEN, **cookie)
    assert answer.headers["set-cookie"].startswith(f"{COOKIE}-8080={TOKEN};")
    assert post(FakeTable(), "/button/roll/press", token=TOKEN, **cookie).status_code == 204


@pytest.mark.parametrize("value", [TOKEN, 'with "quotes", commas; and \\ ', ""])
def test_cookies_are_read_as_they_were_written(value: str) -> None:
    written = cookies.SimpleCookie({"other": 'a"; b', "own": value}).output(header="", sep=";")
    assert cookie_of(Headers({"cookie": written}), "own") == value
    assert cookie_of(Headers({"cookie": written}), "ow") is None


def test_pythons_slow_parser_reads_no_cookie(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before 3.11.10 and 3.12.6 it took ten seconds for what fits into one request."""
    monkeypatch.setattr(cookies, "_unquote", lambda _: pytest.fail("it may take long"))
    cookie = f'a="{BACKSLASHES}"; {COOKIE}-8080={TOKEN}'
    assert post(FakeTable(), "/button/roll/press", token=TOKEN, Cookie=cookie).status_code == 204


def test_a_cookie_without_a_port_of_another_table_is_nothing(caplog: pytest.LogCaptureFixture) -> None:
    for own, status in (("", 403), (f"; {COOKIE}-8080={TOKEN}", 204)):
        answer = post(FakeTable(), "/button/roll/press", token=TOKEN, Cookie=f"{COOKIE}=the-clubs{own}")
        assert answer.status_code == status
        assert "set-cookie" not in answer.headers
    assert caplog.messages == []


# --- guesses ----------------------------------------------------------------------------------------------------------


def test_the_first_wrong_keys_of_an_address_are_answered_at_once_and_others_wait() -> None:
    guesses = Guesses()
    waits = [guesses.wait_s("192.0.2.7", f"wrong {number}", number) for number in range(FREE_GUESSES + 2)]
    assert waits == [*[0.0] * FREE_GUESSES, SLOW_S, SLOW_S]
    assert guesses.wait_s("192.0.2.8", "wrong", 9) == 0
    assert guesses.wait_s("192.0.2.7", "wrong", FORGET_S + 1) == 0


def test_one_wrong_key_again_and_again_is_no_guess() -> None:
    """A phone brings the link of the last match with all that it asks."""
    guesses = Guesses()
    assert [guesses.wait_s("192.0.2.7", "of last month", number) for number in range(50)] == [0.0, *[None] * 49]


def test_of_more_addresses_than_are_kept_those_that_guessed_longest_ago_are_forgotten() -> None:
    guesses = Guesses()
    for number in range(ADDRESSES + 10):
        guesses.wait_s(str(number), "wrong", number / 1000)
    assert len(guesses._wrong) == ADDRESSES
    assert guesses.wait_s(str(ADDRESSES), "wrong", 2) is None
    assert guesses.wait_s("0", "wrong", 2) == 0


@pytest.mark.parametrize("way", ["X-Table-Token", "X-Seat-Key", "Cookie", "address"])
def test_guesses_are_slowed_and_logged_and_a_right_key_from_the_same_address_is_not(
    way: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(security, "SLOW_S", 3600)

    async def guess_then_press(client: httpx.AsyncClient) -> httpx.Response:
        async def guess(number: int) -> httpx.Response:
            key = f"wrong-{number}"
            if way == "address":
                return await client.get(f"/?token={key}")
            return await client.get("/table", headers={way: f"{COOKIE}-8080={key}" if way == "Cookie" else key})

        for number in range(FREE_GUESSES):
            await guess(number)
        waiting = [asyncio.ensure_future(guess(100 + number)) for number in range(3)]
        await asyncio.wait(waiting, timeout=0.05)
        pressed = await client.post("/button/roll/press", headers={"X-Table-Token": TOKEN})
        watched = await client.get("/table")
        assert watched.status_code == 200
        assert not any(each.done() for each in waiting)
        for each in waiting:
            each.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        return pressed

    with caplog.at_level(logging.WARNING):
        assert asyncio.run(visit_there(FakeTable(), guess_then_press, token=TOKEN)).status_code == 204
    assert len(caplog.messages) == FREE_GUESSES + 3
    words = "a link that opens no seat" if way == "X-Seat-Key" else "a wrong token"
    assert set(caplog.messages) == {f"127.0.0.1 came with {words}."}
