"""A club without a broker: its tables show the views, and tell the results, that a test gives them."""

import itertools
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from captains_table.club.event_manager import EventManager
from captains_table.club.intake.table_state import TableState, glance_at
from captains_table.club.service import BrokerLineState, ClubService
from captains_table.club.store.event_log import ClubEventLog
from captains_table.club.store.schema import STEPS
from captains_table.club.store.store import FILE, Proof, Store, StoredResult
from captains_table.reporting.broker import Broker
from captains_table.reporting.messages import FinalScore, MatchReport, Presence, ViewMessage
from captains_table.reporting.table_view import spectator_view
from captains_table.storage.schema import migrate
from captains_table.table.model.view import View

EVENING_S = 1_795_460_000.0


class MemoryStore(Store):
    """A club's file in memory, for any thread; results may be told that no table could tell."""

    def __init__(self) -> None:
        self.folder = Path()
        self.told: list[StoredResult] = []
        self.database = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        migrate(self.database, STEPS)
        self.begin_evening("An evening", EVENING_S)

    def results(self, evening: int | None = None, after: int = 0) -> Sequence[StoredResult]:
        return [each for each in self.told if evening in (None, each.evening) and each.receipt > after]


def store_for_any_thread(folder: Path) -> Store:
    """Return a club's real file, which a test and the thread that serves its pages may both use."""
    store = Store(folder)
    store.close()
    store.database = sqlite3.connect(folder / FILE, isolation_level=None, check_same_thread=False)
    for pragma in ("foreign_keys", "secure_delete"):
        store.database.execute(f"PRAGMA {pragma} = ON")
    return store


class FakeClub(ClubService):
    """A club whose tables do what a test says.

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
