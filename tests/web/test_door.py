"""The page on a real socket: what is slow is closed, what is too much is turned away, and those at home stay."""

import asyncio
import errno
import json
import logging
import socket
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from captains_table.web.serving import connection, door, server
from captains_table.web.serving.door import Door
from captains_table.web.serving.guests import KEY_S, RESERVE, STREAM_RESERVE
from captains_table.web.serving.limits import RETRY_AFTER_S, PageLimits
from tests.support.fake_table import FakeTable
from tests.support.page_server import ASK, FOLLOW, GUEST, HOME, PageServer, serving, until
from tests.support.patience import PATIENCE_S

TOKEN = "ahoy-there"  # noqa: S105 - a secret of this test only
WITH_KEY = f"\r\nX-Table-Token: {TOKEN}\r\n\r\n".encode()
SOON = PageLimits(request_s=0.1, idle_s=0.2)
POST = b"POST /new HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100" + WITH_KEY


def served(limits: PageLimits, visit: Callable[[PageServer], Awaitable[None]], *proxies: str) -> None:
    """Serve a page within limits and let somebody visit it."""

    async def run() -> None:
        async with serving(FakeTable(), limits, token=TOKEN, proxies=proxies) as page:
            await visit(page)

    asyncio.run(run())


@pytest.mark.parametrize("source", [GUEST, HOME])
def test_half_a_request_is_answered_with_what_was_expected_and_closed(source: str) -> None:
    """A letter now and then does not help."""

    async def visit(page: PageServer) -> None:
        call = await page.call(source)
        call.send(ASK[:20])
        for _ in range(4):
            await asyncio.sleep(0.02)
            call.send(b"x")
        assert (await call.head()).startswith("HTTP/1.1 408 ")
        assert await call.rest() == b"The request did not come in whole within 2 s."
        await until(page, 0)

    served(replace(SOON, request_s=2), visit)  # a letter that came after the answer would take its end away


@pytest.mark.parametrize("asked", [POST, POST + b'{"game": ', ASK + ASK[:9], POST + b" " * 100 + ASK[:9]])
def test_half_a_body_and_half_a_second_request_are_closed_as_well(asked: bytes) -> None:
    async def visit(page: PageServer) -> None:
        call = await page.call()
        call.send(asked)
        assert b"HTTP/1.1 408 " in await call.rest()
        await until(page, 0)

    served(SOON, visit)


@pytest.mark.parametrize("asked", [b"", ASK])
def test_a_connection_that_rests_is_closed(asked: bytes) -> None:
    """Before the first request and after any; without a word, for nothing was asked."""

    async def visit(page: PageServer) -> None:
        call = await page.call()
        call.send(asked)
        assert (await call.rest()).count(b"HTTP/1.1") == len(asked[:1])
        await until(page, 0)

    served(SOON, visit)


def test_a_connection_in_use_is_not_closed() -> None:
    """It may be older than any limit, and a stream may be silent for longer."""

    async def visit(page: PageServer) -> None:
        loop = asyncio.get_running_loop()
        following = await page.call()
        assert await following.status(FOLLOW) == 200
        asked = 0
        while asked < 6:  # on a machine that is busy enough it rested too long: then once more
            asking, asked, longest_rest = await page.call(), 0, 0.0
            last = loop.time()
            while asked < 6 and longest_rest < SOON.idle_s:
                asking.send(ASK)
                answered = await asking.head()
                longest_rest, last = max(longest_rest, loop.time() - last), loop.time()
                assert answered or longest_rest >= SOON.idle_s
                asked += 1
                await asyncio.sleep(SOON.idle_s / 4)
        assert page.guests.streams == 1

    served(SOON, visit)


