"""Formats a line in a list of a game's odds: a label and a value."""

from fractions import Fraction
from typing import Final

LARGEST_DENOMINATOR: Final = 10**12
LABEL_WIDTH: Final = 46


def figure(label: str, value: Fraction) -> str:
    """Return a line with a label and a value to nine decimals.

    The value also appears as a fraction if the denominator is at most LARGEST_DENOMINATOR.
    """
    fraction = f"  = {value}" if value.denominator <= LARGEST_DENOMINATOR else ""
    return f"{label:{LABEL_WIDTH}} {float(value):14.9f}{fraction}"
