"""Every command of the guides runs as it is written, with stand-ins for hardware and what would change this machine.

Commands are found in the guides' blocks and between code quotes, and cut into words. The program's own commands are
given to the program, make's targets to make, the installation to its script, which lays everything down in a folder.
What stands in for another program knows how that is called, and refuses anything else. A command that is not covered
here fails.
"""

import io
import os
import re
import shlex
import shutil
import signal
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from captains_table import daemon
from captains_table.cli import club_arbiter, page
from captains_table.club import server
from captains_table.club.config import ClubServerConfig as ClubConfig
from captains_table.club.setting_up.club_folder import ClubSetup, lay_out
from captains_table.runtime.config import TableConfig
from captains_table.storage.profile_files import profile_names
from firmware import flash
from tests.clubroom import __main__ as clubroom
from tests.support.commands import make_targets
from tests.support.documents import ROOT, Document, read_documents
from tests.support.table_process import run_here
from tests.systemd.installing import COMMAND, called, made
from tests.systemd.stand_ins import ClubMachine

GUIDES = (
    "README.md",
    "docs/operations.md",
    "docs/club.md",
    "docs/club-setup.md",
    "firmware/README.md",
    "hardware/README.md",
)
DATA = re.compile(
    r"\[|\w+ *=|dtparam=|game legend|import |\d+ [<>!]|/dev/|(?:user|connection) [\w-]+$|- \w+:",
)
"""How a block begins that shows no commands: settings, a tape, a formula, a conversation, a program, lists."""
PREFIX = re.compile(r"^(?:sudo |[A-Z_]+=\S+ )+")
OPTION = re.compile(r"\s--?[a-z]")
USAGE = re.compile(r"\[([A-Z-][^\]]*)\]")
MORE = re.compile(r"\s\.\.\.")


@dataclass(frozen=True)
class Command:
    """One simple command of a guide: its words, and how it is written there."""

    words: tuple[str, ...]
    written: str

    @property
    def program(self) -> str:
        """What is called, without the folder it lies in."""
        return self.words[0].removeprefix(".venv/bin/")


def commands_of(document: Document, programs: frozenset[str]) -> list[Command]:
    """Return the commands of a document, each way of writing once.

    Args:
        document: the guide.
        programs: what is known to be one; a span of another is taken for a command if it has options or sudo before it,
            a line of a block always.
    """
    written = dict.fromkeys((*_of_blocks(document), *_of_spans(document, programs)))
    return [command for line in written for command in _cut(line)]


def _of_blocks(document: Document) -> Iterator[str]:
    for block in document.blocks():
        lines = [line for line in block.splitlines() if line.strip()]
        if lines and not DATA.match(lines[0].strip()):
            yield from (line.split("  #")[0].strip() for line in lines)


def _of_spans(document: Document, programs: frozenset[str]) -> Iterator[str]:
    for span in document.spans():
        bare = PREFIX.sub("", span)
        first = bare.split(" ")[0].removeprefix(".venv/bin/")
        begins = re.match(r"[.a-z]", bare) is not None
        if begins and (first in programs or span.startswith("sudo ") or (OPTION.search(bare) and "=" not in first)):
            yield span


def _cut(line: str) -> Iterator[Command]:
    """Yield the simple commands of a line; usage marks ([...], ...) are taken off."""
    for part in line.split(" && "):
        words = shlex.split(PREFIX.sub("", MORE.sub("", USAGE.sub(r"\1", part))))
        yield Command(tuple(words), part)


pytestmark = pytest.mark.slow

