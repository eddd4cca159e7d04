"""Wiring the lights: their own supply, and a level shifter, because 3.3 V is no safe 1 for a chip that runs on 5 V."""

import math
from dataclasses import dataclass
from typing import Final

from captains_table.hardware.profiles.pins import SPI_PINS, SPI_SELECT_PINS, Owner
from captains_table.hardware.profiles.profile import LightKind, Profile
from captains_table.hardware.wiring.plan import GROUND, OHM, PLUS, Box, Pin, Plan, Wire

# 74AHCT125 data sheet: four buffers as (enable, input, output), 14 is VCC, 7 is ground; inputs take 2.0 V for a 1.
GATES: Final = ((1, 2, 3), (4, 5, 6), (10, 9, 8), (13, 12, 11))
SHIFTER_PLUS: Final = 14
SHIFTER_GROUND: Final = 7
SIGNAL_COLOURS: Final = ("GN", "BU", "VT")

# WS2812B and APA102 data sheets: three colours of up to 20 mA each at full white.
LIGHT_MA: Final = 60
# MAX7219 data sheet, segment current 40 mA: eight segments of one digit at a time.
MODULE_MA: Final = 320
MODULE_LIGHTS: Final = 64
# A supply is run at no more than four fifths.
RESERVE: Final = 0.8


@dataclass(frozen=True, slots=True)
class _Strip:
    """A kind of light: the part, and its inputs in the order they are shifted."""

    what: str
    inputs: tuple[str, ...]


STRIPS: Final[dict[LightKind, _Strip]] = {
    "neopixel": _Strip("WS2812B chain", ("DIN",)),
    "apa102": _Strip("APA102 chain", ("DI", "CI")),
    "max7219": _Strip("MAX7219 8 x 8 modules", ("DIN", "CLK", "CS")),
}


def plan_lights(plan: Plan, profile: Profile) -> None:
    """Add lights, level shifter and supply to a plan, where the build has lights."""
    lights = profile.lights
    if lights is None:
        return
    strip = STRIPS[lights.kind]
    owner: Owner = "pico" if lights.pin is not None else "pi"
    numbers = [SPI_PINS["data"], SPI_PINS["clock"]] if lights.pin is None else [lights.pin]
    if lights.device is not None:
        numbers.append(SPI_SELECT_PINS[lights.device])
    gates = GATES[: len(numbers)]
    shifter = plan.add(_shifter(len(numbers)))
    chain = plan.add(_chain(profile, strip))
    plan.signals(
        owner, shifter, {number: enter for number, (_, enter, _) in zip(numbers, gates, strict=True)}, SHIFTER_GROUND
    )
    outputs = zip(gates, strip.inputs, SIGNAL_COLOURS, strict=False)
    plan.connect(shifter, chain, *(Wire(leave, pin, colour) for (_, _, leave), pin, colour in outputs))
    supply = plan.add(Box("Supply", f"5 V, {supply_amps(profile)} A", {"5V": "plus", "GND": "minus"}))
    plan.connect(supply, shifter, Wire("5V", SHIFTER_PLUS, PLUS), Wire("GND", SHIFTER_GROUND, GROUND))
    plan.connect(supply, chain, Wire("5V", "5V", PLUS), Wire("GND", "GND", GROUND))


def supply_amps(profile: Profile) -> int:
    """Return what the supply of the lights must give: all of them fully white, and a fifth to spare."""
    if profile.lights is None:
        return 0
    if profile.lights.kind == "max7219":
        milliamps = module_count(profile) * MODULE_MA
    else:
        milliamps = profile.light_count * LIGHT_MA
    return math.ceil(milliamps / 1000 / RESERVE)


def played_amps(profile: Profile) -> float:
    """Return what the lights draw at most at the brightness the profile sets."""
    if profile.lights is None or profile.lights.kind == "max7219":
        return float(supply_amps(profile))
    return profile.light_count * LIGHT_MA * profile.lights.brightness / 255 / 1000


def module_count(profile: Profile) -> int:
    """Return how many 8 x 8 modules cover the board."""
    return math.ceil(profile.shape.files / 8) * math.ceil(profile.shape.ranks / 8)


def _shifter(count: int) -> Box:
    """Return the box of the level shifter with so many gates in use; the others are tied."""
    pins: dict[Pin, str] = {SHIFTER_PLUS: "VCC, 5 V", SHIFTER_GROUND: "GND"}
    for enter, leave in ((enter, leave) for _, enter, leave in GATES[:count]):
        pins |= {enter: "in, 3.3 V", leave: "out, 5 V"}
    low = ", ".join(str(enable) for enable, _, _ in GATES[:count])
    unused = ", ".join(str(enter) for _, enter, _ in GATES[count:])
    off = ", ".join(str(enable) for enable, _, _ in GATES[count:])
    note = f"{low} to GND\n{unused} to GND, {off} to VCC\n100 nF from VCC to GND"
    return Box("Level shifter", "74AHCT125, DIP-14", pins, note)


def _chain(profile: Profile, strip: _Strip) -> Box:
    pins: dict[Pin, str] = {**dict.fromkeys(strip.inputs, "in"), "5V": "5 V", "GND": "ground"}
    if profile.lights is not None and profile.lights.kind == "max7219":
        return Box("Lights", f"{module_count(profile)} {strip.what}", pins, "the first module holds a1")
    lights = profile.lights
    order = "back and forth" if lights is not None and lights.order == "serpentine" else "each rank from file a"
    end = "\nthe last one lights the roll button" if lights is not None and lights.button_light else ""
    note = (
        f"starts at a1, {order}{end}\n330 {OHM} in each signal wire\n"
        "1000 \N{MICRO SIGN}F from 5 V to GND at the first light\n5 V again at the far end"
    )
    return Box("Lights", f"{profile.light_count} lights, {strip.what}", pins, note)
