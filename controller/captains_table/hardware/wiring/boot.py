"""What the Pi's config.txt must say for a build, and which kernels do not keep to it."""

import re
from typing import Final

from captains_table.hardware.profiles.pins import SPI_SELECT_PINS, PinUse, pin_uses
from captains_table.hardware.profiles.profile import I2cBus, Profile, SpiBus

SERIAL_CONSOLE: Final = frozenset({14, 15})
# raspberrypi/linux #5835: told of no chip select, SPI0 claimed the first one all the same, up to 6.1.63 at least;
# mended by #5837, which stable_20240124 (6.1.73) has.
FREES_SELECTS: Final = (6, 1, 73)
UPGRADE: Final = "sudo apt update && sudo apt full-upgrade"


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
