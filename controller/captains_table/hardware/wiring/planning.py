"""Makes the wiring plan of a build from its profile: which part is connected to which pin.

The lights are wired with their 5 V supply, and with the level shifter that raises 3.3 V signals to 5 V.
"""

from dataclasses import replace
from typing import Final

from captains_table.hardware.kinds import OHM, PIEZO, LightKind
from captains_table.hardware.profiles.light_supply import light_supply
from captains_table.hardware.profiles.pin_clashes import display_uses, light_uses, switch_reader
from captains_table.hardware.profiles.profile import I2cBus, LightsBuild, Profile
from captains_table.hardware.wiring.plan import GROUND, PI_3V3, PLUS, Box, Bundle, Pin, Wire, WiringPlan


class NothingToWire(ValueError):
    """Raised for a build without any wires."""


POWER: Final = "OG"
# On I2C only the first two are used, on SPI all.
GLASS_SIGNALS: Final = {"SDA": "data", "SCL": "clock", "CS": "select", "DC": "data/command", "RES": "reset"}
# 74AHCT125 data sheet: four buffers as (enable, input, output), 14 is VCC, 7 is ground; from 2.0 V an input is high.
GATES: Final = ((1, 2, 3), (4, 5, 6), (10, 9, 8), (13, 12, 11))
SHIFTER_PLUS: Final = 14
SHIFTER_GROUND: Final = 7
SIGNAL_COLOURS: Final = ("GN", "BU", "VT")


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
    _plan_lights(plan, profile)
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


# --- lights -----------------------------------------------------------------------------------------------------------


def _plan_lights(plan: WiringPlan, profile: Profile) -> None:
    """Add the lights to a plan, with level shifter, supply, capacitors and button light; add nothing without lights."""
    lights = profile.lights
    if lights is None:
        return
    kind = lights.kind
    used = len(kind.inputs)
    shifter = plan.add(_shifter(used))
    chain = plan.add(_lights_box(lights, profile.light_count))
    enters = {use.pin: enter for use, (_, enter, _) in zip(light_uses(profile), GATES, strict=False)}
    plan.signals(kind.owner, shifter, enters, SHIFTER_GROUND)
    _plan_signals(plan, shifter, chain, kind)
    _plan_supply(plan, profile, used)
    _plan_capacitors(plan, kind)
    if lights.button_light:
        _plan_button_light(plan, kind)


def _plan_signals(plan: WiringPlan, shifter: Box, chain: Box, kind: LightKind) -> None:
    """Connect the level shifter's outputs to the lights; for a chain of LEDs, put a resistor in each line."""
    gates = list(zip(GATES, kind.inputs, SIGNAL_COLOURS, strict=False))
    if not kind.is_chain:
        plan.connect(shifter, chain, *(Wire(leave, pin, colour) for (_, _, leave), pin, colour in gates))
        return
    pins: dict[Pin, str] = {}
    for pin in kind.inputs:
        pins |= {f"{pin} in": f"{pin}, from the shifter", f"{pin} out": f"{pin}, to the lights"}
    resistors = plan.add(Box("Resistors", f"{len(gates)} x 330 {OHM}", pins))
    plan.connect(shifter, resistors, *(Wire(leave, f"{pin} in", colour) for (_, _, leave), pin, colour in gates))
    plan.connect(resistors, chain, *(Wire(f"{pin} out", pin, colour) for _, pin, colour in gates))


def _plan_supply(plan: WiringPlan, profile: Profile, used: int) -> None:
    """Connect the 5 V supply, by switch and fuse, to the lights and to the level shifter.

    The shifter's enable pins and unused inputs are also connected, to 5 V or to ground.

    Args:
        plan: the plan, which has the boxes of shifter and lights.
        profile: the build.
        used: the number of the shifter's gates in use.
    """
    shifter, chain = plan.boxes["Level shifter"], plan.boxes["Lights"]
    ratings = light_supply(profile)
    supply = plan.add(Box("Supply", f"5 V, {ratings.rated_ma / 1000:g} A", {"5V": "plus", "GND": "minus"}))
    switch = plan.add(Box("Switch", "rocker", {1: "in", 2: "out"}))
    fuse = plan.add(Box("Fuse", f"T {ratings.fuse_ma / 1000:g} A L, slow, of glass", {1: "in", 2: "5 V, fused"}))
    plan.connect(supply, switch, Wire("5V", 1, PLUS))
    plan.connect(switch, fuse, Wire(2, 1, PLUS))
    ends = [pin for pin in chain.pins if str(pin).startswith("5V")]
    plan.connect(fuse, chain, *(Wire(2, pin, PLUS) for pin in ends))
    plan.connect(supply, chain, *(Wire("GND", str(pin).replace("5V", "GND"), GROUND) for pin in ends))
    high = [SHIFTER_PLUS, *(enable for enable, _, _ in GATES[used:])]
    low = [SHIFTER_GROUND, *(enable for enable, _, _ in GATES[:used]), *(enter for _, enter, _ in GATES[used:])]
    plan.connect(fuse, shifter, *(Wire(2, pin, PLUS) for pin in high))
    plan.connect(supply, shifter, *(Wire("GND", pin, GROUND) for pin in low))


