"""A table that guests reach by links to their seats, as the tests of those links use it."""

import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx

from captains_table.page.app import create_app
from captains_table.runtime.seat_links import SeatLinks
from captains_table.runtime.table import Table
from captains_table.storage.key_files import SEATS, SeatKeyFile
from captains_table.table.model.events import (
    Button,
    ButtonPressed,
    ButtonReleased,
)
from captains_table.web.reach import PageReach
from captains_table.web.security import SEAT_COOKIE
from tests.support.service_at_work import at_a_table

TOKEN = "ahoy-there"  # noqa: S105 - a secret of this test only
ADDRESS = "http://table.example:8377/"
GOOD_KEY = re.compile(r"[\w-]{22}")
Do = Callable[["Evening"], Awaitable[None]]


class Evening:
    """A table that guests can reach, its owner, and whoever has a link."""

    def __init__(self, table: Table, complaints: list[str]) -> None:
        self.table = table
        self.complaints = complaints
        self.app = create_app(table, token=TOKEN, reach=PageReach("table.example", 8377))

    @property
    def keys(self) -> SeatLinks:
        """The links, as the page knows them."""
        keys = self.table.seats
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
        return await self.ask("POST", f"{path}?page=seat", body or {}, Cookie=f"{SEAT_COOKIE}-80={key}")

    async def answer(self, key: str, action: dict[str, Any], revision: int | None = None) -> httpx.Response:
        """Answer what is asked now, unless a revision is named."""
        shown = self.table.view().revision if revision is None else revision
        return await self.seat(key, "/answer", {"revision": shown, "action": action})

    def throw(self) -> None:
        """Throw at the table."""
        self.table.handle(ButtonPressed(Button.ROLL))
        self.table.handle(ButtonReleased(Button.ROLL))


def evening(state: Path, do: Do) -> list[str]:
    """Spend an evening at the table whose state is in a directory; return what it complained about."""
    complaints: list[str] = []

    async def run(table: Table) -> None:
        await do(Evening(table, complaints))

    at_a_table(state, run, seats=lambda: SeatLinks(SeatKeyFile(state / SEATS), complaints.append))
    return complaints


def pick(id_: str) -> dict[str, str]:
    return {"type": "pick", "id": id_}


def refused(answer: httpx.Response, *words: str) -> bool:
    """Return whether something was refused with one sentence that has these words in it, and what was expected."""
    sentence = str(answer.json()["error"])
    assert all(each in sentence for each in (*words, "xpected")), sentence
    return answer.status_code == 403
