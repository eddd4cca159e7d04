"""Describes the kinds of lights, display panels, boards and buzzers that a build may have, and the parts to buy.

The record of a kind says what the kind needs, such as pins, current and parts. The package `devices` has tables with
the drivers of the kinds, by their keys.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

PinOwner = Literal["pico", "pi"]
Bus = Literal["i2c", "spi"]

OHM: Final = "\N{GREEK CAPITAL LETTER OMEGA}"
# WS2812B and APA102 data sheets: up to 20 mA for each of three colours fully lit, and about 1 mA for a dark chip.
COLOUR_MA: Final = 20
# MAX7219 data sheet: 40 mA per segment, eight multiplexed digits, 8 mA for the chip, intensity in 32nds.
DOT_MA: Final = 40 / 8


@dataclass(frozen=True, slots=True)
class Part:
    """An entry of the parts list: a part, its quantity and its use.

    Attributes:
        quantity: the number needed, or the length or weight.
        what: the name of the part for buying it.
        use: the purpose of the part.
        unit: "m" or "kg"; empty if the quantity is a number of pieces.
        spare: how many more to buy.
        price_eur: the price of one unit, an unchecked estimate.
    """

    quantity: float
    what: str
    use: str
    unit: str = ""
    spare: float = 0
    price_eur: float = 0

    @property
    def buy(self) -> float:
        """The quantity to buy, with spares."""
        return self.quantity + self.spare


@dataclass(frozen=True, slots=True)
class LightKind:
    """A kind of lights under the squares: a chain of single lights, or modules that cover several squares each.

    Attributes:
        key: the kind's name in a profile.
        name: the kind's name for people, in the plural.
        chip: the chip on the part to buy.
        owner: the controller that drives the lights: the Pico by a data pin, or the Pi by SPI0.
        inputs: the names of the signal inputs; on SPI these are data, clock, and chip select if there is one.
        light_ma: the current of one light fully lit, in milliamperes.
        dark_ma: the current of one part while dark, in milliamperes.
        price_eur: the estimated price of one part.
        side: the number of squares along each side of the area that one part covers.
        has_select: whether the lights have a chip select; lights on SPI without a chip select cannot share the bus.
        faintest_share: the lowest share of full brightness to which a light can be dimmed; 0 if it can be dimmed to
            dark.
    """

    key: str
    name: str
    chip: str
    owner: PinOwner
    inputs: tuple[str, ...]
    light_ma: float
    dark_ma: int
    price_eur: float
    side: int = 1
    has_select: bool = False
    faintest_share: float = 0

    @property
    def is_chain(self) -> bool:
        """Whether the lights are a chain of single lights, which may run in serpentines and end in the roll button."""
        return self.side == 1


@dataclass(frozen=True, slots=True)
class PanelKind:
    """A kind of display panel.

    Attributes:
        key: the name of the controller chip, which also names the kind in a profile.
        size: the width and height in pixels.
        bus: the bus that connects the panel to the Pi.
        case_name: the panel's name in the OpenSCAD files of the case.
        screw: the size and length of the fixing screws.
        price_eur: the estimated price of one panel.
    """

    key: str
    size: tuple[int, int]
    bus: Bus
    case_name: str
    screw: str
    price_eur: float = 8

    @property
    def chip(self) -> str:
        """The name of the controller chip in capitals, as printed in parts lists."""
        return self.key.upper()

    @property
    def pixels(self) -> str:
        """The panel's size in pixels as text, such as "128 x 64"."""
        return " x ".join(map(str, self.size))


class Senses(StrEnum):
    """What a board can detect about a square."""

    OCCUPANCY = "whether a piece stands on it"
    PIECES = "which kind of piece of which colour stands on it"
    IDENTITIES = "which piece of the set stands on it"


@dataclass(frozen=True, slots=True)
class BoardKind:
    """A kind of board, which reads the squares and the buttons.

    Attributes:
        key: the kind's name in a profile, under the key `source`.
        name: the kind's name for people.
        senses: what the board detects about a square.
        owner: the controller to whose pins the matrix, the buttons and the buzzer are wired; `None` for a board without
            pins.
        usb: the vendor and product id in hexadecimal, with a colon between; empty for a board without USB.
        parts: the parts to buy for the board.
        screws: the number of the controller's fixing screws in the case.
        runs_firmware: whether the board runs our firmware, with settings generated from the profile.
        shows_marks: whether the board drives lights and buzzer itself, by commands of the table.
        is_simulated: whether the board exists only on the page.
        is_bought: whether people buy it whole; then no profile describes it.
        lights: where the lights of a bought board are: in the "squares", or at their "corners"; empty if it has none.
        buttons: the buttons of a bought board, in words; empty if it has none.
        size: the files and ranks of a bought board; a build's are in its profile.
    """

    key: str
    name: str
    senses: Senses = Senses.OCCUPANCY
    owner: PinOwner | None = None
    usb: str = ""
    parts: tuple[Part, ...] = ()
    screws: int = 0
    runs_firmware: bool = False
    shows_marks: bool = False
    is_simulated: bool = False
    is_bought: bool = False
    lights: Literal["squares", "corners", ""] = ""
    buttons: str = ""
    size: tuple[int, int] = (8, 8)


