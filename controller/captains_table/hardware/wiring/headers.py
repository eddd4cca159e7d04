"""Where a pin is found: the Pico's 40 castellations and the Pi's 40-pin header, counted as on their pinouts."""

from collections.abc import Sequence
from typing import Final

from captains_table.hardware.kinds import Owner

# Raspberry Pi Pico data sheet, figure 2. The Pico's GP number -> pin.
PICO_GP: Final = dict(
    zip(
        [*range(23), 26, 27, 28],
        [1, 2, 4, 5, 6, 7, 9, 10, 11, 12, 14, 15, 16, 17, 19, 20, 21, 22, 24, 25, 26, 27, 29, 31, 32, 34],
        strict=True,
    )
)
# The Pi's BCM number -> pin of the header, the same on every Pi with 40 pins.
PI_BCM: Final = dict(
    zip(
        range(2, 28),
        [3, 5, 7, 29, 31, 26, 24, 21, 19, 23, 32, 33, 8, 10, 36, 11, 12, 35, 38, 40, 15, 16, 18, 22, 37, 13],
        strict=True,
    )
)
PINS: Final = {"pico": PICO_GP, "pi": PI_BCM}
LABELS: Final = {"pico": "GP", "pi": "BCM "}
GROUNDS: Final = {"pico": (3, 8, 13, 18, 23, 28, 33, 38), "pi": (6, 9, 14, 20, 25, 30, 34, 39)}
PI_3V3: Final = 1


def header_labels(owner: Owner) -> list[str]:
    """Return what each of the 40 pins is called; those a table never uses are dashes."""
    labels = {pin: f"{LABELS[owner]}{number}" for number, pin in PINS[owner].items()}
    labels |= dict.fromkeys(GROUNDS[owner], "GND")
    if owner == "pi":
        labels[PI_3V3] = "3.3 V"
    return [labels.get(pin, "-") for pin in range(1, 41)]


def pin_of(owner: Owner, number: int) -> int:
    """Return the place of a GP or BCM number."""
    return PINS[owner][number]


def ground_near(owner: Owner, pin: int, taken: Sequence[int]) -> int:
    """Return the ground pin next to a pin, one that is still free where there is any."""
    free = [ground for ground in GROUNDS[owner] if ground not in taken] or GROUNDS[owner]
    return min(free, key=lambda ground: abs(ground - pin))
