"""A club under many tables: what is lost of what they say, how late the wall shows it, and what each program takes."""

import asyncio
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Final

from paho.mqtt.enums import MQTTProtocolVersion
from playwright.sync_api import Browser, Page

from captains_table.club.store.store import Store
from captains_table.reporting.messages import FromTable, Topic
from tests.club_load.crowd import Crowd, CrowdTable
from tests.club_load.halls import USER, Brokers, Heard, daemons, halls, heard_of
from tests.club_load.measured import Shares, peak_mb
from tests.club_load.recorded import MOMENT, Reel
from tests.clubroom.crew import Crew
from tests.clubroom.programme import plays_for
from tests.support.broker_guest import Guest
from tests.support.browser import Visitor
from tests.support.club_process import ClubProcess, configured
from tests.support.patience import PATIENCE_S

MOST_LATE_MS: Final = 300
MOST_MB: Final = 150
SETTLED_S: Final = 10.0
STEP_S: Final = 0.2
ROUND_S: Final = 0.5
QUIET_S: Final = 0.5  # after so long nothing more is heard of tables that have left
PROJECTOR: Final = {"viewport": {"width": 1920, "height": 1080}}
# A view counts where its table stood in the same place before: what another table's tile shows as pages turn is older.
WATCH: Final = r"""() => {
  window.ages = [];
  const last = new Map();
  const look = (slot) => {
    const table = slot.querySelector("h2 a")?.getAttribute("href");
    const moment = /@(\d{13})/.exec(slot.querySelector(".round")?.textContent ?? "")?.[1];
    if (!table || !moment) return void last.delete(slot.id); // such as a match that is over
    const [wasTable, wasMoment] = last.get(slot.id) ?? [];
    if (table === wasTable && moment > wasMoment) window.ages.push(Date.now() - Number(moment));
    last.set(slot.id, [table, moment]);
  };
  new MutationObserver((records) => {
    for (const slot of new Set(records.map(({ target }) => target.closest?.(".slot")))) if (slot) look(slot);
  }).observe(document.querySelector("main"), { childList: true, subtree: true });
}"""


@dataclass(frozen=True, slots=True)
class Load:
    """What a club is put under: so many tables for so long, some of them daemons, at which brokers, showing what."""

    tables: int
    seconds: float
    daemons: int
    brokers: Brokers
    reels: Sequence[Reel]


@dataclass(frozen=True, slots=True)
class Found:
    """What came of it.

    Attributes:
        tables: the crowd.
        heard: what was heard of the daemons, by user.
        views, left_out: how many views the server took, and left out for newer ones.
        stale: tables whose last view the server has not.
        kept: how often the server keeps a match's result, by its seal.
        ages_ms: how old views were when they were in the page.
        took_s: how long the crowd was at it.
        cpu_s: what each program took of the processor.
        peaks_mb: the most memory of server and brokers.
    """

    tables: Sequence[CrowdTable]
    heard: Mapping[str, Heard]
    views: int
    left_out: int
    stale: Sequence[str]
    kept: Mapping[str, int]
    ages_ms: Sequence[int]
    took_s: float
    cpu_s: Mapping[str, float]
    peaks_mb: Mapping[str, float]

    @property
    def said(self) -> int:
        """How many views all tables showed."""
        return _said(self.tables, self.heard)

    @property
    def results(self) -> frozenset[str]:
        """The seals of all matches whose result was told."""
        of_daemons = (each.results for each in self.heard.values())
        return frozenset[str]().union(*(table.results for table in self.tables), *of_daemons)

    def late_ms(self, share: float) -> int:
        """Return how old a view was at most, of such a share of all."""
        ordered = sorted(self.ages_ms)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

    def lost(self) -> list[str]:
        """Return in sentences what did not arrive as it should; empty: all did."""
        twice = [seal for seal, count in self.kept.items() if count != 1]
        waiting = [seal for table in self.tables for seal in table.unacknowledged]
        wrong = {
            f"{self.said - self.views - self.left_out} views are lost": self.said != self.views + self.left_out,
            f"the last view of {', '.join(self.stale)} is lost": self.stale,
            f"{len(self.results - self.kept.keys())} results are lost": self.results - self.kept.keys(),
            f"{len(self.kept.keys() - self.results)} results were told by nobody": self.kept.keys() - self.results,
            f"{len(twice)} results are kept more than once": twice,
            f"{len(waiting)} results are not acknowledged": waiting,
            "nothing was seen on the wall": not self.ages_ms,
        }
        return [words for words, holds in wrong.items() if holds]

    def slow(self) -> list[str]:
        """Return in sentences what is above the limits."""
        late, server_mb = self.late_ms(0.99), self.peaks_mb["server"]
        wrong = {
            f"a view in a hundred is on the wall after {late} ms or more: expected {MOST_LATE_MS}": late > MOST_LATE_MS,
            f"the server takes {server_mb:.0f} MB: expected at most {MOST_MB}": server_mb > MOST_MB,
        }
        return [words for words, holds in wrong.items() if holds]


