"""A driver for a chain of NeoPixels; it replaces MicroPython's module `neopixel`, which Debian's sources lack."""

from machine import Pin, bitstream

NANOSECONDS = (400, 850, 800, 450)  # high and low of a 0, high and low of a 1 (WS2812B data sheet)
_ORDER = (1, 0, 2)  # green, red, blue


class NeoPixel:
    """A chain of lights at a pin; each has red, green and blue from 0 to 255."""

    def __init__(self, pin: Pin, lights: int) -> None:
        self._pin = pin
        self._bytes = bytearray(lights * len(_ORDER))

    def __setitem__(self, light: int, colour: "tuple[int, int, int]") -> None:
        first = light * len(_ORDER)
        for place, part in enumerate(_ORDER):
            self._bytes[first + place] = colour[part]

    def write(self) -> None:
        """Send all colours to the chain."""
        bitstream(self._pin, 0, NANOSECONDS, self._bytes)
