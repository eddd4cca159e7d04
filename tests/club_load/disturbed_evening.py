"""A Swiss over tables at a real broker, in each round of which something fails; and the same event undisturbed."""

import asyncio
import signal
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from captains_table.club.events.entries import DRAW, LOSS, WIN, Edition, PairedMatch, System, Withdrew
from captains_table.club.events.trf import trf_of
from captains_table.storage.journal_file import MatchJournal
from tests.club_load.light_table import GAME, LightTable, ending_of
from tests.club_load.load import kept_in
from tests.club_load.measured import memory_mb
from tests.club_load.slow_line import SlowLine, slow_line
from tests.support.broker_guest import Guest
from tests.support.club_arbiter import Arbiter
from tests.support.club_event import TITLE, Running, begun
from tests.support.club_process import ClubProcess, configured
from tests.support.mosquitto import Mosquitto

STEP_S: Final = 0.2
MOMENT_S: Final = 0.3
SLOW_S: Final = 0.2
FLOOD: Final = 300
FEW_WAIT: Final = ("allow_anonymous true", "max_inflight_messages 20", "max_queued_messages 60")
"""A broker that soon drops what the club's server does not fetch; what ten tables have retained has room."""
EVENT: Final = "/events/1"
FAR: Final = 1
"""The place of the table that has a line of its own, which is shut for a while; it has a match in every round."""

Begun = tuple[LightTable, MatchJournal]
"""A match that goes on at a table."""


@dataclass(frozen=True, slots=True)
class Swiss:
    """So many players and rounds; one of them withdraws after a round."""

    players: int
    rounds: int
    withdraws: int
    after_round: int

    @property
    def tables(self) -> int:
        """How many tables it takes."""
        return self.players // 2

    def undisturbed(self) -> Running:
        """Return the event as the library alone has it: no broker, no table, the same matches."""
        running = begun(System.SWISS, self.players, self.rounds, game=GAME, edition=Edition.FIDE_2026)
        for number in range(1, self.rounds + 1):
            running.play_round(lambda seated: _halves(running, seated))
            if number == self.after_round:
                running.write(Withdrew(player=self.withdraws, why="ill"))
        return running


WHOLE: Final = Swiss(20, 7, withdraws=11, after_round=4)


@dataclass(frozen=True, slots=True)
class Away:
    """For how many seconds a table is out of reach, and after how many every table ends a further match."""

    seconds: float
    every_s: float


@dataclass(frozen=True, slots=True)
class Back:
    """A table that was out of reach and came back.

    Attributes:
        waited: how many results waited for the line.
        words: what was said at the table meanwhile.
        told_s: how long after the line was open again all of them were acknowledged.
        before_mb, after_mb: what the process that held its line had of memory, before it was shut and after all.
    """

    waited: int
    words: tuple[str, ...]
    told_s: float
    before_mb: float
    after_mb: float


@dataclass(frozen=True, slots=True)
class Held:
    """An event that was held.

    Attributes:
        report: of it, as the club has it.
        ended: the seals of all matches that were played to their ends, those too that no event has to do with.
        back: of the table that was out of reach, each time.
    """

    report: str
    ended: Sequence[str]
    back: Sequence[Back]


def _halves(running: Running, seated: PairedMatch) -> Sequence[int]:
    ending = ending_of(tuple(running.event.name(seat) for seat in seated.seats))
    if ending.winner is None:
        return (DRAW, DRAW)
    return (WIN, LOSS) if ending.winner == 0 else (LOSS, WIN)


