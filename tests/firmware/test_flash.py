"""Putting the firmware on a board: what `make flash` does, with no board here but MicroPython."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from serial import SerialException

from captains_table.hardware.wiring.board_settings import board_settings
from captains_table.storage.profile_files import load_profile
from firmware import flash
from firmware.uf2 import __main__ as uf2
from tests.support.micropython_bridge import SimulatedPico, run_program
from tests.support.patience import PATIENCE_S


def test_main_is_taken_away_first_and_put_there_last() -> None:
    """A board whose flashing was cut short stays at its prompt."""
    steps = [command[6:] for command in flash.commands("PORT")]
    assert steps[0][0] == "exec"
    assert "os.remove('main.py')" in steps[0][1]
    assert steps[-2] == ["fs", "cp", str(flash.HERE / "main.py"), ":main.py"]
    assert steps[-1] == ["reset"]


def test_every_module_that_is_put_on_the_board_is_there_to_be_put() -> None:
    assert all(source.is_file() for source, _ in flash.plan())
    on_board = {source.name for source, _ in flash.plan() if source.parent == flash.HERE}
    host_only = {"flash.py", "pins.py"}
    assert on_board == {path.name for path in flash.HERE.glob("*.py")} - host_only


def test_the_folders_are_made_by_micropython_itself() -> None:
    """The commands' own text, run twice: folders that are there already are no error."""
    make = flash.commands("PORT")[1][-1]
    wanted = sorted(flash.folders())
    said = run_program(
        f"import os\nos.mkdir('/bare')\nos.chdir('/bare')\n{make}\n{make}\n"
        f"print(sorted(name for name in {wanted!r} if os.stat(name)))\n"
    )
    assert said.strip() == str(wanted)


def test_running_firmware_is_brought_to_its_prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flash, "GONE_S", 0)
    with SimulatedPico() as pico:
        assert pico.ask("running") == "running"
        monkeypatch.setattr(flash, "ports", lambda: [pico.path])
        assert flash.leave_to_prompt(pico.path)
        pico.wait_for_reset()
        pico.wait_for_prompt()


Flashing = Callable[..., tuple[int, str]]


@pytest.fixture
def flashing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Flashing:
    """Return what flashes by these words, with stand-ins for functions, and returns the exit code and what it says."""

    def run(*words: str, **functions: object) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["flash", *words])
        for name, function in functions.items():
            monkeypatch.setattr(flash, name, function)
        return flash.main(), capsys.readouterr().err

    return run


def prompt(_: str) -> bool:
    """Stand in for a board that shows its prompt."""
    return True


def test_without_a_board_it_says_where_to_read_on(flashing: Flashing) -> None:
    code, said = flashing(ports=list, pico_2_waits=lambda: False)
    assert (code, "firmware/README.md" in said) == (1, True)


def test_with_several_boards_it_asks_which(flashing: Flashing) -> None:
    code, said = flashing(ports=lambda: ["/dev/ttyACM0", "/dev/ttyACM1"])
    assert (code, "make flash ARGS=/dev/ttyACM0" in said) == (1, True)


def test_a_port_that_is_taken_asks_to_stop_the_table(flashing: Flashing) -> None:
    def taken(*_: object, **__: object) -> None:
        raise SerialException(os.strerror(16))

    code, said = flashing("/dev/ttyACM0", Serial=taken)
    assert (code, "Stop it first" in said) == (1, True)


def test_a_command_that_fails_stops_and_says_what_to_do(flashing: Flashing, tmp_path: Path) -> None:
    commands = [["false"], ["touch", str(tmp_path / "went on")]]
    code, said = flashing(str(tmp_path), leave_to_prompt=prompt, commands=lambda *_: commands)
    assert (code, "Hold all buttons" in said) == (1, True)
    assert not (tmp_path / "went on").exists()


