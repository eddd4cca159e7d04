"""The command `captains-table club` as a process: started, ended, killed in the worst moments, started again."""

import io
import json
import random
import re
import signal
import ssl
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from captains_table.club.intake.mailbox import LARGEST_SEEN
from captains_table.club.setting_up.certificates import BROKER_FOR
from captains_table.club.store.store import Store
from captains_table.games.contract import EventKind, GameEvent
from captains_table.reporting.messages import (
    Acknowledged,
    FromClub,
    FromTable,
    Message,
    Topic,
    ViewMessage,
    decode,
)
from captains_table.reporting.table_view import spectator_view
from tests.club.club_tables import SEAL, arrival, outcome, ready, seen
from tests.club.served_club import played
from tests.club_load.measured import peak_mb
from tests.support.broker_guest import Guest
from tests.support.club_process import Arbiter, ClubProcess, altered, configured
from tests.support.effort import effort
from tests.support.laid_out_club import LaidOutClub
from tests.support.mosquitto import Mosquitto
from tests.support.patience import PATIENCE_S
from tests.support.supervisor import Supervisor
from tests.support.table_process import run_here

FLOODED = effort(40, 2000)
"""So many times 900 kB of each kind are said in a flood."""
ACKNOWLEDGED = str(Topic("table-1", FromClub.ACKNOWLEDGED))
DYING = """
import os, signal
from {module} import {name}
{name}.{method} = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
"""
DEATHS = (
    DYING.format(module="captains_table.club.store.store", name="Store", method="add_result"),
    DYING.format(module="captains_table.club.broker_line", name="ClubLine", method="acknowledge"),
)
"""A result arrives, and the server is killed before it keeps it; it is killed before it acknowledges what it kept."""
BREAKABLE = """
from pathlib import Path
from captains_table.club.store import store
opened = store.open_store
def open_store(path):
    database = opened(path)
    database.set_progress_handler(lambda: path.with_name("broken").exists(), 1)
    return database
store.open_store = open_store
"""
"""A server whose file cannot be read as long as another one lies next to it."""


def say(table: Guest, message: Message, user: str = "table-1") -> None:
    """Let a table say something."""
    said = arrival(user, message)
    table.say(str(said.topic), said.payload, retain=said.topic.kind is not FromTable.RESULT)