class Evening:
    """The event at its broker.

    Args:
        swiss: what is played.
        folder: where everything is kept.
        away: how long a table is out of reach.
        lines: by which the tables reach the broker: one of them, and all others.
        broker: that broker.
        server: the club's.
    """

    def __init__(
        self,
        swiss: Swiss,
        folder: Path,
        away: Away,
        lines: tuple[SlowLine, SlowLine],
        broker: Mosquitto,
        server: ClubProcess,
    ) -> None:
        self._swiss = swiss
        self._folder = folder
        self._away = away
        self._far_line, self._line = lines
        self._broker = broker
        self._server = server
        self._starts = 0
        self._arbiter = Arbiter(server)
        self._begun: list[Begun] = []
        self._back: list[Back] = []
        self._tables = [
            LightTable(place + 1, (self._far_line if place == FAR else self._line).port, folder)
            for place in range(swiss.tables)
        ]
        self._troubles: Sequence[Callable[[], Awaitable[None]]] = (
            self._broker_killed,
            self._server_killed,
            self._line_slow_and_cut,
            self._tables_away,
            self._broker_full,
        )

    async def hold(self) -> Held:
        """Play all rounds and return what came of it."""
        async with AsyncExitStack() as stack:
            stack.callback(self._stop_server)
            for table in self._tables:
                stack.push_async_callback(table.aclose)
                table.come()
            await self._make()
            for number in range(1, self._swiss.rounds + 1):
                await self._round(self._troubles[(number - 1) % len(self._troubles)])
                if number == self._swiss.after_round:
                    await self._post(f"{EVENT}/withdraw", player=str(self._swiss.withdraws), why="ill")
            await self._until_acknowledged(*self._tables)
            ended = [seal for table in self._tables for seal in table.ended]
            return Held(await asyncio.to_thread(self._arbiter.report), ended, self._back)

    async def _make(self) -> None:
        players = [f"Player {number}" for number in range(1, self._swiss.players + 1)]
        await asyncio.to_thread(self._arbiter.make_swiss, TITLE, GAME, self._swiss.rounds, players)
        while (await asyncio.to_thread(self._server.health))["tables"] < len(self._tables):  # noqa: ASYNC110 - a page tells nothing by itself
            await asyncio.sleep(STEP_S)

    async def _round(self, trouble: Callable[[], Awaitable[None]]) -> None:
        """Pair and publish a round; one match is told, then trouble comes while the others are played."""
        await self._post(f"{EVENT}/pair")
        await self._post(f"{EVENT}/publish")
        matches = (await asyncio.to_thread(self._arbiter.report)).count(" w   ")
        begun_ones = await asyncio.gather(*(table.begin() for table in self._tables[:matches]))
        self._begun = list(zip(self._tables, begun_ones, strict=False))
        self._play_one()
        await self._until_open(matches - 1)
        await trouble()
        self._play_all()
        await self._until_open(0)

    def _play_one(self) -> None:
        table, journal = self._begun.pop(0)
        table.play(journal)

    def _play_all(self) -> None:
        while self._begun:
            self._play_one()

    # --- what fails -------------------------------------------------------------------------------------------------

    async def _broker_killed(self) -> None:
        """The broker ends without a word, and forgets everything; matches end meanwhile."""
        self._broker.kill()
        self._play_all()
        await asyncio.sleep(MOMENT_S)
        await asyncio.to_thread(self._broker.start)

    async def _server_killed(self) -> None:
        """The server is killed; results come to a broker at which nobody hears them."""
        self._server.kill()
        self._arbiter.close()
        self._play_one()
        await asyncio.sleep(MOMENT_S)
        self._starts += 1
        logs = self._folder / f"start-{self._starts}"
        self._server = await asyncio.to_thread(ClubProcess, self._folder / "club.toml", logs)
        self._arbiter = Arbiter(self._server)

    async def _line_slow_and_cut(self) -> None:
        """All lines of the tables are slow, and cut while results are on their way."""
        self._line.delay_s = SLOW_S
        self._play_all()
        await asyncio.sleep(SLOW_S / 2)
        await self._line.cut()
        await asyncio.sleep(MOMENT_S)
        self._line.delay_s = 0

    async def _tables_away(self) -> None:
        """A table leaves in the middle of its match, another is out of reach; both play theirs out, and others follow.

        They are there again when all others are done.
        """
        table, journal = self._begun.pop()
        await table.go()
        table.play(journal)
        await self._out_of_reach(self._tables[FAR])
        table.come()

    async def _out_of_reach(self, table: LightTable) -> None:
        """Shut a table's line while all tables play on, for as long as was wanted, and wait for its results."""
        assert table.speaker is not None
        before_mb = memory_mb(table.speaker)
        self._far_line.is_shut = True
        await self._far_line.cut()
        self._play_all()
        await self._until_open(2)
        await self._play_unpaired()
        waited, words = len(table.waiting), table.faults
        self._far_line.is_shut = False
        began_s = time.monotonic()
        await self._until_acknowledged(table)
        told_s = time.monotonic() - began_s
        self._back.append(Back(waited, words, told_s, before_mb, memory_mb(table.speaker)))

    async def _play_unpaired(self) -> None:
        """Have every table end matches that no event has to do with, one after the other, for as long as was wanted."""
        until_s = time.monotonic() + self._away.seconds
        while time.monotonic() < until_s:
            for table in self._tables:
                table.play_unpaired()
            await asyncio.sleep(self._away.every_s)

    async def _broker_full(self) -> None:
        """The server fetches nothing for a while, and the broker drops what it has no room for, results too."""
        self._server.process.send_signal(signal.SIGSTOP)
        await asyncio.to_thread(self._flood)
        self._play_all()
        await asyncio.sleep(MOMENT_S)
        self._server.process.send_signal(signal.SIGCONT)
        assert "Outgoing messages are being dropped" in self._broker.log.read_text()

    def _flood(self) -> None:
        with Guest(self._broker.port) as guest:
            for number in range(FLOOD):
                guest.say("captains-table/table-0/needs", b'{"v":1,"arbiter":false,"since":%d}' % number)

    def _stop_server(self) -> None:
        self._arbiter.close()
        assert self._server.stop() == 0

    # --- the arbiter ------------------------------------------------------------------------------------------------

    async def _post(self, path: str, **fields: str) -> None:
        await asyncio.to_thread(self._arbiter.post, path, **fields)

    async def _until_open(self, count: int) -> None:
        """Wait until so many matches of the round have no result."""
        while (await asyncio.to_thread(self._arbiter.report)).count(" w   ") != count:  # noqa: ASYNC110 - nor this
            await asyncio.sleep(STEP_S)

    async def _until_acknowledged(self, *tables: LightTable) -> None:
        """Wait until the club has acknowledged all results of some tables."""
        while not all(table.is_done for table in tables):  # noqa: ASYNC110 - nor a journal
            await asyncio.sleep(STEP_S)