def put_under(load: Load, folder: Path, browser: Browser) -> Found:
    """Put a club under a load and return what came of it."""
    with ExitStack() as stack:
        hall = stack.enter_context(halls(load.brokers, folder))
        server = stack.enter_context(ClubProcess(configured(folder, hall.server_port), folder))
        server.wait_for_line()
        users = [USER.format(number=number) for number in range(1, load.daemons + 1)]
        witness = stack.enter_context(Guest(hall.server_port, protocol=MQTTProtocolVersion.MQTTv311))
        for user, kind in product(users, (FromTable.VIEW, FromTable.RESULT)):
            witness.listen(str(Topic(user, kind)))
        wall = stack.enter_context(_watched_wall(browser, server.wall))
        crowd = Crowd(hall.table_ports, load.tables, load.seconds, load.reels)
        with daemons(users, hall.table_ports, load.tables + 1, folder / "daemons") as tables:
            crews = [Crew(table.address(), play) for table, play in zip(tables, plays_for(len(users)), strict=True)]
            playing = stack.enter_context(ThreadPoolExecutor(1)).submit(lambda: asyncio.run(crowd.play()))
            assert crowd.there.wait(PATIENCE_S), "not all tables of the crowd have come"
            parts = {"server": (server.process.pid,), "tables": tuple(table.process.pid for table in tables)}
            shares = Shares(parts | {name: (pid,) for name, pid in hall.pids.items()}, os.getpid())
            began = time.monotonic()
            while not playing.done():
                for crew in crews:
                    crew.look_after()
                wall.wait_for_timeout(1000 * ROUND_S)
            took_s, cpu_s, ages_ms = time.monotonic() - began, shares.taken(), list(wall.evaluate("window.ages"))
        cpu_s |= {"crowd": playing.result(), "measuring": cpu_s["measuring"] - playing.result()}
        heard = heard_of(users, witness.heard_within(QUIET_S))
        views, left_out = _settled(server, _said(crowd.tables, heard))
        stale = stale_at(server, crowd.tables)
        peaks = {"server": peak_mb(server.process.pid)} | {name: peak_mb(pid) for name, pid in hall.pids.items()}
    kept = kept_in(folder / "state")
    return Found(crowd.tables, heard, views, left_out, stale, kept, ages_ms, took_s, cpu_s, peaks)


@contextmanager
def _watched_wall(browser: Browser, address: str) -> Iterator[Page]:
    """Open a page of the wall that notes how old each view is when it comes; fails if anything goes wrong on it."""
    visitor = Visitor(browser)
    page = visitor.open(address, **PROJECTOR)
    page.evaluate(WATCH)
    yield page
    visitor.leave()


def _said(tables: Sequence[CrowdTable], heard: Mapping[str, Heard]) -> int:
    return sum(table.n for table in tables) + sum(each.views + each.left_out for each in heard.values())


def _settled(server: ClubProcess, said: int) -> tuple[int, int]:
    """Return how many views the server took and left out, once that is all there were, or none came for long."""
    deadline = time.monotonic() + SETTLED_S
    views = left_out = 0
    while time.monotonic() < deadline and views + left_out < said:
        before, health = (views, left_out), server.health()
        views, left_out = health["views"], health["left_out"]
        if (views, left_out) != before:
            deadline = time.monotonic() + SETTLED_S
        time.sleep(STEP_S)
    return views, left_out


def stale_at(server: ClubProcess, tables: Sequence[CrowdTable]) -> list[str]:
    """Return the tables of a crowd whose page shows another view than their last."""
    pages = ((table, server.pages.get(f"/tables/{table.user}").text) for table in tables)
    return [table.user for table, page in pages if set(MOMENT.findall(page)) != {str(table.latest_ms)}]


def kept_in(state: Path) -> dict[str, int]:
    """Return how often a server that has ended keeps each match's result."""
    with closing(Store(state)) as store:
        return {each.outcome.match: len(store.revisions(each.outcome.match)) for each in store.results()}