def log_in_by_https(laid: LaidOutClub, club: ClubProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """Add an arbiter to a club whose server runs, log in by the club's own certificate, and revoke the token."""
    config = laid.folder / "config.toml"
    monkeypatch.setattr("sys.stdin", io.StringIO("correct horse battery\n"))
    assert run_here("club", "arbiter", "add", "Anne", "--config", config).returncode == 0
    found = re.search(r"^Arbiters log in at (https://127\.0\.0\.1:\d+)/arbiter/login$", club.words, re.MULTILINE)
    assert found is not None
    trusting = ssl.create_default_context(cafile=laid.ca)
    with httpx.Client(base_url=found[1], verify=trusting, trust_env=False) as anne:
        fields = {"name": "Anne", "password": "correct horse battery"}
        begun = anne.post("/arbiter/login", data=fields, headers={"origin": found[1]})
        assert (begun.status_code, "Secure" in begun.headers["set-cookie"]) == (303, True)
        assert "Log out" in anne.get("/arbiter").text
        assert Arbiter(club).pages.get("/arbiter").status_code == 200
        assert run_here("club", "arbiter", "revoke-token", "--config", config).returncode == 0
        assert Arbiter(club).pages.get("/arbiter").status_code == 403
        assert anne.get("/arbiter").status_code == 200


def wait_for_words(club: ClubProcess, user: str, words: str) -> None:
    while words not in club.pages.get(f"/tables/{user}").text:
        pass


def test_it_comes_up_without_a_broker_says_what_expires_shows_what_tables_say_and_ends_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    laid = LaidOutClub(tmp_path, 1, now=datetime.now(UTC) - BROKER_FOR + timedelta(days=10, hours=1))
    (laid.folder / "web.crt").unlink()
    assert run_here("club", "init", laid.folder, "--tables", "1").returncode == 0
    with Supervisor.at(tmp_path / "notify", monkeypatch) as supervisor, ClubProcess(laid.config(), tmp_path) as club:
        told = supervisor.heard_until("READY=1")
        assert any(line.startswith("STATUS=The wall is at http://127.0.0.1:") for line in told)
        assert (laid.folder / "state" / "address").read_text() == f"{club.wall}\n"
        assert f"{laid.folder}/broker/server.crt expires on" in club.words
        assert "in 10 days. Take it away" in club.words
        assert club.health()["line"] is False
        log_in_by_https(laid, club, monkeypatch)
        with laid.broker(), laid.guest("table-1") as table:
            club.wait_for_line()
            say(table, ready(1, "By the <window>"))
            while "By the &lt;window&gt;" not in (wall := club.pages.get("/").text):
                pass
            assert "<window>" not in wall
            assert club.stop() == 0
        assert "STOPPING=1" in supervisor.heard_until("STOPPING=1")
        assert club.complaints == "127.0.0.1 came with a wrong token.\n"


@pytest.mark.slow
def test_each_result_and_the_table_shown_large_outlive_a_server_that_is_killed_in_the_worst_moments(
    mosquitto: Mosquitto, config: Path, tmp_path: Path
) -> None:
    for kept, death in enumerate(DEATHS):
        with ClubProcess(config, tmp_path / f"start {kept}", altered(death)) as club, Guest(mosquitto.port) as table:
            club.wait_for_line()
            say(table, ready(1))
            arbiter = Arbiter(club)
            while (page := arbiter.pages.get("/tables/table-1")).status_code == 404:
                pass
            assert ("Shown large: let the wall choose" in page.text) is bool(kept)
            assert arbiter.pages.post("/tables/table-1/large").status_code == 303
            say(table, outcome())
            assert club.process.wait(PATIENCE_S) == -signal.SIGKILL
        with closing(Store(tmp_path / "state")) as store:
            assert len(store.results()) == kept
    with ClubProcess(config, tmp_path / "at last") as club, Guest(mosquitto.port) as table:
        club.wait_for_line()
        table.listen(ACKNOWLEDGED)
        say(table, outcome())
        assert decode(FromClub.ACKNOWLEDGED, table.hear()[1]) == Acknowledged(match=SEAL, rev=1)
    with closing(Store(tmp_path / "state")) as store:
        [result] = store.results()
        assert (result.user, result.outcome) == ("table-1", outcome())
        assert len(store.revisions(SEAL)) == 1
        assert store.shown_large() == "", "the choice was taken back"


def test_the_check_says_whether_the_file_is_in_order(tmp_path: Path) -> None:
    config = configured(tmp_path, 1883)
    assert run_here("club", config, "--check").stdout.startswith(f"{config} is in order: Harbour, by the broker 127")
    config.write_text("[club]\ntitel = 3\n")
    wrong = run_here("club", config, "--check")
    assert wrong.returncode == 2
    assert "unknown key 'titel' in [club]" in wrong.stderr


# --- one server


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("club")


@pytest.fixture(scope="module")
def broker(place: Path) -> Iterator[Mosquitto]:
    with Mosquitto(place / "broker") as broker:
        yield broker


@pytest.fixture(scope="module")
def club(place: Path, broker: Mosquitto) -> Iterator[ClubProcess]:
    with ClubProcess(configured(place, broker.port), place, altered(BREAKABLE)) as club:
        club.wait_for_line()
        yield club


@pytest.mark.slow
def test_who_opens_the_wall_sees_what_happened_while_nobody_looked(club: ClubProcess, broker: Mosquitto) -> None:
    king = GameEvent(EventKind.KING, 0, 6, "Anne captures the king")
    with Guest(broker.port) as table:
        table.listen(ACKNOWLEDGED)
        for n, events in enumerate(((), (king,), ()), start=1):
            view = replace(played("whole-round")[3], latest_events=events, revision=n)
            say(table, ViewMessage(boot="b", n=n, match=SEAL, view=spectator_view(view)))
            while club.health()["views"] < n:
                pass
        say(table, outcome())
        table.hear()
    with httpx.stream("GET", f"{club.wall}events?w=1920&h=1080", timeout=PATIENCE_S) as stream:
        data = next(line for line in stream.iter_lines() if line.startswith('data: {"'))
    news = json.loads(data.removeprefix("data: "))["news"]
    assert news.index("Anne beats Bart 3 to 1") < news.index("Anne captures the king"), "the newest first"


@pytest.mark.slow
def test_two_servers_do_not_keep_one_folder(club: ClubProcess, place: Path) -> None:
    second = run_here("club", place / "club.toml")
    assert second.returncode == 2
    assert "another club's server runs with" in second.stderr
    assert "name another by state_dir" in second.stderr
    assert club.process.poll() is None


@pytest.mark.slow
def test_a_flood_fills_no_memory_and_keeps_nobody_waiting(club: ClubProcess, broker: Mosquitto) -> None:
    shreds = {
        FromTable.RESULT: random.Random(18).randbytes(900_000),
        FromTable.VIEW: random.Random(3).randbytes(60_000),
    }

    def flood(kind: FromTable) -> None:
        with Guest(broker.port) as flooding:
            for _ in range(FLOODED * 900_000 // len(shreds[kind])):
                flooding.say(str(Topic(f"flood-{kind}", kind)), shreds[kind])

    with ThreadPoolExecutor() as threads, Guest(broker.port) as calm:
        floods = [threads.submit(flood, kind) for kind in shreds]
        calm.listen(str(Topic("table-2", FromClub.ACKNOWLEDGED)))
        say(calm, outcome("07ea" * 16), "table-2")
        assert calm.hear()
        assert club.health()["line"]
        for each in floods:
            each.result()
    assert peak_mb(club.process.pid) < 90
    assert club.complaints == ""


@pytest.mark.slow
def test_a_server_whose_file_cannot_be_read_for_a_while_goes_on_and_complains_in_a_line_each_time(
    club: ClubProcess, place: Path
) -> None:
    page = Arbiter(club).pages
    assert page.get("/arbiter").status_code == 200
    (place / "state" / "broken").touch()
    assert [page.get(path).status_code for path in ("/arbiter", "/evenings")] == [503, 503]
    assert [page.get(path).status_code for path in ("/", "/health")] == [200, 200]
    (place / "state" / "broken").unlink()
    assert [page.get(path).status_code for path in ("/arbiter", "/evenings")] == [200, 200]
    assert club.complaints.splitlines() == [
        f"The club's file failed, GET {path}: interrupted" for path in ("/arbiter", "/evenings")
    ]


@pytest.mark.slow
def test_what_a_broker_dropped_while_the_server_was_busy_is_seen_a_little_later(tmp_path: Path) -> None:
    """A broker that holds one message for who is busy drops the others, once what lies between them is full."""
    hurried = altered("from captains_table.club import broker_line\nbroker_line.ASKED_AGAIN_S = 0.5")
    settings = ("allow_anonymous true", "max_inflight_messages 1", "max_queued_messages 1")
    with (
        Mosquitto(tmp_path / "broker", settings) as broker,
        ClubProcess(configured(tmp_path, broker.port), tmp_path, hurried) as club,
        Guest(broker.port) as table,
    ):
        club.wait_for_line()
        say(table, ready(1, "By the window"))
        wait_for_words(club, "table-1", "By the window")
        club.process.send_signal(signal.SIGSTOP)
        while "Outgoing messages are being dropped" not in broker.log.read_text():
            table.say("captains-table/table-2/view", bytes(LARGEST_SEEN), retain=False)
        for n in range(1, 21):
            say(table, seen(n, f"View {n} of 20"))
        club.process.send_signal(signal.SIGCONT)
        wait_for_words(club, "table-1", "View 20 of 20")
