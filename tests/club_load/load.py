"""A club under many tables: what is lost of what they say, how late the wall shows it, and what each program takes."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx
import msgspec
from playwright.sync_api import Browser

from captains_table.club.store.store import Store
from tests.club_load.crowd import THERE, Plan, Shown
from tests.club_load.daemons import USER, Daemons, Heard, Witness
from tests.club_load.halls import Brokers, halls
from tests.club_load.measured import Shares, peak_mb
from tests.club_load.reels import MOMENT, Reel, write_reels
from tests.club_load.watched_wall import WatchedWall
from tests.support.club_process import ClubProcess, configured
from tests.support.patience import PATIENCE_S

MOST_LATE_MS: Final = 300
MOST_MB: Final = 150
SETTLED_S: Final = 10.0
STEP_S: Final = 0.2
ROUND_S: Final = 0.5
SAID: Final = "crowd.txt"
COMMAND: Final = (sys.executable, "-m", "tests.club_load.crowd")


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
        shown: what the crowd showed.
        heard: what was heard of the daemons, by user.
        views, left_out: how many views the server took, and left out for newer ones.
        stale: tables whose last view the server has not.
        kept: how often the server keeps a match's result, by its seal.
        ages_ms: how old views were when they were in the page.
        took_s: how long the crowd was at it.
        cpu_s: what each program took of the processor.
        peaks_mb: the most memory of server and brokers.
    """

    shown: Shown
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
        return _said(self.shown, self.heard)

    @property
    def results(self) -> frozenset[str]:
        """The seals of all matches whose result was told."""
        return frozenset(self.shown.results).union(*(each.results for each in self.heard.values()))

    def late_ms(self, share: float) -> int:
        """Return how old a view was at most, of such a share of all."""
        ordered = sorted(self.ages_ms)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

    def lost(self) -> list[str]:
        """Return in sentences what did not arrive as it should; empty: all did."""
        twice = [seal for seal, count in self.kept.items() if count != 1]
        wrong = {
            f"{self.said - self.views - self.left_out} views are lost": self.said != self.views + self.left_out,
            f"the last view of {', '.join(self.stale)} is lost": self.stale,
            f"{len(self.results - self.kept.keys())} results are lost": self.results - self.kept.keys(),
            f"{len(self.kept.keys() - self.results)} results were told by nobody": self.kept.keys() - self.results,
            f"{len(twice)} results are kept more than once": twice,
            f"{len(self.shown.unacknowledged)} results are not acknowledged": self.shown.unacknowledged,
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
        witness = stack.enter_context(closing(Witness(hall.server_port, users)))
        wall = stack.enter_context(closing(WatchedWall(browser, server.wall)))
        daemons = stack.enter_context(Daemons(users, hall.table_ports, load.tables + 1, folder / "daemons"))
        crowd = stack.enter_context(_crowd(load, hall.table_ports, folder))
        parts = {"crowd": (crowd.pid,), "server": (server.process.pid,), "tables": daemons.pids}
        shares = Shares(parts | {name: (pid,) for name, pid in hall.pids.items()}, os.getpid())
        began = time.monotonic()
        while not (shown := _shown(folder)):
            assert crowd.poll() is None, "the crowd went"
            daemons.look_after()
            wall.look_on(ROUND_S)
        took_s, cpu_s, ages_ms = time.monotonic() - began, shares.taken(), wall.ages_ms()
        daemons.close()
        views, left_out = _settled(server, lambda: _said(shown, witness.heard))
        stale = stale_at(server, shown)
        peaks = {"server": peak_mb(server.process.pid)} | {name: peak_mb(pid) for name, pid in hall.pids.items()}
    kept = kept_in(folder / "state")
    return Found(shown, witness.heard, views, left_out, stale, kept, ages_ms, took_s, cpu_s, peaks)


@contextmanager
def _crowd(load: Load, ports: Sequence[int], folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Have a crowd play whose tables are all there."""
    reels, plan, said = folder / "reels", folder / "plan.json", folder / SAID
    reels.write_bytes(write_reels(load.reels))
    plan.write_bytes(msgspec.json.encode(Plan(list(ports), load.tables, load.seconds, str(reels), PATIENCE_S)))
    with said.open("wb") as out:
        crowd = subprocess.Popen([*COMMAND, plan], stdin=subprocess.PIPE, stdout=out)
    try:
        patience = time.monotonic() + PATIENCE_S
        while not said.read_text().startswith(THERE):
            assert crowd.poll() is None, "the crowd went"
            assert time.monotonic() < patience, "not all tables of the crowd have come"
            time.sleep(STEP_S)
        yield crowd
    finally:
        crowd.kill()
        crowd.communicate(timeout=PATIENCE_S)


def _shown(folder: Path) -> Shown | None:
    """Return what a crowd did; `None` while it is at it."""
    words = (folder / SAID).read_text().removeprefix(THERE)
    return msgspec.json.decode(words, type=Shown) if words.endswith("}\n") else None


def _said(shown: Shown, heard: Mapping[str, Heard]) -> int:
    return sum(shown.views.values()) + sum(each.views + each.left_out for each in heard.values())


def _settled(server: ClubProcess, said: Callable[[], int]) -> tuple[int, int]:
    """Return how many views the server took and left out, once that is all there were, or none came for long."""
    deadline = time.monotonic() + SETTLED_S
    views = left_out = 0
    while time.monotonic() < deadline and views + left_out < said():
        before, health = (views, left_out), server.health()
        views, left_out = health["views"], health["left_out"]
        if (views, left_out) != before:
            deadline = time.monotonic() + SETTLED_S
        time.sleep(STEP_S)
    return views, left_out


def stale_at(server: ClubProcess, shown: Shown) -> list[str]:
    """Return the tables of a crowd whose page shows another view than their last."""
    with httpx.Client(base_url=server.wall, timeout=PATIENCE_S) as page:
        pages = {user: page.get(f"/tables/{user}").text for user in shown.latest_ms}
    return [user for user, at_ms in shown.latest_ms.items() if set(MOMENT.findall(pages[user])) != {str(at_ms)}]


def kept_in(state: Path) -> dict[str, int]:
    """Return how often a server that has ended keeps each match's result."""
    with closing(Store(state)) as store:
        return {each.outcome.match: len(store.revisions(each.outcome.match)) for each in store.results()}
