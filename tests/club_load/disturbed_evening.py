"""A Swiss over tables at a real broker, in each round of which something fails; and the same event undisturbed.

As a command, `python -m tests.club_load.disturbed_evening`, with a table that is out of reach for an hour.
"""

import argparse
import asyncio
import contextlib
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from captains_table.club.events.entries import DRAW, LOSS, WIN, Edition, PairedMatch, System, Withdrew
from captains_table.club.events.trf import trf_of
from captains_table.reporting.broker import until_one_ends
from captains_table.storage.journal_file import MatchJournal
from tests.club_load.light_table import GAME, LightTable, match_of
from tests.club_load.load import kept_in
from tests.club_load.measured import memory_mb
from tests.support.broker_guest import Guest
from tests.support.club_event import TITLE, Running, begun
from tests.support.club_process import Arbiter, ClubProcess, configured
from tests.support.listening_process import COMMAND
from tests.support.mosquitto import Mosquitto
from tests.support.patience import PATIENCE_S

STEP_S: Final = 0.2
MOMENT_S: Final = 0.3
SLOW_S: Final = 0.2
FLOOD: Final = 300
CHUNK: Final = 1 << 16
FEW_WAIT: Final = ("allow_anonymous true", "max_inflight_messages 20", "max_queued_messages 60")
"""A broker that soon drops what the club's server does not fetch; what ten tables have retained has room."""
FAR: Final = 1
"""The place of the table that has a line of its own, which is shut for a while; it has a match in every round."""

Begun = tuple[LightTable, MatchJournal]
"""A match that goes on at a table."""


