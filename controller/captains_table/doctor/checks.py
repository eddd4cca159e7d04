"""Automatic checks of a table; each result is a sentence about one thing, with advice if something is wrong.

The checks cover installed packages and games, the state directory with its disk and journal, the clock, the page's
port, and the buses, pins or USB board of the build.
"""

import asyncio
import importlib.metadata
import os
import platform
import socket
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Final

from luma.core.error import Error as LumaError
from luma.core.interface.serial import i2c

from captains_table import __version__
from captains_table.daemon import ADDRESS
from captains_table.devices.bought.bought_board import BoughtBoard
from captains_table.devices.bought.makes import found_devices
from captains_table.devices.ports import BoardEvent
from captains_table.devices.serial_port import serial_devices
from captains_table.hardware.kinds import BOUGHT_KINDS, BoardKind
from captains_table.hardware.profiles.profile import I2cBus, Profile, SpiBus
from captains_table.hardware.wiring.boot import kernel_advice
from captains_table.process.plugins import install_plugins
from captains_table.process.system_clock import TIMESYNC, is_clock_set
from captains_table.runtime.config import TableConfig
from captains_table.storage.disk_warnings import LEAST_FREE_MB, free_mb, memory_warnings
from captains_table.storage.journal_file import JOURNAL
from captains_table.storage.ownership import as_owner
from captains_table.table.model.events import BoardLost, BoardRead

PACKAGES: Final = ("chess", "luma.core", "luma.oled", "pillow", "pyserial", "starlette", "uvicorn")
PI_PACKAGES: Final = ("gpiozero", "lgpio", "luma.led-matrix")
FAST_HZ: Final = 400_000
BOARD_ANSWERS_S: Final = 12.0  # a board may have to be listened to before it is spoken to
BOARD_TELLS_S: Final = 2.5  # its battery and clock come later
PROGRAM_WRITTEN_S: Final = Path(__file__).stat().st_mtime  # read now: the user root acts as later may lack permission
RULES: Final = (
    "sudo install -m 644 systemd/60-captains-table.rules /etc/udev/rules.d/, then sudo udevadm control --reload, and "
    "plug the board in again"
)
NODES: Final = {"i2c": "raspi-config, Interface Options, I2C", "spi": "raspi-config, Interface Options, SPI"}


