"""A table's real journal and line at a club whose server goes, or whose disks are full: each result is kept once."""

import asyncio
from contextlib import aclosing
from pathlib import Path

import pytest

from captains_table.club.intake.mailbox import AT_ONCE, MOST_RESULTS
from captains_table.reporting.messages import FromTable, MatchReport, Pairings, decode, encode
from captains_table.runtime.club_line import connection
from tests.club.club_tables import until
from tests.club_load.light_table import LightTable
from tests.club_load.load import kept_in
from tests.support.broker_guest import Guest
from tests.support.club_process import WITHOUT_WORKERS, Arbiter, ClubProcess, configured
from tests.support.listening_process import COMMAND, NotThere
from tests.support.mosquitto import Mosquitto
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.slow
FEW_KIB, BROKERS_KIB, ALMOST_NONE_KIB = 200, 75, 4
BLOCK = 512  # of ulimit, in POSIX
MANY = 100
"""Matches, or messages of 1 kB, for which such a disk has no room."""
LONG_AWAY = int(AT_ONCE) + MOST_RESULTS + 8
"""Results of which the club would refuse some, were they told as fast as a table can."""
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
    await until(lambda: table.is_done)


@pytest.mark.waits
async def test_each_result_is_kept_once_while_disks_are_full_broker_and_server_go_and_a_table_is_long_away(
    tmp_path: Path,
) -> None:
    """Mosquitto 2.0 leaves a torn file on a full disk, with which it does not start again: it is taken away."""
    database = tmp_path / "broker" / "mosquitto.db"
    settings = ("allow_anonymous true", "persistence true", f"persistence_location {database.parent}/", *AT_EACH_CHANGE)
    broker = Mosquitto(tmp_path / "broker", settings, within=full_disk(BROKERS_KIB))
    config = configured(tmp_path, broker.port)
    async with aclosing(LightTable(1, broker.port, tmp_path)) as table:
        with broker:
            table.come()
            with ClubProcess(config, tmp_path / "full", (*full_disk(FEW_KIB), *WITHOUT_WORKERS)) as server:
                # the broker's disk is full: it goes on, and forgets nothing that is not told again
                with Guest(broker.port) as guest:
                    for number in range(MANY):
                        guest.say(f"another/{number}", bytes(1000), retain=True)
                await until(lambda: "Error" in broker.log.read_text())
                table.play_unpaired()
                await acknowledged(table)
                broker.kill()
                table.play_unpaired()
                database.unlink()
                await asyncio.to_thread(broker.start)
                await acknowledged(table)
                # the server's disk is full: it acknowledges what it keeps, says what is wrong, and ends
                while server.process.poll() is None:
                    assert len(table.ended) < MANY
                    table.play_unpaired()
                    await asyncio.sleep(0.02)
            assert server.process.returncode == 1
            assert server.complaints.startswith("The club's server stopped: its file cannot be written: ")
            assert len(server.complaints.splitlines()) == 1
            with pytest.raises(NotThere, match=r"club\.sqlite3 cannot be used: "):
                ClubProcess(config, tmp_path / "fuller", (*full_disk(ALMOST_NONE_KIB), COMMAND))
            kept = kept_in(tmp_path / "state")
            assert set() < table.acknowledged <= kept.keys() <= set(table.ended)
            # what it was told while it was away it is told when it is back
            with Guest(broker.port) as guest:
                guest.listen(RESULT)
                table.play_unpaired()
                await asyncio.to_thread(guest.hear_until, RESULT)
            with await asyncio.to_thread(ClubProcess, config, tmp_path / "room", WITHOUT_WORKERS) as server:
                await acknowledged(table)
                # a table that was long away tells its results no faster than the club takes them
                await table.go()
                for _ in range(LONG_AWAY):
                    table.play_unpaired()
                table.come()
                await acknowledged(table)
                assert "Nothing: every payload was what belongs there." in Arbiter(server).overview()
    assert kept_in(tmp_path / "state") == dict.fromkeys(table.ended, 1)


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
