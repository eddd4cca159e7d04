"""When something happened, as the club's pages say it."""

from datetime import UTC, datetime


def time_of_day(at_s: float | None) -> str:
    """Return hours and minutes of a moment by this machine's clock; empty where it is not known."""
    return "" if at_s is None else f"{datetime.fromtimestamp(at_s, UTC).astimezone():%H:%M}"
