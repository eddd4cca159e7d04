"""The page on a real socket: what is slow is closed, what is too much is turned away, and those at home stay."""

import asyncio
import errno
import logging
import socket
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from captains_table.page.app import create_app
from captains_table.web.serving import connection, server
from captains_table.web.serving.guests import KEY_S, RESERVE, STREAM_RESERVE, Guests
from captains_table.web.serving.limits import RETRY_AFTER_S, PageLimits
from captains_table.web.serving.server import listen, serve_page
from tests.support.fake_table import FakeTable
from tests.support.patience import PATIENCE_S

HOME, GUEST = "127.0.0.1", "127.0.0.2"  # at the table's machine, and elsewhere
FOLLOW = b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"
ASK = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
TOKEN = "ahoy-there"  # noqa: S105 - a secret of this test only
WITH_KEY = f"\r\nX-Table-Token: {TOKEN}\r\n\r\n".encode()
SOON = PageLimits(request_s=0.1, idle_s=0.2)
POST = b"POST /new HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100" + WITH_KEY


class Call:
    """A connection to the page, byte by byte."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    def send(self, data: bytes) -> None:
        self._writer.write(data)

    async def head(self) -> str:
        """Return the status line and the headers of an answer; nothing if the connection was closed."""
        async with asyncio.timeout(PATIENCE_S):
            try:
                return (await self._reader.readuntil(b"\r\n\r\n")).decode()
            except (asyncio.IncompleteReadError, ConnectionError):
                return ""

    async def rest(self) -> bytes:
        """Return all that still comes until the connection is closed."""
        async with asyncio.timeout(PATIENCE_S):
            try:
                return await self._reader.read()
            except ConnectionError:
                return b""

    async def status(self, request: bytes) -> int:
        self.send(request)
        return int((await self.head()).split()[1])

    def close(self) -> None:
        self._writer.close()


class PageServer:
    """A page that is being served."""

    def __init__(self, port: int, guests: Guests) -> None:
        self.port = port
        self.guests = guests
        self._calls: list[Call] = []

    async def call(self, source: str = GUEST) -> Call:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(source, 0))
        self._calls.append(Call(reader, writer))
        return self._calls[-1]

    def hang_up(self) -> None:
        for call in self._calls:
            call.close()


@asynccontextmanager
async def served(limits: PageLimits, *proxies: str) -> AsyncIterator[PageServer]:
    """Serve a page within limits, behind these proxies."""
    guests, stopping, listener = Guests(limits, proxies), asyncio.Event(), listen("127.0.0.1", 0)
    page = PageServer(listener.getsockname()[1], guests)
    app = create_app(FakeTable(), token=TOKEN, guests=guests)
    serving = asyncio.ensure_future(serve_page(app, listener, stopping=stopping))
    try:
        yield page
    finally:
        page.hang_up()
        stopping.set()
        await serving


async def until(page: PageServer, connections: int, streams: int | None = None) -> None:
    """Wait until so many connections are open, and so many event streams if that matters."""

    def is_so() -> bool:
        return page.guests.connections == connections and streams in {None, page.guests.streams}

    async with asyncio.timeout(PATIENCE_S):
        while not is_so():  # noqa: ASYNC110 - nothing of the page says so
            await asyncio.sleep(0.005)


@pytest.mark.slow
async def test_half_a_request_is_answered_with_what_was_expected_and_closed() -> None:
    limits = replace(SOON, request_s=2)  # a letter that came after the answer would take its end away
    async with served(limits) as page:
        calls = [await page.call(source) for source in (GUEST, HOME)]
        for letters in (ASK[:20], *[b"x"] * 4):
            for call in calls:
                call.send(letters)
            await asyncio.sleep(0.02)
        for call in calls:
            assert (await call.head()).startswith("HTTP/1.1 408 ")
            assert await call.rest() == b"The request did not come in whole within 2 s."
        await until(page, 0)


@pytest.mark.slow
async def test_half_a_body_half_a_second_request_and_a_connection_that_rests_are_closed() -> None:
    halves = (POST, POST + b'{"game": ', ASK + ASK[:9], POST + b" " * 100 + ASK[:9])
    async with served(SOON) as page:
        calls = [await page.call() for _ in (*halves, b"", ASK)]
        for call, asked in zip(calls, (*halves, b"", ASK), strict=True):
            call.send(asked)
        *halved, silent, rested = [await call.rest() for call in calls]
        assert all(b"HTTP/1.1 408 " in each for each in halved)
        assert (silent, rested.count(b"HTTP/1.1")) == (b"", 1)
        await until(page, 0)


@pytest.mark.slow
async def test_a_connection_in_use_is_not_closed() -> None:
    async with served(SOON) as page:
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


@pytest.mark.slow
async def test_an_answer_that_nobody_takes_off_is_given_up() -> None:
    async with served(SOON) as page:
        loop = asyncio.get_running_loop()
        with socket.socket() as deaf:
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            deaf.setblocking(False)  # noqa: FBT003 - the socket's own way
            await loop.sock_connect(deaf, ("127.0.0.1", page.port))
            asking = asyncio.ensure_future(loop.sock_sendall(deaf, ASK.replace(b"/health", b"/rules/legend") * 2000))
            await until(page, 1)
            await until(page, 0)
            asking.cancel()


async def test_a_guest_beyond_the_limit_is_told_to_come_later_and_those_at_home_are_not() -> None:
    async with served(PageLimits(connections=3)) as page:
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


@pytest.mark.slow
async def test_a_guest_who_follows_beyond_the_limit_is_told_to_come_later_and_those_at_home_are_not() -> None:
    async with served(PageLimits(streams=2, idle_s=0.5)) as page:
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


def keyed(request: bytes) -> bytes:
    return request.replace(b"\r\n\r\n", WITH_KEY)


def forwarded(request: bytes, *addresses: str) -> bytes:
    """Return a request as a proxy passes it on."""
    return request.replace(b"\r\n\r\n", f"\r\nX-Forwarded-For: {', '.join(addresses)}\r\n\r\n".encode())


async def test_where_strangers_have_all_a_key_is_served_by_header_cookie_and_address() -> None:
    async with served(PageLimits(connections=20, share=5)) as page:
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


@pytest.mark.slow
async def test_a_newcomer_that_brings_no_key_in_time_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert KEY_S == 2.0, "as docs/operations.md says"
    monkeypatch.setattr(connection, "KEY_S", 0.3)
    async with served(PageLimits(connections=1, request_s=2 * PATIENCE_S, idle_s=2 * PATIENCE_S)) as page:
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


async def test_a_proxy_that_is_named_is_believed_for_whom_it_asks_and_nobody_else_is() -> None:
    async with served(PageLimits(share=1, streams=1), GUEST, "127.0.0.4/30") as page:
        calls = [await page.call(GUEST) for _ in range(5)]
        for number, call in enumerate(calls[:2]):
            assert await call.status(forwarded(ASK, "192.0.2.7", f"198.51.100.{number}")) == 200
        assert await calls[2].status(forwarded(ASK, "192.0.2.8", "198.51.100.0")) == 503
        assert await calls[3].status(keyed(forwarded(ASK, "198.51.100.0"))) == 200
        assert await calls[4].status(forwarded(ASK, "198.51.100.0", "127.0.0.5")) == 503
        assert await calls[0].status(forwarded(ASK, "::ffff:198.51.100.1")) == 503
        assert await (await page.call("127.0.0.9")).status(forwarded(ASK, "192.0.2.7")) == 200
        assert await (await page.call("127.0.0.9")).status(forwarded(ASK, "127.0.0.1")) == 503
        for asked_for, status in (("192.0.2.10", 200), ("192.0.2.11", 503)):  # by a proxy on the table's machine
            assert await (await page.call(HOME)).status(forwarded(FOLLOW, asked_for)) == status


async def test_a_cookie_is_secure_where_a_proxy_speaks_https() -> None:
    opened = ASK.replace(b"/health", f"/?token={TOKEN}".encode())
    async with served(PageLimits(), GUEST) as page:
        for source, port in ((GUEST, 443), (HOME, 443), ("127.0.0.9", 80)):
            call = await page.call(source)
            call.send(opened.replace(b"\r\n\r\n", b"\r\nX-Forwarded-Proto: https\r\n\r\n"))
            head = await call.head()
            assert f"set-cookie: captains-table-token-{port}={TOKEN}; HttpOnly; Path=/; SameSite=Strict" in head
            assert head.count("; Secure") == (port == 443)


async def test_one_who_hangs_up_leaves_the_place_and_asking_for_headers_alone_takes_none() -> None:
    async with served(PageLimits(connections=1, streams=1)) as page:
        for _ in range(5):
            call = await page.call()
            assert await call.status(FOLLOW) == 200
            call.close()
            await until(page, 0, streams=0)
        assert await (await page.call()).status(FOLLOW.replace(b"GET", b"HEAD")) == 200
        assert page.guests.streams == 0


async def test_a_caller_who_goes_in_the_middle_of_a_request_is_no_error_of_ours(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.WARNING)
    async with served(PageLimits()) as page:
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
    assert [record.levelname for record in caplog.records if record.exc_info] == []
    assert {record.levelname for record in caplog.records} <= {"WARNING"}


async def test_where_no_descriptor_is_left_the_page_waits_and_then_goes_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It asks again a few times a second and not as fast as it can, with a line and no traceback."""
    accept, asked, room_made = socket.socket.accept, list[float](), list[Guests]()

    def accept_later(listener: socket.socket) -> object:
        asked.append(time.monotonic())
        if asked[-1] < asked[0] + 0.12:
            raise OSError(errno.EMFILE, "Too many open files")
        return accept(listener)

    monkeypatch.setattr(socket.socket, "accept", accept_later)
    monkeypatch.setattr(Guests, "make_room", lambda guests: room_made.append(guests))  # noqa: PLW0108 - takes itself
    monkeypatch.setattr(server, "PAUSE_S", 0.05)
    async with served(PageLimits()) as page:
        assert await (await page.call()).status(ASK) == 200
        assert len(asked) < 8
        assert set(room_made) == {page.guests}
    line = "No connection can be accepted (Too many open files): one is closed, and others wait a moment."
    assert {record.getMessage() for record in caplog.records} == {line}


