"""A round is paired by a worker while the server goes on; nothing else of the event changes meanwhile."""

import asyncio
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from captains_table.club import pairing_worker
from captains_table.club.events.counting import CannotPair
from captains_table.club.events.entries import EventEntry, RoundPaired, System
from captains_table.club.events.event import event_of
from captains_table.club.events.pairing import next_round
from captains_table.club.pairing_worker import PairingRequest, PairingWorker
from captains_table.club.store.event_log import NoSuchEvent
from captains_table.process.worker_side import encode_line
from tests.club.club_tables import until
from tests.club.event_club import AS_ARBITER, SECOND_WINS, EventClub, at_work, opened, pages_of_events
from tests.support.club_event import begun
from tests.support.club_process import Arbiter, ClubProcess, altered, configured
from tests.support.patience import PATIENCE_S

PREFIX = "cup-"
SWISS = begun(System.SWISS, 0, 3).event.made
NAMES = ("Anne", "Bart", "Cleo", "Dirk", "Elsa", "Finn")
WAITS = "is being paired"
FOR_EVER = """
import time
from captains_table.process.worker_side import run_worker
run_worker(lambda _: time.sleep(1000))
"""
PAIR_IN_WORKER = PairingWorker.pair
WAITING_WORKER = (sys.executable, "-c", FOR_EVER, "club.pairing_worker")


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Return what is set when a round may be paired: until then it is as if there were hundreds of players."""
    gate = asyncio.Event()

    async def pair(_: PairingWorker, entries: Sequence[EventEntry], prefix: str) -> RoundPaired:
        await gate.wait()
        return next_round(event_of(entries), prefix)

    monkeypatch.setattr(PairingWorker, "pair", pair)
    return gate


async def test_all_pages_are_served_while_a_round_is_paired_and_nothing_else_of_the_event_changes(
    tmp_path: Path, gate: asyncio.Event
) -> None:
    async with pages_of_events(tmp_path) as (club, arbiter):
        arbiter.headers.update(AS_ARBITER)
        path = f"/arbiter/events/{club.begin(SWISS, *NAMES)}"
        assert "Pair round 1" in (await arbiter.get(path)).text
        presses = [asyncio.ensure_future(arbiter.post(f"{path}/pair")) for _ in range(2)]
        await club.settled()
        page = (await arbiter.get(path)).text
        assert WAITS in page
        assert "Pair round 1" not in page
        assert {(await arbiter.get(other)).status_code for other in ("/", "/health", "/arbiter")} == {200}
        refused = await arbiter.post(f"{path}/withdraw", data={"player": "1"})
        assert refused.status_code == 409
        assert "Round 1 of &#39;An evening&#39; is being paired, and nothing else is changed meanwhile" in refused.text
        gate.set()
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
    program = altered(f"from captains_table.club import pairing_worker\npairing_worker.COMMAND = {WAITING_WORKER!r}")
    for end in (ClubProcess.stop, ClubProcess.kill):
        with (
            ClubProcess(configured(tmp_path, 9), tmp_path, program) as server,
            ThreadPoolExecutor() as threads,
        ):
            pressed = threads.submit(Arbiter(server).pages.post, "/arbiter/events/1/pair")
            while not (workers := workers_of(server)):
                pass
            assert server.pages.get("/events/1").status_code == 200
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


async def test_what_tables_tell_while_a_round_is_paired_counts_when_it_is_there(
    tmp_path: Path, gate: asyncio.Event
) -> None:
    with played(tmp_path) as (club, number):
        gate.set()
        await club.pair(number)
        gate.clear()
        [pairing, *_] = club.published["table-1"]
        await club.play_all()
        async with at_work(club):
            before = club.event(number)
            pressing = await pressed(club, number)
            await club.play("table-1", SECOND_WINS, pairing, rev=2)
            assert club.event(number) is before
            gate.set()
            await pressing
            await club.settled()
            after = club.event(number)
            assert [match.seated for match in after.rounds[1].matches] == list(next_round(before, "e1-").matches)
            assert [report.rev for report in after.match(pairing.id).reports.values()] == [2]


async def test_a_round_is_paired_though_the_one_who_pressed_went_away(tmp_path: Path, gate: asyncio.Event) -> None:
    with played(tmp_path) as (club, number):
        pressing = await pressed(club, number)
        pressing.cancel()
        gate.set()
        await club.desk.pair(number)
        assert pressing.cancelled()
        assert len(club.event(number).rounds) == 1


async def test_of_an_evening_that_is_deleted_meanwhile_nothing_is_written(tmp_path: Path, gate: asyncio.Event) -> None:
    with played(tmp_path) as (club, number):
        pressing = await pressed(club, number)
        club.store.delete_evening(1)
        club.desk.forget()
        gate.set()
        with pytest.raises(NoSuchEvent):
            await pressing
        assert club.desk.events() == []


@pytest.mark.slow
async def test_a_pairing_that_breaks_off_changes_nothing_and_says_so_and_the_next_worker_pairs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PairingWorker, "pair", PAIR_IN_WORKER)
    with played(tmp_path) as (club, number):
        with monkeypatch.context() as patch:
            patch.setattr(pairing_worker, "COMMAND", (sys.executable, "-c", "raise SystemExit(9)"))
            with pytest.raises(
                CannotPair, match=r"pairing failed \(its process ended with status 9\): nothing was changed, try again"
            ):
                await club.desk.pair(number)
        assert not club.event(number).rounds
        assert not club.desk.event(number).is_being_paired
        async with at_work(club):
            await club.desk.pair(number)
        assert len(club.event(number).rounds) == 1


@pytest.mark.slow
async def test_a_worker_says_why_nobody_can_be_paired_and_is_kept_for_the_next_round_until_it_was_idle_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What it answers late, to one who is gone, is not taken for the answer to the next."""
    monkeypatch.setattr(pairing_worker, "IDLE_S", 0.0)
    worker, event = PairingWorker(), begun(System.SWISS, 9, 2)
    with pytest.raises(CannotPair, match="1 would play round 1: expected two at least"):
        await PAIR_IN_WORKER(worker, begun(System.SWISS, 1, 2).entries, PREFIX)
    await until(lambda: worker._worker.pid is None)
    monkeypatch.setattr(pairing_worker, "IDLE_S", PATIENCE_S)
    gone = asyncio.ensure_future(PAIR_IN_WORKER(worker, event.entries, PREFIX))
    await asyncio.sleep(0)
    gone.cancel()
    with pytest.raises(asyncio.CancelledError):
        await gone
    assert worker._worker.pid is None
    expected = next_round(event.event, PREFIX)
    assert await PAIR_IN_WORKER(worker, event.entries, PREFIX) == expected
    kept = worker._worker.pid
    assert await PAIR_IN_WORKER(worker, event.entries, PREFIX) == expected
    assert worker._worker.pid == kept
    await worker.stop()
    assert not worker._worker.is_running


@pytest.mark.parametrize("system", System)
def test_a_worker_pairs_every_system_as_this_process_does(system: System) -> None:
    event = begun(system, 9, 2, group_size=4 if system is System.GROUPS else 2)
    asked = encode_line(PairingRequest(tuple(event.entries), PREFIX))
    assert pairing_worker._answer(asked).round == next_round(event.event, PREFIX)
