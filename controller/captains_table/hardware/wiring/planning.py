"""From a profile to the plan of its wiring: what hangs on which pin, with the parts that go between."""

from dataclasses import replace
from typing import Final

from captains_table.hardware.profiles.pins import I2C_PINS, SPI_PINS, SPI_SELECT_PINS, reader_of
from captains_table.hardware.profiles.profile import I2cBus, Profile, SpiBus
from captains_table.hardware.wiring.headers import PI_3V3
from captains_table.hardware.wiring.lights_wiring import plan_lights
from captains_table.hardware.wiring.plan import OHM, Box, Bundle, Pin, Plan, Wire


class NothingToWire(ValueError):
    """The build has no wires at all."""


POWER: Final = "OG"


def plan_of(profile: Profile) -> Plan:
    """Return how a build is wired.

    Raises:
        NothingToWire: the table is simulated and its glass is on the page.
    """
    plan = Plan()
    _plan_usb(plan, profile)
    _plan_display(plan, profile)
    _plan_matrix(plan, profile)
    _plan_buttons(plan, profile)
    _plan_buzzer(plan, profile)
    plan_lights(plan, profile)
    if not plan.bundles:
        raise NothingToWire(f"{profile.name}: the whole table is on the page, there is nothing to wire")
    return plan


def _plan_usb(plan: Plan, profile: Profile) -> None:
    if profile.source != "pico":
        return
    host = plan.add(Box("Pi USB", "any USB-A socket of the Pi", {"USB": "data and 5 V"}))
    socket = plan.add(Box("Pico USB", "the Pico's own socket", {"USB": "data and 5 V"}, "powers the Pico"))
    plan.bundles.append(Bundle("USB cable", host.name, socket.name, (Wire("USB", "USB", "BK"),), cable=True))


def _plan_matrix(plan: Plan, profile: Profile) -> None:
    matrix = profile.matrix
    if matrix is None:
        return
    last_file, last_rank = chr(ord("a") + profile.shape.files - 1), profile.shape.ranks
    ranks = plan.add(
        Box(
            "Rank lines",
            f"under the board, driven low one at a time; plug of {last_rank} ways",
            {f"rank {rank}": f"a{rank} to {last_file}{rank}" for rank in range(1, last_rank + 1)},
            "the diodes' rings (cathodes)\nlook to these lines",
        )
    )
    files = plan.add(
        Box(
            "File lines",
            f"under the board, pulled up and read; plug of {profile.shape.files} ways",
            {f"file {file}": f"{file}1 to {file}{last_rank}" for file in map(chr, range(ord("a"), ord(last_file) + 1))},
            "the reeds hang on these lines",
        )
    )
    owner = reader_of(profile)
    plan.signals(owner, ranks, dict(zip(matrix.rank_pins, ranks.pins, strict=True)))
    plan.signals(owner, files, dict(zip(matrix.file_pins, files.pins, strict=True)))


def _plan_buttons(plan: Plan, profile: Profile) -> None:
    buttons, owner = profile.buttons, reader_of(profile)
    if buttons.roll is not None:
        roll = plan.add(Box("Roll button", "push button, closes while pressed", {1: "contact", 2: "contact"}))
        plan.signals(owner, roll, {buttons.roll: 1}, 2)
    if buttons.encoder is not None:
        pins: dict[Pin, str] = {"A": "turn", "B": "turn", "S1": "push", "C": "common of A and B", "S2": "push"}
        encoder = plan.add(Box("Encoder", "EC11 with push, bare", pins))
        own = buttons.encoder
        plan.signals(owner, encoder, {own.a: "A", own.b: "B", own.push: "S1"}, "C", "S2")


def _plan_buzzer(plan: Plan, profile: Profile) -> None:
    if profile.buzzer is None:
        return
    owner = reader_of(profile)
    buzzer = plan.add(Box("Buzzer", "passive piezo", {"IN": "tone", "GND": "ground"}))
    resistor = plan.add(Box("Buzzer resistor", f"220 {OHM}", {1: "either way", 2: "either way"}))
    tone, ground = plan.wires(owner, {profile.buzzer: "IN"}, "GND")
    plan.connect(plan.board(owner), resistor, replace(tone, end=1))
    plan.connect(resistor, buzzer, Wire(2, "IN", tone.colour))
    plan.connect(plan.board(owner), buzzer, ground)


def _plan_display(plan: Plan, profile: Profile) -> None:
    chip = profile.display.chip.upper()
    width, height = profile.display.size
    what = f"{chip} OLED module, {width} x {height}"
    match profile.display.bus:
        case I2cBus(address=address):
            pins: dict[Pin, str] = {"SDA": "data", "SCL": "clock", "GND": "ground", "VCC": "3.3 V"}
            display = plan.add(Box("Glass", what, pins, f"address 0x{address:02X}\nmind the order printed on yours"))
            _powered(plan, display, {I2C_PINS["data"]: "SDA", I2C_PINS["clock"]: "SCL"})
        case SpiBus(device=device, data_command=data_command, reset=reset):
            pins = {"SDA": "data", "SCL": "clock", "CS": "select", "DC": "data/command", "RES": "reset"}
            display = plan.add(
                Box("Glass", what, pins | {"GND": "ground", "VCC": "3.3 V"}, "bridges on the module set to 4-wire SPI")
            )
            numbers = (SPI_PINS["data"], SPI_PINS["clock"], SPI_SELECT_PINS[device], data_command, reset)
            _powered(plan, display, dict(zip(numbers, pins, strict=True)))
        case None:
            return


def _powered(plan: Plan, display: Box, pins: dict[int, Pin]) -> None:
    """Run signals and ground from the Pi to the glass, and its 3.3 volts."""
    plan.connect(plan.board("pi"), display, *plan.wires("pi", pins, "GND"), Wire(PI_3V3, "VCC", POWER))
