"""The chips that light squares over SPI, by luma.led_matrix: a chain of APA102, or MAX7219 modules of one colour."""

from collections.abc import Callable
from typing import Final, Protocol

from luma.led_matrix.device import apa102, max7219
from PIL import Image

from captains_table.devices.lights.effects import Frame
from captains_table.devices.lights.palette import BLACK, Colour
from captains_table.games.contract import Shape, Square

FAINTEST: Final = 16  # luma gives both chips a sixteenth of this scale: below it an APA102 is dark
BRIGHTEST: Final = 255
MODULE: Final = 8
BUTTON: Final = (85, 85, 85)


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
        button: the number of the roll button's own light, which is always lit; none without one.
    """

    def __init__(
        self, interface: DataInterface, count: int, light_of: Callable[[Square], int], button: int | None = None
    ) -> None:
        self._interface = interface
        self._chain = apa102(interface, cascaded=count)
        self._light_of = light_of
        self._button = button

    def show(self, frame: Frame) -> None:
        """Light these squares in these colours, the others dark."""
        self._display(frame, BUTTON)

    def _display(self, frame: Frame, button: Colour) -> None:
        image = Image.new("RGBA", self._chain.size, (*BLACK, BRIGHTEST))
        if self._button is not None:
            image.putpixel((self._button, 0), (*button, BRIGHTEST))
        for square, colour in frame.items():
            image.putpixel((self._light_of(square), 0), (*colour, BRIGHTEST))
        self._chain.display(image)

    def dim(self, brightness: float) -> None:
        """Be as bright as this share of the brightest."""
        self._chain.contrast(_level(brightness))

    def close(self) -> None:
        """Go dark and let go of the bus."""
        self._display({}, BLACK)
        self._interface.cleanup()


class Max7219Driver:
    """MAX7219 modules of 8 x 8 lights in one colour, module after module from file a on; rank 1 is the lowest row.

    Args:
        interface: the bus.
        shape: the board; of a module that it fills in part, the rest stays dark.
    """

    def __init__(self, interface: DataInterface, shape: Shape) -> None:
        self._interface = interface
        self._shape = shape
        width, height = (-(-side // MODULE) * MODULE for side in (shape.files, shape.ranks))
        self._modules = max7219(interface, width=width, height=height)

    def show(self, frame: Frame) -> None:
        """Light these squares, whatever their colour, the others dark."""
        image = Image.new("1", self._modules.size)
        for square in frame:
            image.putpixel((square.file, image.height - 1 - square.rank), 1)
        self._modules.display(image)

    def dim(self, brightness: float) -> None:
        """Be as bright as this share of the brightest."""
        self._modules.contrast(_level(brightness))

    def close(self) -> None:
        """Go dark and let go of the bus."""
        self.show({})
        self._modules.hide()
        self._interface.cleanup()


def _level(brightness: float) -> int:
    return max(FAINTEST, round(BRIGHTEST * min(1.0, max(0.0, brightness))))
