"""What the logic needs of hardware objects, for the type checker; the board never loads this."""

from typing import Protocol


class Pin(Protocol):
    """A digital pin."""

    def value(self, level: int = ..., /) -> int:
        """Return the level, or set it."""


class Pwm(Protocol):
    """A pin that gives a tone."""

    def freq(self, hertz: int, /) -> None:
        """Set the pitch."""

    def duty_u16(self, duty: int, /) -> None:
        """Set the share of time it is on, 0 (silent) to 65535."""


class Strip(Protocol):
    """A chain of NeoPixels."""

    def __setitem__(self, index: int, colour: tuple[int, int, int], /) -> None:
        """Set a light's red, green and blue, 0 to 255; it changes with the next `write`."""

    def write(self) -> None:
        """Send all colours down the chain."""


class Stream(Protocol):
    """One direction of the serial line."""

    def read(self, size: int, /) -> bytes:
        """Return up to so many bytes."""

    def write(self, data: bytes, /) -> int | None:
        """Send bytes."""
