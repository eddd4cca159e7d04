"""Drivers of the LED chips on SPI, by luma.led_matrix: for a chain of APA102, and for one-coloured MAX7219 modules.

Both drivers limit the current: a frame that would draw more than the supply gives is dimmed.
"""

from collections.abc import Callable, Mapping
from math import inf
from typing import Final, Protocol

from luma.led_matrix.device import apa102, max7219
from PIL import Image

from captains_table.devices.lights.compositor import DARK_RGB, Frame, Rgb
from captains_table.games.contract import Shape, Square
from captains_table.hardware.kinds import APA102, COLOUR_MA, DOT_MA, MAX7219
from captains_table.hardware.profiles.light_supply import light_supply
from captains_table.hardware.profiles.profile import Profile

BRIGHTEST: Final = 255
LEVELS: Final = 16  # luma divides a brightness of 0 to 255 by 16 for both chips; at 0 an APA102 is dark
AT_FIRST: Final = 7  # the level before the first `dim`
MODULE: Final = 8
BUTTON: Final = (85, 85, 85)
APA102_LEVELS: Final = 31  # the chip's highest brightness level; luma uses the lower half


class LedDriver(Protocol):
    """The interface of a driver for LED chips under the squares."""

    def show(self, frame: Frame) -> None:
        """Light these squares in these colours and darken the others; raises OSError if the bus fails."""

    def dim(self, brightness: float) -> None:
        """Set the brightness, 0 to 1; at 0 lit squares stay visible. Raises OSError."""

    def close(self) -> None:
        """Switch all lights off and release the bus; raises OSError."""


class DataInterface(Protocol):
    """The methods of a bus that luma's LED drivers use (`luma.core.interface.serial.spi`)."""

    def data(self, data: list[int]) -> None:
        """Send bytes, 0 to 255 each."""

    def cleanup(self) -> None:
        """Release the bus."""


class Apa102Driver:
    """The driver of a chain of APA102 or SK9822 LEDs.

    Args:
        interface: the bus.
        count: number of LEDs in the chain.
        light_of: returns the position of a square's LED in the chain, counted from 0.
        budget_ma: the most current that the lit LEDs may draw together, in addition to the current of all LEDs while
            dark; a frame that needs more is dimmed.
        button: the position of the LED in the roll button, which is always lit; `None` if there is no such LED.
    """

    def __init__(
        self,
        interface: DataInterface,
        count: int,
        light_of: Callable[[Square], int],
        budget_ma: float = inf,
        button: int | None = None,
    ) -> None:
        self._interface = interface
        self._chain = apa102(interface, cascaded=count)
        self._light_of = light_of
        self._budget_ma = budget_ma
        self._button = button
        self._level = AT_FIRST
        self._lights: Mapping[int, Rgb] = {}

    def show(self, frame: Frame) -> None:
        button = {} if self._button is None else {self._button: BUTTON}
        self._display({self._light_of(square): colour for square, colour in frame.items()} | button)

    def _display(self, lights: Mapping[int, Rgb]) -> None:
        self._lights = lights
        drawn_ma = sum(map(sum, lights.values())) * COLOUR_MA / BRIGHTEST * self._level / APA102_LEVELS
        share = min(1.0, self._budget_ma / drawn_ma) if drawn_ma else 1.0
        # The brightness goes into each LED's alpha: luma's contrast, for all LEDs, would change those lit now at once.
        image = Image.new("RGBA", self._chain.size, (*DARK_RGB, self._level * LEVELS))
        for light, (red, green, blue) in lights.items():
            colour = int(red * share), int(green * share), int(blue * share), self._level * LEVELS
            image.putpixel((light, 0), colour)
        self._chain.display(image)

    def dim(self, brightness: float) -> None:
        self._level = _level(brightness)
        self._display(self._lights)

    def close(self) -> None:
        try:
            self._display({})
        finally:
            self._interface.cleanup()


class Max7219Driver:
    """The driver of a chain of MAX7219 modules with 8 x 8 LEDs of one colour.

    The first module begins at file a, and the lowest row of LEDs is rank 1.

    Args:
        interface: the bus.
        shape: the board's size; LEDs beyond the board stay dark.
        budget_ma: the most current that the lit LEDs may draw together, in addition to the current of all modules while
            dark; a frame that needs more is dimmed.
        by_wiring: given the square that an LED really lights, returns the square for which that LED was planned; `None`
            if all LEDs are wired as planned.
    """

    def __init__(
        self,
        interface: DataInterface,
        shape: Shape,
        budget_ma: float = inf,
        by_wiring: Callable[[Square], Square] | None = None,
    ) -> None:
        self._by_wiring = by_wiring
        self._interface = interface
        self._budget_ma = budget_ma
        width, height = (-(-side // MODULE) * MODULE for side in (shape.files, shape.ranks))
        self._modules = max7219(interface, width=width, height=height)
        self._wanted = AT_FIRST
        self._lit: frozenset[Square] = frozenset()

    def show(self, frame: Frame) -> None:
        """Light these squares, regardless of their colours, and darken the others."""
        self._lit |= frozenset(frame)  # sent row by row: for a moment LEDs of the old and the new frame are lit
        self._set_intensity(len(self._lit))
        image = Image.new("1", self._modules.size)
        for square in frame if self._by_wiring is None else map(self._by_wiring, frame):
            image.putpixel((square.file, image.height - 1 - square.rank), 1)
        self._modules.display(image)
        self._lit = frozenset(frame)
        self._set_intensity(len(self._lit))

    def dim(self, brightness: float) -> None:
        self._wanted = _level(brightness)
        self._set_intensity(len(self._lit))

    def _set_intensity(self, lit: int) -> None:
        """Set the wanted intensity, or a lower one if this number of lit LEDs would draw more than `budget_ma`."""
        # MAX7219 data sheet, table 7: intensity n means a duty cycle of (2n + 1)/32.
        allowed = int((32 * self._budget_ma / (lit * DOT_MA) - 1) / 2) if lit and self._budget_ma < inf else LEVELS
        self._modules.contrast(min(self._wanted, max(0, allowed)) * LEVELS)

    def close(self) -> None:
        try:
            self.show({})
            self._modules.hide()
        finally:
            self._interface.cleanup()


def _apa102(interface: DataInterface, profile: Profile) -> Apa102Driver:
    lights, count = profile.lights, profile.light_count
    button = count - 1 if lights is not None and lights.button_light else None
    return Apa102Driver(interface, count, profile.light_of, light_supply(profile).budget_ma, button)


def _max7219(interface: DataInterface, profile: Profile) -> Max7219Driver:
    by_wiring = None if profile.lights is None else profile.lights.by_wiring
    return Max7219Driver(interface, profile.shape, light_supply(profile).budget_ma, by_wiring)


LED_DRIVERS: Final[Mapping[str, Callable[[DataInterface, Profile], LedDriver]]] = {
    APA102.key: _apa102,
    MAX7219.key: _max7219,
}


def _level(brightness: float) -> int:
    """Return the chip's brightness level, 1 to 15, for a brightness from 0 to 1."""
    return max(1, round(BRIGHTEST * min(1.0, max(0.0, brightness))) // LEVELS)
