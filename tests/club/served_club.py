"""A club's pages, asked for in this process or served from another thread to a browser; and tables at play."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from html import unescape
from itertools import islice
from typing import Generic, TypeVar

import httpx

from captains_table.club.pages.app import create_app
from captains_table.club.pages.programme import Programme
from captains_table.table.model.view import View
from captains_table.web.reach import PageReach
from captains_table.web.serving.server import listen, serve_page
from tests.support.fake_club import FakeClub
from tests.support.patience import PATIENCE_S
from tests.support.recorded_views import recorded_views, tapes

TAPES = (
    "whole-round",
    "chess-clock",
    "three-players-of-the-source",
    "every-box-and-blimey-at-68",
    "crowns-an-auction-on-time",
    "barter",
    "chess-crowns-by-capture",
    "crowns-captures-prison-and-bail",
    "worked-example",
    "perfect-storm",
)
"""Matches of all five games, one after the other."""
MOMENTS = 65
"""So many of them are played of each."""


@cache
def played(tape: str) -> Sequence[View]:
    """Return what a tape showed first, moment by moment."""
    return tuple(islice(recorded_views(tapes([tape])[0]), MOMENTS))


def hall(count: int, moment: int = 25) -> FakeClub:
    """Return a club with so many tables, each in the middle of a recorded match."""
    club = FakeClub()
    for number in range(1, count + 1):
        views = played(TAPES[(number - 1) % len(TAPES)])
        view = views[min(moment + number, len(views) - 1)]
        club.report(f"table-{number}", view, board=number, title=f"Table by the window {number}")
    return club


PAGE = {"Accept": "text/html"}


class Caller:
    """Somebody who asks for a club's pages, in this process; with a token all who lack it are guests."""

    def __init__(
        self, club: FakeClub, programme: type[Programme] = Programme, token: str | None = None, language: str = "en"
    ) -> None:
        self._app = create_app(club, programme(club.desk), token=token, language=language)

    def get(self, address: str, headers: Mapping[str, str] = PAGE) -> httpx.Response:
        return self.ask("GET", address, headers)

    def reads(
        self, address: str, *words: str, lacks: Sequence[str] = (), status: int = 200, headers: Mapping[str, str] = PAGE
    ) -> None:
        """See that a page has some words, and lacks others."""
        found = self.get(address, headers)
        assert found.status_code == status, found.text[:300]
        page = unescape(found.text)
        assert [each for each in words if each not in page] == []
        assert [each for each in lacks if each in page] == []

    def post(self, address: str, fields: Mapping[str, str], headers: Mapping[str, str] = PAGE) -> httpx.Response:
        return self.ask("POST", address, headers, fields)

    def ask(
        self, method: str, address: str, headers: Mapping[str, str] = PAGE, fields: Mapping[str, str] | None = None
    ) -> httpx.Response:
        async def on_loop() -> httpx.Response:
            transport = httpx.ASGITransport(app=self._app)
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
                return await client.request(method, address, headers=dict(headers), data=fields)

        return asyncio.run(on_loop())


Club = TypeVar("Club", bound=FakeClub)


class ServedClub(Generic[Club]):
    """A club whose pages are served from another thread."""

    def __init__(self, club: Club, address: str, loop: asyncio.AbstractEventLoop) -> None:
        self.club = club
        self.address = address
        self._loop = loop

    def do(self, what: Callable[[Club], object]) -> None:
        """Let something happen at the club, and wait until it has."""
        done = threading.Event()
        self._loop.call_soon_threadsafe(what, self.club)
        self._loop.call_soon_threadsafe(done.set)
        assert done.wait(PATIENCE_S)

    def finish(self, what: Callable[[Club], Coroutine[object, object, object]]) -> None:
        """Let something happen at the club that takes several turns of its loop, and wait until it is done."""
        asyncio.run_coroutine_threadsafe(what(self.club), self._loop).result(PATIENCE_S)


@contextmanager
def served(
    club: Club,
    programme: type[Programme] = Programme,
    token: str | None = None,
    prepare: Callable[[Club], Awaitable[None]] | None = None,
) -> Iterator[ServedClub[Club]]:
    """Serve a club's pages, its events at work; `prepare` is done before; with a token all who lack it are guests."""
    loop, stopping = asyncio.new_event_loop(), asyncio.Event()
    listener = listen("127.0.0.1", 0)

    async def work() -> None:
        events = asyncio.ensure_future(club.desk.run())
        if prepare is not None:
            await prepare(club)
        await serve_page(create_app(club, programme(club.desk), token=token), listener, stopping=stopping)
        events.cancel()
        await asyncio.wait([events])
        club.store.close()

    thread = threading.Thread(target=lambda: loop.run_until_complete(work()))
    thread.start()
    try:
        yield ServedClub(club, PageReach(*listener.getsockname()[:2]).own, loop)
    finally:
        loop.call_soon_threadsafe(stopping.set)
        thread.join(PATIENCE_S)
        loop.close()
