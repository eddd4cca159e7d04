"""The command `captains-table club` as a process: started, ended, killed in the worst moments, started again."""

import asyncio
import json
import random
import signal
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from captains_table.club.intake.mailbox import LARGEST_SEEN
from captains_table.club.store.store import Store
from captains_table.games.contract import EventKind, GameEvent
from captains_table.reporting.broker import Broker, mqtt_client
from captains_table.reporting.messages import Acknowledged, FromClub, FromTable, Topic, ViewMessage, decode, encode
from captains_table.reporting.table_view import spectator_view
from tests.club.club_tables import SEAL, Teller, outcome, ready, seen, telling
from tests.club.served_club import played
from tests.club_load.measured import peak_mb
from tests.support.broker_guest import Guest
from tests.support.club_arbiter import Arbiter
from tests.support.club_process import ClubProcess, configured
from tests.support.effort import effort
from tests.support.mosquitto import Mosquitto
from tests.support.patience import PATIENCE_S
from tests.support.supervisor import Supervisor
from tests.support.table_process import run_command, run_here

FLOODED = effort(60, 2000)
"""So many times 900 kB of each kind are said in a flood."""
DYING = """
import os, signal, sys
from {module} import {name}
{name}.{method} = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
from captains_table.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


async def tell_until_acknowledged(port: int) -> None:
    """Tell a result as a table does: again and again until it is acknowledged."""
    async with asyncio.timeout(PATIENCE_S), telling(port, "table-1") as table:
        while not await _acknowledged_soon(table):
            await table.say(outcome())


async def _acknowledged_soon(table: Teller) -> bool:
    try:
        async with asyncio.timeout(0.2):
            order, payload = await table.told.get()
    except TimeoutError:
        return False
    if order is FromClub.PAIRINGS:  # the club tells every table once what it is to offer
        return await _acknowledged_soon(table)
    assert decode(order, payload) == Acknowledged(match=SEAL, rev=1)
    return True


async def say_once(port: int) -> None:
    async with asyncio.timeout(PATIENCE_S), telling(port, "table-1") as table:
        await table.say(ready(1, "By the <window>"))
        await table.say(seen(1))
        await table.say(outcome())


def wait_for_words(club: ClubProcess, user: str, words: str) -> None:
    with httpx.Client(base_url=club.wall, timeout=PATIENCE_S) as page:
        while words not in page.get(f"/tables/{user}").text:
            pass


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "name", "method", "kept"),
    [
        ("captains_table.club.broker_line", "ClubLine", "acknowledge", 1),
        ("captains_table.club.store.store", "Store", "add_result", 0),
    ],
    ids=["between keeping and acknowledging", "before it is kept"],
)
def test_a_result_is_kept_once_wherever_the_server_is_killed(
    module: str, name: str, method: str, kept: int, mosquitto: Mosquitto, config: Path
) -> None:
    dying = (sys.executable, "-c", DYING.format(module=module, name=name, method=method))
    state = config.parent / "state"
    with ClubProcess(config, config.parent / "first", dying) as club:
        club.wait_for_line()
        asyncio.run(say_once(mosquitto.port))
        assert club.process.wait(PATIENCE_S) == -signal.SIGKILL
    with closing(Store(state)) as store:
        assert len(store.results()) == kept
    with ClubProcess(config, config.parent / "second"):
        asyncio.run(tell_until_acknowledged(mosquitto.port))
    with closing(Store(state)) as store:
        [result] = store.results()
        assert (result.user, result.outcome) == ("table-1", outcome())
        assert len(store.revisions(SEAL)) == 1


def test_it_shows_what_its_tables_say_and_ends_in_order(
    mosquitto: Mosquitto, config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Supervisor.at(tmp_path / "notify", monkeypatch) as supervisor, ClubProcess(config, tmp_path) as club:
        told = supervisor.heard_until("READY=1")
        assert any(line.startswith("STATUS=The wall is at http://127.0.0.1:") for line in told)
        assert (tmp_path / "state" / "address").read_text() == f"{club.wall}\n"
        asyncio.run(say_once(mosquitto.port))
        with httpx.Client(base_url=club.wall, timeout=PATIENCE_S) as page:
            while not page.get("/health").json()["views"]:
                pass
            wall = page.get("/").text
        assert "By the &lt;window&gt;" in wall
        assert "<window>" not in wall
        assert club.stop() == 0
        assert "STOPPING=1" in supervisor.heard_until("STOPPING=1")
        assert club.complaints == ""


@pytest.mark.slow
def test_the_arbiters_choice_of_the_table_shown_large_outlives_a_server_that_is_killed_the_moment_it_answered(
    mosquitto: Mosquitto, config: Path
) -> None:
    asyncio.run(say_once(mosquitto.port))
    for is_chosen in (False, True):
        with ClubProcess(config, config.parent / str(is_chosen)) as club, closing(Arbiter(club)) as arbiter:
            while (page := arbiter.pages.get("/tables/table-1")).status_code == 404:
                pass
            assert ("Shown large: let the wall choose" in page.text) is is_chosen
            assert arbiter.pages.post("/tables/table-1/large").status_code == 303
            club.kill()
    with closing(Store(config.parent / "state")) as store:
        assert store.shown_large() == "", "the choice is taken back"


@pytest.mark.slow
def test_who_opens_the_wall_sees_what_happened_while_nobody_looked(mosquitto: Mosquitto, config: Path) -> None:
    king = GameEvent(EventKind.KING, 0, 6, "Anne captures the king")

    async def scene(wall: str) -> None:
        async with (
            asyncio.timeout(PATIENCE_S),
            telling(mosquitto.port, "table-1") as table,
            httpx.AsyncClient(base_url=wall, timeout=PATIENCE_S) as page,
        ):
            for n, events in enumerate(((), (king,), ()), start=1):
                view = replace(played("whole-round")[3], latest_events=events, revision=n)
                await table.say(ViewMessage(boot="b", n=n, match=SEAL, view=spectator_view(view)))
                while (await page.get("/health")).json()["views"] < n:
                    pass
            await table.say(outcome())
            while (await table.told.get())[0] is not FromClub.ACKNOWLEDGED:
                pass
            async with page.stream("GET", "/events?w=1920&h=1080") as stream:
                data = (line async for line in stream.aiter_lines() if line.startswith('data: {"'))
                news = json.loads((await anext(data)).removeprefix("data: "))["news"]
        assert news.index("Anne beats Bart 3 to 1") < news.index("Anne captures the king"), "the newest first"

    with ClubProcess(config, config.parent) as club:
        club.wait_for_line()
        asyncio.run(scene(club.wall))


@pytest.mark.slow
def test_it_comes_up_and_goes_without_a_broker(tmp_path: Path) -> None:
    with ClubProcess(configured(tmp_path, 9), tmp_path) as club:
        assert club.health()["line"] is False
        assert club.stop() == 0
        assert club.complaints == ""


@pytest.mark.slow
def test_two_servers_do_not_keep_one_folder(config: Path, tmp_path: Path) -> None:
    with ClubProcess(config, tmp_path):
        second = run_command("club", config)
    assert second.returncode == 2
    assert "another club's server runs with" in second.stderr
    assert "name another by state_dir" in second.stderr


def test_the_check_says_whether_the_file_is_in_order(config: Path) -> None:
    assert run_here("club", config, "--check").stdout.startswith(f"{config} is in order: Harbour, by the broker 127")
    config.write_text("[club]\ntitel = 3\n")
    wrong = run_here("club", config, "--check")
    assert wrong.returncode == 2
    assert "unknown key 'titel' in [club]" in wrong.stderr


@pytest.mark.slow
def test_a_flood_fills_no_memory_and_keeps_nobody_waiting(mosquitto: Mosquitto, config: Path) -> None:
    shreds = {
        FromTable.RESULT: random.Random(18).randbytes(900_000),
        FromTable.VIEW: random.Random(3).randbytes(60_000),
    }

    async def flood(user: str, kind: FromTable) -> None:
        async with mqtt_client(Broker("127.0.0.1", mosquitto.port), user) as line:
            for _ in range(FLOODED * 900_000 // len(shreds[kind])):
                await line.publish(str(Topic(user, kind)), shreds[kind], qos=1)

    async def scene(wall: str) -> None:
        floods = [asyncio.ensure_future(flood(f"flood-{kind}", kind)) for kind in shreds]
        async with asyncio.timeout(PATIENCE_S), telling(mosquitto.port, "table-1") as table:
            await table.say(outcome())
            assert await table.told.get()
            async with httpx.AsyncClient(base_url=wall, timeout=PATIENCE_S) as page:
                assert (await page.get("/health")).status_code == 200
            await asyncio.gather(*floods)

    with ClubProcess(config, config.parent) as club:
        club.wait_for_line()
        asyncio.run(scene(club.wall))
        assert peak_mb(club.process.pid) < 90
        assert club.complaints == ""


@pytest.mark.slow
def test_what_a_broker_dropped_while_the_server_was_busy_is_seen_a_little_later(tmp_path: Path) -> None:
    """A broker that holds one message for who is busy drops the others, once what lies between them is full."""
    hurried = """
import sys
from captains_table.club import broker_line
broker_line.ASKED_AGAIN_S = 0.5
from captains_table.cli.main import main
sys.exit(main(sys.argv[1:]))
"""
    settings = ("allow_anonymous true", "max_inflight_messages 1", "max_queued_messages 1")
    with Mosquitto(tmp_path / "broker", settings) as broker:
        file = configured(tmp_path, broker.port)
        with ClubProcess(file, tmp_path, (sys.executable, "-c", hurried)) as club, Guest(broker.port) as table:
            club.wait_for_line()
            table.say("captains-table/table-1/status", encode(ready(1, "By the window")), retain=True)
            wait_for_words(club, "table-1", "By the window")
            club.process.send_signal(signal.SIGSTOP)
            while "Outgoing messages are being dropped" not in broker.log.read_text():
                table.say("captains-table/table-2/view", bytes(LARGEST_SEEN), retain=False)
            for n in range(1, 21):
                table.say("captains-table/table-1/view", encode(seen(n, f"View {n} of 20")), retain=True)
            club.process.send_signal(signal.SIGCONT)
            wait_for_words(club, "table-1", "View 20 of 20")
