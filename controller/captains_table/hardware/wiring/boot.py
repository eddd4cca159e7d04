"""The Pi's config.txt: what it must say for a build, which kernels do not keep to it, and how it is brought to that.

How the firmware reads it (Raspberry Pi documentation, "config.txt"): a line `[filter]` limits those after it to some
models, `[all]` to none; what is said later counts; `dtparam` takes several parameters parted by commas.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from captains_table.hardware.profiles.pin_clashes import SPI_SELECT_PINS, PinUse, pin_uses
from captains_table.hardware.profiles.profile import I2cBus, Profile, SpiBus

SERIAL_CONSOLE: Final = frozenset({14, 15})
# raspberrypi/linux #5835: told of no chip select, SPI0 claimed the first one all the same, up to 6.1.63 at least;
# mended by #5837, which stable_20240124 (6.1.73) has.
FREES_SELECTS: Final = (6, 1, 73)
UPGRADE: Final = "sudo apt update && sudo apt full-upgrade"
BEGIN: Final = "# --- Captain's Table: what its build needs; written by `captains-table boot`"
END: Final = "# --- Captain's Table ends"
FOR_ALL: Final = "[all]"
ON: Final = "on"
SWITCHED_ON: Final = frozenset({"on", "true", "yes", "1"})


def boot_lines(profile: Profile) -> list[str]:
    """Return the lines a build needs in /boot/firmware/config.txt: empty for one that needs no more than USB."""
    lines = []
    if isinstance(profile.display.bus, I2cBus):
        lines.append("dtparam=i2c_arm=on,i2c_arm_baudrate=400000")
    selects = _selects(profile)
    if selects is not None:
        # Each select line the overlay claims, and MISO (BCM 9), would be lost to the switches.
        count = 0 if not selects else max(selects) + 1
        lines.append(f"dtoverlay=spi0-{count}cs,no_miso")
    if any(use.owner == "pi" and use.pin in SERIAL_CONSOLE for use in pin_uses(profile)):
        lines.append("enable_uart=0")
    return lines


def kept_by_old_kernels(profile: Profile) -> PinUse | None:
    """Return the use of a pin that kernels before `FREES_SELECTS` keep for SPI0, whatever config.txt says."""
    wanted = ("pi", SPI_SELECT_PINS[0]) if _selects(profile) == set() else None
    return next((use for use in pin_uses(profile) if (use.owner, use.pin) == wanted), None)


def kernel_advice(profile: Profile, version: str) -> str | None:
    """Return in a sentence what an old kernel keeps from a build, None where it keeps nothing.

    Args:
        profile: the build.
        version: what /proc/version says. A Debian kernel's release may end in 0; its package then tells the number.
            The package stands behind `#`, the compiler's, which may be Debian's too, before it.
    """
    use = kept_by_old_kernels(profile)
    package = re.search(r"Debian (?:\d+:)?(\d+)\.(\d+)\.(\d+)", version.partition("#")[2])
    number = package or re.search(r"(\d+)\.(\d+)\.(\d+)", version)
    if use is None or number is None or tuple(map(int, number.groups())) >= FREES_SELECTS:
        return None
    kernel = ".".join(number.groups())
    return f"Kernel {kernel} may keep BCM {use.pin} ({use.what}) for SPI, which is then busy: {UPGRADE}, then reboot."


def _selects(profile: Profile) -> set[int] | None:
    """Return the chip selects of SPI0 in use: empty where SPI is not."""
    display, lights = profile.display.bus, profile.lights
    on_spi = lights is not None and lights.spi_device is not None
    if not isinstance(display, SpiBus) and not on_spi:
        return None
    selects = {display.device} if isinstance(display, SpiBus) else set()
    return selects | ({lights.device} if lights is not None and lights.device is not None else set())


def with_boot_lines(text: str, lines: Sequence[str]) -> str:
    """Return a config.txt in which these lines hold on every model; the same text where they do already.

    Args:
        text: the file as it is; our own block of an earlier build in it gives way.
        lines: what a build needs, from `boot_lines`.
    """
    others = _without_block(text)
    known = _settings(others)
    missing = [line for line in lines if not _settings(line) <= known]
    if not missing:
        return others
    ending = "\r\n" if "\r\n" in text else "\n"
    block = [BEGIN, FOR_ALL, *missing, END]
    gap = ending if others and not others.endswith("\n") else ""
    return f"{others}{gap}{ending.join(block)}{ending}"


def _without_block(text: str) -> str:
    kept, inside = [], False
    for line in text.splitlines(keepends=True):
        inside = inside or line.strip() == BEGIN
        if not inside:
            kept.append(line)
        inside = inside and line.strip() != END
    return "".join(kept)


def _settings(text: str) -> set[tuple[str, str]]:
    """Return what holds on every model: overlays as they are written, of everything else the last value."""
    overlays: set[tuple[str, str]] = set()
    values: dict[str, str] = {}
    for key, value in _for_every_model(text):
        if key == "dtoverlay":
            overlays.add((key, value))
        elif key == "dtparam":
            values |= {f"{key} {name}": setting for name, setting in _parameters(value)}
        else:
            values[key] = value
    return overlays | set(values.items())


def _for_every_model(text: str) -> Iterator[tuple[str, str]]:
    applies = True
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            applies = line == FOR_ALL
        elif applies and "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            yield key.strip(), value.strip()


def _parameters(value: str) -> Iterator[tuple[str, str]]:
    for part in value.split(","):
        name, _, setting = part.partition("=")
        yield name.strip(), ON if (setting.strip() or ON).lower() in SWITCHED_ON else setting.strip()
