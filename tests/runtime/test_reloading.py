"""SIGHUP: the configuration is read again while a match is played, which it does not touch."""

import asyncio
import errno
import os
import pty
import re
import signal
import subprocess
import time
import tomllib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec import structs

from captains_table.games.contract import parse_square
from captains_table.hardware.profiles.toml_reader import BadProfile
from captains_table.runtime.applied_config import (
    RELOADED,
    RELOADED_ON_TAPE,
    PageTokens,
    Reloader,
    changed_files,
    compare_configs,
    profile_of,
)
from captains_table.runtime.config import SECTIONS, TableConfig, parse_table_config
from captains_table.runtime.table import Table
from captains_table.storage.configuration import BadConfig
from captains_table.storage.key_files import TokenUnusable
from captains_table.table.model.settings import Settings
from tests.runtime.leaping_loop import leap
from tests.support.patience import PATIENCE_S
from tests.support.service_at_work import answer
from tests.support.supervisor import Supervisor
from tests.support.table_process import COMMAND, Caller, TableProcess, run_here

HEARS_HANGUP = ("env", "--default-signal=HUP", COMMAND)  # under `nohup` the tests themselves ignore it
ROOT = Path(__file__).parents[2]
RESTART = "takes effect after a restart (systemctl restart captains-table)"
OTHER: dict[str, dict[str, Any]] = {
    "table": {
        "board": "pico",
        "usb": "1209:beef",
        "device": "/dev/mine",
        "turned": True,
        "clicker": "/dev/input/by-id/usb-clicker-event-kbd",
        "profile": "pico-8x8",
        "think": 7,
        "pace": "quick",
    }
    | {
        "engine": "/elsewhere/engine",
        "engines": "configured",
        "pace": "quick",
        "language": "de",
        "sound": False,
        "dim_from": 20,
        "dim_until": 8,
        "dim_to": 0.5,
    }
    | {"state_dir": "/elsewhere"},
    "sound": {"speech": True, "voice": "en-gb", "rate": 200},
    "web": {"host": "0.0.0.0", "port": 9000, "master": True, "hosts": ["table.example"], "proxies": ["192.0.2.1"]}  # noqa: S104 - nobody listens
    | dict.fromkeys(("connections", "share", "streams"), 7)
    | dict.fromkeys(("request_s", "idle_s"), 7.0),
    "club": {"host": "club.example", "port": 1884, "user": "table-3", "board": 3, "title": "By the window"}
    | {"password_file": "/elsewhere/password", "ca": "/elsewhere/ca.pem", "names": True},
    "engine": {"name": "Leela", "path": "/elsewhere/lc0", "arguments": ["--cpu"]}
    | {"options": {"Hash": 16}, "games": ["captains-chess"]},
    "match": {"game": "swashbuckle", "players": ["Tom"], "options": {"order": "seated"}},
    "settings": dict.fromkeys(SECTIONS["settings"], 7) | {"buttons": "one"},
}


def parsed(text: str) -> TableConfig:
    return parse_table_config(tomllib.loads(text))


@pytest.mark.parametrize(("section", "key"), [(section, key) for section, keys in SECTIONS.items() for key in keys])
def test_every_key_that_changed_is_either_taken_over_or_named_for_a_restart(section: str, key: str) -> None:
    names = {key}
    if section == "club":
        names |= {"host", "user"}
    elif section == "engine":
        names |= {"name", "path"}
    elif key in {"usb", "device"}:
        names = {"board", "usb", "device"}
    elif key == "turned":
        names = {"board", "turned"}
    values = {name: OTHER[section][name] for name in names}
    read = parse_table_config({section: values | ({"board": "certabo"} if key == "turned" else {})})
    running = structs.replace(TableConfig(), game=read.game) if key != "game" else TableConfig()
    reload = compare_configs(running, read)
    if key in RELOADED.get(section, ()):
        assert reload.config == read
        assert (len(reload.changed), reload.waiting) == (1, [])
        assert reload.changed[0].startswith(f"[{section}] {key} = ")
    else:
        assert reload.config == running
        assert reload.changed == []
        assert set(reload.waiting) == {f"[{section}] {name}" for name in names}


