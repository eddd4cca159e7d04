"""How bright glass and lights are by the time of day; the time comes in from outside."""

from dataclasses import dataclass
from typing import Final

FULL: Final = 1.0


@dataclass(frozen=True, slots=True)
class Night:
    """When the table is dimmed, and how far.

    Attributes:
        from_hour: when it begins, hours of the day (22.5 is half past ten in the evening).
        until_hour: when it ends; the same hour as it begins: never.
        brightness: share of the full brightness, 0 to 1.
    """

    from_hour: float = 22.0
    until_hour: float = 7.0
    brightness: float = 0.2


def brightness_at(hour: float, night: Night) -> float:
    """Return the share of the full brightness at an hour of the day, 0 to 24."""
    begins, ends = night.from_hour, night.until_hour
    is_night = begins <= hour < ends if begins <= ends else hour >= begins or hour < ends
    return night.brightness if is_night else FULL
