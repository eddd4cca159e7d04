"""A club to try pages on whose evenings are kept in its real file, with results that were recorded at tables."""

import asyncio
import sqlite3
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path

import httpx
from starlette.applications import Starlette

from captains_table.club.proof_worker import proof_of
from captains_table.club.store.store import FILE, Proof, Store
from captains_table.reporting.messages import MatchReport
from tests.support.fake_club import FakeClub
from tests.support.told_matches import PLAYED, export_of, recorded

DAY_S = 86_400.0
PAGE = {"Accept": "text/html"}


class Caller:
    """Somebody who asks the club's pages.

    Args:
        app: the pages.
    """

    def __init__(self, app: Starlette) -> None:
        self._app = app

    def get(self, address: str, headers: Mapping[str, str] = PAGE) -> httpx.Response:
        """Ask for a page."""
        return self._ask("GET", address, headers, None)

    def post(self, address: str, fields: Mapping[str, str], headers: Mapping[str, str] = PAGE) -> httpx.Response:
        """Send a form."""
        return self._ask("POST", address, headers, fields)

    def _ask(
        self, method: str, address: str, headers: Mapping[str, str], fields: Mapping[str, str] | None
    ) -> httpx.Response:
        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(app=self._app)
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
                return await client.request(method, address, headers=dict(headers), data=fields)

        return asyncio.run(ask())


class KeptClub(FakeClub):
    """A club whose evenings are in a real file, for whatever thread.

    Args:
        folder: where the file is made.
        title: what the club is called.
    """

    def __init__(self, folder: Path, title: str = "Harbour Club") -> None:
        store = Store(folder)
        store.close()
        store.database = sqlite3.connect(folder / FILE, isolation_level=None, check_same_thread=False)
        for pragma in ("foreign_keys", "secure_delete"):
            store.database.execute(f"PRAGMA {pragma} = ON")
        super().__init__(title, store)

    def tell(
        self, outcome: MatchReport, user: str = "table-1", *, export: bytes | None = None, proves: bool = True
    ) -> None:
        """Let a result arrive, and have its export verified.

        Args:
            outcome: what is told.
            user: the table that tells it.
            export: what comes with it, deflated, in place of its own.
            proves: whether it is verified at once.
        """
        packed = export if export is not None else zlib.compress(export_of(outcome)) if outcome.export else b""
        self.store.add_result(user, outcome, packed, self.at_s)
        while proves and (waiting := self.store.to_prove()) is not None:
            found = proof_of(*waiting[1:])
            self.store.note_proof(waiting[0], found.words, found.match)
        self._changed(results=True)

    def tell_recorded(self, names: Iterable[str] = PLAYED) -> None:
        """Let recorded matches arrive, each of another table."""
        for number, name in enumerate(names, 1):
            self.tell(recorded(name), f"table-{number}")
            self.at_s += 60

    def proofs(self) -> list[Proof]:
        """Return what the exports of all results were found to be."""
        return [result.proof for result in self.store.results()]