def test_an_answer_that_nobody_takes_off_is_given_up() -> None:
    """The other side asks for pages and reads none."""

    async def visit(page: PageServer) -> None:
        loop = asyncio.get_running_loop()
        with socket.socket() as deaf:
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            deaf.setblocking(False)  # noqa: FBT003 - the socket's own way
            await loop.sock_connect(deaf, ("127.0.0.1", page.port))
            asking = asyncio.ensure_future(loop.sock_sendall(deaf, ASK.replace(b"/health", b"/rules/legend") * 2000))
            await until(page, 1)
            await until(page, 0)
            asking.cancel()

    served(SOON, visit)


def test_a_guest_beyond_the_limit_is_told_to_come_later_and_those_at_home_are_not() -> None:
    async def visit(page: PageServer) -> None:
        for _ in range(3):
            assert await (await page.call()).status(ASK) == 200
        late = await page.call()
        late.send(ASK)
        head = await late.head()
        assert head.startswith("HTTP/1.1 503 ")
        assert f"\r\nretry-after: {RETRY_AFTER_S}\r\n" in head
        assert b"3 connections are open, as many as are served here at once" in await late.rest()
        for _ in range(RESERVE + 3):
            assert await (await page.call(HOME)).status(ASK) == 200
        assert page.guests.connections == 3 + RESERVE

    served(PageLimits(connections=3), visit)


def test_a_guest_who_follows_beyond_the_limit_is_told_to_come_later_and_those_at_home_are_not() -> None:
    async def visit(page: PageServer) -> None:
        for _ in range(2):
            assert await (await page.call()).status(FOLLOW) == 200
        late = await page.call()
        late.send(FOLLOW)
        head = await late.head()
        assert head.startswith("HTTP/1.1 503 ")
        assert f"\r\nretry-after: {RETRY_AFTER_S}\r\n" in head
        kiosks = [await page.call(HOME) for _ in range(STREAM_RESERVE + 1)]
        for kiosk in kiosks:
            assert await kiosk.status(FOLLOW) == 200
        assert (await kiosks[0].rest()).endswith(b"0\r\n\r\n"), "the oldest gives way in order"
        assert page.guests.streams == 2 + STREAM_RESERVE

    served(PageLimits(streams=2, idle_s=0.5), visit)


def keyed(request: bytes) -> bytes:
    """Return a request with the owner's token."""
    return request.replace(b"\r\n\r\n", WITH_KEY)


def forwarded(request: bytes, *addresses: str) -> bytes:
    """Return a request as a proxy passes it on."""
    return request.replace(b"\r\n\r\n", f"\r\nX-Forwarded-For: {', '.join(addresses)}\r\n\r\n".encode())


@pytest.mark.parametrize("phone", ["127.0.0.3", GUEST])
@pytest.mark.parametrize("asked", [b"", ASK[:9], ASK, FOLLOW])
def test_one_stranger_keeps_out_neither_a_key_nor_others(asked: bytes, phone: str) -> None:
    """Nor a phone behind the same address: a share is full, and a key is read all the same."""

    async def visit(page: PageServer) -> None:
        for _ in range(60):
            (await page.call(GUEST)).send(asked)
        calls = [await page.call(phone) for _ in range(3)]
        assert [await call.status(keyed(ASK)) for call in calls] == [200, 200, 200]
        assert await calls[0].status(keyed(FOLLOW)) == 200
        assert await (await page.call("127.0.0.4")).status(ASK) == 200

    served(PageLimits(connections=30, share=10, streams=5), visit)


def test_where_strangers_have_all_a_key_is_served_by_header_cookie_and_address() -> None:
    async def visit(page: PageServer) -> None:
        for number in range(40):
            (await page.call(f"127.0.1.{number}")).send(FOLLOW if number % 2 else ASK[:9])
        ways = (
            keyed(ASK),
            ASK.replace(b"/health", f"/?token={TOKEN}".encode()),
            ASK.replace(b"\r\n\r\n", f"\r\nCookie: captains-table-token-80={TOKEN}\r\n\r\n".encode()),
        )
        for asked in ways:
            assert await (await page.call("127.0.0.3")).status(asked) == 200
        assert await (await page.call("127.0.0.3")).status(ASK) == 503

    served(PageLimits(connections=20, share=5), visit)