def test_the_documents_list_is_the_programs() -> None:
    text = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    table = text.partition("### Changing it while the table plays")[2].partition("\n#")[0]
    rows = re.findall(r"^\| `\[(\w+)\]` \| (.+) \|$", table, re.MULTILINE)
    assert {section: tuple(re.findall(r"`(\w+)`", keys)) for section, keys in rows} == dict(RELOADED)


def test_while_a_tape_is_recorded_that_says_the_settings_once_these_wait() -> None:
    read = parsed("[table]\nsound = false\n[settings]\nask_ms = 9")
    reload = compare_configs(TableConfig(), read, RELOADED_ON_TAPE)
    assert (reload.changed, reload.waiting) == (["[table] sound = false from now on"], ["[settings] ask_ms"])
    assert reload.config == structs.replace(TableConfig(), sound=False)


def test_what_waits_is_named_at_every_reload_until_it_is_as_it_runs() -> None:
    running = TableConfig()
    first = compare_configs(running, parsed("[web]\nport = 9000\n[settings]\nask_ms = 9"))
    again = compare_configs(first.config, parsed("[web]\nport = 9000\n[settings]\nask_ms = 9"))
    assert (again.changed, again.waiting) == ([], ["[web] port"])
    back = compare_configs(again.config, parsed(""))
    assert (back.changed, back.waiting, back.config) == (["[settings] ask_ms = 3000 from now on"], [], running)


class Bench:
    """A reloader, the file it reads, and what came of it."""

    def __init__(self, **reloader: Any) -> None:  # noqa: ANN401 - as the reloader takes it
        self.found: TableConfig | BadConfig = TableConfig()
        self.applied: list[TableConfig] = []
        self.said: list[str] = []
        self.silenced = asyncio.Event()
        given: dict[str, Any] = {"apply": self.applied.append, "files": lambda _: ()}
        given |= {"announce": self.said.append, "on_silence": self.silenced.set} | reloader
        self.reloader = Reloader(self.read, TableConfig(), **given)

    def read(self) -> TableConfig:
        if isinstance(self.found, BadConfig):
            raise self.found
        return self.found


def test_what_changed_is_applied_and_said_line_by_line() -> None:
    bench = Bench(files=lambda _: ["The profile simulated"])
    bench.found = parsed("[table]\ndim_to = 0.5\n[web]\nport = 9000\n[settings]\nask_ms = 9")
    bench.reloader.reload()
    (applied,) = bench.applied
    assert (applied.dim_to, applied.settings.ask_ms, applied.port) == (0.5, 9, TableConfig().port)
    assert bench.said == [
        "Reloaded: [table] dim_to = 0.5 from now on.",
        "Reloaded: [settings] ask_ms = 9 from now on.",
        f"[web] port changed: {RESTART}.",
        f"The profile simulated changed: {RESTART}.",
    ]


def test_a_configuration_that_cannot_be_used_is_refused_and_the_old_one_stays_as_it_was(
    capsys: pytest.CaptureFixture[str],
) -> None:
    bench = Bench()
    bench.found = BadConfig("table.toml: unknown key 'colour' in [table]: expected one of board, usb")
    bench.reloader.reload()
    assert (bench.applied, bench.said) == ([], [])
    complaint = "table.toml: unknown key 'colour' in [table]: expected one of board, usb. Nothing is changed"
    assert complaint in capsys.readouterr().err
    bench.found = TableConfig()
    bench.reloader.reload()
    assert bench.said == ["Reloaded: the configuration is as it was."]


def test_a_file_that_cannot_be_used_refuses_all_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    def files(_: TableConfig) -> Iterable[str]:
        raise error

    for error in (BadProfile("no profile 'mine'"), TokenUnusable("the token /mine cannot be used")):
        bench = Bench(files=files)
        bench.found = parsed('[table]\nsound = false\nprofile = "mine"')
        bench.reloader.reload()
        assert bench.applied == []
        assert f"{error}. Nothing is changed" in capsys.readouterr().err


