"""The units: systemd itself reads and judges them."""

import os
import re
import shlex
import shutil
import subprocess
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from captains_table.devices.bought import chessnut
from captains_table.process.supervisor import FILE_VARIABLE
from captains_table.runtime.config import read_table_config
from captains_table.storage.profile_files import load_profile
from captains_table.web.serving.guests import descriptors_for
from captains_table.web.serving.limits import MOST_CONNECTIONS
from tests.support.outsider import NOBODY
from tests.systemd.installing import analyze

SYSTEMD = Path(__file__).parents[2] / "systemd"
DAEMON = "captains-table.service"
KIOSK = "captains-table-kiosk.service"
CLUB = "captains-table-club.service"
POWER_OFF = "captains-table-poweroff.service"
WATCH = "captains-table-poweroff.path"
OPERATIONS = SYSTEMD.parent / "docs/operations.md"
GENERATOR = "/lib/systemd/system-generators/systemd-fstab-generator"
EXPOSURE = re.compile(r"Overall exposure level for \S+: (?P<level>[\d.]+)")
DAEMON_MOST_EXPOSED = 1.6  # with setpriority: speech comes after everything else
OF_A_GROUP = ("IPAddressAllow", "IPAddressDeny", "DevicePolicy", "DeviceAllow")
SYSTEM_CALLS = "@system-service", "~@privileged @resources"


def values(unit: str, key: str) -> list[str]:
    """Return all values a unit gives a key, in order: systemd allows a key more than once."""
    lines = (SYSTEMD / unit).read_text(encoding="utf-8").splitlines()
    return [line.partition("=")[2] for line in lines if line.startswith(f"{key}=")]


@pytest.mark.parametrize("unit", [DAEMON, KIOSK, POWER_OFF, CLUB, WATCH])
def test_systemd_has_nothing_to_say_about_a_unit(unit: str) -> None:
    verdict = analyze("verify", "--recursive-errors=no", SYSTEMD / unit)
    assert (verdict.returncode, verdict.stdout, verdict.stderr) == (0, "", "")


def test_systemd_does_complain_about_a_unit_that_is_wrong(tmp_path: Path) -> None:
    broken = tmp_path / DAEMON
    broken.write_text((SYSTEMD / DAEMON).read_text().replace("WatchdogSec=20", "WatchdogSec=often"))
    verdict = analyze("verify", "--recursive-errors=no", broken)
    assert "Failed to parse sec value" in verdict.stderr


def exposure(*words: str | Path) -> float:
    verdict = analyze("security", "--offline=true", *words)
    found = EXPOSURE.search(verdict.stdout)
    assert found is not None, verdict.stderr
    return float(found["level"])


@pytest.mark.parametrize(
    ("unit", "most_exposed"),
    [
        (DAEMON, DAEMON_MOST_EXPOSED),
        (KIOSK, 2.2),  # a browser, a screen and its keys
        (CLUB, 1.3),  # a page for everybody
        (POWER_OFF, 0.2),  # next to nothing
    ],
)
def test_a_unit_is_exposed_to_no_more_than_it_needs(unit: str, most_exposed: float) -> None:
    assert exposure(SYSTEMD / unit) <= most_exposed


def test_the_daemon_is_exposed_to_no_more_than_it_needs_with_every_drop_in(tmp_path: Path) -> None:
    units = tmp_path / "etc/systemd/system"
    units.mkdir(parents=True)
    shutil.copy(SYSTEMD / DAEMON, units)
    shutil.copytree(SYSTEMD / f"{DAEMON}.d", units / f"{DAEMON}.d")
    assert exposure("--root", tmp_path, DAEMON) <= DAEMON_MOST_EXPOSED
    assert f"gives the table {DAEMON_MOST_EXPOSED} without drop-ins" in OPERATIONS.read_text(encoding="utf-8")


MAY = {
    DAEMON: {
        "DynamicUser": ["yes"],
        "User": [],
        "CapabilityBoundingSet": [""],
        "SupplementaryGroups": ["audio dialout"],  # to speak, and for boards on USB
        "SystemCallFilter": [*SYSTEM_CALLS, "setpriority"],  # speech comes after what the table does itself
        "DevicePolicy": ["closed"],
        "DeviceAllow": [f"char-{kind} rw" for kind in ("ttyACM", "ttyUSB", "hidraw", "gpiochip", "i2c", "spi", "alsa")],
        "Type": ["notify"],
        "Restart": ["always"],
    },
    CLUB: {
        "DevicePolicy": ["closed"],
        "DeviceAllow": [],
        "SystemCallFilter": [*SYSTEM_CALLS, "setpriority setrlimit"],  # matches are verified with less of everything
        "Type": ["notify"],
    },
    KIOSK: {"User": ["captains-kiosk"], "MemoryDenyWriteExecute": []},  # pages' scripts are compiled, and then run
    POWER_OFF: {"ExecStart": ["/bin/true"], "SuccessAction": ["poweroff"]},
}


