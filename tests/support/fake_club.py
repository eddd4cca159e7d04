"""A club to try its pages on: tables that show whatever views they are handed, results as one tells them."""

import asyncio
import itertools
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from captains_table.club.event_manager import EventManager
from captains_table.club.intake.table_state import TableState, glance_at
from captains_table.club.pages.app import create_app
from captains_table.club.pages.programme import Programme
from captains_table.club.service import BrokerLineState, ClubService
from captains_table.club.store.event_log import ClubEventLog
from captains_table.club.store.schema import STEPS
from captains_table.club.store.store import Proof, Store, StoredResult
from captains_table.reporting.broker import Broker
from captains_table.reporting.messages import FinalScore, MatchReport, Presence, ViewMessage
from captains_table.reporting.table_view import spectator_view
from captains_table.storage.schema import migrate
from captains_table.table.model.view import View
from captains_table.web.reach import PageReach
from captains_table.web.serving.server import listen, serve_page
from tests.support.patience import PATIENCE_S
from tests.support.recorded_views import recorded_views, tapes

EVENING_S = 1_795_460_000.0
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


@cache
def played(tape: str) -> Sequence[View]:
    """Return what a tape showed, moment by moment."""
    return tuple(recorded_views(tapes([tape])[0]))


class MemoryStore(Store):
    """A club's file in memory, for whatever thread; what is told are results that no table could tell, too."""

    def __init__(self) -> None:
        self.folder = Path()
        self.told: list[StoredResult] = []
        self.database = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        migrate(self.database, STEPS)
        self.begin_evening("An evening", EVENING_S)

    def results(self, evening: int | None = None, after: int = 0) -> Sequence[StoredResult]:
        return [each for each in self.told if evening in (None, each.evening) and each.receipt > after]


class FakeClub(ClubService):
    """A club whose tables do what one says.

    Args:
        title: what it is called.
        store: what it keeps; `None`: an evening in memory.
    """

    def __init__(self, title: str = "Harbour Club", store: Store | None = None) -> None:
        self.store = store or MemoryStore()
        self.at_s = EVENING_S
        self.failures: list[Exception] = []
        super().__init__(title, Broker("127.0.0.1"), self.store, {}, self.failures.append, now_s=lambda: self.at_s)
        self.line = BrokerLineState(is_up=True, since_s=EVENING_S)
        prefixes = itertools.count(1)
        self.desk = EventManager(self, ClubEventLog(self.store, lambda: f"e{next(prefixes)}-"))
        self._views: dict[str, View] = {}
        self.drawn = 0
        """How often a view was asked for."""

    # --- what the tables say ---

    def report(self, user: str, view: View | None = None, **said: Any) -> None:  # noqa: ANN401 - fields of a TableState
        """Let a table show a view, or say something else of itself."""
        table = self.tables.find(user) or TableState(user, title=user, presence=Presence.READY)
        if view is not None:
            seen = ViewMessage(boot="b", n=table.n + 1, view=spectator_view(view))
            self._views[user] = view
            said = {"match": said.get("match", "ab" * 32), "n": seen.n, "glance": glance_at(seen)} | said
        self.tables._states[user] = replace(table, **said)
        self._table_changed(user)

    def end(self, user: str, seats: Sequence[str], ending: FinalScore | None, game: str = "legend") -> None:
        """Let the result of a match arrive."""
        assert isinstance(self.store, MemoryStore)
        number = len(self.store.told) + 1
        outcome = MatchReport(match=f"{number:064x}", rev=1, game=game, seats=tuple(seats), ending=ending)
        self.store.told.append(StoredResult(number, user, 1, outcome, EVENING_S + 60 * number, Proof.NONE))
        self._changed(results=True)

    def view(self, user: str) -> View | None:
        self.drawn += 1
        return self._views.get(self.table(user).user)


def hall(count: int, moment: int = 25) -> FakeClub:
    """Return a club with so many tables, each in the middle of a recorded match."""
    club = FakeClub()
    for number in range(1, count + 1):
        views = played(TAPES[(number - 1) % len(TAPES)])
        view = views[min(moment + number, len(views) - 1)]
        club.report(f"table-{number}", view, board=number, title=f"Table by the window {number}")
    return club


class ServedClub:
    """A club whose pages are served from another thread, as a browser needs it."""

    def __init__(self, club: FakeClub, address: str, loop: asyncio.AbstractEventLoop) -> None:
        self.club = club
        self.address = address
        self._loop = loop

    def do(self, what: Callable[[FakeClub], None]) -> None:
        """Let something happen at the club, and wait until it has."""
        done = threading.Event()
        self._loop.call_soon_threadsafe(what, self.club)
        self._loop.call_soon_threadsafe(done.set)
        assert done.wait(PATIENCE_S)


@contextmanager
def served(club: FakeClub, programme: type[Programme] = Programme, token: str | None = None) -> Iterator[ServedClub]:
    """Serve a club's pages; with a token whoever does not bring it is a guest."""
    loop, stopping = asyncio.new_event_loop(), asyncio.Event()
    listener = listen("127.0.0.1", 0)
    serving = serve_page(create_app(club, programme(club.desk), token=token), listener, stopping=stopping)
    thread = threading.Thread(target=lambda: loop.run_until_complete(serving))
    thread.start()
    try:
        yield ServedClub(club, PageReach(*listener.getsockname()[:2]).own, loop)
    finally:
        loop.call_soon_threadsafe(stopping.set)
        thread.join(PATIENCE_S)
        loop.close()
