"""The chips that light squares over SPI, by luma.led_matrix: a chain of APA102, or MAX7219 modules of one colour."""

from collections.abc import Callable, Mapping
from math import inf
from typing import Final, Protocol

from luma.led_matrix.device import apa102, max7219
from PIL import Image

from captains_table.devices.lights.compositor import Frame
from captains_table.devices.lights.palette import BLACK, Colour
from captains_table.games.contract import Shape, Square
from captains_table.hardware.kinds import APA102, COLOUR_MA, DOT_MA, MAX7219
from captains_table.hardware.profiles.light_supply import budget_ma
from captains_table.hardware.profiles.profile import Profile

BRIGHTEST: Final = 255
LEVELS: Final = 16  # luma gives both chips a sixteenth of a scale to 255: at 0 an APA102 is dark
AT_FIRST: Final = 7  # until somebody dims them
MODULE: Final = 8
BUTTON: Final = (85, 85, 85)
APA102_LEVELS: Final = 31  # of its own brightness; luma uses the lower half


class LedDriver(Protocol):
    """Lights that show a frame."""

    def show(self, frame: Frame) -> None:
        """Light these squares in these colours, the others dark; raises OSError where the bus fails."""

    def dim(self, brightness: float) -> None:
        """Be as bright as this share of the brightest, 0 to 1; what is lit stays visible at 0. Raises OSError."""

    def close(self) -> None:
        """Go dark and let go of the bus; raises OSError."""


class DataInterface(Protocol):
    """What luma's drivers of lights ask of their bus (`luma.core.interface.serial.spi`)."""

    def data(self, data: list[int]) -> None:
        """Send bytes."""

    def cleanup(self) -> None:
        """Let go of the bus."""


class Apa102Driver:
    """A chain of APA102 or SK9822.

    Args:
        interface: the bus.
        count: how many lights the chain has.
        light_of: the number of a square's light in the chain, counted from 0.
        budget_ma: what all colours may draw together; a frame that needs more is dimmed.
        button: the number of the roll button's own light, which is always lit; none without one.
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
        self._lights: Mapping[int, Colour] = {}

    def show(self, frame: Frame) -> None:
        """Light these squares in these colours, the others dark."""
        button = {} if self._button is None else {self._button: BUTTON}
        self._display({self._light_of(square): colour for square, colour in frame.items()} | button)

    def _display(self, lights: Mapping[int, Colour]) -> None:
        self._lights = lights
        drawn_ma = sum(map(sum, lights.values())) * COLOUR_MA / BRIGHTEST * self._level / APA102_LEVELS
        share = min(1.0, self._budget_ma / drawn_ma) if drawn_ma else 1.0
        # The alpha of a light is its own brightness: the chip's, which luma sets for all, would change what is lit now.
        image = Image.new("RGBA", self._chain.size, (*BLACK, self._level * LEVELS))
        for light, (red, green, blue) in lights.items():
            colour = int(red * share), int(green * share), int(blue * share), self._level * LEVELS
            image.putpixel((light, 0), colour)
        self._chain.display(image)

    def dim(self, brightness: float) -> None:
        """Be as bright as this share of the brightest."""
        self._level = _level(brightness)
        self._display(self._lights)

    def close(self) -> None:
        """Go dark and let go of the bus."""
        try:
            self._display({})
        finally:
            self._interface.cleanup()


class Max7219Driver:
    """MAX7219 modules of 8 x 8 lights in one colour, module after module from file a on; rank 1 is the lowest row.

    Args:
        interface: the bus.
        shape: the board; of a module that it fills in part, the rest stays dark.
        budget_ma: what all dots may draw together; a frame that needs more is dimmed.
        by_wiring: the square whose dot by wiring really lights a square; none: its own.
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
        self._shape = shape
        self._budget_ma = budget_ma
        width, height = (-(-side // MODULE) * MODULE for side in (shape.files, shape.ranks))
        self._modules = max7219(interface, width=width, height=height)
        self._wanted = AT_FIRST
        self._lit: frozenset[Square] = frozenset()

    def show(self, frame: Frame) -> None:
        """Light these squares, whatever their colour, the others dark."""
        self._lit |= frozenset(frame)  # row after row is sent: for a while some of both pictures are lit
        self._set_intensity(len(self._lit))
        image = Image.new("1", self._modules.size)
        for square in frame if self._by_wiring is None else map(self._by_wiring, frame):
            image.putpixel((square.file, image.height - 1 - square.rank), 1)
        self._modules.display(image)
        self._lit = frozenset(frame)
        self._set_intensity(len(self._lit))

    def dim(self, brightness: float) -> None:
        """Be as bright as this share of the brightest."""
        self._wanted = _level(brightness)
        self._set_intensity(len(self._lit))

    def _set_intensity(self, lit: int) -> None:
        """Be as bright as wanted, or as the supply allows with so many dots lit."""
        # MAX7219 data sheet, table 7: intensity n is on for 2n + 1 of 32.
        allowed = int((32 * self._budget_ma / (lit * DOT_MA) - 1) / 2) if lit and self._budget_ma < inf else LEVELS
        self._modules.contrast(min(self._wanted, max(0, allowed)) * LEVELS)

    def close(self) -> None:
        """Go dark and let go of the bus."""
        try:
            self.show({})
            self._modules.hide()
        finally:
            self._interface.cleanup()


def _apa102(interface: DataInterface, profile: Profile) -> Apa102Driver:
    lights, count = profile.lights, profile.light_count
    button = count - 1 if lights is not None and lights.button_light else None
    return Apa102Driver(interface, count, profile.light_of, budget_ma(profile), button)


def _max7219(interface: DataInterface, profile: Profile) -> Max7219Driver:
    by_wiring = None if profile.lights is None else profile.lights.by_wiring
    return Max7219Driver(interface, profile.shape, budget_ma(profile), by_wiring)


LED_DRIVERS: Final[Mapping[str, Callable[[DataInterface, Profile], LedDriver]]] = {
    APA102.key: _apa102,
    MAX7219.key: _max7219,
}


def _level(brightness: float) -> int:
    """Return the level, 1 to 15, of a share of the brightest."""
    return max(1, round(BRIGHTEST * min(1.0, max(0.0, brightness))) // LEVELS)
