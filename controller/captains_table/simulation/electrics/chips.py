"""The pins of the chips that scan a matrix: pull-ups, outputs, and the levels they are sure of."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Drive(StrEnum):
    """What the rank lines are that are not scanned now; the scanned one is driven low."""

    OPEN_DRAIN = "open-drain"  # left alone
    PUSH_PULL = "push-pull"  # driven high, as the firmware once did


@dataclass(frozen=True, slots=True)
class Chip:
    """The pins of a chip.

    Attributes:
        name: as it is called.
        supply_v: what its outputs drive to, and its pull-ups pull to.
        pull_up_ohm: a file pin's own pull-up.
        output_ohm: a rank pin's resistance while it drives; from data sheets' curves, between 20 and 100.
        low_below_v: a level up to this one is surely read as low (VIL).
        high_above_v: a level from this one on is surely read as high (VIH).
    """

    name: str
    supply_v: float
    pull_up_ohm: float
    output_ohm: float
    low_below_v: float
    high_above_v: float


# RP2040 data sheet, "Digital IO characteristics": pull-up 50 to 80 kilohms, VIL 0.8 V, VIH 2.0 V at 3.3 V.
RP2040: Final = Chip("RP2040", 3.3, 60_000.0, 50.0, 0.8, 2.0)
# Raspberry Pi documentation, "GPIO", "Voltage specifications": of a Pi 4 VIL 0.8 V, VIH 2.0 V and pull-ups of 33 to 73
# kilohms; those of earlier Pis are tighter (0.9 V, 1.6 V, 50 to 65 kilohms).
PI: Final = Chip("Pi", 3.3, 55_000.0, 50.0, 0.8, 2.0)

TYPICAL_THRESHOLD_V: Final = 1.4  # where most chips change their mind, between the two levels they are sure of
