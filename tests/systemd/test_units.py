"""The units: systemd itself reads and judges them."""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from captains_table.process.supervisor import FILE_VARIABLE
from captains_table.runtime.config import read_table_config
from captains_table.storage.profile_files import load_profile
from captains_table.web.serving.guests import descriptors_for
from captains_table.web.serving.limits import MOST_CONNECTIONS
from tests.support.systemd_analyze import analyze

SYSTEMD = Path(__file__).parents[2] / "systemd"
DAEMON = "captains-table.service"
KIOSK = "captains-table-kiosk.service"
CLUB = "captains-table-club.service"
CLUB_MOST_EXPOSED = 1.3
POWER_OFF = "captains-table-poweroff.service"
WATCH = "captains-table-poweroff.path"
POWER_OFF_MOST_EXPOSED = 0.2
OPERATIONS = SYSTEMD.parent / "docs/operations.md"
GENERATOR = "/lib/systemd/system-generators/systemd-fstab-generator"
NOBODY = 65_534
EXPOSURE = re.compile(r"Overall exposure level for \S+: (?P<level>[\d.]+)")
MOST_EXPOSED = 1.6  # with setpriority: speech is to come after everything else
OF_A_GROUP = ("IPAddressAllow", "IPAddressDeny", "DevicePolicy", "DeviceAllow")
KIOSK_MOST_EXPOSED = 2.2  # a browser, a screen and its keys


def values(unit: str, key: str) -> list[str]:
    """Return all values a unit gives a key, in order: systemd allows a key more than once."""
    lines = (SYSTEMD / unit).read_text(encoding="utf-8").splitlines()
    return [line.partition("=")[2] for line in lines if line.startswith(f"{key}=")]


@pytest.mark.parametrize("unit", [DAEMON, KIOSK, POWER_OFF, CLUB])
def test_systemd_has_nothing_to_say_about_a_unit(unit: str) -> None:
    verdict = analyze("verify", "--recursive-errors=no", SYSTEMD / unit)
    assert (verdict.returncode, verdict.stdout, verdict.stderr) == (0, "", "")


def test_systemd_does_complain_about_a_unit_that_is_wrong(tmp_path: Path) -> None:
    broken = tmp_path / DAEMON
    broken.write_text((SYSTEMD / DAEMON).read_text().replace("WatchdogSec=20", "WatchdogSec=often"))
    verdict = analyze("verify", "--recursive-errors=no", broken)
    assert "Failed to parse sec value" in verdict.stderr


def test_the_daemon_is_exposed_to_no_more_than_it_needs_with_and_without_the_groups_of_a_pi(tmp_path: Path) -> None:
    units = tmp_path / "etc/systemd/system"
    units.mkdir(parents=True)
    for drop_in in (False, True):
        shutil.copy(SYSTEMD / DAEMON, units)
        if drop_in:
            shutil.copytree(SYSTEMD / f"{DAEMON}.d", units / f"{DAEMON}.d")
        assert exposure("--root", tmp_path, DAEMON) <= MOST_EXPOSED


def exposure(*words: str | Path) -> float:
    verdict = analyze("security", "--offline=true", *words)
    found = EXPOSURE.search(verdict.stdout)
    assert found is not None, verdict.stderr
    return float(found["level"])


def test_the_kiosk_is_exposed_to_no_more_than_a_browser_on_a_screen_needs() -> None:
    assert exposure(SYSTEMD / KIOSK) <= KIOSK_MOST_EXPOSED


def test_the_kiosk_leaves_chromium_what_its_own_sandbox_is_made_of() -> None:
    """A page's process goes into namespaces of its own; the page's scripts are compiled into memory that then runs."""
    assert {"user", "pid", "net"} <= set(values(KIOSK, "RestrictNamespaces")[0].split())
    assert values(KIOSK, "MemoryDenyWriteExecute") == []
    assert {"capset", "chroot", "seccomp"} <= set(values(KIOSK, "SystemCallFilter")[-1].split())


def test_what_holds_for_a_group_is_said_of_the_kiosks_session_too_as_that_is_moved_into_another() -> None:
    (before,) = values(KIOSK, "ExecStartPre")
    assert before.startswith("+"), "only root may say it"
    words = shlex.split(shlex.split(before.removeprefix("+").replace("$$", "$"))[-1])
    assert words[:5] == ["exec", "systemctl", "set-property", "--runtime", "user-$(id -u captains-kiosk).slice"]
    said = [f"{key}={value}" for key in OF_A_GROUP for value in values(KIOSK, key)]
    assert sorted(words[5:]) == sorted(said)
    assert values(KIOSK, "User") == ["captains-kiosk"]


def test_the_daemon_may_open_what_the_most_connections_need_and_no_more_than_select_can_follow() -> None:
    (limit,) = values(DAEMON, "LimitNOFILE")
    assert descriptors_for(MOST_CONNECTIONS) <= int(limit) <= 1024