async def test_being_asked_twice_at_once_is_being_asked_once() -> None:
    bench = Bench()
    asked = asyncio.Event()
    reloading = asyncio.ensure_future(bench.reloader.reload_whenever(asked))
    for _ in range(2):
        asked.set()
        asked.set()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    reloading.cancel()
    assert len(bench.said) == 2


async def test_where_nothing_can_be_printed_the_terminal_was_closed() -> None:
    def announce(_: str) -> None:
        raise OSError(errno.EIO, "Input/output error")

    bench = Bench(announce=announce)
    asked = asyncio.Event()
    asked.set()
    await asyncio.wait_for(bench.reloader.reload_whenever(asked), PATIENCE_S)
    assert bench.silenced.is_set()


async def test_patience_is_taken_over_in_the_middle_of_a_move(table: Table) -> None:
    """A rook rests where it may be slid on; it is believed at once when nobody is to wait for that any more."""
    table.matches.new_match("captains-chess", ["Anne", "Bart"], {})
    answer(table, "a2a4", "a7a5")
    table.matches.set_pace("quick")
    match, hands = table.session.match, table.hands
    assert match is not None
    assert hands is not None
    table.loop.do(lambda _: table.session.take_over(replace(Settings(), slide_ms=60_000, debounce_ms=1)))
    for square in ("a1", "a2"):
        hands.click(parse_square(square))
    await leap(0.3)
    before = table.view().revision
    assert parse_square("a2") not in match.pieces()
    table.loop.do(lambda _: table.session.take_over(replace(Settings(), slide_ms=0)))
    await leap(0.3)
    assert parse_square("a2") in match.pieces()
    assert table.view().revision > before
    assert table.view().pace == "quick", "the pace is not one of the delays"


class Daemon:
    """A daemon under a configuration file that is written anew, and what systemd hears of it."""

    def __init__(self, folder: Path, supervisor: Supervisor) -> None:
        self.file = folder / "table.toml"
        self.state = folder / "state"
        self._supervisor = supervisor
        self._write()
        self.process = TableProcess("run", self.file, logs=folder / "logs")

    def _write(self, table: str = "", web: str = "", more: str = "") -> None:
        first = f'[table]\nstate_dir = "{self.state}"\n{table}\n[web]\nhost = "0.0.0.0"\nport = 0\n{web}\n'
        self.file.write_text(f'{first}[match]\ngame = "legend"\nplayers = ["Anne", "Bart"]\n{more}\n', encoding="utf-8")

    def reload(self, **written: str) -> list[str]:
        """Let it read other words, and return what systemd heard until it was ready again."""
        self._supervisor.heard_by_now()
        self._write(**written)
        self.process.process.send_signal(signal.SIGHUP)
        return self._supervisor.heard_until("READY=1")

    def guest_is_welcome(self) -> bool:
        with httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.0.2"), timeout=PATIENCE_S) as guest:
            return guest.get(f"{self.process.origin}/health").status_code == 200


