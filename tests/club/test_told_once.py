"""A table's real journal and line at a club whose server goes, or whose disks are full: each result is kept once."""

import asyncio
from contextlib import aclosing, closing
from pathlib import Path

import pytest

from captains_table.club.intake.mailbox import AT_ONCE, MOST_RESULTS
from captains_table.reporting.messages import FromTable, MatchReport, Pairings, decode, encode
from captains_table.runtime.club_line import connection
from tests.club.club_tables import until
from tests.club.event_club import on_a_loop
from tests.club_load.light_table import LightTable
from tests.club_load.load import kept_in
from tests.support.broker_guest import Guest
from tests.support.club_arbiter import Arbiter
from tests.support.club_process import ClubProcess, configured
from tests.support.listening_process import COMMAND, NotThere
from tests.support.mosquitto import Mosquitto
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.slow
FEW_KIB, ALMOST_NONE_KIB = 150, 4
BLOCK = 512  # of ulimit, in POSIX
MANY = 100
"""Matches, or messages of 1 kB, for which such a disk has no room."""
LONG_AWAY = int(AT_ONCE) + MOST_RESULTS + 8
"""Results of which the club would refuse some, were they told as fast as a table can."""
STEP_S = 0.05
RESULT = "captains-table/table-1/result"
AT_EACH_CHANGE = ("autosave_on_changes true", "autosave_interval 1")


@pytest.fixture(autouse=True)
def only_when_the_server_is_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no table tell its results again only because time went by."""
    monkeypatch.setattr(connection, "SENT_AGAIN_S", 10 * PATIENCE_S)


def full_disk(kibibytes: int) -> tuple[str, ...]:
    """Return what runs the command that follows it so that each file it writes has at most so many KiB."""
    return ("sh", "-c", f'trap "" XFSZ; ulimit -f {kibibytes * 1024 // BLOCK}; exec "$0" "$@"')


async def acknowledged(table: LightTable) -> None:
    while not table.is_done:  # noqa: ASYNC110 - a journal tells nobody
        await asyncio.sleep(STEP_S)


def kept_once(folder: Path, table: LightTable) -> bool:
    """Return whether a club's server keeps what a table told, each result once, and no more."""
    return kept_in(folder / "state") == dict.fromkeys(table.ended, 1)


@on_a_loop
async def test_what_a_server_was_told_while_it_was_away_it_is_told_when_it_is_back(
    tmp_path: Path, mosquitto: Mosquitto, config: Path
) -> None:
    async with aclosing(LightTable(1, mosquitto.port, tmp_path)) as table:
        table.come()
        with ClubProcess(config, tmp_path / "first") as server:
            table.play_unpaired()
            await acknowledged(table)
            server.kill()
        with Guest(mosquitto.port) as guest:
            guest.listen(RESULT)
            for _ in range(2):
                table.play_unpaired()
                await asyncio.to_thread(guest.hear_until, RESULT)
        with await asyncio.to_thread(ClubProcess, config, tmp_path / "second"):
            await acknowledged(table)
        assert kept_once(tmp_path, table)


@on_a_loop
async def test_a_server_that_is_back_while_results_are_being_told_is_told_all_of_them(
    tmp_path: Path, mosquitto: Mosquitto
) -> None:
    """What was told just before, the one that went may have taken with it."""
    async with aclosing(LightTable(1, mosquitto.port, tmp_path)) as table:
        for _ in range(6):
            table.play_unpaired()
        await until(lambda: len(table.waiting) == len(table.ended))
        with Guest(mosquitto.port) as guest:
            guest.listen(RESULT)
            table.come()
            for _ in range(3):
                await asyncio.to_thread(guest.hear)
            guest.say("captains-table/table-1/club/pairings", encode(Pairings()))
            missing = set(table.ended)
            while missing:
                _, payload = await asyncio.to_thread(guest.hear)
                outcome = decode(FromTable.RESULT, payload)
                assert isinstance(outcome, MatchReport)
                missing.discard(outcome.match)


@pytest.mark.waits
@on_a_loop
async def test_a_table_that_was_long_away_tells_its_results_no_faster_than_the_club_takes_them(
    tmp_path: Path, mosquitto: Mosquitto, config: Path
) -> None:
    async with aclosing(LightTable(1, mosquitto.port, tmp_path)) as table:
        for _ in range(LONG_AWAY):
            table.play_unpaired()
        await until(lambda: len(table.waiting) == LONG_AWAY)
        with await asyncio.to_thread(ClubProcess, config, tmp_path) as server, closing(Arbiter(server)) as arbiter:
            table.come()
            await acknowledged(table)
            assert "Nothing: every payload was what belongs there." in arbiter.overview()
        assert kept_once(tmp_path, table)


@on_a_loop
async def test_a_server_whose_disk_is_full_acknowledges_what_it_keeps_and_the_rest_once_there_is_room(
    tmp_path: Path, mosquitto: Mosquitto, config: Path
) -> None:
    async with aclosing(LightTable(1, mosquitto.port, tmp_path)) as table:
        table.come()
        with ClubProcess(config, tmp_path / "full", (*full_disk(FEW_KIB), COMMAND)) as server:
            while server.process.poll() is None:
                assert len(table.ended) < MANY
                table.play_unpaired()
                await asyncio.sleep(STEP_S)
        assert server.process.returncode == 1
        assert server.complaints.startswith("The club's server stopped: its file cannot be written: ")
        assert len(server.complaints.splitlines()) == 1
        assert table.waiting
        with pytest.raises(NotThere, match=r"club\.sqlite3 cannot be used: "):
            ClubProcess(config, tmp_path / "fuller", (*full_disk(ALMOST_NONE_KIB), COMMAND))
        kept = kept_in(tmp_path / "state")
        assert set() < table.acknowledged <= kept.keys() <= set(table.ended)
        with await asyncio.to_thread(ClubProcess, config, tmp_path / "room"):
            await acknowledged(table)
        assert kept_once(tmp_path, table)


@on_a_loop
async def test_a_broker_whose_disk_is_full_goes_on_and_forgets_nothing_that_is_not_told_again(tmp_path: Path) -> None:
    """Mosquitto 2.0 leaves a torn file then, with which it does not start again: it is taken away."""
    kept = tmp_path / "broker" / "mosquitto.db"
    settings = ("allow_anonymous true", "persistence true", f"persistence_location {kept.parent}/", *AT_EACH_CHANGE)

    with Mosquitto(tmp_path / "broker", settings, within=full_disk(FEW_KIB // 2)) as mosquitto:
        async with aclosing(LightTable(1, mosquitto.port, tmp_path)) as table:
            table.come()
            with ClubProcess(configured(tmp_path, mosquitto.port), tmp_path):
                with Guest(mosquitto.port) as guest:
                    for number in range(MANY):
                        guest.say(f"another/{number}", bytes(1000), retain=True)
                await until(lambda: "Error" in mosquitto.log.read_text())
                table.play_unpaired()
                await acknowledged(table)
                mosquitto.kill()
                table.play_unpaired()
                kept.unlink()
                await asyncio.to_thread(mosquitto.start)
                await acknowledged(table)
            assert kept_once(tmp_path, table)