def test_the_daemon_may_touch_what_the_builds_need_and_no_other_device() -> None:
    assert values(DAEMON, "DevicePolicy") == ["closed"]
    assert set(values(DAEMON, "DeviceAllow")) == {
        f"char-{kind} rw" for kind in ("ttyACM", "gpiochip", "i2c", "spi", "alsa")
    }


def test_the_daemon_is_nobody_in_particular() -> None:
    assert values(DAEMON, "DynamicUser") == ["yes"]
    assert values(DAEMON, "User") == []
    assert values(DAEMON, "CapabilityBoundingSet") == [""]


def test_speech_is_heard_on_sound_devices_and_comes_after_what_the_table_does_itself() -> None:
    assert values(DAEMON, "SupplementaryGroups") == ["audio"]
    assert values(DAEMON, "SystemCallFilter") == ["@system-service", "~@privileged @resources", "setpriority"]


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
    for driver in ("modprobe@cdc_acm.service", "modprobe@i2c_dev.service", "modprobe@snd.service"):
        assert driver in values(DAEMON, "Wants")[0].split()
        assert driver in values(DAEMON, "After")[0].split()


def test_a_loop_that_hangs_is_started_again() -> None:
    assert values(DAEMON, "Type") == ["notify"]
    assert int(values(DAEMON, "WatchdogSec")[0]) > 0
    assert values(DAEMON, "Restart") == ["always"]


def test_a_reload_asks_the_program_whether_the_configuration_is_in_order_before_it_asks_the_daemon() -> None:
    check, ask = values(DAEMON, "ExecReload")
    (start,) = values(DAEMON, "ExecStart")
    assert check == start.replace(" run ", " run --check ")
    assert ask == "/bin/kill -HUP $MAINPID"


def test_the_udev_rule_names_the_pico_of_the_profiles() -> None:
    rule = (SYSTEMD / "60-captains-table.rules").read_text(encoding="utf-8")
    vendor, product = re.findall(r'ATTRS\{id(?:Vendor|Product)\}=="([0-9a-f]{4})"', rule)
    assert (int(vendor, 16), int(product, 16)) == load_profile("pico-8x8").usb


def test_the_drop_in_names_the_groups_of_raspberry_pi_os() -> None:
    (groups,) = values(f"{DAEMON}.d/raspberry-pi-os.conf", "SupplementaryGroups")
    assert set(groups.split()) == {"gpio", "i2c", "spi", "dialout"}


def test_what_switches_off_is_next_to_nothing_and_does_nothing_itself() -> None:
    assert exposure(SYSTEMD / POWER_OFF) <= POWER_OFF_MOST_EXPOSED
    assert values(POWER_OFF, "ExecStart") == ["/bin/true"]
    assert values(POWER_OFF, "SuccessAction") == ["poweroff"]


def test_systemd_has_nothing_to_say_about_the_watch_and_starts_what_it_is_called_after(tmp_path: Path) -> None:
    for unit in (WATCH, POWER_OFF):
        shutil.copy(SYSTEMD / unit, tmp_path)
    verdict = analyze("verify", "--recursive-errors=no", tmp_path / WATCH)
    assert (verdict.returncode, verdict.stdout, verdict.stderr) == (0, "", "")
    assert WATCH.removesuffix(".path") == POWER_OFF.removesuffix(".service")
    assert values(WATCH, "Unit") == []


def test_the_daemon_makes_the_very_file_that_is_watched_for_in_the_one_folder_it_may_write() -> None:
    (watched,) = values(WATCH, "PathExists")
    drop_in = f"{DAEMON}.d/power-off.conf"
    assert values(drop_in, "Environment") == [f"{FILE_VARIABLE}={watched}"]
    assert watched == f"%t/{values(DAEMON, 'RuntimeDirectory')[0]}/power-off"
    assert values(drop_in, "Wants") == values(drop_in, "After") == [WATCH]


def test_the_clubs_server_is_exposed_to_no_more_than_a_page_for_everybody_needs() -> None:
    assert exposure(SYSTEMD / CLUB) <= CLUB_MOST_EXPOSED
    assert values(CLUB, "DevicePolicy") == ["closed"]
    assert values(CLUB, "DeviceAllow") == []


def test_the_clubs_server_verifies_what_tables_hand_in_by_a_process_with_less_of_everything() -> None:
    assert values(CLUB, "SystemCallFilter") == ["@system-service", "~@privileged @resources", "setpriority setrlimit"]


def test_the_clubs_evenings_are_its_own_users_and_its_loop_is_watched() -> None:
    (user,) = values(CLUB, "User")
    users = (SYSTEMD / "captains-table-club.sysusers").read_text().splitlines()
    (line,) = [line for line in users if line.startswith("u ")]
    assert shlex.split(line) == [
        "u",
        user,
        "-",
        "Captain's Table club",
        f"/var/lib/{values(CLUB, 'StateDirectory')[0]}",
    ]
    assert values(CLUB, "Type") == ["notify"]
    assert int(values(CLUB, "WatchdogSec")[0]) > 0
    assert descriptors_for(MOST_CONNECTIONS) <= int(values(CLUB, "LimitNOFILE")[0])


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
