import httpx
import pytest

from captains_table.web.security import COOKIE, hosts_of
from tests.support.fake_table import FakeTable
from tests.support.visiting import get, post, visit

TOKEN = "ahoy-there"  # noqa: S105 - a secret of this test only


def test_a_host_that_is_not_ours_is_refused() -> None:
    """A name rebound to our address reaches neither page nor buttons."""
    table = FakeTable()
    assert get(table, "/", Host="evil.example").status_code == 400
    assert post(table, "/button/roll/press", Host="evil.example").status_code == 400
    assert table.calls == []


@pytest.mark.parametrize("host", ["localhost", "localhost:9", "LOCALHOST:80"])
def test_our_host_is_welcome_on_any_port(host: str) -> None:
    """Ports and capitals do not matter."""
    assert get(FakeTable(), "/", Host=host).status_code == 200


@pytest.mark.parametrize("host", ["[", "", "localhost.evil.example", "a@localhost.evil", "[::1", "127.0.0.9"])
def test_a_host_that_cannot_be_ours_is_a_bad_request(host: str) -> None:
    """Odd hosts are refused with a sentence, not with a traceback."""
    answer = get(FakeTable(), "/", Host=host)
    assert answer.status_code == 400
    assert "expected one of localhost" in answer.json()["error"]


def test_our_own_bare_address_needs_no_listing() -> None:
    """A table that listens everywhere is reached by whatever address the visitor's network gives it."""
    answer = visit(FakeTable(), lambda client: client.get("http://192.168.1.5:8080/"))
    assert answer.status_code == 200


def test_a_post_from_another_page_is_refused() -> None:
    """A page open in the same browser cannot press our buttons."""
    table = FakeTable()
    for origin in ("http://evil.example", "http://localhost:9999", "null", "http://["):
        answer = post(table, "/button/roll/press", Origin=origin)
        assert answer.status_code == 403
    assert table.calls == []


def test_a_post_from_our_own_page_is_welcome() -> None:
    """The same origin, or none at all, may press buttons."""
    assert post(FakeTable(), "/button/roll/press", Origin="http://localhost:8080").status_code == 204
    assert post(FakeTable(), "/button/roll/press").status_code == 204


def test_without_the_token_one_may_only_watch() -> None:
    """Beyond loopback a POST needs the token; a GET does not."""
    table = FakeTable()
    assert visit(table, lambda client: client.get("/table"), token=TOKEN).status_code == 200
    for name, value in (("X-Nothing", ""), ("X-Table-Token", "wrong"), ("Cookie", f"{COOKIE}=wrong")):
        request = {name: value}
        answer = visit(table, lambda client, h=request: client.post("/button/roll/press", headers=h), token=TOKEN)  # type: ignore[misc]
        assert answer.status_code == 403
    assert table.calls == []


def test_the_token_opens_the_table_by_header() -> None:
    """Scripts send the token as a header."""
    answer = visit(
        FakeTable(), lambda client: client.post("/button/roll/press", headers={"X-Table-Token": TOKEN}), token=TOKEN
    )
    assert answer.status_code == 204


def test_the_token_in_the_address_becomes_a_strict_cookie() -> None:
    """Opening the printed address lets the browser play from then on."""

    async def open_then_press(client: httpx.AsyncClient) -> httpx.Response:
        page = await client.get(f"/?token={TOKEN}")
        assert page.status_code == 200
        assert "SameSite=Strict" in page.headers["set-cookie"]
        assert "HttpOnly" in page.headers["set-cookie"]
        return await client.post("/button/roll/press")

    assert visit(FakeTable(), open_then_press, token=TOKEN).status_code == 204


def test_a_wrong_token_in_the_address_sets_no_cookie() -> None:
    """A wrong token is said to be wrong."""
    answer = visit(FakeTable(), lambda client: client.get("/?token=wrong"), token=TOKEN)
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


def test_every_answer_says_what_the_browser_may_load() -> None:
    """Pages, scripts, pictures and errors carry the same policy; nothing from elsewhere, nothing inline."""
    for path in ("/", "/table", "/static/table.js", "/pieces.svg", "/nowhere"):
        headers = get(FakeTable(), path).headers
        assert headers["content-security-policy"].startswith("default-src 'self'; img-src 'self' data:")
        assert headers["x-content-type-options"] == "nosniff"


def test_loopback_is_called_by_loopback_names_only() -> None:
    """Listening on loopback admits loopback's names; listening everywhere admits the machine's as well."""
    assert hosts_of("127.0.0.1") == {"localhost", "127.0.0.1", "::1"}
    everywhere = hosts_of("0.0.0.0")  # noqa: S104 - not listened on here
    assert "0.0.0.0" not in everywhere  # noqa: S104
    assert any(host.endswith(".local") for host in everywhere)
    assert "table.lan" in hosts_of("table.lan")
