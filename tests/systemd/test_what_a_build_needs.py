"""An installation fetches what its build needs, in versions that were tried.

lgpio and its company come only for what is on the Pi's own pins; `systemd/constraints.txt` and pyproject.toml agree.
"""

import contextlib
import re
import subprocess
import tomllib
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path
from unittest.mock import Mock

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from captains_table.devices.build import CannotBuild, build
from captains_table.devices.gpio.pi_hardware import PiHardware
from captains_table.hardware.kinds import GPIO
from captains_table.storage.profile_files import load_profile, profile_names
from tests.support.patience import PATIENCE_S
from tests.systemd.installing import CONFIG, PROGRAM, ROOT, asked_of_pip, made, refusal, wanted, write_script

PANEL = '[glass]\nchip = "ssd1322"\nbus = "spi"\ndevice = 0\ndata_command = 25\nreset = 27\n'
MODULES = '[lights]\nkind = "max7219"\ndevice = 1\n'


def of_its_own(folder: Path, name: str, *sections: str) -> Path:
    """Return the build with a Pico whose lights, and what comes after them, are others."""
    base = (ROOT / "hardware/profiles/pico-8x8.toml").read_text(encoding="utf-8").partition("[lights]")[0]
    path = folder / f"{name}.toml"
    path.write_text(base + "".join(sections), encoding="utf-8")
    return path


def on_pins(folder: Path, *builds: str) -> list[bool]:
    """Return what the installation's script says of each build."""
    for part in ("hardware", "controller"):
        (folder / part).symlink_to(ROOT / part)
    asking = 'for build in "$@"; do if on_pins; then echo yes; else echo no; fi; done'
    script = write_script(folder, "install.sh", asking)
    said = subprocess.run(["sh", str(script), *builds], capture_output=True, text=True, check=True, timeout=PATIENCE_S)
    return [word == "yes" for word in said.stdout.split()]


def asked_for(name: str) -> set[str]:
    """Return what a build asks a machine for, of which nothing is there, as it is put together."""
    machine = Mock(spec=PiHardware)
    for method in ("pins", "i2c", "spi_panel", "spi_lights"):
        getattr(machine, method).side_effect = OSError(f"no {method}")
    with contextlib.suppress(CannotBuild):
        build(load_profile(name), machine).close()
    return {method for method, _, _ in machine.method_calls} - {"close"}


def test_the_builds_that_come_with_the_program_get_it_if_they_ask_the_machine_for_pins(tmp_path: Path) -> None:
    names = profile_names()
    for name, expected in zip(names, on_pins(tmp_path, *names), strict=True):
        assert expected == (load_profile(name).board == GPIO)
        assert expected or asked_for(name) <= {"i2c"}


def test_a_build_of_its_own_gets_it_for_what_is_on_spi(tmp_path: Path) -> None:
    builds = [
        of_its_own(tmp_path, "modules", MODULES, '[glass]\nchip = "ssd1306"\nbus = "page"\n'),
        of_its_own(tmp_path, "panel", PANEL),
        of_its_own(tmp_path, "i2c", '[glass]\nchip = "sh1106"\nbus = "i2c"\naddress = 0x3D\n'),
    ]
    for path in builds:
        load_profile(str(path))
    assert on_pins(tmp_path, *map(str, builds)) == [True, True, False]


def test_an_update_fetches_for_the_build_the_configuration_names_and_says_so(tmp_path: Path, python: Path) -> None:
    config = tmp_path / CONFIG
    config.parent.mkdir(parents=True)
    config.write_text('[table]\nprofile = "gpio-9x8"\n', encoding="utf-8")
    again = made("install", tmp_path, python, profile="pico-8x8")
    assert "names the build gpio-9x8 already: that stays. For pico-8x8, change it there." in again
    assert wanted(tmp_path) == "#.[pi]"