def _plan_capacitors(plan: WiringPlan, kind: LightKind) -> None:
    shifter, chain = plan.boxes["Level shifter"], plan.boxes["Lights"]
    ceramic = plan.add(Box("Capacitor 100 nF", "ceramic, at the shifter", {1: "either way", 2: "either way"}))
    plan.connect(shifter, ceramic, Wire(SHIFTER_PLUS, 1, PLUS), Wire(SHIFTER_GROUND, 2, GROUND))
    if kind.is_chain:
        pins: dict[Pin, str] = {"+": "plus", "-": "minus, the striped side"}
        big = plan.add(Box("Capacitor 1000 \N{MICRO SIGN}F", "electrolytic, on the power board", pins))
        plan.connect(chain, big, Wire("5V", "+", PLUS), Wire("GND", "-", GROUND))


def _plan_button_light(plan: WiringPlan, kind: LightKind) -> None:
    """Connect the light in the roll button to the far end of the chain and to the 5 V supply."""
    pins: dict[Pin, str] = {**dict.fromkeys(kind.inputs, "in"), "5V": "5 V", "GND": "ground"}
    light = plan.add(Box("Button light", f"{kind.chip} light", pins, "in the roll button"))
    outputs = zip(kind.inputs, SIGNAL_COLOURS, strict=False)
    plan.connect(plan.boxes["Lights"], light, *(Wire(_far_output(pin), pin, colour) for pin, colour in outputs))
    plan.connect(plan.boxes["Fuse"], light, Wire(2, "5V", PLUS))
    plan.connect(plan.boxes["Supply"], light, Wire("GND", "GND", GROUND))


def _far_output(pin: str) -> str:
    """Return the output at the far end of the chain of lights that carries an input's signal: "DOUT far" for "DIN"."""
    return f"{pin.replace('I', 'O').replace('ON', 'OUT')} far"


def _shifter(count: int) -> Box:
    """Return the box of the level shifter with `count` gates in use."""
    pins: dict[Pin, str] = {SHIFTER_PLUS: "VCC, 5 V", SHIFTER_GROUND: "GND"}
    for place, (enable, enter, leave) in enumerate(GATES):
        if place < count:
            pins |= {enable: "enable, low is on", enter: "in, 3.3 V", leave: "out, 5 V"}
        else:
            pins |= {enable: "enable, high is off", enter: "in, unused"}
    return Box("Level shifter", "74AHCT125, DIP-14", dict(sorted(pins.items())))


def _lights_box(lights: LightsBuild, count: int) -> Box:
    """Return the box of the lights.

    Args:
        lights: the lights.
        count: the number of lights in the chain, including a light in the roll button, or the number of modules.
    """
    kind = lights.kind
    pins: dict[Pin, str] = {**dict.fromkeys(kind.inputs, "in"), "5V": "5 V", "GND": "ground"}
    if not kind.is_chain:
        modules = f"{count} {kind.chip} {kind.side} x {kind.side} modules"
        return Box("Lights", modules, pins, "the first module holds a1")
    order = "back and forth" if lights.order == "serpentine" else "each rank from file a"
    pins |= {"5V far": "5 V, far end", "GND far": "ground, far end"}
    if lights.button_light:
        pins |= {_far_output(pin): "out of the last one" for pin in kind.inputs}
    return Box("Lights", f"{count - lights.button_light} lights, {kind.chip} chain", pins, f"starts at a1, {order}")
