"""A round is paired by a worker while the server goes on; nothing else of the event changes meanwhile."""

import asyncio
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from captains_table.club import pairing_worker
from captains_table.club.events.counting import CannotPair
from captains_table.club.events.entries import System
from captains_table.club.events.pairing import next_round
from captains_table.club.pairing_worker import pair_in_worker
from captains_table.club.store.event_log import NoSuchEvent
from tests.club.club_tables import until
from tests.club.event_club import (
    AS_ARBITER,
    SECOND_WINS,
    EventClub,
    at_work,
    on_a_loop,
    opened,
    pages_of_events,
)
from tests.support.club_arbiter import Arbiter
from tests.support.club_event import begun
from tests.support.club_process import ClubProcess, configured
from tests.support.patience import PATIENCE_S

PREFIX = "cup-"
SWISS = begun(System.SWISS, 0, 3).event.made
NAMES = ("Anne", "Bart", "Cleo", "Dirk", "Elsa", "Finn")
WAITS = "is being paired"
WAITING_WORKER = """
import time
from pathlib import Path
import captains_table.club.pairing_worker as pairing
from captains_table.process.worker_side import run_worker
def answer(line):
    while not Path({gate!r}).exists():
        time.sleep(0.01)
    return pairing._answer(line)
run_worker(answer)
"""
WAITING_SERVER = """
import sys
from captains_table.club import pairing_worker
pairing_worker.COMMAND = {command!r}
from captains_table.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture(autouse=True)
def pairs_here() -> None:
    """Leave the worker in its place."""


def waiting_worker(gate: Path) -> tuple[str, ...]:
    """Return the command of a worker that pairs as soon as a file is there: as if there were hundreds of players."""
    return sys.executable, "-c", WAITING_WORKER.format(gate=str(gate))


@pytest.mark.slow
@on_a_loop
async def test_all_pages_are_served_while_a_round_is_paired_and_nothing_else_of_the_event_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairing_worker, "COMMAND", waiting_worker(tmp_path / "gate"))
    async with pages_of_events(tmp_path) as (club, arbiter):
        arbiter.headers.update(AS_ARBITER)
        path = f"/arbiter/events/{club.begin(SWISS, *NAMES)}"
        assert "Pair round 1" in (await arbiter.get(path)).text
        presses = [asyncio.ensure_future(arbiter.post(f"{path}/pair")) for _ in range(2)]
        await until(lambda: club.desk.event(1).is_being_paired)
        page = (await arbiter.get(path)).text
        assert WAITS in page
        assert "Pair round 1" not in page
        assert {(await arbiter.get(other)).status_code for other in ("/", "/health", "/arbiter")} == {200}
        refused = await arbiter.post(f"{path}/withdraw", data={"player": "1"})
        assert refused.status_code == 409
        assert "Round 1 of &#39;An evening&#39; is being paired, and nothing else is changed meanwhile" in refused.text
        (tmp_path / "gate").touch()
        assert [(await press).status_code for press in presses] == [303, 303]
        assert WAITS not in (await arbiter.get(path)).text
        assert len(club.event(1).rounds) == 1


def workers_of(club: ClubProcess) -> list[Path]:
    """Return the processes in which a server's rounds are paired, as folders of /proc."""
    tasks = Path(f"/proc/{club.process.pid}/task").iterdir()  # any of its threads may have begun one
    children = [child for task in tasks for child in (task / "children").read_text().split()]
    return [path for path in map(Path("/proc").joinpath, children) if is_pairing(path)]


def is_pairing(process: Path) -> bool:
    """Return whether a process is there, and pairs."""
    try:
        return b"club.pairing_worker" in (process / "cmdline").read_bytes()
    except FileNotFoundError:
        return False


