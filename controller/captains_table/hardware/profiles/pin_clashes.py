"""Lists the pins that a build uses, and rejects a pin that may not be used or has two uses that clash."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from captains_table.hardware.kinds import PinOwner
from captains_table.hardware.profiles.profile import I2cBus, Profile, SpiBus
from captains_table.hardware.profiles.toml_reader import BadProfile

# Raspberry Pi Pico data sheet, 2.1: GP23 to GP25 and GP29 are used on the board itself (and by a Pico W's radio chip).
PICO_PINS: Final = frozenset(range(23)) | {26, 27, 28}
# The 40-pin header has BCM 0 to 27; the Pi reads an add-on board's EEPROM by 0 and 1 while booting.
PI_PINS: Final = frozenset(range(2, 28))
I2C_PINS: Final = {"data": 2, "clock": 3}
SPI_PINS: Final = {"data": 10, "clock": 11}
SPI_SELECT_PINS: Final = (8, 7)
NAMES: Final = {"pico": "the Pico's GP", "pi": "the Pi's BCM "}


@dataclass(frozen=True, slots=True)
class PinUse:
    """One use of one pin.

    Attributes:
        owner: the controller that has the pin.
        pin: the pin's GP number on the Pico or BCM number on the Pi.
        key: the profile's key that assigns the pin.
        what: the pin's purpose in words.
        shared: the name of the bus whose devices may share the pin; empty if the pin cannot be shared.
    """

    owner: PinOwner
    pin: int
    key: str
    what: str
    shared: str = ""

    def __str__(self) -> str:
        return f"{self.key} ({self.what})"


def pin_uses(profile: Profile) -> list[PinUse]:
    """Return all pin uses of a profile, in the order of wiring: matrix, buttons, lights, buzzer, display."""
    return [*_switch_uses(profile), *light_uses(profile), *_buzzer(profile), *display_uses(profile)]


def check_pins(profile: Profile) -> None:
    """Raise BadProfile if a pin may not be used, or has two uses that cannot share a pin."""
    taken: dict[tuple[PinOwner, int], PinUse] = {}
    for use in pin_uses(profile):
        allowed = PICO_PINS if use.owner == "pico" else PI_PINS
        if use.pin not in allowed:
            raise BadProfile(f"{use.key} = {use.pin}: expected one of {NAMES[use.owner]}{_ranges(allowed)}")
        other = taken.setdefault((use.owner, use.pin), use)
        if other is not use and not (use.shared and use.shared == other.shared):
            raise BadProfile(f"{NAMES[use.owner]}{use.pin} is used twice: by {other} and by {use}")


def _switch_uses(profile: Profile) -> Iterator[PinUse]:
    """Yield the pin uses of the matrix and of the buttons."""
    owner, matrix = switch_reader(profile), profile.matrix
    for rank, pin in enumerate(matrix.rank_pins if matrix else ()):
        yield PinUse(owner, pin, f"matrix.rank_pins[{rank}]", f"rank {rank + 1}")
    for file, pin in enumerate(matrix.file_pins if matrix else ()):
        yield PinUse(owner, pin, f"matrix.file_pins[{file}]", f"file {chr(ord('a') + file)}")
    if profile.buttons.roll is not None:
        yield PinUse(owner, profile.buttons.roll, "buttons.roll", "roll button")
    encoder = profile.buttons.encoder
    if encoder is not None:
        yield PinUse(owner, encoder.a, "buttons.encoder.a", "encoder A")
        yield PinUse(owner, encoder.b, "buttons.encoder.b", "encoder B")
        yield PinUse(owner, encoder.push, "buttons.encoder.push", "encoder push")


def light_uses(profile: Profile) -> Iterator[PinUse]:
    """Yield the pin uses of the lights' signals, in the order of the lights' inputs.

    Yield nothing if the profile has no lights.
    """
    lights = profile.lights
    if lights is None:
        return
    if lights.pin is not None:
        yield PinUse("pico", lights.pin, "lights.pin", "lights data")
        return
    # Lights without a chip select would show every transfer on the bus, so they cannot share it.
    shared = "spi" if lights.kind.has_select else ""
    for wire, pin in SPI_PINS.items():
        yield PinUse("pi", pin, "lights.kind", f"lights {wire}, SPI0", shared)
    if lights.device is not None:
        yield PinUse("pi", SPI_SELECT_PINS[lights.device], "lights.device", "lights chip select, SPI0")


def _buzzer(profile: Profile) -> Iterator[PinUse]:
    if profile.buzzer is not None:
        yield PinUse(switch_reader(profile), profile.buzzer, "buzzer.pin", "buzzer")


def display_uses(profile: Profile) -> Iterator[PinUse]:
    """Yield the pin uses of the display: data and clock, and on SPI also chip select, data/command and reset.

    Yield nothing for a display that exists only on the page.
    """
    match profile.display.bus:
        case I2cBus():
            for wire, pin in I2C_PINS.items():
                yield PinUse("pi", pin, "glass.bus", f"glass {wire}, I2C")
        case SpiBus(device=device, data_command=data_command, reset=reset):
            for wire, pin in SPI_PINS.items():
                yield PinUse("pi", pin, "glass.bus", f"glass {wire}, SPI0", "spi")
            yield PinUse("pi", SPI_SELECT_PINS[device], "glass.device", "glass chip select, SPI0")
            yield PinUse("pi", data_command, "glass.data_command", "glass data/command")
            yield PinUse("pi", reset, "glass.reset", "glass reset")


def switch_reader(profile: Profile) -> PinOwner:
    """Return the controller whose pins read the switches and buttons; the Pi for a board without wired switches."""
    return profile.board.owner or "pi"


def _ranges(pins: frozenset[int]) -> str:
    """Return pin numbers as text with ranges: "0 to 22, 26 to 28"."""
    spans: list[list[int]] = []
    for pin in sorted(pins):
        if spans and spans[-1][-1] == pin - 1:
            spans[-1].append(pin)
        else:
            spans.append([pin])
    return ", ".join(f"{span[0]} to {span[-1]}" if len(span) > 1 else str(span[0]) for span in spans)
