"""`make install-club` makes a computer the club's and `make join-club` a table its own; both can be done again."""

import os
import shutil
import stat
import subprocess
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from captains_table.club.setting_up.club_folder import ClubSetup, lay_out
from tests.support.outsider import NOBODY
from tests.support.patience import PATIENCE_S
from tests.support.table_process import COMMAND as COMMAND_HERE
from tests.systemd.installing import (
    COMMAND,
    CONFIG,
    JOURNAL,
    NASTY,
    PROGRAM,
    laid_down,
    listed,
    made,
    refusal,
    wanted,
)
from tests.systemd.stand_ins import ClubMachine

UNIT = "etc/systemd/system/captains-table-club.service"


@pytest.fixture
def machine(tmp_path: Path) -> ClubMachine:
    return ClubMachine(tmp_path)


# --- in a folder


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory, python: Path) -> Path:
    """A club that is laid down in a folder."""
    folder = tmp_path_factory.mktemp("club") / NASTY
    made("install-club", folder, python)
    return folder


def test_it_lays_down_what_is_listed_and_no_key(club: Path) -> None:
    of_a_running_system = {
        path for path in listed("club-setup.md") if path.startswith(("etc/mosquitto", "etc/captains-table-club"))
    }
    assert len(of_a_running_system) == 3
    assert laid_down(club) == listed("club-setup.md") - of_a_running_system
    assert wanted(club) == "#.[club]"


def test_processes_that_the_installed_program_starts_find_it_too(club: Path) -> None:
    """Computers think, and exports are verified, in processes of their own."""
    starting = "import subprocess, sys; sys.exit(subprocess.call([sys.executable, '-m', 'captains_table.new_module']))"
    (club / PROGRAM / "__main__.py").write_text(starting)
    done = subprocess.run([club / COMMAND], cwd="/", env={"PATH": "/usr/bin:/bin"}, check=False, timeout=PATIENCE_S)
    assert done.returncode == 0


def test_a_club_that_is_taken_away_leaves_nothing_and_twice_is_harmless(club: Path) -> None:
    for _ in range(2):
        made("uninstall-club", club)
        assert laid_down(club) == set()


def test_a_table_and_a_club_on_one_computer_share_the_program_until_the_last_is_taken_away(
    laid: Path, python: Path, tmp_path: Path
) -> None:
    both, other = tmp_path / "both", tmp_path / "other"
    shutil.copytree(laid, both)
    assert wanted(both) == "#.[pi]"
    made("install-club", both, python)
    assert wanted(both) == "#.[club,pi]"
    made("install", both, python)
    assert wanted(both) == "#.[club,pi]", "an update of the table leaves the club what it needs"
    shutil.copytree(both, other)
    made("uninstall", both)
    assert laid_down(both) == {PROGRAM, COMMAND, UNIT, "etc/sysusers.d/captains-table-club.conf"}
    made("uninstall-club", other)
    assert {PROGRAM, COMMAND, CONFIG} <= laid_down(other)
    assert UNIT not in laid_down(other)