def test_a_newcomer_that_brings_no_key_in_time_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a word where nothing was asked; a letter now and then does not help."""
    assert KEY_S == 2.0, "as docs/operations.md says"
    monkeypatch.setattr(connection, "KEY_S", 0.3)

    async def visit(page: PageServer) -> None:
        assert await (await page.call()).status(ASK) == 200
        began = asyncio.get_running_loop().time()
        silent, half = await page.call(), await page.call()
        half.send(ASK[:9])
        for _ in range(5):
            half.send(b"x")
            await asyncio.sleep(0.02)
        assert await silent.rest() == b""
        assert (await half.head()).startswith("HTTP/1.1 503 ")
        await until(page, 1)
        assert asyncio.get_running_loop().time() - began < PATIENCE_S, "sooner than a guest who may stay"

    served(PageLimits(connections=1, request_s=2 * PATIENCE_S, idle_s=2 * PATIENCE_S), visit)


def test_a_proxy_that_is_named_is_believed_for_whom_it_asks() -> None:
    """The last hop that is no proxy itself; what stands before that anybody may write there."""

    async def visit(page: PageServer) -> None:
        calls = [await page.call(GUEST) for _ in range(5)]
        for number, call in enumerate(calls[:2]):
            assert await call.status(forwarded(ASK, "192.0.2.7", f"198.51.100.{number}")) == 200
        assert await calls[2].status(forwarded(ASK, "192.0.2.8", "198.51.100.0")) == 503
        assert await calls[3].status(keyed(forwarded(ASK, "198.51.100.0"))) == 200
        assert await calls[4].status(forwarded(ASK, "198.51.100.0", "127.0.0.5")) == 503
        assert await calls[0].status(forwarded(ASK, "::ffff:198.51.100.1")) == 503

    served(PageLimits(share=1), visit, GUEST, "127.0.0.4/30")


def test_whoever_is_no_proxy_is_not_believed_for_whom_it_asks() -> None:
    async def visit(page: PageServer) -> None:
        assert await (await page.call("127.0.0.9")).status(forwarded(ASK, "192.0.2.7")) == 200
        assert await (await page.call("127.0.0.9")).status(forwarded(ASK, "127.0.0.1")) == 503

    served(PageLimits(share=1), visit, GUEST)


@pytest.mark.parametrize(("source", "secure"), [(GUEST, True), (HOME, True), ("127.0.0.9", False)])
def test_a_cookie_is_secure_where_a_proxy_speaks_https(source: str, secure: bool) -> None:  # noqa: FBT001 - data
    async def visit(page: PageServer) -> None:
        call = await page.call(source)
        opened = ASK.replace(b"/health", f"/?token={TOKEN}".encode())
        call.send(opened.replace(b"\r\n\r\n", b"\r\nX-Forwarded-Proto: https\r\n\r\n"))
        head = await call.head()
        port = 443 if secure else 80
        assert f"set-cookie: captains-table-token-{port}={TOKEN}; HttpOnly; Path=/; SameSite=Strict" in head
        assert head.count("; Secure") == secure

    served(PageLimits(), visit, GUEST)


def test_a_guest_of_a_proxy_on_this_machine_is_a_guest() -> None:
    """The proxy says for whom it asks."""

    async def visit(page: PageServer) -> None:
        assert await (await page.call(HOME)).status(forwarded(FOLLOW, "192.0.2.7")) == 200
        assert await (await page.call(HOME)).status(forwarded(FOLLOW, "192.0.2.7")) == 503

    served(PageLimits(streams=1), visit)


def test_whoever_hangs_up_leaves_his_place() -> None:
    async def visit(page: PageServer) -> None:
        for _ in range(5):
            call = await page.call()
            assert await call.status(FOLLOW) == 200
            call.close()
            await until(page, 0, streams=0)

    served(PageLimits(connections=1, streams=1), visit)


def test_asking_for_the_headers_of_the_stream_alone_holds_nothing() -> None:
    async def visit(page: PageServer) -> None:
        assert await (await page.call()).status(FOLLOW.replace(b"GET", b"HEAD")) == 200
        assert page.guests.streams == 0

    served(PageLimits(), visit)


def test_whoever_goes_in_the_middle_of_a_request_is_no_error_of_ours(caplog: pytest.LogCaptureFixture) -> None:
    """Nor is one whose words make no sense in the middle of it."""

    async def visit(page: PageServer) -> None:
        gone = await page.call()
        gone.send(POST + b"{")
        await until(page, 1)
        gone.close()
        await until(page, 0)
        chunked = POST.replace(b"Content-Length: 100", b"Transfer-Encoding: chunked")
        long = b"ffff\r\n" + b" " * 0xFFFF + b"\r\n"
        for nonsense in (b"zz\r\n", long + b"zz\r\n"):
            call = await page.call()
            call.send(chunked + nonsense)
            assert (await call.rest()).startswith(b"HTTP/1.1 4")
            await until(page, 0)

    with caplog.at_level(logging.WARNING):
        served(PageLimits(), visit)
    assert [record.levelname for record in caplog.records if record.exc_info] == []
    assert {record.levelname for record in caplog.records} <= {"WARNING"}


class EmptyHanded:
    """A listener that has no descriptor left for whoever comes, for a while."""

    def __init__(self, listener: socket.socket, times: int) -> None:
        self._listener = listener
        self.asked = 0
        self._times = times

    def accept(self) -> tuple[socket.socket, object]:
        self.asked += 1
        if self.asked <= self._times:
            raise OSError(errno.EMFILE, "Too many open files")
        return self._listener.accept()

    def fileno(self) -> int:
        return self._listener.fileno()

    def __getattr__(self, name: str) -> object:
        return getattr(self._listener, name)


def test_where_no_descriptor_is_left_the_page_waits_and_then_goes_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It asks again a few times a second and not as fast as it can, with a line and no traceback."""
    times = 3
    listeners: list[EmptyHanded] = []

    def opened(listener: socket.socket, *rest: object) -> Door:
        listeners.append(EmptyHanded(listener, times))
        return Door(listeners[-1], *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(server, "Door", opened)
    monkeypatch.setattr(door, "PAUSE_S", 0.02)

    async def visit(page: PageServer) -> None:
        assert await (await page.call()).status(ASK) == 200
        assert listeners[0].asked < times + 5

    served(PageLimits(), visit)
    lines = [record.getMessage() for record in caplog.records]
    assert (
        lines == ["No connection can be accepted (Too many open files): one is closed, and others wait a moment."] * 3
    )


def test_a_page_that_stops_waits_neither_for_half_requests_nor_for_the_deaf(caplog: pytest.LogCaptureFixture) -> None:
    async def visit(page: PageServer) -> None:
        half = await page.call()
        half.send(POST)
        following = await page.call()
        assert await following.status(FOLLOW) == 200
        await until(page, 2)

    served(PageLimits(), visit)
    assert caplog.records == []


def test_lines_about_bad_requests_are_few_and_say_how_many_more(caplog: pytest.LogCaptureFixture) -> None:
    async def visit(page: PageServer) -> None:
        for _ in range(12):
            call = await page.call()
            call.send(b"nonsense\r\n\r\n")
            assert (await call.rest()).startswith(b"HTTP/1.1 400 ")

    served(PageLimits(), visit)
    line = "Invalid HTTP request received."
    assert [record.getMessage() for record in caplog.records] == [
        *[line] * 5,
        f"7 more such lines within 60 s were left out; the last: {line}",
    ]


def test_the_health_of_the_table_is_json() -> None:
    """So that `ASK` above asks for what is there."""

    async def visit(page: PageServer) -> None:
        call = await page.call()
        call.send(ASK.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        await call.head()
        assert json.loads(await call.rest())["status"] == "ok"

    served(PageLimits(), visit)