class SlowLine:
    """A port of loopback that leads to another one, over lines that can be slow, and cut.

    Attributes:
        port: that port.
        delay_s: how much later everything arrives, each piece of it after the one before.
        is_shut: whether new lines are refused.
    """

    def __init__(self, to: int) -> None:
        self.port = 0
        self.delay_s = 0.0
        self.is_shut = False
        self._to = to
        self._at_work: set[asyncio.Task[None]] = set()

    async def cut(self) -> None:
        """Break all lines there are, in the middle of what is on its way."""
        for task in self._at_work:
            task.cancel()
        await asyncio.gather(*self._at_work, return_exceptions=True)

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry a line to the other port, both ways."""
        if self.is_shut:
            writer.transport.abort()
            return
        task = asyncio.current_task()
        assert task is not None
        self._at_work.add(task)
        try:
            with contextlib.suppress(OSError, asyncio.CancelledError):
                far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._to)
                with contextlib.closing(far_writer.transport):
                    await until_one_ends(self._way(reader, far_writer), self._way(far_reader, writer))
        finally:
            self._at_work.discard(task)
            writer.transport.abort()

    async def _way(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(CHUNK):
            await asyncio.sleep(self.delay_s)
            writer.write(data)
            await writer.drain()


@asynccontextmanager
async def slow_line(to: int) -> AsyncIterator[SlowLine]:
    """Have another port lead to a port."""
    line = SlowLine(to)
    server = await asyncio.start_server(line.carry, "127.0.0.1", 0)
    line.port = int(server.sockets[0].getsockname()[1])
    try:
        yield line
    finally:
        server.close()
        await line.cut()


@dataclass(frozen=True, slots=True)
class Swiss:
    """So many players and rounds, one of whom withdraws after a round; and how long a table is out of reach.

    Attributes:
        away_s: for how many seconds.
        every_s: after how many of them every table ends a further match.
    """

    players: int
    rounds: int
    withdraws: int
    after_round: int
    away_s: float = 3600
    every_s: float = 20

    def undisturbed(self) -> Running:
        """Return the event as the library alone has it: no broker, no table, the same matches."""
        running = begun(System.SWISS, self.players, self.rounds, game=GAME, edition=Edition.FIDE_2026)
        for number in range(1, self.rounds + 1):
            running.play_round(lambda seated: _halves(running, seated))
            if number == self.after_round:
                running.write(Withdrew(player=self.withdraws, why="ill"))
        return running


def _halves(running: Running, seated: PairedMatch) -> Sequence[int]:
    ending = match_of(tuple(running.event.name(seat) for seat in seated.seats))[1]
    if ending.winner is None:
        return (DRAW, DRAW)
    return (WIN, LOSS) if ending.winner == 0 else (LOSS, WIN)


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


class Evening:
    """The event at its broker.

    Args:
        swiss: what is played.
        folder: where everything is kept.
        broker, program: the broker, and the command of the club's server.

    Attributes:
        report: the event as the club has it, when it is over.
        ended: the seals of all matches that were played to their ends, those too that no event has to do with.
        back: the table that was out of reach, each time.
    """

    report = ""

    def __init__(self, swiss: Swiss, folder: Path, broker: Mosquitto, program: Sequence[str | Path]) -> None:
        self.ended: list[str] = []
        self.back: list[Back] = []
        self._swiss, self._folder, self._broker, self._program = swiss, folder, broker, program
        self._starts = 0
        self._tables: list[LightTable] = []
        self._begun: list[Begun] = []
        self._troubles: Sequence[Callable[[], Awaitable[None]]] = (
            self._broker_killed,
            self._server_killed,
            self._line_slow_and_cut,
            self._tables_away,
            self._broker_full,
        )
        self._start_server()

    def _start_server(self) -> None:
        self._starts += 1
        config = configured(self._folder, self._broker.port)
        self.server = ClubProcess(config, self._folder / f"start-{self._starts}", self._program)
        self._arbiter = Arbiter(self.server)

    def close(self) -> None:
        """End the server."""
        assert self.server.stop() == 0

    async def hold(self) -> None:
        """Play all rounds."""
        async with AsyncExitStack() as stack:
            self._far_line = await stack.enter_async_context(slow_line(self._broker.port))
            self._line = await stack.enter_async_context(slow_line(self._broker.port))
            for place in range(self._swiss.players // 2):
                line = self._far_line if place == FAR else self._line
                table = LightTable(place + 1, line.port, self._folder)
                self._tables.append(table)
                stack.push_async_callback(table.aclose)
                table.come()
            await self._make()
            for number in range(1, self._swiss.rounds + 1):
                await self._round(self._troubles[(number - 1) % len(self._troubles)])
                if number == self._swiss.after_round:
                    await self._post("/withdraw", player=str(self._swiss.withdraws), why="ill")
            await self._until_acknowledged(*self._tables)
            self.ended = [seal for table in self._tables for seal in table.ended]
            self.report = await self._current_report()

    async def _make(self) -> None:
        players = [f"Player {number}" for number in range(1, self._swiss.players + 1)]
        await asyncio.to_thread(self._arbiter.make_swiss, TITLE, GAME, self._swiss.rounds, players)
        while (await asyncio.to_thread(self.server.health))["tables"] < len(self._tables):  # noqa: ASYNC110 - a page tells nothing by itself
            await asyncio.sleep(STEP_S)

    async def _round(self, trouble: Callable[[], Awaitable[None]]) -> None:
        """Pair and publish a round; one match is told, then trouble comes while the others are played."""
        await self._post("/pair")
        await asyncio.to_thread(self._wait_for_tables)
        await self._post("/publish")
        matches = (await self._current_report()).count(" w   ")
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
        self.server.kill()
        self._play_one()
        await asyncio.sleep(MOMENT_S)
        await asyncio.to_thread(self._start_server)

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
        until_s = time.monotonic() + self._swiss.away_s
        while time.monotonic() < until_s:
            for each in self._tables:
                each.play_unpaired()
            await asyncio.sleep(self._swiss.every_s)
        waited, words = len(table.waiting), table.faults
        self._far_line.is_shut = False
        began_s = time.monotonic()
        await self._until_acknowledged(table)
        told_s = time.monotonic() - began_s
        self.back.append(Back(waited, words, told_s, before_mb, memory_mb(table.speaker)))

    async def _broker_full(self) -> None:
        """The server fetches nothing for a while, and the broker drops what it has no room for, results too."""
        self.server.process.send_signal(signal.SIGSTOP)
        await asyncio.to_thread(self._flood)
        self._play_all()
        await asyncio.sleep(MOMENT_S)
        self.server.process.send_signal(signal.SIGCONT)
        assert "Outgoing messages are being dropped" in self._broker.log.read_text()

    def _flood(self) -> None:
        with Guest(self._broker.port) as guest:
            for number in range(FLOOD):
                guest.say("captains-table/table-0/needs", b'{"v":1,"arbiter":false,"since":%d}' % number)

    # --- the arbiter ------------------------------------------------------------------------------------------------

    async def _post(self, button: str, **fields: str) -> None:
        await asyncio.to_thread(self._arbiter.post, f"/events/1{button}", **fields)

    async def _current_report(self) -> str:
        return await asyncio.to_thread(self._arbiter.report)

    def _wait_for_tables(self) -> None:
        """Wait until no table is away: the club assigns no match to one that is."""
        away = {f"/tables/table-{place}" for place in range(1, len(self._tables) + 1)}
        while away := {path for path in away if 'class="gone"' in self.server.pages.get(path).text}:
            time.sleep(STEP_S)

    async def _until_open(self, count: int) -> None:
        """Wait until so many matches of the round have no result."""
        while (await self._current_report()).count(" w   ") != count:  # noqa: ASYNC110 - nor this
            await asyncio.sleep(STEP_S)

    async def _until_acknowledged(self, *tables: LightTable) -> None:
        """Wait until the club has acknowledged all results of some tables."""
        while not all(table.is_done for table in tables):  # noqa: ASYNC110 - a journal tells nobody
            await asyncio.sleep(STEP_S)


def hold_disturbed(swiss: Swiss, folder: Path, program: Sequence[str | Path] = (COMMAND,)) -> Evening:
    """Hold an event at which everything fails once."""

    async def patiently(evening: Evening) -> None:
        async with asyncio.timeout(PATIENCE_S * swiss.rounds + swiss.away_s):
            await evening.hold()

    with ExitStack() as stack:
        broker = stack.enter_context(Mosquitto(folder / "broker", FEW_WAIT))
        evening = Evening(swiss, folder, broker, program)
        stack.callback(evening.close)
        asyncio.run(patiently(evening))
    return evening


def undated(report: str) -> str:
    """Return a report without the records that say when it was played."""
    return "".join(line for line in report.splitlines(keepends=True) if line[:3] not in {"042", "052", "132"})


def lost_or_changed(swiss: Swiss, held: Evening, folder: Path) -> list[str]:
    """Return in sentences what is otherwise than if nothing had failed; empty: nothing is."""
    kept = kept_in(folder / "state")
    wrong = {
        "the report is another than the undisturbed one": undated(held.report) != trf_of(swiss.undisturbed().event),
        f"{len(set(held.ended) - kept.keys())} results are lost": set(held.ended) - kept.keys(),
        f"{len(kept.keys() - set(held.ended))} results were told by nobody": kept.keys() - set(held.ended),
        f"{sum(count != 1 for count in kept.values())} results are kept twice": set(kept.values()) - {1},
    }
    return [words for words, holds in wrong.items() if holds]


def main() -> int:
    """Hold the event, print what came of it, and return 1 where something is otherwise than if nothing had failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3600, help="how long a table is away (%(default)s)")
    parser.add_argument("--every", type=float, default=20, help="then all end one more match, in seconds (%(default)s)")
    arguments = parser.parse_args()
    swiss = Swiss(20, 7, withdraws=11, after_round=4, away_s=arguments.seconds, every_s=arguments.every)
    with tempfile.TemporaryDirectory(prefix="captains-table-club-") as folder:
        held = hold_disturbed(swiss, Path(folder))
        wrong = lost_or_changed(swiss, held, Path(folder))
    print(f"{swiss.players} players, {swiss.rounds} rounds; {len(held.ended)} matches ended")
    for back in held.back:
        print(f"a table came back: {back.waited} results waited, all acknowledged after {back.told_s:.1f} s")
        print(f"  its speaker: {back.before_mb:.1f} MB before, {back.after_mb:.1f} MB after")
        print(f"  it said: {' '.join(back.words) or 'nothing'}")
    for words in wrong:
        print(words, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
