"""What is to be done about a board whose firmware is older than the one that belongs to this program."""

from captains_table.link.from_board import FIRMWARE


def advice_on(firmware: str) -> str | None:
    """Return in a sentence what to do about a board that runs this firmware, None where it is no older than ours."""
    if not _is_older(firmware):
        return None
    return (
        f"The board runs firmware {firmware}, this program brings {FIRMWARE}: it can be played with; "
        "stop the table and run make flash to renew it."
    )


def _is_older(firmware: str) -> bool:
    """Return whether a version of the firmware is older than the one that belongs to this program."""
    numbers = [version.split(".") for version in (firmware, FIRMWARE)]
    if not all(number.isdecimal() for version in numbers for number in version):
        return False  # somebody's own
    own, ours = ([int(number) for number in version] for version in numbers)
    return own < ours
