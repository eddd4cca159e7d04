"""What the lines about a game's odds share."""

from fractions import Fraction
from typing import Final

LARGEST_DENOMINATOR: Final = 10**12
LABEL_WIDTH: Final = 46


def figure(label: str, value: Fraction) -> str:
    """Return a line with a figure: nine decimals, and the fraction where it is small."""
    fraction = f"  = {value}" if value.denominator <= LARGEST_DENOMINATOR else ""
    return f"{label:{LABEL_WIDTH}} {float(value):14.9f}{fraction}"