EARLIER = ROOT / "tests/outward/earlier"
STATE, CONFIG = "/var/lib/captains-table", "/etc/captains-table"
DESIGNS = textwrap.dedent(read_documents()["docs/operations.md"].block("[[piece]]"))
PLACEHOLDERS = {
    "ARGS=...": "ARGS=legend",
    "PROFILE=…": "PROFILE=pico-8x8",
    "GAME": "legend",
    "OPTION=VALUE": "rounds=1",
    "NAME": "Anne",
    "PATH": "/usr/games/stockfish",
    "CONFIG": "table.toml",
    "PROFILE": "pico-8x8",
    "TAPE": "evening.tape",
    "FILE": "evening.sqlite3",
    "N": "1",
    "FORM": "json",
    "PACKAGE": "captains-table-pig",
    "FOLDER": "system",
    "HASS": "hass",
}
ANOTHER = {
    # the same word means something else, or something smaller, where it stands in these
    "captains-table verify FILE": {"FILE": "match.json"},
    "captains-table lesson check FILE": {
        "FILE": str(ROOT / "controller" / "captains_table" / "games" / "legend" / "lesson.toml")
    },
    "captains-table simulate GAME": {"GAME": "ship-captain-crew", "OPTION=VALUE": "target=10"},
    "captains-table odds GAME": {"GAME": "ship-captain-crew"},
    "captains-table run --record TAPE": {"--record TAPE": "table.toml --record new.tape"},
    "captains-table play --record TAPE": {"TAPE": "new.tape"},
}
UNFINISHED = {"captains-table run": "table.toml", "captains-table replay": "evening.tape"}
NAMES_ONLY = re.compile(
    r"captains-table(?: (?:run|play|replay|verify|odds|simulate|wiring))?|\.venv/bin/captains-table"
)
STAND_INS: Mapping[str, str] = {
    # what hangs on a Pi, and what would change this machine: how each is called in the guides
    "modprobe": r"i2c-dev",
    "i2cdetect": r"-y 1",
    "lsusb": r"",
    "pinout": r"",
    "aplay": r"-l",
    "espeak-ng": r"hello|--voices",
    "apt": r"update|full-upgrade|install( --no-install-recommends)?( [a-z0-9][a-z0-9.+-]+)+",
    "rm": r"/etc/systemd/system/captains-table\.service\.d/(raspberry-pi-os|power-off)\.conf",
    "systemctl": r"daemon-reload|(start|stop|restart|reload|status|enable --now) (captains-table(-kiosk)?|mosquitto)",
    "journalctl": r"-u captains-table",
    "reboot": r"",
    "rfcomm": r"bind 0 [0-9A-F]{2}(:[0-9A-F]{2}){5}",
    "nmcli": r"device wifi hotspot ifname wlan0 con-name table ssid \S+ password \S{8,63}"
    r"|connection (down|delete) table|connection modify table( connection\.autoconnect(-priority)? (yes|-?\d+)){2}",
    "date": r"--set '20\d\d-\d\d-\d\d \d\d:\d\d'",
    "touch": r"/run/systemd/timesync/synchronized",
    "raspi-config": r"",
    "ulimit": r"-n",
    "python": r"-m pip install ([\w-]+|-e '\.\[(wiring|club|flash)\]')|-m tests\.home_assistant hass",
    "install": r"-D -m 644 hardware/profiles/[\w-]+\.toml /etc/captains-table/[\w-]+\.toml"
    r"|-D -m 644 systemd/(captains-table\.service\.d/[\w-]+\.conf) /etc/systemd/system/\1",
    "lsblk": r"-o NAME,LABEL",
    "mount": r"/dev/sda1 /mnt",
    "cp": r"\S+\.uf2 /mnt|something journal\.sqlite3",
    "umount": r"/mnt",
    "cmake": r"-S micropython/ports/rp2 -B build/pico( '?-DMICROPY_(BOARD=RPI_PICO|\w+=\$PWD/(firmware|build)/\S+'))+",
    "git": r"clone( \S+){0,2}",
    "cd": r"\S+",
    "scp": r"\S+ \S+|-r /etc/captains-table-club/tables/table-3 pi@table-3\.local:",
    "mosquitto_sub": r"-h \S+ -p 8883 --cafile ca\.crt -u display -P '\$\(cat display-password\)' -t \S+ -v",
    "mosquitto_pub": r"-h \S+ -p 8883 --cafile ca\.crt -u (\S+) -P '\$\(cat tables/\1/password\)' -t \S+/\1/\S+ -r -n",
    "mosquitto_passwd": r"/etc/mosquitto/captains-table/passwords [a-z-]+",
}
PROGRAMS = frozenset(STAND_INS) | {"make", "captains-table", "openscad"}
PLACEHOLDER = re.compile(r"(?<![^=])[A-Z]+$")
WAYS: list[tuple[str, frozenset[str]]] = []  # targets of make that were made, with the variables' names
UNPROVEN = 1  # what verify, and a table that is not whole, say as they should


