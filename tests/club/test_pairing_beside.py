"""A round of a hundred players is paired beside a server that goes on; nothing else of the event changes meanwhile."""

import asyncio
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from captains_table.club import pairing_worker
from captains_table.club.events.counting import CannotPair
from captains_table.club.events.entries import RoundPaired, System
from captains_table.club.events.event import ClubEvent, event_of
from captains_table.club.events.pairing import next_round
from captains_table.club.pairing_worker import pair_in_worker
from captains_table.club.store.event_log import ClubEventLog, NoSuchEvent
from captains_table.club.store.store import Store
from tests.support.club_event import Running, begun, by_chance
from tests.support.club_process import ClubProcess
from tests.support.event_club import SECOND_WINS, EventClub, on_a_loop
from tests.support.patience import PATIENCE_S

PREFIX = "cup-"
WAITS = "is being paired"


class Arbiter:
    """Who holds the event of a server over its pages."""

    def __init__(self, club: ClubProcess) -> None:
        found = urlsplit(club.arbiter)
        [token] = parse_qs(found.query)["token"]
        self.pages = httpx.Client(
            base_url=f"{found.scheme}://{found.netloc}", timeout=PATIENCE_S, headers={"X-Table-Token": token}
        )
        self._presses = ThreadPoolExecutor()

    def press(self, deed: str, **fields: str) -> Future[httpx.Response]:
        """Press a button of the event's page, whose answer comes by and by."""
        return self._presses.submit(self.pages.post, f"/arbiter/events/1/{deed}", data=fields)

    def page(self) -> str:
        """Return the event's page."""
        return self.pages.get("/arbiter/events/1").text

    def waits(self) -> None:
        """Wait until the page says that a round is being paired."""
        while WAITS not in self.page():
            pass

    def close(self) -> None:
        """Look at no page any more."""
        self._presses.shutdown()
        self.pages.close()


@contextmanager
def serving(config: Path, logs: str) -> Iterator[tuple[ClubProcess, Arbiter]]:
    with ClubProcess(config, config.parent / logs) as club, closing(Arbiter(club)) as arbiter:
        yield club, arbiter


@pytest.fixture
def config(tmp_path: Path) -> Path:
    file = tmp_path / "club.toml"
    file.write_text('[club]\nstate_dir = "state"\n[broker]\nport = 9\n[web]\nport = 0\n')
    return file


@pytest.fixture
def hundred(tmp_path: Path) -> Running:
    """An event of a hundred of which one round is played, kept in the club's file."""
    event = begun(System.SWISS, 100, 9)
    paired = next_round(event.event, PREFIX)
    event.write(paired)
    for seated in paired.matches:
        event.rule(seated, *by_chance(18)(seated))
    (tmp_path / "state").mkdir()
    with closing(Store(tmp_path / "state")) as store:
        log = ClubEventLog(store, lambda: PREFIX)
        for entrant in event.event.entrants.values():
            log.add_player(entrant.name, entrant.rating)
        log.make(lambda _: event.entries, 1_795_460_000.0)
    return event


def kept(tmp_path: Path) -> ClubEvent:
    """Return the event as the file has it, whose server has ended."""
    with closing(Store(tmp_path / "state")) as store:
        return event_of(logged.entry for logged in ClubEventLog(store, lambda: PREFIX).entries(1))


def pairers_of(club: ClubProcess) -> list[Path]:
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


def test_the_wall_is_served_while_a_hundred_are_paired_and_nothing_else_changes(
    config: Path, hundred: Running, tmp_path: Path
) -> None:
    with serving(config, "logs") as (club, arbiter):
        assert "Pair round 2" in arbiter.page()
        first = arbiter.press("pair")
        arbiter.waits()
        second = arbiter.press("pair")
        assert all(arbiter.pages.get(page).status_code == 200 for page in ("/", "/health", "/arbiter"))
        refused = arbiter.press("withdraw", player="7").result()
        meanwhile = arbiter.page()
        assert refused.status_code == 409
        assert "Round 2 of &#39;An evening&#39; is being paired, and nothing else is changed meanwhile" in refused.text
        assert WAITS in meanwhile
        assert "Pair round 2" not in meanwhile
        assert [press.result().status_code for press in (first, second)] == [303, 303]
        assert WAITS not in arbiter.page()
        assert not pairers_of(club)
        assert club.stop() == 0
        assert club.complaints == ""
    hundred.write(next_round(hundred.event, PREFIX))
    assert kept(tmp_path) == hundred.event


@pytest.mark.parametrize("end", [ClubProcess.stop, lambda club: club.process.kill()], ids=["stopped", "killed"])
def test_a_server_that_ends_while_it_pairs_has_paired_nothing_and_pairs_the_same_afterwards(
    end: Callable[[ClubProcess], object], config: Path, hundred: Running, tmp_path: Path
) -> None:
    with serving(config, "first") as (club, arbiter):
        press = arbiter.press("pair")
        arbiter.waits()
        while not (pairing := pairers_of(club)):
            pass
        end(club)
        club.process.wait(PATIENCE_S)
        assert club.complaints == ""
        assert press.exception(PATIENCE_S) or press.result().status_code == 409
    while any(map(is_pairing, pairing)):
        pass
    assert kept(tmp_path) == hundred.event
    with serving(config, "second") as (club, arbiter):
        assert WAITS not in arbiter.page()
        assert arbiter.press("pair").result().status_code == 303
        assert club.stop() == 0
    hundred.write(next_round(hundred.event, PREFIX))
    assert kept(tmp_path) == hundred.event


# --- the desk


@contextmanager
def played(folder: Path) -> Iterator[tuple[EventClub, int]]:
    """Yield a club and the number of its event, whose first round is played."""
    club = EventClub(folder, 3)
    with closing(club.store):
        yield club, club.begin(begun(System.SWISS, 0, 3).event.made, "Anne", "Bart", "Cleo", "Dirk", "Elsa", "Finn")


async def pressed(club: EventClub, number: int) -> asyncio.Task[None]:
    """Press to pair, and return it as soon as that goes on."""
    pressing = asyncio.ensure_future(club.desk.pair(number))
    await asyncio.sleep(0)
    assert club.desk.event(number).is_being_paired
    return pressing


@on_a_loop
async def test_what_tables_tell_while_a_round_is_paired_counts_when_it_is_there(tmp_path: Path) -> None:
    with played(tmp_path) as (club, number):
        await club.pair(number)
        [pairing, *_] = club.published["table-1"]
        club.play_all()
        desk = asyncio.ensure_future(club.desk.run())
        await club.settled()
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
        desk.cancel()
        await asyncio.wait([desk])


@on_a_loop
async def test_a_round_is_paired_though_whoever_pressed_went_away(tmp_path: Path) -> None:
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
async def test_every_system_pairs_beside_as_it_does_here(system: System) -> None:
    event = begun(system, 9, 2, group_size=4 if system is System.GROUPS else 2)
    assert await beside(event) == next_round(event.event, PREFIX)


@on_a_loop
async def test_why_nobody_can_be_paired_is_said() -> None:
    with pytest.raises(CannotPair, match="1 would play round 1: expected two at least"):
        await beside(begun(System.SWISS, 1, 2))


async def beside(event: Running) -> RoundPaired:
    return await pair_in_worker(event.entries, PREFIX)
