"""The `neopixel` module of a simulated Pico. Runs under MicroPython."""

import board_parts


class NeoPixel:
    """A chain of lights; what was written last is kept for the test."""

    def __init__(self, pin, count):
        self._bytes = bytearray(3 * count)

    def __setitem__(self, index, colour):
        self._bytes[3 * index : 3 * index + 3] = bytes(colour)

    def write(self):
        board_parts.light_bytes = bytes(self._bytes)
