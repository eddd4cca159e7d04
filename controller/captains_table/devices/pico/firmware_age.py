"""Compares the board's firmware version with the expected version, and gives advice if the board's is older.

It also says whether a version still drives idle rank lines high.
"""

from typing import Final

from captains_table.link.from_board import FIRMWARE
from captains_table.phrases import computed, say, with_spaces

LEAVES_RANKS_ALONE: Final = "0.3.0"
"""The first firmware version that does not drive idle rank lines high (docs/electrics.md)."""


def firmware_advice(firmware: str) -> str | None:
    """Return advice on a board with this firmware version; `None` if it is not older than the expected version."""
    if not _is_older(firmware, FIRMWARE):
        return None
    advice = say(
        "The board runs firmware {old}, this program brings {new}: it can be played with; "
        "stop the table and run make flash to renew it.",
        old=firmware,
        new=FIRMWARE,
    )
    if not drives_idle_ranks(firmware):
        return advice
    scan = say(
        "It still drives idle rank lines high: where a diode is bridged or turned round, pieces on its file are not "
        "seen, and its pins are strained."
    )
    return computed(with_spaces, advice, scan)


def drives_idle_ranks(firmware: str) -> bool:
    """Return whether this firmware drives idle rank lines high, as the table's firmware did before version 0.3.0."""
    return _is_older(firmware, LEAVES_RANKS_ALONE)


def _is_older(firmware: str, than: str) -> bool:
    """Return whether a firmware version is older than another; False if one of them is not made of numbers."""
    numbers = [version.split(".") for version in (firmware, than)]
    if not all(number.isdecimal() for version in numbers for number in version):
        return False  # a firmware of the builder's own
    own, ours = ([int(number) for number in version] for version in numbers)
    return own < ours
