"""The parts of a build with their quantities, counted from its profile."""

import math
from dataclasses import dataclass
from typing import Final

from captains_table.hardware.profiles.profile import I2cBus, Profile
from captains_table.hardware.wiring.lights_wiring import module_count, supply_amps
from captains_table.hardware.wiring.plan import OHM

HOOKUP_M: Final = 0.5  # from the board's edge to its controller, slack for opening the case included


@dataclass(frozen=True, slots=True)
class Part:
    """So many of a part, and what it is for.

    Attributes:
        quantity: how many, or how long.
        what: what to ask for in a shop.
        use: what it is for.
        unit: "m" for lengths, else empty.
    """

    quantity: float
    what: str
    use: str
    unit: str = ""


def parts_of(profile: Profile) -> list[Part]:
    """Return what a build needs, boards first; nothing for a table that is all on the page."""
    return [*_boards(profile), *_switches(profile), *_controls(profile), *_lights(profile)]


def _boards(profile: Profile) -> list[Part]:
    display = profile.display
    wired_glass = display.bus is not None
    if profile.source == "simulated" and not wired_glass and profile.lights is None:
        return []
    parts = [
        Part(
            1,
            "Raspberry Pi with a 40-pin header (Zero 2 W, 3, 4 or 5), its supply and a card of 8 GB",
            "runs the table",
        )
    ]
    if profile.source == "pico":
        parts.append(Part(1, "Raspberry Pi Pico or Pico W, with header pins", "reads switches and buttons"))
        parts.append(Part(1, "USB-A to micro-USB cable with data wires", "Pi to Pico"))
    if wired_glass:
        width, height = display.size
        bus = "I2C, 4 pins" if isinstance(display.bus, I2cBus) else "4-wire SPI, 7 pins"
        parts.append(Part(1, f"OLED module {display.chip.upper()}, {width} x {height}, {bus}, 3.3 V", "the glass"))
    return parts


def _switches(profile: Profile) -> list[Part]:
    if profile.matrix is None:
        return []
    files, ranks = profile.shape.files, profile.shape.ranks
    count = files * ranks
    lines_m = (2 * count * profile.square_mm / 1000) + (files + ranks) * HOOKUP_M
    return [
        Part(count, "reed switch, normally open, glass 2 x 14 mm", "one under each square"),
        Part(count, "diode 1N4148", "one in series with each reed: no ghosts"),
        Part(4 * files, "neodymium disc magnet 10 x 2 mm", "one in the foot of each piece"),
        Part(math.ceil(lines_m), "hook-up wire 0.25 mm\N{SUPERSCRIPT TWO}", "rank and file lines", unit="m"),
    ]


def _controls(profile: Profile) -> list[Part]:
    parts = []
    if profile.buttons.roll is not None:
        parts.append(Part(1, "push button, normally open", "roll"))
    if profile.buttons.encoder is not None:
        parts.append(Part(1, "rotary encoder EC11 with push, 20 or 24 detents, and a knob", "next and choose"))
    if profile.buzzer is not None:
        parts.append(Part(1, "passive piezo buzzer (without electronics of its own)", "signals"))
        parts.append(Part(1, f"resistor 220 {OHM}", "in the buzzer's wire"))
    return parts


def _lights(profile: Profile) -> list[Part]:
    lights = profile.lights
    if lights is None:
        return []
    shifting = [
        Part(1, "74AHCT125 in DIP-14, with socket", "3.3 V to 5 V for the lights (not 74HC125: it needs 3.5 V)"),
        Part(1, "capacitor 100 nF", "at the level shifter"),
        Part(1, f"5 V supply, {supply_amps(profile)} A, with a switch", "the lights"),
    ]
    if lights.kind == "max7219":
        return [Part(module_count(profile), "MAX7219 module, 8 x 8 LEDs", "the lights"), *shifting]
    chip, signals = ("WS2812B", 1) if lights.kind == "neopixel" else ("APA102", 2)
    squares = profile.shape.files * profile.shape.ranks
    parts = [Part(squares, f"{chip} light, single or cut from a strip", "one under each square")]
    if lights.button_light:
        parts.append(Part(1, f"{chip} light, single", "in the roll button"))
    wire_m = math.ceil(3 * profile.light_count * profile.square_mm / 1000)
    return [
        *parts,
        *shifting,
        Part(signals, f"resistor 330 {OHM}", "in each signal wire of the lights"),
        Part(1, "capacitor 1000 \N{MICRO SIGN}F, 10 V", "at the first light"),
        Part(wire_m, "hook-up wire 0.5 mm\N{SUPERSCRIPT TWO}", "the lights' chain and supply", unit="m"),
    ]