async def test_a_page_that_stops_waits_for_no_half_request_and_no_follower(caplog: pytest.LogCaptureFixture) -> None:
    async with served(PageLimits()) as page:
        half = await page.call()
        half.send(POST)
        following = await page.call()
        assert await following.status(FOLLOW) == 200
        await until(page, 2)
    assert caplog.records == []


async def test_lines_about_bad_requests_are_few_and_say_how_many_more(caplog: pytest.LogCaptureFixture) -> None:
    async with served(PageLimits()) as page:
        for _ in range(12):
            call = await page.call()
            call.send(b"nonsense\r\n\r\n")
            assert (await call.rest()).startswith(b"HTTP/1.1 400 ")
    line = "Invalid HTTP request received."
    more = f"7 more such lines within 60 s were left out; the last: {line}"
    assert caplog.messages == [*[line] * 5, more]


def test_after_a_while_lines_of_a_kind_come_again_and_other_lines_at_once(caplog: pytest.LogCaptureFixture) -> None:
    log, later = logging.getLogger("tests.quiet"), list[Callable[[], None]]()
    server.QuietLog(log, lambda _, sum_up: later.append(sum_up))
    for number in range(server.LINES + 30):
        log.warning("%s was turned away", f"192.0.2.{number}")
    log.error("something else")
    while later:
        later.pop()()
    log.warning("%s was turned away", "192.0.2.7")
    *_, last, other, summed_up, again = caplog.messages
    assert (last, other, again) == ("192.0.2.4 was turned away", "something else", "192.0.2.7 was turned away")
    assert summed_up == "30 more such lines within 60 s were left out; the last: 192.0.2.34 was turned away"