def hold_disturbed(swiss: Swiss, folder: Path, away: Away, patience_s: float) -> Held:
    """Hold an event at which everything fails once, and return what came of it."""

    async def evening(broker: Mosquitto, server: ClubProcess) -> Held:
        async with (
            asyncio.timeout(patience_s + away.seconds),
            slow_line(broker.port) as far_line,
            slow_line(broker.port) as line,
        ):
            return await Evening(swiss, folder, away, (far_line, line), broker, server).hold()

    with ExitStack() as stack:
        broker = stack.enter_context(Mosquitto(folder / "broker", FEW_WAIT))
        server = stack.enter_context(ClubProcess(configured(folder, broker.port), folder / "start-0"))
        return asyncio.run(evening(broker, server))


def lost_or_changed(swiss: Swiss, held: Held, folder: Path) -> list[str]:
    """Return in sentences what is otherwise than if nothing had failed; empty: nothing is."""
    kept = kept_in(folder / "state")
    wrong = {
        "the report is another than the undisturbed one": held.report != trf_of(swiss.undisturbed().event),
        f"{len(set(held.ended) - kept.keys())} results are lost": set(held.ended) - kept.keys(),
        f"{len(kept.keys() - set(held.ended))} results were told by nobody": kept.keys() - set(held.ended),
        f"{sum(count != 1 for count in kept.values())} results are kept twice": set(kept.values()) - {1},
    }
    return [words for words, holds in wrong.items() if holds]