@dataclass
class World:
    """Where a guide is followed: a folder with a few files and a table's matches, and a table that plays.

    Attributes:
        folder: the folder.
        playing: the state folder of the table that plays.
        python: a Python that fetches nothing.
        monkeypatch: to change this process for a command.
    """

    folder: Path
    playing: Path
    python: Path
    monkeypatch: pytest.MonkeyPatch

    def run(self, command: Command) -> None:
        """Run a command; raises AssertionError where it is not covered or does not do what is written."""
        assert command.program in PROGRAMS, f"{command.written}: nothing stands in for {command.program}"
        if command.program == "make":
            self._make(command)
        elif command.program == "captains-table":
            self._captains_table(command)
        elif command.words[1:3] == ("-m", "hardware.case"):
            self._run_python(command)
        elif command.words[1:3] == ("-m", "hardware.strip"):
            self._run_python(command, "--out", ".")  # or it would be drawn among the guide's own files
        elif command.words[1:2] == ("-c",):
            for source in ("firmware", "controller"):
                (self.folder / source).symlink_to(ROOT / source)
            self._run_python(command)
        elif command.program == "openscad":
            check_openscad(command)
        else:
            words = shlex.join(command.words[1:])
            assert re.fullmatch(STAND_INS[command.program], words), (
                f"{command.written}: {command.program} knows no {words}"
            )

    # --- make -------------------------------------------------------------------------------------------------------

    def _make(self, command: Command) -> None:
        if command.words[1] == "-C":
            assert command.words[2:] in (("micropython/mpy-cross",), ("build/pico",)), command.written
            return  # of another program, which is not here
        target, *variables = command.words[1:]
        assert target in make_targets(), command.written
        given = dict(word.split("=", 1) for word in variables)
        if target.removesuffix("-club") in ("install", "uninstall"):
            self._install(target, given)
            return
        if target == "join-club":
            self._join_club(Path(given["TABLE"]).name)
            return
        told = output_of("make", "--no-print-directory", "-n", "-o", ".venv/bin/captains-table", target, *variables)
        last = shlex.split(told.splitlines()[-1])
        if target == "play":
            self._captains_table(Command(("captains-table", *last[1:]), command.written))
        elif target == "flash":
            self._flash([word.replace("$PROFILE", self._profile(given.get("PROFILE", ""))) for word in last[3:]])
        elif target == "club":
            self._club(last[3:])

    def _install(self, target: str, given: dict[str, str]) -> None:
        names, profile = frozenset(given), self._profile(given.pop("PROFILE", ""))
        assert not profile or Path(profile).suffix or profile in profile_names(), profile
        if any(made_before == target and names <= before for made_before, before in WAYS):
            return  # it was made with these variables, and maybe more
        WAYS.append((target, names))
        destdir = self.folder / given.pop("DESTDIR", "system")
        self.monkeypatch.setenv("YES", given.pop("YES", ""))
        made(target, destdir, self.python, profile=profile, **given)
        laid_down = "etc/systemd/system/captains-table-club.service" if target.endswith("-club") else COMMAND
        assert (destdir / laid_down).exists() == target.startswith("install")

    def _join_club(self, table: str) -> None:
        """Let a table join that was installed and started, from the folder it was given."""
        club, computer = self.folder / "given", self.folder / "table"
        computer.mkdir()
        machine = ClubMachine(computer)
        machine.start_table()
        lay_out(ClubSetup(club, tables=3), datetime.now(UTC))
        machine.do("join_club", TABLE=str(club / "tables" / table))

    def _club(self, words: list[str]) -> None:
        """See that the demonstration takes its options (how it goes: tests/club/test_clubroom.py)."""
        with self.monkeypatch.context() as patch:
            patch.setattr("sys.argv", ["club", *words])
            try:
                clubroom._arguments()
            except SystemExit as refused:
                raise AssertionError(words) from refused

    def _profile(self, name: str) -> str:
        """Return a build by its name, or the file of one that a builder has made by then."""
        path = Path(self._here(name))
        if not (path.suffix or "/" in name):
            return name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "hardware/profiles/pico-9x8.toml", path)
        return str(path)

    def _flash(self, words: list[str]) -> None:
        flashed: list[object] = []
        with self.monkeypatch.context() as patch:
            patch.setattr("sys.argv", ["flash", *words])
            patch.setattr(flash, "ports", lambda: ["/dev/ttyACM0"])
            patch.setattr(flash, "flash", lambda *given: flashed.append(given))
            assert not flash.main(), words
        assert flashed

    def _run_python(self, command: Command, *more: str) -> None:
        self.monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(ROOT), str(ROOT / "controller"))))
        output_of(sys.executable, *command.words[1:], *more, cwd=self.folder)

    # --- the program ------------------------------------------------------------------------------------------------

    def _captains_table(self, command: Command) -> None:
        words = list(command.words[1:])
        named = UNFINISHED.get(" ".join(command.words))
        if named is not None:
            words.append(named)
        if not words or (NAMES_ONLY.fullmatch(shlex.join(command.words)) and named is None and words != ["play"]):
            words.append("--help")
        self._prepare(words)
        if words[0] == "doctor" and not {"--switches", "--help", "--simulated"} & set(words):
            words.append("--checks")  # what a hand does is tried with the tests of doctor
        done = run_here(*map(self._here, words))
        may_fail = words[0] in ("verify", "doctor", "boot")
        assert done.returncode in ((0, UNPROVEN) if may_fail else (0,)), (
            f"{command.written}: {done.stdout}{done.stderr}"
        )

    def _prepare(self, words: list[str]) -> None:
        """Put what a command begins with where it expects it, as if the guide had been followed so far."""
        is_asked_of_table = words[0] in ("page", "backup") or "--switches" in words
        state = self.playing if is_asked_of_table else self.folder / "state"
        self.monkeypatch.setenv("XDG_STATE_HOME", str(state.parent))
        (state.parent / "captains-table").unlink(missing_ok=True)
        (state.parent / "captains-table").symlink_to(state)
        self.state = state
        shutil.rmtree(self.folder / "state", ignore_errors=True)
        (self.folder / "state").mkdir()
        shutil.copy(EARLIER / "journal.sqlite3", self.folder / "state")
        (self.folder / "state" / "crowns-designs.toml").write_text(DESIGNS, encoding="utf-8")
        if words[:2] == ["club", "arbiter"]:
            self.monkeypatch.setattr("sys.stdin", io.StringIO("a long password\n"))
        for name in ("evening.sqlite3", "new.tape"):
            (self.folder / name).unlink(missing_ok=True)
        if words[0] == "restore":
            shutil.copy(EARLIER / "journal.sqlite3", self.folder / words[1])

    def _here(self, word: str) -> str:
        """Return a word in which the folders of an installed table are those of this one."""
        return word.replace(STATE, str(getattr(self, "state", ""))).replace(CONFIG, str(self.folder / "etc"))


