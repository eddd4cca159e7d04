"""A table that guests reach by links to their seats."""

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import httpx

from captains_table.page.app import create_app
from captains_table.runtime.seat_links import SeatLinks
from captains_table.runtime.table import Table
from captains_table.storage.key_files import SEATS, SeatKeyFile
from captains_table.web.reach import PageReach
from captains_table.web.security import SEAT_COOKIE
from tests.support.service_at_work import table_at

TOKEN = "ahoy-there"  # noqa: S105 - a secret of this test only
ADDRESS = "http://table.example:8377/"
GOOD_KEY = re.compile(r"[\w-]{22}")
OpenEvening = Callable[..., AbstractContextManager["Evening"]]


class Evening:
    """A table, its owner, and guests with links to seats."""

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
        key = self.keys.links()[seat].key
        assert key is not None
        assert GOOD_KEY.fullmatch(key)
        return key

    async def ask(self, method: str, path: str, body: object = None, **headers: str) -> httpx.Response:
        transport = httpx.ASGITransport(app=self.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.request(method, path, json=body, headers=headers)

    async def owner(self, method: str, path: str, body: object = None) -> httpx.Response:
        return await self.ask(method, path, body, **{"X-Table-Token": TOKEN})

    async def seat(self, key: str, path: str, body: object = None) -> httpx.Response:
        """Post as the guest with this key does, from the page of the seat."""
        return await self.ask("POST", f"{path}?page=seat", body or {}, Cookie=f"{SEAT_COOKIE}-80={key}")

    async def answer(self, key: str, action: dict[str, Any], revision: int | None = None) -> httpx.Response:
        """Answer what is asked now, unless a revision is named."""
        shown = self.table.view().revision if revision is None else revision
        return await self.seat(key, "/answer", {"revision": shown, "action": action})


@contextmanager
def evening_at(state: Path, *, has_begun: bool = False, complains: bool = False) -> Iterator[Evening]:
    """Yield an evening at a table on the running loop, whose journal and keys are in a folder.

    The table has nothing to complain of, unless it is said that it has.
    """
    said: list[str] = []
    with table_at(state, seats=SeatLinks(SeatKeyFile(state / SEATS), said.append)) as table:
        if has_begun:
            table.matches.new_match("legend", ["Anne", "Bart"], {})
        yield Evening(table, said)
    assert complains is bool(said), said


def pick(id_: str) -> dict[str, str]:
    return {"type": "pick", "id": id_}


def refused(answer: httpx.Response, *words: str) -> bool:
    """Return whether something was refused with one sentence that has these words in it, and what was expected."""
    sentence = str(answer.json()["error"])
    assert all(each in sentence for each in (*words, "xpected")), sentence
    return answer.status_code == 403
