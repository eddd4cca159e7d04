"""A club without a broker whose tables play events: results are in a real file, as is what tables are offered."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from hashlib import sha256
from pathlib import Path

import httpx

from captains_table.club.events.entries import Made
from captains_table.club.events.event import ClubEvent
from captains_table.club.pages.app import create_app
from captains_table.club.pages.programme import Programme
from captains_table.reporting.messages import FinalScore, MatchReport, Pairing
from tests.support.fake_club import FakeClub, store_for_any_thread

NOW_S = 1_795_460_000.0
TOKEN = "the-arbiters-token"  # noqa: S105 - a test's
PAGE = {"accept": "text/html"}
AS_ARBITER = {**PAGE, "x-table-token": TOKEN}
FIRST_WINS, SECOND_WINS = FinalScore(winner=0, scores=(1, 0)), FinalScore(winner=1, scores=(0, 1))


class EventClub(FakeClub):
    """A club with its events; all of it in one folder, so that another one may go on with it."""

    def __init__(self, folder: Path, tables: int = 0) -> None:
        super().__init__(store=store_for_any_thread(folder))
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

    async def play(self, user: str, ending: FinalScore | None, pairing: Pairing | None = None, rev: int = 1) -> None:
        """Let a table tell how a match ended, the first it is offered, and wait until the events know it."""
        self.tell(user, pairing or self.published[user][0], ending, rev)
        await self.settled()

    async def play_all(self, ending: FinalScore = FIRST_WINS) -> None:
        """Let every table play all it is offered, and wait until the events know it."""
        for user, pairings in list(self.published.items()):
            for pairing in pairings:
                self.tell(user, pairing, ending)
        await self.settled()

    async def settled(self) -> None:
        """Wait until all is done that was to be done for the events, which are at work."""
        for _ in range(20):
            await asyncio.sleep(0)


@contextmanager
def opened(folder: Path, tables: int = 3) -> Iterator[EventClub]:
    """Open a club whose file is in a folder, until it is closed."""
    folder.mkdir(exist_ok=True)
    club = EventClub(folder, tables)
    with closing(club.store):
        yield club


@asynccontextmanager
async def at_work(club: EventClub) -> AsyncIterator[None]:
    """Let a club's events take in results and give pairings to tables meanwhile."""
    working = asyncio.ensure_future(club.desk.run())
    try:
        await club.settled()
        yield
    finally:
        working.cancel()
        await asyncio.wait([working])


@asynccontextmanager
async def pages_of_events(folder: Path, tables: int = 3) -> AsyncIterator[tuple[EventClub, httpx.AsyncClient]]:
    """Yield a club whose events are at work, and a guest of its pages; the arbiter has AS_ARBITER for headers."""
    with opened(folder, tables) as club:
        transport = httpx.ASGITransport(app=create_app(club, Programme(club.desk), token=TOKEN))
        async with (
            at_work(club),
            httpx.AsyncClient(transport=transport, base_url="http://localhost", headers=PAGE) as guest,
        ):
            yield club, guest