def output_of(*words: str, cwd: Path = ROOT) -> str:
    """Return what a program says that does what it is told."""
    done = called(*words, cwd=cwd)
    assert done.returncode == 0, f"{shlex.join(words)}: {done.stderr}"
    return done.stdout


def check_openscad(command: Command) -> None:
    """See that the drawing is there and has the values that are set (how it comes out: tests/hardware)."""
    *_, drawing = command.words
    text = (ROOT / "hardware" / drawing).read_text(encoding="utf-8")
    for option, value in zip(command.words, command.words[1:], strict=False):
        if option == "-D":
            assert re.search(rf"^{value.partition('=')[0]} *=", text, re.MULTILINE), f"{drawing} has no {value}"


# --- the world ------------------------------------------------------------------------------------------------------


@pytest.fixture
def world(tmp_path: Path, playing: Path, python: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    for name in ("evening.tape", "match-2.json", "my-table.toml"):
        shutil.copy(EARLIER / name, tmp_path)
    shutil.copy(EARLIER / "match-2.json", tmp_path / "match.json")
    shutil.copy(ROOT / "tests" / "club" / "events" / "exercise_of_2024.trf", tmp_path / "open.trf")
    (tmp_path / "journal.sqlite3.rescued").touch()
    (tmp_path / "table.toml").write_text(f'[table]\nstate_dir = "{tmp_path}/state"\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO()))  # nobody types anything
    monkeypatch.setattr(page, "INSTALLED", playing.parent / "config.toml")
    (tmp_path / "installed-club.toml").write_text('[club]\nstate_dir = "evenings"\n', encoding="utf-8")
    monkeypatch.setattr(club_arbiter, "INSTALLED", tmp_path / "installed-club.toml")
    monkeypatch.setattr(daemon, "run_daemon", stopping_once_it_serves(daemon.run_daemon, "Spectators"))
    monkeypatch.setattr(server, "run_club_server", stopping_once_it_serves(server.run_club_server, "The arbiter"))
    return World(tmp_path, playing, python, monkeypatch)


def stopping_once_it_serves(run: Callable[..., int], last: str) -> Callable[..., int]:
    """Return a server on a port of its own that is stopped, as a service is, once it has said its last words."""

    def run_briefly(config: TableConfig | ClubConfig, *given: Any) -> int:  # noqa: ANN401 - the server's own
        *others, announce = given

        def announced(words: str) -> None:
            announce(words)
            if words.startswith(last):
                os.kill(os.getpid(), signal.SIGTERM)

        free = {"port": 0, "https_port": 0} if isinstance(config, ClubConfig) else {"port": 0}
        return run(structs.replace(config, **free), *others, announced)

    return run_briefly


DOCUMENTS = read_documents()
COMMANDS = {guide: commands_of(DOCUMENTS[guide], PROGRAMS) for guide in GUIDES}


def filled_in(command: Command) -> Command:
    """Return a command with something real in place of what stands for anything."""
    written = shlex.join(command.words)
    for beginning, others in ANOTHER.items():
        if written.startswith(beginning):
            for name, value in others.items():
                written = written.replace(name, value)
    words = (PLACEHOLDERS.get(word) or PLACEHOLDER.sub(_placed, word) for word in shlex.split(written))
    return Command(tuple(words), command.written)


def _placed(found: re.Match[str]) -> str:
    return PLACEHOLDERS[found[0]]


def wrong_with(command: Command, world: World) -> str:
    """Return what is wrong with a command, empty if it runs."""
    try:
        world.run(filled_in(command))
    except AssertionError as error:
        return f"{command.written}: {error}"
    return ""


def commands_of_no_earlier_guide(guide: str) -> list[Command]:
    """Return the commands of a guide that none before it has."""
    before = {command.words for each in GUIDES[: GUIDES.index(guide)] for command in COMMANDS[each]}
    return list({command.words: command for command in COMMANDS[guide] if command.words not in before}.values())


@pytest.mark.parametrize("guide", GUIDES)
def test_every_command_of_a_guide_runs(guide: str, world: World) -> None:
    commands = commands_of_no_earlier_guide(guide)
    assert commands
    assert [wrong for command in commands if (wrong := wrong_with(command, world))] == []


@pytest.mark.parametrize(
    "written",
    ["sudo rpi-update --now", "sudo i2cdetect -y 3 --fast", "captains-table play chequers",
     "make join-club TABLE=table-4", "make club ARGS='--tables many'",
     "make parrot", "sudo make install PROFILE=pico-7x7", "sudo systemctl start x"],
)  # fmt: skip
def test_a_command_that_is_not_covered_or_does_not_run_would_fail(written: str, world: World) -> None:
    document = replace(DOCUMENTS["README.md"], text=f"Say `{written}`.\n")
    (command,) = commands_of(document, PROGRAMS)
    with pytest.raises(AssertionError):
        world.run(filled_in(command))


def test_a_line_of_a_block_is_a_command_whatever_its_program_is(world: World) -> None:
    document = replace(DOCUMENTS["README.md"], text="Say\n\n    parrot fashion\n")
    (command,) = commands_of(document, PROGRAMS)
    with pytest.raises(AssertionError, match="nothing stands in for parrot"):
        world.run(command)


def test_the_guides_have_as_many_commands_as_they_seem_to() -> None:
    counted = {guide: len(COMMANDS[guide]) for guide in GUIDES}
    assert counted["docs/operations.md"] > 50
    assert counted["docs/club-setup.md"] > 15
    assert counted["hardware/README.md"] > 8
