"""Whether a table notices its club's broker, whatever that does: from the last switch change to the journal."""

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from captains_table.reporting.messages import encode
from captains_table.runtime.club_line.connection import TableCallbacks, TableNow
from captains_table.runtime.club_line.member import ClubMember
from captains_table.runtime.config import ClubConfig
from captains_table.storage.journal_file import JournalFile
from captains_table.table.model.view import View
from tests.bench.tables import STARTED, TimedPlay
from tests.bench.timing import seconds
from tests.support.hostile_broker import HOSTILE

ROUNDS = 3
MOVES = 100
VIEWS = 1000
REST_S = 0.004
"""Between one step and the next, so that the loop has time for the club."""
SHUTTING_UP = ("silent", "half_open", "gone_at_once")
"""These do little; the others do all they can."""


def acceptance_ms() -> tuple[list[float], dict[str, list[float]]]:
    """Return how long moves took to be accepted, on a loop: at no club, and at each hostile broker, in turns."""
    alone: list[float] = []
    at_clubs: dict[str, list[float]] = {name: [] for name in HOSTILE if name not in SHUTTING_UP}
    for seed in range(ROUNDS):
        alone += asyncio.run(_played(seed, None))
        for name in at_clubs:
            with _broker(name) as port:
                at_clubs[name] += asyncio.run(_played(seed, port))
    return alone, at_clubs


@contextmanager
def _broker(name: str) -> Iterator[int]:
    command = (sys.executable, "-m", "tests.support.hostile_broker", name)
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            yield int(process.stdout.readline())
        finally:
            process.kill()


async def _played(seed: int, port: int | None) -> list[float]:
    """Return how long moves took, the time included for which the loop was busy when a hand came."""
    loop, shown = asyncio.get_running_loop(), TableNow(View())
    times: list[float] = []
    with tempfile.TemporaryDirectory() as folder, closing(JournalFile(Path(folder) / "journal.sqlite3")) as journal:
        number = journal.start(STARTED, bytes(32), "").number
        club = None if port is None else _member(port, journal, lambda: shown)
        if club is not None:
            club.open()
        while len(times) < MOVES:
            seed += 1
            play = TimedPlay(seed)
            while not play.over and len(times) < MOVES:
                due_s = loop.time() + REST_S
                await asyncio.sleep(REST_S)
                late_ms = max(0.0, loop.time() - due_s) * 1000
                play.step()
                times += [late_ms + took_ms for took_ms in play.accepted_ms]
                play.accepted_ms.clear()
                shown = TableNow(play.table.session.view(), play.match, number)
                if club is not None:
                    loop.call_soon(club.look)
        if club is not None:
            await club.close()
    return times


def telling_ms(*, names: bool) -> list[float]:
    """Return what the table itself computes to tell its club of a change: the view as a payload."""
    return asyncio.run(_told(names=names))


async def _told(*, names: bool) -> list[float]:
    shown, times, seed = TableNow(View()), list[float](), 0
    with tempfile.TemporaryDirectory() as folder, closing(JournalFile(Path(folder) / "journal.sqlite3")) as journal:
        number = journal.start(STARTED, bytes(32), "").number
        club = _member(1, journal, lambda: shown, names=names)
        while len(times) < VIEWS:
            seed += 1
            play = TimedPlay(seed)
            while not play.over and len(times) < VIEWS:
                play.step()
                shown = TableNow(play.table.session.view(), play.match, number)
                times.append(1000 * seconds(lambda: encode(club._seen()), time.thread_time))
    return times


def _member(port: int, journal: JournalFile, showing: Callable[[], TableNow], *, names: bool = False) -> ClubMember:
    config = ClubConfig(host="127.0.0.1", port=port, user="table-3", names=names)
    return ClubMember(config, journal, TableCallbacks(showing, _nothing, _nothing, str, lambda: 0.0, "boot"))


def _nothing(_: object = None) -> None:
    pass