def test_a_configuration_that_is_no_toml_is_named_before_anything_is_fetched(tmp_path: Path, python: Path) -> None:
    config = tmp_path / CONFIG
    config.parent.mkdir(parents=True)
    config.write_text("[table\n", encoding="utf-8")
    refused = refusal("install", tmp_path, python)
    assert f"{config} cannot be read" in refused
    assert not (tmp_path / PROGRAM).exists()


# --- the versions that are laid down --------------------------------------------------------------------------------

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = ("club", "pi")
LINES = (ROOT / "systemd" / "constraints.txt").read_text(encoding="utf-8").splitlines()
PINNED = dict(line.split("==") for line in LINES if not line.startswith("#"))


def requirements() -> Iterator[Requirement]:
    """Yield what the table, the club and their build ask for."""
    project = PROJECT["project"]
    extras = [text for extra in EXTRAS for text in project["optional-dependencies"][extra]]
    yield from map(Requirement, [*project["dependencies"], *extras, *PROJECT["build-system"]["requires"]])


def with_what_they_need(requirements: Iterator[Requirement]) -> Iterator[Requirement]:
    """Yield requirements, and those of the packages they name, as they are installed here."""
    waiting, seen = list(requirements), set[str]()
    while waiting:
        requirement = waiting.pop()
        yield requirement
        for extra in {"", *requirement.extras}:
            name = f"{canonicalize_name(requirement.name)}[{extra}]"
            if name in seen:
                continue
            seen.add(name)
            for text in distribution(requirement.name).requires or []:
                needed = Requirement(text)
                if needed.marker is None or needed.marker.evaluate({"extra": extra}):
                    waiting.append(needed)


def test_every_package_that_is_laid_down_has_its_version() -> None:
    names = {canonicalize_name(requirement.name) for requirement in with_what_they_need(requirements())}
    assert names <= PINNED.keys()


@pytest.mark.parametrize("requirement", list(requirements()), ids=lambda requirement: requirement.name)
def test_a_version_that_is_laid_down_is_one_that_the_project_allows(requirement: Requirement) -> None:
    assert requirement.specifier.contains(Version(PINNED[canonicalize_name(requirement.name)]))


def test_what_drives_pins_and_keys_has_an_upper_bound() -> None:
    for requirement in requirements():
        assert any(clause.operator in {"<", "==", "~="} for clause in requirement.specifier), str(requirement)


def test_the_list_names_no_place_to_fetch_from() -> None:
    assert not [line for line in LINES if "://" in line or line.startswith("-")]


@pytest.mark.slow
def test_the_installation_keeps_to_these_versions_and_builds_python_chess_and_itself_alone(laid: Path) -> None:
    _, how = asked_of_pip(laid)
    assert how.startswith("#systemd/constraints.txt ")
    wheels = re.search(r"--only-binary (\S+) ", how)
    assert wheels is not None
    assert set(wheels[1].split(",")) == PINNED.keys() - {"chess"}


@pytest.mark.parametrize(
    ("config", "is_real"),
    [
        ('profile = "simulated"', False),
        ('profile = "simulated"\nboard = "none"', False),
        ('profile = "simulated"\n[club]\nboard = 3', False),
        ('profile = "pico-8x8"', True),
        ('profile = "simulated"\nboard = "auto"', True),
        ('board = "dgt"', True),
    ],
)
def test_a_table_with_a_real_board_may_switch_its_machine_off(tmp_path: Path, config: str, *, is_real: bool) -> None:
    (tmp_path / "config.toml").write_text(f"[table]\n{config}\n", encoding="utf-8")
    asking = 'settings="$1"; units="$1/units"; install_power_off; ls -R "$units" 2>/dev/null || true'
    script = write_script(tmp_path, "install.sh", asking)
    for unit in ("captains-table-poweroff.path", "captains-table-poweroff.service", "captains-table.service.d"):
        (script.parent / unit).symlink_to(ROOT / "systemd" / unit)
    said = subprocess.run(
        ["sh", str(script), str(tmp_path)], capture_output=True, text=True, check=True, timeout=PATIENCE_S, cwd=tmp_path
    )
    assert ("power-off.conf" in said.stdout) == is_real
