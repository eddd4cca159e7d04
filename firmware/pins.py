"""Protocols of the hardware objects that the firmware uses, for the type checker only; the board never loads this."""

from typing import Protocol


class Pin(Protocol):
    """A digital pin."""

    def value(self, level: int = ..., /) -> int:
        """Return the level, 0 or 1, or set it to `level`."""


class Pwm(Protocol):
    """A PWM pin that plays a tone."""

    def freq(self, hertz: int, /) -> None:
        """Set the frequency."""

    def duty_u16(self, duty: int, /) -> None:
        """Set the duty cycle, 0 (silent) to 65535."""


class Strip(Protocol):
    """A chain of NeoPixels."""

    def __setitem__(self, index: int, colour: tuple[int, int, int], /) -> None:
        """Set a light's red, green and blue, 0 to 255; the next `write` shows it."""

    def write(self) -> None:
        """Send all colours to the chain."""


class Stream(Protocol):
    """One direction of the serial line."""

    def read(self, size: int, /) -> bytes:
        """Return up to `size` bytes."""

    def write(self, data: bytes, /) -> int | None:
        """Send bytes; return how many were accepted."""
