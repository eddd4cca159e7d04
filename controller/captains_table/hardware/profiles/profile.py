"""The profile of a build as data classes: board, switch matrix, display, lights, buttons and buzzer of a table.

A profile also converts switch numbers to squares, and squares to positions in the chain of lights. It corrects for
switches and lights that were wired in each other's place.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from captains_table.games.contract import Shape, Square
from captains_table.hardware.kinds import BoardKind, LightKind, PanelKind

LightOrder = Literal["rows", "serpentine"]
ButtonKind = Literal["encoder", "one"]
ButtonName = Literal["roll", "choose", "next", "previous"]


@dataclass(frozen=True, slots=True)
class Matrix:
    """The lines of the switch matrix with one pin each, given as Pico GP numbers or the Pi's BCM numbers.

    Rank lines are driven low one at a time and otherwise not driven. File lines are pulled up and read; a line that is
    read as low means a closed switch. Each switch has a diode in series, with the ring (cathode) towards the rank line.
    The diode keeps current from reaching the driven rank through other squares (ghosting).

    Attributes:
        rank_pins: the pins of the driven lines, rank 1 first.
        file_pins: the pins of the read lines, file a first.
    """

    rank_pins: tuple[int, ...]
    file_pins: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Encoder:
    """The pins of a rotary encoder: two for turning, which moves the cursor, and one for pushing, which chooses.

    The encoder's contacts close to ground; the pins have internal pull-ups.
    """

    a: int
    b: int
    push: int


@dataclass(frozen=True, slots=True)
class ButtonsBuild:
    """The buttons, which close to ground; their pins have internal pull-ups.

    A simulated board has its buttons on the page, without pins.

    Attributes:
        kind: "encoder" (roll button and encoder) or "one" (roll button only), the same words as in the settings.
        roll: pin of the roll button; None on a simulated board.
        encoder: pins of the encoder; None without one and on a simulated board.
        corrections: maps a button of the wiring plan to the button that is really connected in its place; correctly
            wired buttons are left out.
    """

    kind: ButtonKind
    roll: int | None = None
    encoder: Encoder | None = None
    corrections: Mapping[ButtonName, ButtonName] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class I2cBus:
    """The display's port and address on the Pi's I2C bus; port 1 is BCM 2 (data) and 3 (clock)."""

    port: int
    address: int


@dataclass(frozen=True, slots=True)
class SpiBus:
    """The display's connection to the Pi's SPI0, which uses BCM 10 (data) and 11 (clock).

    Attributes:
        device: the chip select, 0 (BCM 8) or 1 (BCM 7).
        data_command: the pin that distinguishes data from commands.
        reset: the pin of the panel's reset.
    """

    device: int
    data_command: int
    reset: int


@dataclass(frozen=True, slots=True)
class DisplayBuild:
    """The small screen, which is connected to the Pi even if a Pico reads the board.

    Attributes:
        kind: the kind of panel.
        bus: the panel's bus; `None` if there is no panel and only the page shows the screen.
        rotated: whether the panel is mounted upside down.
        brightness: the contrast, 0 to 255.
    """

    kind: PanelKind
    bus: I2cBus | SpiBus | None
    rotated: bool = False
    brightness: int = 255


@dataclass(frozen=True, slots=True)
class LightsBuild:
    """The lights under the squares.

    Attributes:
        kind: the kind of lights.
        pin: the Pico's data pin; `None` for lights on the Pi's SPI0.
        device: the lights' chip select on SPI0; `None` for lights without a chip select.
        order: the order of the chain from a1: "rows" (each rank from file a) or "serpentine" (back and forth).
        button_light: whether the roll button has a light, which is the last of the chain.
        brightness: the brightness, 0 to 255.
        supply_ma: the rated current of their supply in milliamperes; `None` for enough to light all of them fully.
        fuse_ma: the rating of their fuse in milliamperes; `None` for the largest that the supply can blow.
        corrections: maps the square for which a light was planned to the square that this light really lights;
            correctly wired lights are left out.
    """

    kind: LightKind
    pin: int | None = None
    device: int | None = None
    order: LightOrder = "rows"
    button_light: bool = False
    brightness: int = 64
    supply_ma: int | None = None
    fuse_ma: int | None = None
    corrections: Mapping[Square, Square] = field(default_factory=dict)

    @property
    def spi_device(self) -> int | None:
        """The SPI0 device of the lights, 0 for lights without a chip select; `None` for lights that a Pico drives."""
        return (self.device or 0) if self.kind.owner == "pi" else None

    def by_wiring(self, square: Square) -> Square:
        """Given the square that a light really lights, return the square for which that light was planned."""
        return next((wired for wired, real in self.corrections.items() if real == square), square)


@dataclass(frozen=True, slots=True)
class Profile:
    """One build of a table.

    Attributes:
        name: the profile's file name without its suffix.
        title: a description in a few words.
        shape: the number of files and ranks.
        board: the kind of board that reads the switches and buttons.
        square_mm: the edge length of a square in millimetres, for parts and case.
        buttons: the buttons.
        display: the display.
        matrix: the lines of the switch matrix; `None` on a simulated board.
        lights: the lights under the squares; `None` if only the page shows marks.
        buzzer: the pin of the buzzer, a passive piezo, on the controller that reads the switches; `None` without a
            buzzer.
        usb: the vendor and product id of the board; `None` if it is not connected by USB.
        corrections: maps a square of the wiring plan to the square whose switch is really connected in its place;
            correctly wired switches are left out.
    """

    name: str
    title: str
    shape: Shape
    board: BoardKind
    square_mm: int
    buttons: ButtonsBuild
    display: DisplayBuild
    matrix: Matrix | None = None
    lights: LightsBuild | None = None
    buzzer: int | None = None
    usb: tuple[int, int] | None = None
    corrections: Mapping[Square, Square] = field(default_factory=dict)

    def square_of(self, index: int) -> Square:
        """Return the square whose piece closes a switch; corrections of exchanged switches are applied.

        `index` is the switch's number in the wiring plan. Switches are counted rank by rank from a1 = 0, so that e4 of
        an 8x8 board is 28.

        Raises:
            IndexError: the board has no such switch.
        """
        if not 0 <= index < self.shape.files * self.shape.ranks:
            raise IndexError(f"switch {index}: expected 0 to {self.shape.files * self.shape.ranks - 1}")
        wired = self.shape.square_at(index)
        return self.corrections.get(wired, wired)

    def light_of(self, square: Square) -> int:
        """Return the chain position, from 0, of the light that really lights a square.

        Raises:
            IndexError: the board has no such square.
        """
        return self.wired_light_of(square if self.lights is None else self.lights.by_wiring(square))

    def wired_light_of(self, square: Square) -> int:
        """Return the chain position, from 0, of a square's light in the wiring plan; corrections are ignored.

        Raises:
            IndexError: the board has no such square.
        """
        if square not in self.shape:
            raise IndexError(f"{square}: the board has {self.shape}")
        back = self.lights is not None and self.lights.order == "serpentine" and square.rank % 2 == 1
        file = self.shape.files - 1 - square.file if back else square.file
        return square.rank * self.shape.files + file

    @property
    def light_count(self) -> int:
        """The number of single lights or modules in the chain of lights, including a light in the roll button.

        It is 0 without lights.
        """
        if self.lights is None:
            return 0
        files, ranks = (math.ceil(side / self.lights.kind.side) for side in (self.shape.files, self.shape.ranks))
        return files * ranks + self.lights.button_light