@pytest.mark.parametrize(
    ("name", "value", "wrong"),
    [
        ("HOST", "two\nlines", "HOST holds a line break"),
        ("TABLES", "-1", "TABLES=-1: expected how many tables there are"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_laid_down(
    name: str, value: str, wrong: str, tmp_path: Path
) -> None:
    assert wrong in refusal("install-club", tmp_path, **{name: value})
    assert laid_down(tmp_path) == set()


# --- on a running system


def test_keys_are_made_where_broker_and_server_read_them(machine: ClubMachine) -> None:
    machine.call("make_keys", TABLES="8", HOST="club.local 192.168.1.20")
    assert machine.calls == [
        (
            "captains-table club init /etc/captains-table-club --tables 8 --host club.local 192.168.1.20 "
            "--broker /etc/mosquitto/captains-table --state /var/lib/captains-table-club"
        )
    ]


def test_the_first_time_twelve_tables_are_made_and_later_none_that_nobody_asked_for(machine: ClubMachine) -> None:
    machine.call("make_keys")
    config = machine.root / "etc/captains-table-club/config.toml"
    config.parent.mkdir(parents=True)
    config.touch()
    machine.call("make_keys")
    assert [call.split()[5] for call in machine.calls] == ["12", "1"]


def test_each_of_the_two_is_given_its_own_secrets_and_the_broker_its_drop_in(machine: ClubMachine) -> None:
    machine.stand_in("captains-table", f'shift; exec {COMMAND_HERE} club "$@"')
    machine.do("make_keys && give_keys", TABLES="2")
    assert machine.calls[1:] == [
        (
            "chown mosquitto: /etc/mosquitto/captains-table/acl /etc/mosquitto/captains-table/passwords "
            "/etc/mosquitto/captains-table/server.key"
        ),
        "chown captains-club: /etc/captains-table-club/club-password /etc/captains-table-club/web.key",
    ]
    drop_in = machine.root / "etc/mosquitto/conf.d/captains-table.conf"
    assert stat.S_IMODE(drop_in.stat().st_mode) == 0o644
    assert f"keyfile {machine.root}/etc/mosquitto/captains-table/server.key" in drop_in.read_text()
    machine.do("make_keys && give_keys", TABLES="3")
    assert (machine.root / "etc/captains-table-club/tables/table-3").is_dir()


def test_broker_and_server_are_started_and_the_wall_is_shown(machine: ClubMachine) -> None:
    machine.stand_in("journalctl", "echo 'The wall is at http://192.0.2.7:8378/'; echo 'anything else'")
    ended = machine.do("start && show_wall")
    assert ended.startswith("The wall is at http://192.0.2.7:8378/\nFor each table: ")
    assert machine.calls[:5] == [
        "systemctl enable mosquitto.service captains-table-club.service",
        "systemctl daemon-reload",
        "systemctl restart mosquitto.service",
        "systemctl try-restart captains-table.service",
        "systemctl restart captains-table-club.service",
    ]


@pytest.mark.parametrize(
    ("fails", "words"),
    [("mosquitto", "the broker does not start"), ("captains-table-club", "the club's server does not start")],
)
def test_what_does_not_come_up_ends_with_its_journal(fails: str, words: str, machine: ClubMachine) -> None:
    machine.stand_in("systemctl", f'[ "$*" != "restart {fails}.service" ]')
    ended = machine.refusal("start && show_wall")
    assert f"captains-table: {words}. What was said last:\nthe broker is on fire\n" in ended
    assert f"journalctl --unit {fails} --lines 20 --no-pager --output cat" in machine.calls


@pytest.fixture
def wall(tmp_path: Path) -> Iterator[str]:
    (tmp_path / "health").touch()
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(tmp_path))) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}/\n"
        server.shutdown()


@pytest.mark.parametrize("planted", ["nothing", "link", "FIFO"])
def test_the_walls_address_is_read_from_a_file_of_its_servers_alone(
    planted: str, wall: str, machine: ClubMachine, tmp_path: Path
) -> None:
    address = given(tmp_path / "evenings") / "address"
    match planted:
        case "FIFO":
            os.mkfifo(address, 0o666)
        case "link":
            address.symlink_to(tmp_path / "secret")
            (tmp_path / "secret").write_text(wall)
        case _:
            address.write_text(wall)
            given(address)
    words = f"evenings='{address.parent}' answers_within_s={PATIENCE_S if planted == 'nothing' else 1:.0f}\nanswers"
    ended = machine.call_script("install-club.sh", words, {})
    assert (ended.returncode == 0, ended.stderr) == (planted == "nothing", "")


# --- a table joins