@pytest.mark.slow
def test_the_daemon_reloads_on_sighup_tells_systemd_and_plays_on(supervisor: Supervisor, tmp_path: Path) -> None:
    daemon = Daemon(tmp_path, supervisor)
    table, anne = daemon.process, Caller(daemon.process.origin)
    try:
        anne.get("/table?" + table.printed.partition("?")[2])
        anne.hold_roll()
        anne.pick("e2e4")
        before = anne.offers(), anne.revision()
        assert daemon.guest_is_welcome()

        heard = daemon.reload(table="sound = false", web="connections = 1\nhosts = ['a.example']", more="options = {}")
        assert heard[0] == "RELOADING=1"
        assert int(heard[1].removeprefix("MONOTONIC_USEC=")) <= time.monotonic_ns() // 1000
        assert table.words.splitlines()[2:] == [
            "Reloaded: [table] sound = false from now on.",
            "Reloaded: [web] connections = 1 from now on.",
            f"[web] hosts changed: {RESTART}.",
        ]
        assert not daemon.guest_is_welcome()
        assert (anne.offers(), anne.revision()) == before

        heard = daemon.reload(table="colour = 1")
        assert heard[0] == "RELOADING=1"
        assert f"{daemon.file}: unknown key 'colour' in [table]: expected one of board" in table.complaints
        assert table.complaints.endswith(". Nothing is changed: the table goes on as it is.\n")
        assert not daemon.guest_is_welcome()

        (daemon.state / "token").write_text("another\n", encoding="ascii")
        daemon.reload(more="[settings]\nask_ms = 9000")
        assert table.words.splitlines()[5:] == [
            "Reloaded: [table] sound = true from now on.",
            "Reloaded: [web] connections = 200 from now on.",
            "Reloaded: [settings] ask_ms = 9000 from now on.",
            f"The token in {daemon.state}/token changed: {RESTART}.",
        ]
        assert daemon.guest_is_welcome()

        assert anne.post("/pace/quick").status_code == 204
        daemon.reload(more="[settings]\nask_ms = 9000")
        assert 'data-pace="quick"' in anne.get("/table").text, "the file says what it said"
        daemon.reload(table='pace = "unhurried"', more="[settings]\nask_ms = 9000")
        assert table.words.splitlines()[-2] == 'Reloaded: [table] pace = "unhurried" from now on.'
        assert 'data-pace="unhurried"' in anne.get("/table").text
        anne.pick("done")
        assert anne.revision() > before[1]
        table.stop()
        assert table.process.returncode == 0
    finally:
        anne.close()
        table.kill()


def test_a_profile_whose_file_changed_is_named_and_one_that_cannot_be_used_refuses_all_of_it(tmp_path: Path) -> None:
    profile = tmp_path / "mine.toml"
    text = (ROOT / "hardware/profiles/pico-8x8.toml").read_text(encoding="utf-8")
    profile.write_text(text, encoding="utf-8")
    running = structs.replace(TableConfig(), profile=str(profile), state_dir=tmp_path)
    build = profile_of(running)
    assert list(changed_files(running, running, build, PageTokens())) == []
    profile.write_text(text.replace("brightness = ", "brightness = 1 # "), encoding="utf-8")
    assert list(changed_files(running, running, build, PageTokens())) == ["The profile mine"]
    other = structs.replace(running, profile="pico-9x8")
    assert list(changed_files(running, other, build, PageTokens())) == []
    with pytest.raises(BadProfile, match="no profile 'pico-7x7'"):
        list(changed_files(running, structs.replace(running, profile="pico-7x7"), build, PageTokens()))


@pytest.mark.slow
def test_a_terminal_that_is_closed_ends_the_daemon_that_was_started_there_and_loses_nothing(
    supervisor: Supervisor, tmp_path: Path
) -> None:
    file, state, complaints = tmp_path / "table.toml", tmp_path / "state", tmp_path / "complaints"
    match = '[match]\ngame = "captains-chess"\nplayers = ["Anne", "Bart"]'
    file.write_text(f'[table]\nstate_dir = "{state}"\n[web]\nport = 0\n{match}\n', encoding="utf-8")
    ours, terminal = pty.openpty()
    command = ["setsid", "--ctty", *map(str, HEARS_HANGUP), "run", str(file)]
    with complaints.open("w") as stderr:
        daemon = subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=stderr)
    try:
        os.close(terminal)
        status = next(line for line in supervisor.heard_until("READY=1") if line.startswith("STATUS="))
        anne = Caller(status.removeprefix("STATUS=The page is at "))
        anne.pick("e2e4")
        anne.close()
        os.close(ours)
        assert "STOPPING=1" in supervisor.heard_until("STOPPING=1")
        assert daemon.wait(PATIENCE_S) == 0
    finally:
        daemon.kill()
        daemon.wait()
    assert complaints.read_text() == ""
    assert "1 actions" in run_here("matches", "--state", state).stdout
