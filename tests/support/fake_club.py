"""A club to try its pages on: tables that show whatever views they are handed, results as one tells them."""

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import Any

from captains_table.club.intake.table_state import Refusals, TableState, Taken, glance_at
from captains_table.club.pages.app import create_app
from captains_table.club.pages.programme import Programme
from captains_table.club.port import Changed, ClubPort, Kept, Line, NoSuchCall, NoSuchResult, NoSuchTable
from captains_table.club.store.store import Correction, Evening, KeptResult, Proof
from captains_table.reporting.messages import Ending, Outcome, Pairings, Presence, Seen
from captains_table.reporting.table_view import table_view
from captains_table.table.model.view import View
from captains_table.web.reach import PageReach
from captains_table.web.serving.server import listen, serve
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


class FakeResults(Kept):
    """Results in a list, all of one evening."""

    def __init__(self) -> None:
        self.told: list[KeptResult] = []

    def results(self, evening: int | None = None, after: int = 0) -> Sequence[KeptResult]:
        return [each for each in self.told if evening in (None, each.evening) and each.receipt > after]

    def result(self, match: str) -> KeptResult:
        for result in self.told:
            if result.outcome.match == match:
                return result
        raise NoSuchResult(match)

    def result_of_pairing(self, pairing: str, user: str) -> KeptResult | None:
        return next(
            (result for result in reversed(self.told) if (result.outcome.pairing, result.user) == (pairing, user)),
            None,
        )

    def corrections(self, evening: int | None = None) -> Sequence[Correction]:  # noqa: ARG002 - there are none
        return ()

    def evenings(self) -> Sequence[Evening]:
        return [Evening(1, "An evening", EVENING_S)]


class FakeClub(ClubPort):
    """A ClubPort whose tables do what one says."""

    def __init__(self, title: str = "Harbour Club") -> None:
        self._title = title
        self._tables: dict[str, TableState] = {}
        self._views: dict[str, View] = {}
        self._results = FakeResults()
        self._listeners: set[asyncio.Event] = set()
        self._told_of_tables: list[Callable[[TableState], None]] = []
        self._version = 0
        self._shown_large = ""
        self.line_is = Line(is_up=True, since_s=EVENING_S)
        self.drawn = 0
        """How often a view was asked for."""

    # --- what the tables say ---

    def report(self, user: str, view: View | None = None, **said: Any) -> None:  # noqa: ANN401 - fields of a TableState
        """Let a table show a view, or say something else of itself."""
        table = self._tables.get(user) or TableState(user, title=user, presence=Presence.READY)
        if view is not None:
            seen = Seen(boot="b", n=table.n + 1, view=table_view(view))
            self._views[user] = view
            said = {"match": said.get("match", "ab" * 32), "n": seen.n, "glance": glance_at(seen)} | said
        self._tables[user] = replace(table, **said)
        for tell in self._told_of_tables:
            tell(self._tables[user])
        self._changed()

    def end(self, user: str, seats: Sequence[str], ending: Ending | None, game: str = "legend") -> None:
        """Let the result of a match arrive."""
        number = len(self._results.told) + 1
        outcome = Outcome(match=f"{number:064x}", rev=1, game=game, seats=tuple(seats), ending=ending)
        self._results.told.append(KeptResult(number, user, 1, outcome, EVENING_S + 60 * number, Proof.NONE))
        self._changed()

    def _changed(self) -> None:
        self._version += 1
        for listener in self._listeners:
            listener.set()

    # --- what pages ask ---

    @property
    def title(self) -> str:
        return self._title

    @property
    def kept(self) -> Kept:
        return self._results

    def now_s(self) -> float:
        return EVENING_S

    def tables(self) -> Sequence[TableState]:
        return sorted(self._tables.values(), key=lambda table: (table.board or 10_000, table.user))

    def table(self, user: str) -> TableState:
        if user not in self._tables:
            raise NoSuchTable(user)
        return self._tables[user]

    def view(self, user: str) -> View | None:
        self.drawn += 1
        self.table(user)
        return self._views.get(user)

    def taken(self) -> Taken:
        return Taken(sum(table.n for table in self._tables.values()))

    def tell_of_tables(self, tell: Callable[[TableState], None]) -> None:
        self._told_of_tables.append(tell)

    async def changes(self) -> AsyncGenerator[Changed, None]:
        listener = asyncio.Event()
        listener.set()
        self._listeners.add(listener)
        try:
            while True:
                await listener.wait()
                listener.clear()
                yield Changed(frozenset(self._tables), results=True)
        finally:
            self._listeners.discard(listener)

    def line(self) -> Line:
        return self.line_is

    def export(self, match: str) -> bytes:
        self._results.result(match)
        return b""

    def kept_version(self) -> int:
        return self._version

    def correct(self, match: str, ending: Ending | None, why: str) -> Correction:
        raise NotImplementedError

    def begin_evening(self, title: str) -> Evening:
        raise NotImplementedError

    def delete_evening(self, number: int) -> None:
        raise NotImplementedError

    def shown_large(self) -> str:
        return self._shown_large

    def show_large(self, user: str) -> None:
        self._shown_large = user
        self._changed()

    def answer(self, user: str, call: str) -> None:
        if not call or self.table(user).call != call:
            raise NoSuchCall(user)
        self.report(user, answered=call)

    def refusals(self) -> Sequence[Refusals]:
        return ()

    def expiring(self) -> Sequence[str]:
        return ()

    def publish(self, user: str, pairings: Pairings) -> None:
        raise NotImplementedError


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
def served(club: FakeClub, programme: Programme | None = None) -> Iterator[ServedClub]:
    """Serve a club's pages."""
    loop, stopping = asyncio.new_event_loop(), asyncio.Event()
    listener = listen("127.0.0.1", 0)
    serving = serve(create_app(club, programme=programme), listener, stopping=stopping)
    thread = threading.Thread(target=lambda: loop.run_until_complete(serving))
    thread.start()
    try:
        yield ServedClub(club, PageReach(*listener.getsockname()[:2]).own, loop)
    finally:
        loop.call_soon_threadsafe(stopping.set)
        thread.join(PATIENCE_S)
        loop.close()