def given(place: Path) -> Path:
    """Return a folder, which is made, or a file; as root: that is nobody's from now on, and closed to all others."""
    if not place.exists():
        place.mkdir()
    place.chmod(0o700 if place.is_dir() else 0o600)
    if os.geteuid() == 0:
        os.chown(place, NOBODY, NOBODY)
    return place


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folders that a club made for its tables."""
    club = tmp_path_factory.mktemp("club") / "club"
    lay_out(ClubSetup(club, tables=3), datetime.now(UTC))
    return club / "tables"


@pytest.fixture
def table(machine: ClubMachine, tables: Path, tmp_path: Path) -> Path:
    """The folder of a table, on a computer with a table that was started once."""
    machine.start_table()
    given(given(machine.root / JOURNAL).parent)
    machine.stand_in("captains-table", f'exec {COMMAND_HERE} "$@"')
    return Path(shutil.copytree(tables / "table-3", tmp_path / "table-3"))


def test_a_table_joins_its_club_and_its_service_alone_reads_the_password(machine: ClubMachine, table: Path) -> None:
    machine.do("join_club", TABLE=str(table))
    folder = machine.root / "var/lib/captains-table/club"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "password").stat().st_mode) == 0o600
    assert stat.S_IMODE((folder / "ca.crt").stat().st_mode) == 0o644
    owner = NOBODY if os.geteuid() == 0 else os.geteuid()
    assert {place.stat().st_uid for place in (folder, *folder.iterdir())} == {owner}
    assert (folder / "password").read_bytes() == (table / "password").read_bytes()
    assert (machine.root / CONFIG).read_text().endswith((table / "club.toml").read_text())
    assert machine.calls == [
        "captains-table run --check /etc/captains-table/config.toml",
        "systemctl restart captains-table.service",
    ]
    machine.stand_in("captains-table")
    before = (machine.root / CONFIG).read_text()
    machine.do("join_club", TABLE=str(table))
    assert (machine.root / CONFIG).read_text() == before, "a second time changes nothing"


@pytest.mark.parametrize(
    ("lacks", "wrong"),
    [
        ("table-3/password", "expected TABLE=FOLDER, a folder that 'club init' made"),
        (f"root/{CONFIG}", "expected a table, by 'sudo make install'"),
        ("root/var/lib/captains-table/journal.sqlite3", "the table was never started"),
    ],
)
def test_a_table_that_cannot_join_is_told_why_and_left_as_it_is(
    lacks: str, wrong: str, machine: ClubMachine, table: Path, tmp_path: Path
) -> None:
    (tmp_path / lacks).unlink()
    assert wrong in machine.refusal("join_club", TABLE=str(table))
    assert not (machine.root / "var/lib/captains-table/club").exists()


@pytest.mark.parametrize(
    ("name", "kind"),
    [("club", "symbolic link"), ("club", "regular file"), ("club/password", "symbolic link"), ("club/ca.crt", "fifo")],
)
def test_what_is_planted_in_a_tables_folder_is_refused_and_leads_root_nowhere(
    name: str, kind: str, machine: ClubMachine, table: Path
) -> None:
    state = machine.root / "var/lib/captains-table"
    victim = state.parent / "victim"
    victim.mkdir(mode=0o755)
    (victim / "password").write_text("another's own\n")
    (victim / "password").chmod(0o644)
    place = state / name
    if name != "club":
        given(place.parent)
    if kind == "symbolic link":
        place.symlink_to(victim if name == "club" else victim / "password")
    elif kind == "fifo":
        os.mkfifo(place)
    else:
        place.hardlink_to(victim / "password")
    before = [(file.stat().st_mode, file.stat().st_uid) for file in (victim, victim / "password")]
    refused = machine.refusal("join_club", TABLE=str(table))
    assert f"captains-table: {place} is a {kind} of user " in refused
    assert [(file.stat().st_mode, file.stat().st_uid) for file in (victim, victim / "password")] == before
    assert (victim / "password").read_text() == "another's own\n"
    assert [*victim.iterdir()] == [victim / "password"]
    assert machine.calls == []


@pytest.mark.root
def test_a_link_planted_after_the_look_leads_root_to_no_folder_of_another(
    machine: ClubMachine, table: Path, tmp_path: Path
) -> None:
    (tmp_path / "victim").mkdir(mode=0o755)
    (machine.root / "var/lib/captains-table/club").symlink_to(tmp_path / "victim")
    machine.refusal("expect_own() { :; }\njoin_club", TABLE=str(table))
    assert not any((tmp_path / "victim").iterdir())
    assert stat.S_IMODE((tmp_path / "victim").stat().st_mode) == 0o755