class Severity(StrEnum):
    """The severity of a check's result."""

    OK = "ok"
    WARNING = "warning"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check: its severity, and a sentence that includes advice if it is not ok."""

    level: Severity
    words: str

    def __str__(self) -> str:
        return f"{self.level:7}  {self.words}"


_ok = partial(Check, Severity.OK)
_warning = partial(Check, Severity.WARNING)
_wrong = partial(Check, Severity.WRONG)


def check_all(config: TableConfig, profile: Profile, root: Path = Path("/")) -> Iterator[Check]:
    """Yield the results of all checks that apply to a build; missing hardware or files are results, never exceptions.

    Args:
        config: the table's configuration.
        profile: the table's build.
        root: the directory that contains dev, proc, run and boot.

    Raises:
        Planted: the state directory or a link in its path may have been planted by another user (see `as_owner`).
    """
    yield _ok(f"Profile {profile.name} is valid: {profile.title}, {profile.shape}.")
    yield from _versions(profile)
    yield from _plugins()
    with as_owner(config.state_dir, state=True) as folder:
        found = [*_state(folder, config.state_dir), *_clock(folder, root), *_port(config, folder)]
    yield from found
    if isinstance(profile.display.bus, I2cBus):
        yield from _i2c(profile.display.bus, root)
    device = _spi_device(profile)
    if device is not None:
        yield _node(root / f"dev/spidev0.{device}", "spi", NODES["spi"])
    if profile.board.owner == "pi":
        yield from _pins(root)
        yield from _kernel(profile, root)
    if profile.board.usb:
        yield from _serial(config, profile)
    if profile.board.is_bought:
        yield from _bought(config, profile.board)


def _versions(profile: Profile) -> Iterator[Check]:
    on_pi = profile.board.owner == "pi" or _spi_device(profile) is not None
    named = []
    for package in (*PACKAGES, *(PI_PACKAGES if on_pi else ())):
        try:
            named.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            remedy = "captains-table[pi]" if package in PI_PACKAGES else "captains-table"
            yield _wrong(f"{package} is not installed: pip install '{remedy}'.")
    yield _ok(f"captains-table {__version__}, Python {platform.python_version()}, {', '.join(named)}.")


def _plugins() -> Iterator[Check]:
    """Yield a result for each game of another package: that the game is installed, or why it was left out."""
    plugins = install_plugins()
    yield from (_ok(f"Game {game} is installed.") for game in plugins.installed)
    yield from (_warning(f"{words[:1].upper()}{words[1:]}.") for words in plugins.left_out)


def _state(folder: Path, state_dir: Path) -> Iterator[Check]:
    """Yield the results of checking the state directory, its disk and its journal.

    Args:
        folder: the path by which the directory is read.
        state_dir: the directory's path as the texts of the results give it.
    """
    place = folder
    while not place.exists() and place != place.parent:
        place = place.parent
    if not os.access(place, os.W_OK | os.X_OK, effective_ids=True):
        named = state_dir if place == folder else place
        yield _wrong(f"{named} may not be written by this user: run as the table's user, or name --state.")
        return
    free = free_mb(place)
    level = Severity.OK if free >= LEAST_FREE_MB else Severity.WRONG
    advice = "" if level is Severity.OK else f": expected {LEAST_FREE_MB} MB, make room"
    yield Check(level, f"{state_dir} can be written; {free} MB are free{advice}.")
    yield from (_warning(f"{danger}.") for danger in memory_warnings(place))
    journal = folder / JOURNAL
    if not journal.exists():
        yield _ok("No match was played yet: there is no journal to check.")
        return
    try:
        with closing(sqlite3.connect(f"{journal.resolve().as_uri()}?mode=ro", uri=True)) as database:
            verdict = database.execute("PRAGMA quick_check").fetchone()[0]
    except sqlite3.Error as error:
        verdict = str(error)
    if verdict == "ok":
        yield _ok("The journal is readable and whole.")
    else:
        yield _wrong(f"{state_dir / JOURNAL} cannot be read ({verdict}): copy it away and keep it, then report it.")


def _clock(folder: Path, root: Path) -> Iterator[Check]:
    journal = folder / JOURNAL
    known = [PROGRAM_WRITTEN_S, *([journal.stat().st_mtime] if journal.exists() else [])]
    if time.time() + 60 < max(known):
        yield _warning("The clock is behind this program or the last match: connect the Pi to a network.")
        return
    if not is_clock_set(root):
        words = "The clock was not set since the start: matches get no date. Connect the Pi to a network, or set it."
        yield _warning(words)
        return
    is_synchronised = (root / TIMESYNC / "synchronized").exists()
    yield _ok(f"The clock is plausible{', set by NTP' if is_synchronised else ''}.")


def _port(config: TableConfig, folder: Path) -> Iterator[Check]:
    address = folder / ADDRESS
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((config.host if config.host[:1].isdigit() else "", config.port))
        except OSError as error:
            own = f" (a table of {config.state_dir} was at {address.read_text().strip()})" if address.exists() else ""
            words = f"Port {config.port} of the page cannot be had{own}: {error.strerror}. Does a table run already?"
            yield _warning(words)
        else:
            yield _ok(f"Port {config.port} of the page is free.")


def _node(node: Path, group: str, switch_on: str) -> Check:
    if not node.exists():
        return _wrong(f"{node} is not there: switch it on ({switch_on}).")
    if not os.access(node, os.R_OK | os.W_OK):
        return _wrong(f"{node} may not be opened: sudo usermod -aG {group} {_user()}, then log in again.")
    return _ok(f"{node} can be opened.")


def _user() -> str:
    return os.environ.get("USER", "USER")


def _i2c(bus: I2cBus, root: Path) -> Iterator[Check]:
    node = _node(root / f"dev/i2c-{bus.port}", "i2c", NODES["i2c"])
    yield node
    hertz = _i2c_hertz(root)
    if hertz is not None and hertz < FAST_HZ:
        advice = "dtparam=i2c_arm_baudrate=400000 in /boot/firmware/config.txt makes the glass four times faster"
        yield _warning(f"I2C runs at {hertz // 1000} kHz: {advice}.")
    elif hertz is not None:
        yield _ok(f"I2C runs at {hertz // 1000} kHz.")
    if node.level is Severity.OK:
        yield _display_answers(bus)


def _i2c_hertz(root: Path) -> int | None:
    """Return the speed of the I2C bus in hertz, from the device tree or else the boot configuration.

    The result is `None` if neither states the speed.
    """
    for alias in ("i2c1", "i2c_arm"):
        try:
            path = (root / "proc/device-tree/aliases" / alias).read_bytes().rstrip(b"\0").decode()
            speed = (root / "proc/device-tree" / path.lstrip("/") / "clock-frequency").read_bytes()
            return int.from_bytes(speed, "big")
        except (OSError, UnicodeDecodeError):
            continue
    for name in ("boot/firmware/config.txt", "boot/config.txt"):
        try:
            lines = (root / name).read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            continue
        for line in lines:
            for part in line.split("#")[0].removeprefix("dtparam=").split(","):
                key, _, value = part.strip().partition("=")
                if key in {"i2c_arm_baudrate", "i2c_baudrate"} and value.isdecimal():
                    return int(value)
    return None


def _display_answers(bus: I2cBus) -> Check:
    try:
        interface = i2c(port=bus.port, address=bus.address)
        try:
            interface.command(0xE3)  # no operation: SSD1306 data sheet, 10.1.19
        finally:
            interface.cleanup()
    except (OSError, LumaError) as error:
        return _wrong(f"No glass answers at 0x{bus.address:02X} ({error}): check SDA, SCL and address.")
    return _ok(f"The glass answers at 0x{bus.address:02X}.")


def _spi_device(profile: Profile) -> int | None:
    if isinstance(profile.display.bus, SpiBus):
        return profile.display.bus.device
    return None if profile.lights is None else profile.lights.spi_device


def _pins(root: Path) -> Iterator[Check]:
    chips = sorted((root / "dev").glob("gpiochip*"))
    if not chips:
        yield _wrong(f"{root / 'dev'} has no gpiochip: is this a Raspberry Pi?")
    for chip in chips[:1]:
        yield _node(chip, "gpio", "it belongs to every Pi's kernel")
    factory = os.environ.get("GPIOZERO_PIN_FACTORY", "lgpio")
    if factory != "lgpio":
        yield _warning(f"GPIOZERO_PIN_FACTORY is {factory}: expected lgpio, the one that works on every Pi.")
    else:
        yield _ok("gpiozero uses lgpio.")


def _kernel(profile: Profile, root: Path) -> Iterator[Check]:
    try:
        version = (root / "proc/version").read_text(encoding="utf-8")
    except OSError:
        return
    advice = kernel_advice(profile, version)
    yield Check(Severity.WARNING if advice else Severity.OK, advice or "The kernel leaves the switches' pins alone.")


def _serial(config: TableConfig, profile: Profile) -> Iterator[Check]:
    usb = profile.usb or (0, 0)
    found = serial_devices(usb=usb) if config.device is None else [config.device]
    if not found:
        words = f"No board on USB ({usb[0]:04x}:{usb[1]:04x}): plug it in, flash it (`make flash`), try another cable."
        yield _wrong(words)
    for device in found:
        yield _node(Path(device), "dialout", "plug the board in")


def _bought(config: TableConfig, kind: BoardKind) -> Iterator[Check]:
    """Yield whether a bought board is found, may be opened, and answers, and what it tells about itself."""
    find = partial(found_devices, kind.key, config.device)
    nodes = [_bought_node(Path(path)) for path in dict.fromkeys(each.path for each in find())]
    yield from nodes
    if not nodes:
        yield _wrong(f"No {kind.name} on USB: plug it in and switch it on, or name it (device = ...).")
    elif any(node.level is Severity.OK for node in nodes):
        yield asyncio.run(_board_answers(BoughtBoard(find, f"a {kind.name}", turned=config.turned)))


def _bought_node(node: Path) -> Check:
    check = _node(node, "dialout", "plug the board in")
    if check.level is Severity.WRONG and node.exists() and node.stat().st_gid == 0:
        return Check(check.level, f"{node} is root's alone, because no udev rule opens it: {RULES}.")
    return check


async def _board_answers(board: BoughtBoard) -> Check:
    read, trouble = asyncio.Event(), board.missing

    def take(event: BoardEvent, _: float) -> None:
        nonlocal trouble
        if isinstance(event, BoardRead):
            read.set()
        elif isinstance(event, BoardLost):
            trouble = event.words

    board.open(take)
    try:
        await asyncio.wait_for(read.wait(), BOARD_ANSWERS_S)
        await asyncio.sleep(BOARD_TELLS_S)
    except TimeoutError:
        return _wrong(f"{trouble}.")
    finally:
        board.close()
    words = board.described()
    has_place = any(kind.buttons and words.startswith(kind.name) for kind in BOUGHT_KINDS.values())
    words += ", no clock on its cable" if has_place and not board.facts.has_clock else ""
    words += f", number {board.facts.serial}" if board.facts.serial else ""
    if board.fault is not None:
        return _warning(f"{words}: {board.fault}.")
    return _ok(f"{words} answers.")
