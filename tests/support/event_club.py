"""A club whose tables play events: what is told is kept in a real store, and what tables are offered is remembered."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import wraps
from hashlib import sha256
from pathlib import Path

from captains_table.club.events.entries import Made
from captains_table.club.events.event import ClubEvent
from captains_table.club.pages.app import create_app
from captains_table.club.pages.programme import Programme
from captains_table.club.store.store import Store
from captains_table.reporting.messages import FinalScore, MatchReport, Pairing
from captains_table.web.reach import PageReach
from captains_table.web.serving.server import listen, serve_page
from tests.support.fake_club import FakeClub
from tests.support.patience import PATIENCE_S

NOW_S = 1_795_460_000.0
FIRST_WINS, SECOND_WINS = FinalScore(winner=0, scores=(1, 0)), FinalScore(winner=1, scores=(0, 1))


def on_a_loop(test: Callable[..., Coroutine[object, object, None]]) -> Callable[..., None]:
    """Return a test that runs on a loop of its own, as long as patience lasts."""

    @wraps(test)
    def run(*args: object, **kwargs: object) -> None:
        async def patiently() -> None:
            async with asyncio.timeout(PATIENCE_S):
                await test(*args, **kwargs)

        asyncio.run(patiently())

    return run


class EventClub(FakeClub):
    """A club with its events; all of it in one folder, so that another one may go on with it."""

    def __init__(self, folder: Path, tables: int = 0) -> None:
        super().__init__(store=Store(folder))
        self.at_s = NOW_S
        self.exported: dict[str, bytes] = {}
        for number in range(1, tables + 1):
            self.report(f"table-{number}", board=number, title=f"Table {number}")

    @property
    def published(self) -> dict[str, tuple[Pairing, ...]]:
        """What each table is to offer."""
        return {user: pairings.pairings for user, pairings in self._offered.items()}

    def export(self, match: str) -> bytes:
        return self.exported.get(match, b"")

    # what happens

    def begin(self, made: Made, *players: str) -> int:
        """Make an event with these players, whom the club may not know yet, and return its number."""
        number = self.desk.make(made)
        known = {player.name: player.number for player in self.desk.log.players()}
        for place, name in enumerate(players):
            player = known.get(name) or self.desk.log.add_player(name, 2000 - 10 * place).number
            self.desk.enter(number, player)
        return number

    def event(self, number: int) -> ClubEvent:
        """Return an event as it stands."""
        return self.desk.event(number).event

    async def pair(self, number: int) -> None:
        """Pair the next round and tell it to the tables."""
        await self.desk.pair(number)
        self.desk.publish(number)

    def tell(
        self, user: str, pairing: Pairing, ending: FinalScore | None, rev: int = 1, match: str = "", export: bytes = b""
    ) -> None:
        """Let a table tell how a match ended that it was offered."""
        seal = sha256(f"{match or pairing.id} {user}".encode()).hexdigest()
        outcome = MatchReport(
            match=seal, rev=rev, pairing=pairing.id, game=pairing.game, seats=pairing.seats, ending=ending
        )
        self.store.add_result(user, outcome, export, self.at_s)
        self._changed(results=True)

    def play_all(self, ending: FinalScore = FIRST_WINS) -> None:
        """Let every table play all it is offered."""
        for user, pairings in list(self.published.items()):
            for pairing in pairings:
                self.tell(user, pairing, ending)

    async def settled(self) -> None:
        """Wait until the desk, which is at work, has done all there was to do."""
        for _ in range(20):
            await asyncio.sleep(0)


class ServedEvents:
    """Such a club whose pages are served from another thread."""

    def __init__(self, club: EventClub, address: str, loop: asyncio.AbstractEventLoop) -> None:
        self.club = club
        self.address = address
        self._loop = loop

    def do(self, what: Callable[[EventClub], object]) -> None:
        """Let something happen at the club, and wait until it has."""
        done = threading.Event()

        def act() -> None:
            what(self.club)
            done.set()

        self._loop.call_soon_threadsafe(act)
        assert done.wait(PATIENCE_S)


@contextmanager
def served_events(folder: Path, tables: int, prepare: Callable[[EventClub], object]) -> Iterator[ServedEvents]:
    """Serve the pages of a club with its events, its desk at work; `prepare` is called before the first visitor."""
    loop, ready = asyncio.new_event_loop(), threading.Event()
    found: list[ServedEvents] = []
    stopping = asyncio.Event()

    async def work() -> None:
        club = EventClub(folder, tables)
        prepared = prepare(club)
        if asyncio.iscoroutine(prepared):
            await prepared
        listener = listen("127.0.0.1", 0)
        app = create_app(club, Programme(club.desk))
        desk = asyncio.ensure_future(club.desk.run())
        found.append(ServedEvents(club, PageReach(*listener.getsockname()[:2]).own, loop))
        ready.set()
        await serve_page(app, listener, stopping=stopping)
        desk.cancel()
        await asyncio.wait([desk])
        club.store.close()

    thread = threading.Thread(target=lambda: loop.run_until_complete(work()))
    thread.start()
    try:
        assert ready.wait(PATIENCE_S)
        yield found[0]
    finally:
        loop.call_soon_threadsafe(stopping.set)
        thread.join(PATIENCE_S)
        loop.close()