@pytest.mark.parametrize("unit", MAY)
def test_a_unit_may_do_what_its_program_needs_and_no_more(unit: str) -> None:
    assert {key: values(unit, key) for key in MAY[unit]} == MAY[unit]


@pytest.mark.parametrize("unit", [DAEMON, CLUB])
def test_a_loop_is_watched_and_may_open_what_the_most_connections_need_and_no_more_than_select_can_follow(
    unit: str,
) -> None:
    assert int(values(unit, "WatchdogSec")[0]) > 0
    (limit,) = values(unit, "LimitNOFILE")
    assert descriptors_for(MOST_CONNECTIONS) <= int(limit) <= 1024


def test_the_kiosk_leaves_chromium_what_its_own_sandbox_is_made_of() -> None:
    """A page's process goes into namespaces of its own."""
    assert {"user", "pid", "net"} <= set(values(KIOSK, "RestrictNamespaces")[0].split())
    assert {"capset", "chroot", "seccomp"} <= set(values(KIOSK, "SystemCallFilter")[-1].split())


def test_what_holds_for_a_group_is_said_of_the_kiosks_session_too_as_that_is_moved_into_another() -> None:
    (before,) = values(KIOSK, "ExecStartPre")
    assert before.startswith("+"), "only root may say it"
    words = shlex.split(shlex.split(before.removeprefix("+").replace("$$", "$"))[-1])
    assert words[:5] == ["exec", "systemctl", "set-property", "--runtime", "user-$(id -u captains-kiosk).slice"]
    said = [f"{key}={value}" for key in OF_A_GROUP for value in values(KIOSK, key)]
    assert sorted(words[5:]) == sorted(said)


def test_the_state_the_unit_keeps_is_where_the_installed_configuration_looks() -> None:
    config = read_table_config(SYSTEMD / "config.toml")
    assert values(DAEMON, "StateDirectory") == [config.state_dir.name]
    assert config.state_dir.parent == Path("/var/lib")
    assert (config.game, config.players) == ("", ())  # who plays what is asked at the table
    assert f"http://127.0.0.1:{config.port}/" in values(KIOSK, "ExecStart")[0]


def test_lgpio_makes_its_pipe_where_the_unit_may_write() -> None:
    (runtime,) = values(DAEMON, "RuntimeDirectory")
    assert f"LG_WD=%t/{runtime}" in values(DAEMON, "Environment")[0].split()
    assert values(DAEMON, "WorkingDirectory") == [f"%t/{runtime}"]


def test_drivers_are_there_before_their_devices_are_allowed() -> None:
    drivers = {f"modprobe@{driver}.service" for driver in ("cdc_acm", "usbserial", "hid", "i2c_dev", "snd")}
    assert all(drivers <= set(values(DAEMON, key)[0].split()) for key in ("Wants", "After"))


def test_a_reload_asks_the_program_whether_the_configuration_is_in_order_before_it_asks_the_daemon() -> None:
    check, ask = values(DAEMON, "ExecReload")
    (start,) = values(DAEMON, "ExecStart")
    assert check == start.replace(" run ", " run --check ")
    assert ask == "/bin/kill -HUP $MAINPID"


def test_the_udev_rule_names_the_pico_of_the_profiles() -> None:
    rule = (SYSTEMD / "60-captains-table.rules").read_text(encoding="utf-8")
    vendor, product = re.findall(
        r'SUBSYSTEM=="tty", ATTRS\{idVendor\}=="(\w{4})", ATTRS\{idProduct\}=="(\w{4})"', rule
    )[0]
    assert (int(vendor, 16), int(product, 16)) == load_profile("pico-8x8").usb


def test_the_drop_in_names_the_groups_of_raspberry_pi_os() -> None:
    (groups,) = values(f"{DAEMON}.d/raspberry-pi-os.conf", "SupplementaryGroups")
    assert set(groups.split()) == {"gpio", "i2c", "spi"}


