"""The kinds of devices a build may have: lights, panels, boards and buzzers, one record each; and parts.

A record says what a kind needs: pins, current, wiring, parts and prices. The driver of a kind stands in a table of
`devices`, under the record's key.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

Owner = Literal["pico", "pi"]
Bus = Literal["i2c", "spi"]

OHM: Final = "\N{GREEK CAPITAL LETTER OMEGA}"
# WS2812B and APA102 data sheets: each of three colours up to 20 mA fully lit, and about 1 mA a chip that is dark.
COLOUR_MA: Final = 20
# MAX7219 data sheet: segments of 40 mA, eight digits that take turns, 8 mA for the chip, intensity in 32nds.
DOT_MA: Final = 40 / 8


@dataclass(frozen=True, slots=True)
class Part:
    """So many of a part, and what it is for.

    Attributes:
        quantity: how many, or how long or heavy.
        what: what to ask for in a shop.
        use: what it is for.
        unit: "m" or "kg", else empty.
        spare: how many more to buy.
        price_eur: what one may cost: an estimate that nobody has checked.
    """

    quantity: float
    what: str
    use: str
    unit: str = ""
    spare: float = 0
    price_eur: float = 0

    @property
    def buy(self) -> float:
        """How many to buy."""
        return self.quantity + self.spare

    @property
    def cost_eur(self) -> float:
        """What all that is bought may cost."""
        return self.buy * self.price_eur


@dataclass(frozen=True, slots=True)
class LightKind:
    """A kind of lights under the squares: a chain of single lights, or modules that cover several squares each.

    Attributes:
        key: what a profile calls it.
        name: what people call it, in the plural.
        chip: the chip on the part that is bought.
        owner: whose pins drive it: a data pin of the Pico, or the Pi's SPI0.
        inputs: names of its signal inputs; on SPI: data, clock, chip select if it has one.
        light_ma: what one light draws fully lit, in milliamperes.
        dark_ma: what one part draws while it is dark, in milliamperes.
        price_eur: what one part may cost.
        side: how many squares each way one part covers.
        has_select: whether it has a chip select. A kind on SPI without one shares the bus with nobody.
        faintest_share: the share of full brightness below which it cannot be dimmed; 0 if it can be dimmed to nothing.
    """

    key: str
    name: str
    chip: str
    owner: Owner
    inputs: tuple[str, ...]
    light_ma: float
    dark_ma: int
    price_eur: float
    side: int = 1
    has_select: bool = False
    faintest_share: float = 0

    @property
    def is_chain(self) -> bool:
        """Whether it is a chain of single lights, which can run back and forth and end in the roll button."""
        return self.side == 1


@dataclass(frozen=True, slots=True)
class PanelKind:
    """A kind of glass.

    Attributes:
        key: its controller chip, as a profile calls it.
        size: width and height in pixels.
        bus: how it is connected to the Pi.
        case_name: what the case's drawing calls its glass.
        screw: size and length of the screws that hold it.
        price_eur: what one may cost.
    """

    key: str
    size: tuple[int, int]
    bus: Bus
    case_name: str
    screw: str
    price_eur: float = 8

    @property
    def chip(self) -> str:
        """Its chip, as it is printed."""
        return self.key.upper()

    @property
    def pixels(self) -> str:
        """Its size in words: 128 x 64."""
        return " x ".join(map(str, self.size))


class Senses(StrEnum):
    """What a board tells of a square."""

    OCCUPANCY = "whether a piece stands on it"
    PIECES = "which kind of piece of which colour stands on it"
    IDENTITIES = "which piece of the set stands on it"


@dataclass(frozen=True, slots=True)
class BoardKind:
    """A kind of board: what reads the squares and the buttons.

    Attributes:
        key: what a profile calls it, as its source.
        name: what people call it.
        senses: what it tells of a square.
        owner: whose pins its lines, buttons and buzzer hang on; None: it has no pins of ours.
        usb: vendor and product id of its USB socket in hexadecimal; empty: it is not on USB.
        parts: what is bought for it.
        screws: how many screws hold it in the case.
        runs_firmware: whether it runs our own firmware, with settings made from the profile.
        shows_marks: whether it lights and sounds by itself what the table sends it.
        is_simulated: whether it exists on the page alone.
    """

    key: str
    name: str
    senses: Senses = Senses.OCCUPANCY
    owner: Owner | None = None
    usb: str = ""
    parts: tuple[Part, ...] = ()
    screws: int = 0
    runs_firmware: bool = False
    shows_marks: bool = False
    is_simulated: bool = False


@dataclass(frozen=True, slots=True)
class BuzzerKind:
    """A kind of buzzer, on a pin of whatever reads the buttons.

    Attributes:
        what: the part, as the wiring names it.
        resistor: the resistor in its wire.
        parts: what is bought for it.
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
    screws=2,  # next to its USB shell there is no room for a screw's head
    runs_firmware=True,
    shows_marks=True,
)
GPIO: Final = BoardKind("gpio", "Pi", owner="pi")
SIMULATED: Final = BoardKind("simulated", "page", is_simulated=True)
BOARD_KINDS: Final[Mapping[str, BoardKind]] = {kind.key: kind for kind in (PICO, GPIO, SIMULATED)}

PIEZO: Final = BuzzerKind(
    "passive piezo",
    f"220 {OHM}",
    (
        Part(1, "passive piezo buzzer, 12 mm (without electronics of its own)", "signals", price_eur=1),
        Part(1, f"resistor 220 {OHM}, 0.25 W", "in the buzzer's wire", spare=1, price_eur=0.05),
    ),
)
