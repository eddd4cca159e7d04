"""The command `captains-table doctor`, with answers on its standard input."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from captains_table.doctor.checks import Severity, check_all
from captains_table.doctor.examination import REPORT, MapCorrections, config_of, write_override
from captains_table.games.contract import parse_square
from captains_table.runtime.config import TableConfig
from captains_table.storage.profile_files import OVERRIDE, load_profile
from tests.support.table_process import run_here

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")  # luma's, until Pillow 14
FAULTS = "dead e4, stuck d5, swap a1 b1, reverse row 3"
A1, B1, C1 = map(parse_square, ("a1", "b1", "c1"))


Doctor = Callable[..., tuple[int, str]]


@pytest.fixture
def doctor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Doctor:
    """Return the command: it is given an answer and its words, and returns its exit code and what it said."""

    def run(answer: str, *arguments: str) -> tuple[int, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(answer))
        done = run_here("doctor", *arguments, "--state", tmp_path)
        return done.returncode, done.stdout + done.stderr

    return run


def test_doctor_names_each_fault_and_its_override_cures_swapped_squares_and_the_reversed_row(
    doctor: Doctor, tmp_path: Path
) -> None:
    command = ("--simulated", "--faults", FAULTS)
    code, said = doctor("", *command)
    assert code == 1
    for words in ("e4 is dead", "d5 is stuck", "a1 and b1 are swapped.", "Row 3 is reversed."):
        assert words in said
    assert "Nothing was written." in said
    assert not (tmp_path / OVERRIDE).exists()
    doctor("y\n", *command)
    _, again = doctor("y\n", *command)
    report = (tmp_path / REPORT).read_text(encoding="utf-8")
    assert report in again
    assert "e4 is dead" in report
    assert "d5 is stuck" in report
    assert "swapped" not in report
    assert "reversed" not in report
    assert "Write it?" not in again


def test_a_sound_simulated_table_is_well(doctor: Doctor) -> None:
    code, said = doctor("", "simulated")
    assert (code, "Nothing is wrong." in said) == (0, True), said


def test_a_fault_that_cannot_be_given_is_told(doctor: Doctor) -> None:
    for arguments, words in (
        (("--simulated", "--faults", "dead z9"), "z9"),
        (("pico-8x8", "--fault", "dead e4"), "pico-8x8 is a real board; expected --simulated with it"),
    ):
        code, said = doctor("", *arguments)
        assert (code, words in said) == (2, True), said


@pytest.mark.parametrize("name", ["pico-8x8", "gpio-8x8", "gpio-9x8", "simulated"])
def test_on_a_machine_that_has_nothing_every_check_is_a_line(name: str, tmp_path: Path) -> None:
    profile = load_profile(name)
    checks = list(check_all(TableConfig(profile=name, state_dir=tmp_path, port=0), profile, tmp_path))
    assert all(check.words.endswith((".", "?")) for check in checks)
    missing = [check.words for check in checks if check.level is Severity.WRONG]
    assert bool(missing) == (name != "simulated")


def test_a_slow_bus_an_old_kernel_and_a_broken_journal_are_told(tmp_path: Path) -> None:
    (tmp_path / "boot").mkdir()
    (tmp_path / "boot/config.txt").write_text("dtparam=i2c_arm=on,i2c_arm_baudrate=100000\n", encoding="utf-8")
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/version").write_text("Linux version 6.1.61-v8+ (dom@buildbot) #1696", encoding="utf-8")
    (tmp_path / "journal.sqlite3").write_bytes(b"no database" * 500)
    config = TableConfig(state_dir=tmp_path, port=0)
    checks = [(check.words, check.level) for check in check_all(config, load_profile("gpio-8x8"), tmp_path)]
    for said, expected in (
        ("100 kHz", Severity.WARNING),
        ("Kernel 6.1.61 may keep BCM 8", Severity.WARNING),
        ("cannot be read", Severity.WRONG),
    ):
        assert any(said in words and level is expected for words, level in checks), said


def test_a_map_of_lights_and_buttons_is_written_on_top_of_what_was_corrected_before(tmp_path: Path) -> None:
    swapped = {A1: B1, B1: A1}
    write_override(
        load_profile("pico-8x8"), MapCorrections(swapped, swapped, {"next": "previous", "previous": "next"}), tmp_path
    )
    once = load_profile("pico-8x8", tmp_path)
    assert once.lights is not None
    assert (once.corrections, once.lights.corrections) == (swapped, swapped)
    assert once.buttons.corrections == {"next": "previous", "previous": "next"}
    write_override(once, MapCorrections(lights={A1: C1, C1: A1}), tmp_path)
    twice = load_profile("pico-8x8", tmp_path)
    assert twice.lights is not None
    assert twice.corrections == swapped
    assert twice.lights.corrections == {A1: B1, B1: C1, C1: A1}
    write_override(once, MapCorrections(lights=swapped), tmp_path)
    again = load_profile("pico-8x8", tmp_path)
    assert again.lights is not None
    assert again.lights.corrections == {}


def test_a_simulated_table_of_a_build_has_its_lights_and_buttons_put_right_by_the_map_that_is_written(
    doctor: Doctor,
) -> None:
    faults = ["--fault", "lights-order:rows", "--fault", "encoder-reversed", "--fault", "diode-missing:c4"]
    code, said = doctor("y\n", "pico-8x8", "--simulated", *faults)
    assert code == 1
    assert "The lights and buttons can be put right by another map" in said
    assert "Mind: this was a simulated board" in said
    _, report = doctor("", "pico-8x8", "--simulated", *faults)
    assert "c4: its diode is missing or bridged." in report
    assert "Lights:" not in report
    assert "encoder" not in report


def test_a_configuration_is_told_from_a_profile(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text('[table]\nprofile = "gpio-8x8"\n', encoding="utf-8")
    assert config_of(str(file), tmp_path).profile == "gpio-8x8"
    assert config_of("pico-9x8", tmp_path).profile == "pico-9x8"


def test_an_override_keeps_what_else_it_says(tmp_path: Path) -> None:
    before = 'profile = "gpio-8x8"\n[glass]\nrotated = true\n[buttons.encoder]\na = 21\nb = 20\n'
    (tmp_path / OVERRIDE).write_text(before, encoding="utf-8")
    write_override(load_profile("gpio-8x8", tmp_path), MapCorrections({A1: B1, B1: A1}), tmp_path)
    profile = load_profile("gpio-8x8", tmp_path)
    assert profile.buttons.encoder is not None
    assert (profile.corrections, profile.display.rotated) == ({A1: B1, B1: A1}, True)
    assert profile.buttons.encoder.a == 21
