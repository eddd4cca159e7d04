"""Makes the wiring plan of a build from its profile: which part is connected to which pin."""

from dataclasses import replace
from typing import Final

from captains_table.hardware.kinds import PIEZO
from captains_table.hardware.profiles.pin_clashes import display_uses, switch_reader
from captains_table.hardware.profiles.profile import I2cBus, Profile
from captains_table.hardware.wiring.lights_wiring import plan_lights
from captains_table.hardware.wiring.plan import PI_3V3, Box, Bundle, Pin, Wire, WiringPlan


class NothingToWire(ValueError):
    """Raised for a build without any wires."""


POWER: Final = "OG"
# On I2C only the first two are used, on SPI all.
GLASS_SIGNALS: Final = {"SDA": "data", "SCL": "clock", "CS": "select", "DC": "data/command", "RES": "reset"}


def plan_of(profile: Profile) -> WiringPlan:
    """Return the wiring plan of a build.

    Raises:
        NothingToWire: the build has no parts to wire, because the whole table is simulated on the page.
    """
    plan = WiringPlan()
    _plan_usb(plan, profile)
    _plan_display(plan, profile)
    _plan_matrix(plan, profile)
    _plan_buttons(plan, profile)
    _plan_buzzer(plan, profile)
    plan_lights(plan, profile)
    if not plan.bundles:
        raise NothingToWire(f"{profile.name}: the whole table is on the page, there is nothing to wire")
    return plan


def _plan_usb(plan: WiringPlan, profile: Profile) -> None:
    if not profile.board.usb:
        return
    name = profile.board.name
    pins: dict[Pin, str] = {"USB": "data and 5 V"}
    host = plan.add(Box("Pi USB", "any USB-A socket of the Pi", pins))
    socket = plan.add(Box(f"{name} USB", f"the {name}'s own socket", pins, f"powers the {name}"))
    plan.bundles.append(Bundle("USB cable", host.name, socket.name, (Wire("USB", "USB", "BK"),), cable=True))


def _plan_matrix(plan: WiringPlan, profile: Profile) -> None:
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
    owner = switch_reader(profile)
    plan.signals(owner, ranks, dict(zip(matrix.rank_pins, ranks.pins, strict=True)))
    plan.signals(owner, files, dict(zip(matrix.file_pins, files.pins, strict=True)))


def _plan_buttons(plan: WiringPlan, profile: Profile) -> None:
    buttons, owner = profile.buttons, switch_reader(profile)
    if buttons.roll is not None:
        roll = plan.add(Box("Roll button", "push button, closes while pressed", {1: "contact", 2: "contact"}))
        plan.signals(owner, roll, {buttons.roll: 1}, 2)
    if buttons.encoder is not None:
        pins: dict[Pin, str] = {"A": "turn", "B": "turn", "S1": "push", "C": "common of A and B", "S2": "push"}
        encoder = plan.add(Box("Encoder", "EC11 with push, bare", pins))
        own = buttons.encoder
        plan.signals(owner, encoder, {own.a: "A", own.b: "B", own.push: "S1"}, "C", "S2")


def _plan_buzzer(plan: WiringPlan, profile: Profile) -> None:
    if profile.buzzer is None:
        return
    owner = switch_reader(profile)
    buzzer = plan.add(Box("Buzzer", PIEZO.what, {"IN": "tone", "GND": "ground"}))
    resistor = plan.add(Box("Buzzer resistor", PIEZO.resistor, {1: "either way", 2: "either way"}))
    tone, ground = plan.wires(owner, {profile.buzzer: "IN"}, "GND")
    plan.connect(plan.board(owner), resistor, replace(tone, end=1))
    plan.connect(resistor, buzzer, Wire(2, "IN", tone.colour))
    plan.connect(plan.board(owner), buzzer, ground)


def _plan_display(plan: WiringPlan, profile: Profile) -> None:
    bus = profile.display.bus
    if bus is None:
        return
    if isinstance(bus, I2cBus):
        note = f"address 0x{bus.address:02X}\nmind the order printed on yours"
    else:
        note = "bridges on the module set to 4-wire SPI"
    numbers = [use.pin for use in display_uses(profile)]
    signals = list(GLASS_SIGNALS.items())[: len(numbers)]
    pins: dict[Pin, str] = {**dict(signals), "GND": "ground", "VCC": "3.3 V"}
    what = f"{profile.display.kind.chip} OLED module, {profile.display.kind.pixels}"
    display = plan.add(Box("Glass", what, pins, note))
    wires = plan.wires("pi", dict(zip(numbers, pins, strict=False)), "GND")
    plan.connect(plan.board("pi"), display, *wires, Wire(PI_3V3, "VCC", POWER))
