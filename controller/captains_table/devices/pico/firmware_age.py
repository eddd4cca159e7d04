"""What is to be done about a board whose firmware is older than the one that belongs to this program."""

from typing import Final

from captains_table.link.from_board import FIRMWARE

LEAVES_RANKS_ALONE: Final = "0.3.0"
"""The first firmware whose idle rank lines are not driven high (docs/electrics.md)."""


def advice_on(firmware: str) -> str | None:
    """Return in a sentence what to do about a board that runs this firmware, None where it is no older than ours."""
    if not _is_older(firmware, FIRMWARE):
        return None
    scan = (
        " It still drives idle rank lines high: where a diode is bridged or turned round, pieces on its file are not "
        "seen, and its pins are strained."
        if drives_idle_ranks(firmware)
        else ""
    )
    return (
        f"The board runs firmware {firmware}, this program brings {FIRMWARE}: it can be played with; "
        f"stop the table and run make flash to renew it.{scan}"
    )


def drives_idle_ranks(firmware: str) -> bool:
    """Return whether this firmware drives the rank lines high that it does not read, as ours once did."""
    return _is_older(firmware, LEAVES_RANKS_ALONE)


def _is_older(firmware: str, than: str) -> bool:
    """Return whether a version of the firmware is older than one of ours."""
    numbers = [version.split(".") for version in (firmware, than)]
    if not all(number.isdecimal() for version in numbers for number in version):
        return False  # somebody's own
    own, ours = ([int(number) for number in version] for version in numbers)
    return own < ours