@dataclass(frozen=True, slots=True)
class BuzzerKind:
    """A kind of buzzer, on a pin of the controller that reads the buttons.

    Attributes:
        what: the name of the part in the wiring plan.
        resistor: the resistor in the buzzer's wire.
        parts: the parts to buy for the buzzer.
    """

    what: str
    resistor: str
    parts: tuple[Part, ...]


NEOPIXEL: Final = LightKind("neopixel", "NeoPixels", "WS2812B", "pico", ("DIN",), 3 * COLOUR_MA, 1, 0.3)
APA102: Final = LightKind("apa102", "APA102", "APA102", "pi", ("DI", "CI"), 3 * COLOUR_MA, 1, 0.3)
MAX7219: Final = LightKind(
    "max7219",
    "MAX7219",
    "MAX7219",
    "pi",
    ("DIN", "CLK", "CS"),
    DOT_MA,
    dark_ma=8,
    price_eur=6,
    side=8,
    has_select=True,
    faintest_share=1 / 32,
)
LIGHT_KINDS: Final[Mapping[str, LightKind]] = {kind.key: kind for kind in (NEOPIXEL, APA102, MAX7219)}

PANEL_KINDS: Final[Mapping[str, PanelKind]] = {
    kind.key: kind
    for kind in (
        PanelKind("ssd1306", (128, 64), "i2c", "oled-0.96", "M2 x 5"),
        PanelKind("sh1106", (128, 64), "i2c", "oled-1.3", "M2 x 5"),
        PanelKind("ssd1309", (128, 64), "i2c", "oled-2.42", "M2.5 x 6"),
        PanelKind("ssd1322", (256, 64), "spi", "oled-3.12", "M2.5 x 6"),
    )
}

PICO: Final = BoardKind(
    "pico",
    "Pico",
    owner="pico",
    usb="2E8A:0005",
    parts=(
        Part(1, "adapter micro-USB (OTG) to USB-A socket", "only for a Zero 2 W: its plug for the Pico", price_eur=4),
        Part(1, "Raspberry Pi Pico or Pico W (no Pico 2), with header pins", "reads switches and buttons", price_eur=7),
        Part(1, "USB-A to micro-USB cable with data wires", "Pi to Pico", price_eur=4),
    ),
    screws=2,  # a screw's head does not fit next to its USB socket
    runs_firmware=True,
    shows_marks=True,
)
GPIO: Final = BoardKind("gpio", "Pi", owner="pi")
SIMULATED: Final = BoardKind("simulated", "page", is_simulated=True)
BOARD_KINDS: Final[Mapping[str, BoardKind]] = {kind.key: kind for kind in (PICO, GPIO, SIMULATED)}

DGT: Final = BoardKind(
    "dgt",
    "DGT board",
    Senses.PIECES,
    is_bought=True,
    buttons="the lever and five buttons of its clock",
)
CERTABO: Final = BoardKind(
    "certabo", "Certabo or Tabutronic board", Senses.IDENTITIES, is_bought=True, lights="squares"
)
CHESSNUT: Final = BoardKind("chessnut", "Chessnut board", Senses.PIECES, is_bought=True, lights="squares")
AUTO: Final = BoardKind("auto", "DGT, Certabo or Chessnut board", is_bought=True, lights="squares", buttons=DGT.buttons)
BOUGHT_KINDS: Final[Mapping[str, BoardKind]] = {kind.key: kind for kind in (DGT, CERTABO, CHESSNUT, AUTO)}
"""The boards that people buy, which need no build. A Sentio is a Certabo that reads no pieces, and some Certabo boards
have their lights at the corners of squares; `AUTO` is whichever of the others is found."""
VIRTUAL_KINDS: Final[Mapping[str, BoardKind]] = {
    **{f"virtual-{kind.key}": kind for kind in (DGT, CERTABO, CHESSNUT)},
    "virtual-sentio": CERTABO,
}
"""The virtual boards on which the page's pieces may stand, and what each of them is for the program."""

PIEZO: Final = BuzzerKind(
    "passive piezo",
    f"220 {OHM}",
    (
        Part(1, "passive piezo buzzer, 12 mm (without electronics of its own)", "signals", price_eur=1),
        Part(1, f"resistor 220 {OHM}, 0.25 W", "in the buzzer's wire", spare=1, price_eur=0.05),
    ),
)