def test_of_hid_devices_a_rule_opens_chessnut_boards_alone() -> None:
    """A keyboard is a HID device too."""
    rules = (SYSTEMD / "60-captains-table.rules").read_text(encoding="utf-8").splitlines()
    (rule,) = [rule for rule in rules if rule.startswith('SUBSYSTEM=="hidraw"')]
    vendor, products = re.findall(r'ATTRS\{id(?:Vendor|Product)\}=="([^"]+)"', rule)
    assert int(vendor, 16) == chessnut.VENDOR
    opened = [product for product in range(0x10000) if fnmatchcase(f"{product:04x}", products)]
    assert opened == [product for product in range(0x10000) if product >> 8 in chessnut.PRODUCTS]


@pytest.mark.parametrize(
    ("drop_in", "allowed", "groups"),
    [("bluetooth-board.conf", "char-rfcomm rw", []), ("clicker.conf", "char-input r", ["input"])],
)
def test_what_few_tables_need_is_a_drop_in_that_is_not_installed_by_itself(
    drop_in: str, allowed: str, groups: list[str]
) -> None:
    assert values(f"{DAEMON}.d/{drop_in}", "DeviceAllow") == [allowed]
    assert values(f"{DAEMON}.d/{drop_in}", "SupplementaryGroups") == groups
    assert drop_in not in (SYSTEMD / "install.sh").read_text(encoding="utf-8")


def test_the_daemon_makes_the_very_file_that_is_watched_for_in_the_one_folder_it_may_write() -> None:
    assert (WATCH.removesuffix(".path"), values(WATCH, "Unit")) == (POWER_OFF.removesuffix(".service"), [])
    (watched,) = values(WATCH, "PathExists")
    drop_in = f"{DAEMON}.d/power-off.conf"
    assert values(drop_in, "Environment") == [f"{FILE_VARIABLE}={watched}"]
    assert watched == f"%t/{values(DAEMON, 'RuntimeDirectory')[0]}/power-off"
    assert values(drop_in, "Wants") == values(drop_in, "After") == [WATCH]


def test_the_clubs_evenings_are_its_own_users() -> None:
    (user,) = values(CLUB, "User")
    users = (SYSTEMD / "captains-table-club.sysusers").read_text().splitlines()
    (line,) = [line for line in users if line.startswith("u ")]
    home = f"/var/lib/{values(CLUB, 'StateDirectory')[0]}"
    assert shlex.split(line) == ["u", user, "-", "Captain's Table club", home]


def test_a_state_on_a_stick_of_its_own_is_waited_for_and_the_table_does_not_start_without_it(tmp_path: Path) -> None:
    """As the guide has it in /etc/fstab; read by systemd's own generator, and by systemd."""
    line = next(line for line in OPERATIONS.read_text(encoding="utf-8").splitlines() if "/by-label/MATCHES" in line)
    device = line.split()[0]  # which is left out in a container
    (tmp_path / "fstab").write_text(f"{line.strip().replace(device, 'a-stick')}\n")
    folder = str(tmp_path)
    subprocess.run([GENERATOR, folder, folder, folder], check=True, env={"SYSTEMD_FSTAB": f"{folder}/fstab"})
    shutil.copy(SYSTEMD / DAEMON, tmp_path)
    command = ["/lib/systemd/systemd", "--test", "--system", f"--unit={DAEMON}"]
    told = subprocess.run(command, **as_nobody(tmp_path), capture_output=True, text=True, check=True).stdout
    unit = told.partition(f"-> Unit {DAEMON}:")[2].partition("-> Unit ")[0]
    mount = r"var-lib-private-captains\x2dtable.mount"
    for dependency in ("Requires", "After"):
        assert f"{dependency}: {mount} (origin-" in unit


def as_nobody(folder: Path) -> dict[str, Any]:
    """Return how systemd is started for a test, which it does for nobody but ordinary users."""
    environment = {"SYSTEMD_UNIT_PATH": f"{folder}:/lib/systemd/system", "XDG_RUNTIME_DIR": str(folder)}
    if os.geteuid() != 0:
        return {"env": environment}
    for each in (folder, *folder.parents[:-2], *folder.rglob("*")):
        each.chmod(each.stat().st_mode | 0o055)
    return {"env": environment, "user": NOBODY, "group": NOBODY, "extra_groups": ()}
