"""What the Pi's config.txt must say for a build."""

from typing import Final

from captains_table.hardware.profiles.pins import pin_uses
from captains_table.hardware.profiles.profile import I2cBus, Profile, SpiBus

SERIAL_CONSOLE: Final = frozenset({14, 15})


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


def _selects(profile: Profile) -> set[int] | None:
    """Return the chip selects of SPI0 in use: empty where SPI is not."""
    display, lights = profile.display.bus, profile.lights
    on_spi = lights is not None and lights.pin is None
    if not isinstance(display, SpiBus) and not on_spi:
        return None
    selects = {display.device} if isinstance(display, SpiBus) else set()
    return selects | ({lights.device} if lights is not None and lights.device is not None else set())
