"""Dims display and lights at night, by the time of day."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

FULL: Final = 1.0
PAUSE_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class Night:
    """The hours of the night, when the table is dimmed, and the brightness in these hours.

    Attributes:
        from_hour: the start of the night in hours of the day (22.5 is half past ten in the evening).
        until_hour: the end of the night; if it equals `from_hour`, the table is never dimmed.
        brightness: the share of the full brightness, 0 to 1.
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
    """Return the local time of day in hours."""
    now = time.localtime()
    return now.tm_hour + now.tm_min / 60


async def dim_by_time(
    dim: Callable[[float], None], night: Night, hour: Callable[[], float] = hour_now, pause_s: float = PAUSE_S
) -> None:
    """Set the brightness by the time of day, until cancelled; `dim` is called only when the brightness changes.

    Args:
        dim: dims the devices to a share of their full brightness, 0 to 1.
        night: the hours in which the brightness is reduced.
        hour: returns the time of day in hours.
        pause_s: the time in seconds between two looks at the clock.
    """
    current: float | None = None
    while True:
        share = brightness_at(hour(), night)
        if share != current:
            dim(share)
            current = share
        await asyncio.sleep(pause_s)


class Dimmer:
    """Sets the brightness by the time of day, in a task of the event loop.

    Args:
        dim: dims the devices to a share of their full brightness, 0 to 1.
    """

    def __init__(self, dim: Callable[[float], None]) -> None:
        self._dim = dim
        self._following: asyncio.Task[None] | None = None

    def follow(self, night: Night) -> None:
        """Dim during the hours of this night from now on; the hours of an earlier call no longer apply."""
        self.stop()
        self._following = asyncio.ensure_future(dim_by_time(self._dim, night))

    def stop(self) -> None:
        """Stop dimming; the brightness stays as it is."""
        if self._following is not None:
            self._following.cancel()
            self._following = None
