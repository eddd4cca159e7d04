"""What a build is made of: squares, pins, glass, lights, buttons, buzzer. A profile says everything about a table."""

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
    """The lines of the switch matrix, one pin each: Pico GP numbers or the Pi's BCM numbers.

    Rank lines are driven low one at a time and left alone otherwise, file lines are pulled up and read: low is a closed
    switch. Each switch has a diode in series whose ring (cathode) looks to the rank line, so that no current finds its
    way to the driven rank through another square.

    Attributes:
        rank_pins: driven lines, rank 1 first.
        file_pins: read lines, file a first.
    """

    rank_pins: tuple[int, ...]
    file_pins: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Encoder:
    """A rotary encoder: turned it moves the cursor, pushed it chooses. Contacts close to ground, pulled up inside."""

    a: int
    b: int
    push: int


@dataclass(frozen=True, slots=True)
class Buttons:
    """The buttons, closing to ground, pulled up inside. A simulated board has them on the page and no pins.

    Attributes:
        kind: "encoder" (roll button and encoder) or "one" (roll button alone), as the table's settings call it.
        roll: pin of the roll button; None on a simulated board.
        encoder: pins of the encoder; None without one and on a simulated board.
        corrections: for buttons wired otherwise: button by wiring -> button it really is; only those that differ.
    """

    kind: ButtonKind
    roll: int | None = None
    encoder: Encoder | None = None
    corrections: Mapping[ButtonName, ButtonName] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class I2cBus:
    """The Pi's I2C bus: port 1 is BCM 2 (data) and 3 (clock)."""

    port: int
    address: int


@dataclass(frozen=True, slots=True)
class SpiBus:
    """The Pi's SPI0: BCM 10 (data) and 11 (clock).

    Attributes:
        device: chip select 0 (BCM 8) or 1 (BCM 7).
        data_command: pin that distinguishes data from commands.
        reset: pin of the panel's reset.
    """

    device: int
    data_command: int
    reset: int


@dataclass(frozen=True, slots=True)
class DisplayBuild:
    """The little screen. It hangs on the Pi whatever reads the board.

    Attributes:
        kind: what panel it is.
        bus: how it is connected; None: it is drawn on the page alone.
        rotated: whether it is built in upside down.
        brightness: contrast, 0 to 255.
    """

    kind: PanelKind
    bus: I2cBus | SpiBus | None
    rotated: bool = False
    brightness: int = 255


@dataclass(frozen=True, slots=True)
class LightsBuild:
    """The lights under the squares.

    Attributes:
        kind: what lights they are.
        pin: the Pico's data pin; None for lights on the Pi's SPI0.
        device: their chip select on SPI0; None for those without one.
        order: how the chain runs from a1: "rows" (each rank from file a on) or "serpentine" (every other rank back).
        button_light: whether the roll button's own light ends the chain.
        brightness: 0 to 255.
        supply_ma: what their supply gives, in milliamperes; None: enough to light all of them fully.
        fuse_ma: the rating of their fuse, in milliamperes; None: the largest that the supply can blow.
        corrections: for a chain that runs otherwise: square whose light it is by wiring -> square it really lights.
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
        """Which device of SPI0 is opened for them; None for lights on a Pico. Without a chip select it is the first."""
        return (self.device or 0) if self.kind.owner == "pi" else None

    def by_wiring(self, square: Square) -> Square:
        """Return the square whose light it is by wiring that really lights this square."""
        return next((wired for wired, real in self.corrections.items() if real == square), square)


@dataclass(frozen=True, slots=True)
class Profile:
    """One build.

    Attributes:
        name: its file's name without the ending.
        title: what it is, in a few words.
        shape: how many files and ranks of switches it has.
        board: what reads the switches and buttons.
        square_mm: edge of a square in millimetres, for parts and case.
        buttons: its buttons.
        display: its screen.
        matrix: the lines of its switches; None on a simulated board.
        lights: its lights; None: marks are shown on the page alone.
        buzzer: pin of its buzzer (a passive piezo), on whoever reads the switches; None: it is silent.
        usb: vendor and product id of the board; None unless it is on USB.
        corrections: for switches wired elsewhere: square by wiring -> square it really is; only those that differ.
    """

    name: str
    title: str
    shape: Shape
    board: BoardKind
    square_mm: int
    buttons: Buttons
    display: DisplayBuild
    matrix: Matrix | None = None
    lights: LightsBuild | None = None
    buzzer: int | None = None
    usb: tuple[int, int] | None = None
    corrections: Mapping[Square, Square] = field(default_factory=dict)

    def square_of(self, index: int) -> Square:
        """Return the square of a switch, counted rank by rank from a1 (e4 of 8x8 is 28), corrections applied.

        Raises:
            IndexError: the board has no such switch.
        """
        if not 0 <= index < self.shape.files * self.shape.ranks:
            raise IndexError(f"switch {index}: expected 0 to {self.shape.files * self.shape.ranks - 1}")
        rank, file = divmod(index, self.shape.files)
        wired = Square(file, rank)
        return self.corrections.get(wired, wired)

    def light_of(self, square: Square) -> int:
        """Return the number of the light in the chain that really lights a square, from 0; raises IndexError."""
        return self.wired_light_of(square if self.lights is None else self.lights.by_wiring(square))

    def wired_light_of(self, square: Square) -> int:
        """Return the number a square's light has in the chain by wiring, corrections left out; raises IndexError."""
        if square not in self.shape:
            raise IndexError(f"{square}: the board has {self.shape}")
        back = self.lights is not None and self.lights.order == "serpentine" and square.rank % 2 == 1
        file = self.shape.files - 1 - square.file if back else square.file
        return square.rank * self.shape.files + file

    @property
    def light_count(self) -> int:
        """How many lights the chain has, the button's own included; or how many modules cover the board."""
        if self.lights is None:
            return 0
        files, ranks = (math.ceil(side / self.lights.kind.side) for side in (self.shape.files, self.shape.ranks))
        return files * ranks + self.lights.button_light
