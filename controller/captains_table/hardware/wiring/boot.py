"""Adds the lines that a build needs to the Pi's config.txt, and warns of old kernels that block a pin in spite of them.

The Pi's firmware reads the file as follows (Raspberry Pi documentation, "config.txt"). A line `[filter]` limits the
following lines to some models, until a line `[all]`. Later lines override earlier ones. `dtparam` takes several
parameters, separated by commas.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from captains_table.hardware.profiles.pin_clashes import SPI_SELECT_PINS, PinUse, pin_uses
from captains_table.hardware.profiles.profile import I2cBus, Profile, SpiBus

SERIAL_CONSOLE: Final = frozenset({14, 15})
# raspberrypi/linux #5835: configured without a chip select, SPI0 still claimed the first one, up to 6.1.63 at least;
# fixed by #5837, which is in stable_20240124 (6.1.73).
FREES_SELECTS: Final = (6, 1, 73)
UPGRADE: Final = "sudo apt update && sudo apt full-upgrade"
BEGIN: Final = "# --- Captain's Table: what its build needs; written by `captains-table boot`"
END: Final = "# --- Captain's Table ends"
FOR_ALL: Final = "[all]"
ON: Final = "on"
SWITCHED_ON: Final = frozenset({"on", "true", "yes", "1"})


def boot_lines(profile: Profile) -> list[str]:
    """Return the lines that a build needs in /boot/firmware/config.txt; empty for a build that needs only USB."""
    lines = []
    if isinstance(profile.display.bus, I2cBus):
        lines.append("dtparam=i2c_arm=on,i2c_arm_baudrate=400000")
    selects = _selects(profile)
    if selects is not None:
        # The switches cannot use a select line that the overlay claims, nor MISO (BCM 9).
        count = 0 if not selects else max(selects) + 1
        lines.append(f"dtoverlay=spi0-{count}cs,no_miso")
    if any(use.owner == "pi" and use.pin in SERIAL_CONSOLE for use in pin_uses(profile)):
        lines.append("enable_uart=0")
    return lines


def pin_blocked_by_old_kernels(profile: Profile) -> PinUse | None:
    """Return the build's use of a pin that old kernels block; `None` if they block no pin that the build uses.

    If a build uses SPI0 without a chip select, kernels before version `FREES_SELECTS` still claim a pin as chip select.
    """
    wanted = ("pi", SPI_SELECT_PINS[0]) if _selects(profile) == set() else None
    return next((use for use in pin_uses(profile) if (use.owner, use.pin) == wanted), None)


def kernel_advice(profile: Profile, version: str) -> str | None:
    """Return a sentence about a pin that this kernel may block.

    Return `None` if the build uses no such pin, if the kernel is new enough, or if its version cannot be read.

    Args:
        profile: the build.
        version: the content of /proc/version. The release of a Debian kernel may end in 0; then the kernel's package
            version, after `#`, has the full number. The compiler's package version, before `#`, does not matter.
    """
    use = pin_blocked_by_old_kernels(profile)
    package = re.search(r"Debian (?:\d+:)?(\d+)\.(\d+)\.(\d+)", version.partition("#")[2])
    number = package or re.search(r"(\d+)\.(\d+)\.(\d+)", version)
    if use is None or number is None or tuple(map(int, number.groups())) >= FREES_SELECTS:
        return None
    kernel = ".".join(number.groups())
    return f"Kernel {kernel} may keep BCM {use.pin} ({use.what}) for SPI, which is then busy: {UPGRADE}, then reboot."


def _selects(profile: Profile) -> set[int] | None:
    """Return the chip selects of SPI0 that the build's devices use; `None` if the build does not use SPI0.

    The set is empty if the build's only device on SPI0 has no chip select.
    """
    display, lights = profile.display.bus, profile.lights
    on_spi = lights is not None and lights.spi_device is not None
    if not isinstance(display, SpiBus) and not on_spi:
        return None
    selects = {display.device} if isinstance(display, SpiBus) else set()
    return selects | ({lights.device} if lights is not None and lights.device is not None else set())


def with_boot_lines(text: str, lines: Sequence[str]) -> str:
    """Add missing settings to the text of a config.txt, and return the new text.

    The missing settings are added in one block at the end, and apply on every model.

    Args:
        text: the current file; the block that an earlier call added is removed first.
        lines: the lines that a build needs, from `boot_lines`.
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
    outside, inside = [], False
    for line in text.splitlines(keepends=True):
        inside = inside or line.strip() == BEGIN
        if not inside:
            outside.append(line)
        inside = inside and line.strip() != END
    return "".join(outside)


def _settings(text: str) -> set[tuple[str, str]]:
    """Return the settings that apply on every model, as pairs of key and value.

    All overlays are returned. If a parameter (`dtparam`) or another key is set several times, only its last value is
    returned.
    """
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