def test_mpremote_puts_the_whole_firmware_on_a_bare_board_and_micropython_imports_it() -> None:
    """The very commands of `make flash`, carried out by mpremote at the prompt of a real MicroPython."""
    with SimulatedPico(bare=True) as pico:
        assert "Emscripten" in flash.machine_of(pico.path)
        *commands, _reset = flash.commands(pico.path)
        for command in commands:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE_S)
            assert done.returncode == 0, f"{command[6:]}: {done.stdout} {done.stderr}"
        sizes = ",".join(f"os.stat('{target}')[6]" for _, target in flash.plan())
        look = f"import os, firmware.board_loop, captains_table.link.board\nprint([{sizes}])"
        done = subprocess.run(
            [*commands[0][:6], "exec", look], capture_output=True, text=True, check=False, timeout=PATIENCE_S
        )
    assert done.stdout.strip() == str([source.stat().st_size for source, _ in flash.plan()]), done.stderr


@pytest.mark.parametrize("machine", ["Raspberry Pi Pico2 with RP2350", "Raspberry Pi Pico 2 W with RP2350-RISCV"])
def test_a_pico_2_that_runs_micropython_is_refused_by_name_and_left_as_it_was(
    machine: str, flashing: Flashing, tmp_path: Path
) -> None:
    commands = [["touch", str(tmp_path / "changed")]]
    board = {"leave_to_prompt": prompt, "machine_of": lambda _: machine, "commands": lambda *_: commands}
    code, said = flashing("PORT", **board)
    assert code == 1
    assert "PORT is a Pico 2 (RP2350), which this firmware is not for: expected a Pico or" in said
    assert not (tmp_path / "changed").exists()


USB = "sys/bus/usb/devices/1-1.3"
INFO = "UF2 Bootloader v{}\r\nModel: Raspberry Pi {}\r\nBoard-ID: {}\r\n"


@pytest.mark.parametrize(
    ("files", "waits"),
    [
        ({f"{USB}/idVendor": "2e8a\n", f"{USB}/idProduct": "000f\n"}, True),
        ({f"{USB}/idVendor": "2e8a\n", f"{USB}/idProduct": "0003\n"}, False),
        ({f"{USB}/idVendor": "1234\n", f"{USB}/idProduct": "000f\n"}, False),
        ({"media/anne/RP2350/INFO_UF2.TXT": INFO.format("1.0", "RP2350", "RP2350")}, True),
        ({"Volumes/RP2350/INFO_UF2.TXT": INFO.format("1.0", "RP2350", "RP2350")}, True),
        ({"mnt/INFO_UF2.TXT": INFO.format("3.0", "RP2", "RPI-RP2")}, False),
        ({}, False),
    ],
)
def test_a_pico_2_that_waits_for_a_file_is_refused_before_anything_is_built(
    files: dict[str, str],
    *,
    waits: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert flash.pico_2_waits(tmp_path) == waits
    monkeypatch.setattr(flash, "pico_2_waits", lambda: waits)
    monkeypatch.setattr(flash, "ports", list)
    monkeypatch.setattr(uf2, "missing_packages", lambda: ["a-compiler"])
    for program in (flash.main, uf2.main):
        monkeypatch.setattr(sys, "argv", ["make"])
        assert program() == 1
        assert ("is a Pico 2 (RP2350)" in capsys.readouterr().err) == waits


def test_a_build_named_at_flashing_is_what_the_board_gets(flashing: Flashing, tmp_path: Path) -> None:
    kept = tmp_path / "kept.py"

    def keep_settings(_: str, settings: Path) -> list[list[str]]:
        return [["cp", str(settings), str(kept)]]

    board = {"leave_to_prompt": prompt, "machine_of": lambda _: "Raspberry Pi Pico with RP2040"}
    assert flashing("--profile", "pico-9x8", "PORT", commands=keep_settings, **board)[0] == 0
    assert kept.read_text(encoding="utf-8") == board_settings(load_profile("pico-9x8"))
    code, said = flashing("--profile", "gpio-8x8", "PORT")
    assert (code, "gpio-8x8: no Pico reads its switches" in said) == (1, True)


def test_settings_of_a_build_go_where_the_firmware_reads_them(tmp_path: Path) -> None:
    plan = flash.plan(tmp_path / "mine.py")
    assert [source for source, target in plan if target == "firmware/settings.py"] == [tmp_path / "mine.py"]
