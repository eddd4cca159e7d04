"""Plans the wiring of the lights, of their 5 V supply, and of the level shifter that raises 3.3 V signals to 5 V."""

from typing import Final

from captains_table.hardware.kinds import OHM, LightKind
from captains_table.hardware.profiles.light_supply import light_supply
from captains_table.hardware.profiles.pin_clashes import light_uses
from captains_table.hardware.profiles.profile import LightsBuild, Profile
from captains_table.hardware.wiring.plan import GROUND, PLUS, Box, Pin, Wire, WiringPlan

# 74AHCT125 data sheet: four buffers as (enable, input, output), 14 is VCC, 7 is ground; from 2.0 V an input is high.
GATES: Final = ((1, 2, 3), (4, 5, 6), (10, 9, 8), (13, 12, 11))
SHIFTER_PLUS: Final = 14
SHIFTER_GROUND: Final = 7
SIGNAL_COLOURS: Final = ("GN", "BU", "VT")


def plan_lights(plan: WiringPlan, profile: Profile) -> None:
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
