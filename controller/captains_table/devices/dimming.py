"""How bright glass and lights are by the time of day."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

FULL: Final = 1.0
PAUSE_S: Final = 60.0


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


def hour_now() -> float:
    """Return the hour of the day where the table stands."""
    now = time.localtime()
    return now.tm_hour + now.tm_min / 60


async def follow_the_hours(
    dim: Callable[[float], None], night: Night, hour: Callable[[], float] = hour_now, pause_s: float = PAUSE_S
) -> None:
    """Dim and brighten as the hours come, until cancelled; nothing is said twice."""
    said: float | None = None
    while True:
        share = brightness_at(hour(), night)
        if share != said:
            dim(share)
            said = share
        await asyncio.sleep(pause_s)


class Dimmer:
    """Follows the hours on the event loop, by one night until another one is named.

    Args:
        dim: makes the devices as bright as a share of their full brightness.
    """

    def __init__(self, dim: Callable[[float], None]) -> None:
        self._dim = dim
        self._following: asyncio.Task[None] | None = None

    def follow(self, night: Night) -> None:
        """Dim and brighten by this night from now on."""
        self.stop()
        self._following = asyncio.ensure_future(follow_the_hours(self._dim, night))

    def stop(self) -> None:
        """Leave it as bright as it is."""
        if self._following is not None:
            self._following.cancel()
            self._following = None