@pytest.mark.slow
def test_a_server_that_is_stopped_or_killed_while_it_pairs_has_paired_nothing_and_its_worker_ends(
    tmp_path: Path,
) -> None:
    state = tmp_path / "state"
    with opened(state) as club:
        club.begin(SWISS, *NAMES)
        before = club.event(1)
    program = (sys.executable, "-c", WAITING_SERVER.format(command=waiting_worker(tmp_path / "gate")))
    for end in (ClubProcess.stop, ClubProcess.kill):
        with (
            ClubProcess(configured(tmp_path, 9), tmp_path, program) as server,
            closing(Arbiter(server)) as arbiter,
            ThreadPoolExecutor() as threads,
        ):
            pressed = threads.submit(arbiter.pages.post, "/arbiter/events/1/pair")
            while not (workers := workers_of(server)):
                pass
            end(server)
            assert server.complaints == ""
            assert pressed.exception(PATIENCE_S) or pressed.result().status_code == 409
        while any(map(is_pairing, workers)):
            pass
        with opened(state) as club:
            assert club.event(1) == before


@contextmanager
def played(folder: Path) -> Iterator[tuple[EventClub, int]]:
    """Yield a club and the number of its event."""
    with opened(folder) as club:
        yield club, club.begin(SWISS, *NAMES)


async def pressed(club: EventClub, number: int) -> asyncio.Task[None]:
    """Press to pair, and return it as soon as that goes on."""
    pressing = asyncio.ensure_future(club.desk.pair(number))
    await asyncio.sleep(0)
    assert club.desk.event(number).is_being_paired
    return pressing


@pytest.mark.slow
@on_a_loop
async def test_what_tables_tell_while_a_round_is_paired_counts_when_it_is_there(tmp_path: Path) -> None:
    with played(tmp_path) as (club, number):
        await club.pair(number)
        [pairing, *_] = club.published["table-1"]
        club.play_all()
        async with at_work(club):
            before = club.event(number)
            pressing = await pressed(club, number)
            club.tell("table-1", pairing, SECOND_WINS, rev=2)
            await club.settled()
            assert club.event(number) is before
            await pressing
            await club.settled()
            after = club.event(number)
            assert [match.seated for match in after.rounds[1].matches] == list(next_round(before, "e1-").matches)
            assert [report.rev for report in after.match(pairing.id).reports.values()] == [2]


@pytest.mark.slow
@on_a_loop
async def test_a_round_is_paired_though_the_one_who_pressed_went_away(tmp_path: Path) -> None:
    with played(tmp_path) as (club, number):
        pressing = await pressed(club, number)
        pressing.cancel()
        await club.desk.pair(number)
        assert pressing.cancelled()
        assert len(club.event(number).rounds) == 1


@on_a_loop
async def test_of_an_evening_that_is_deleted_meanwhile_nothing_is_written(tmp_path: Path) -> None:
    with played(tmp_path) as (club, number):
        pressing = await pressed(club, number)
        club.store.delete_evening(1)
        club.desk.forget()
        with pytest.raises(NoSuchEvent):
            await pressing
        assert club.desk.events() == []


@pytest.mark.slow
@on_a_loop
async def test_a_pairing_that_breaks_off_changes_nothing_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with played(tmp_path) as (club, number):
        monkeypatch.setattr(pairing_worker, "COMMAND", (sys.executable, "-c", "raise SystemExit(9)"))
        with pytest.raises(
            CannotPair, match=r"pairing failed \(its process ended with status 9\): nothing was changed, try again"
        ):
            await club.desk.pair(number)
        assert not club.event(number).rounds
        assert not club.desk.event(number).is_being_paired
        monkeypatch.undo()
        await club.desk.pair(number)
        assert len(club.event(number).rounds) == 1


@pytest.mark.parametrize("system", System)
@on_a_loop
async def test_a_worker_pairs_every_system_as_this_process_does(system: System) -> None:
    event = begun(system, 9, 2, group_size=4 if system is System.GROUPS else 2)
    assert await pair_in_worker(event.entries, PREFIX) == next_round(event.event, PREFIX)


@on_a_loop
async def test_why_nobody_can_be_paired_is_said() -> None:
    with pytest.raises(CannotPair, match="1 would play round 1: expected two at least"):
        await pair_in_worker(begun(System.SWISS, 1, 2).entries, PREFIX)
