"""Calculates the parts list of a build from its profile, including the parts of the case.

`make printing` counts the screws, inserts and plastic of the case in hardware/case. A test compares the numbers in this
module with that count.
"""

import math
from typing import Final

from captains_table.hardware.kinds import OHM, PIEZO, Part
from captains_table.hardware.profiles.light_supply import light_supply
from captains_table.hardware.profiles.profile import I2cBus, Profile
from captains_table.hardware.wiring.plan import BOARDS
from captains_table.hardware.wiring.planning import plan_of
from captains_table.hardware.wiring.sensing import SENSOR

HOOKUP_M: Final = 0.5  # from the board's edge to its controller, with slack for opening the case
REED_WIRE_M: Final = 0.06  # from a reed's two leads to diode and line
FINE: Final = "hook-up wire 0.25 mm\N{SUPERSCRIPT TWO}, stranded"
THICK: Final = "hook-up wire 0.5 mm\N{SUPERSCRIPT TWO}, red and black"
# The number of M3 screws of each length under the head; the same for every build. Heads by ISO 4762.
M3_SCREWS: Final = {8: 16, 10: 38, 16: 14}
INSERTS: Final = sum(M3_SCREWS.values())
FEET: Final = 9  # four under the lid, four under the floor, one under the bearer's foot
BOARD_SCREWS: Final = 4  # for each board, and for the display
# The filament for a whole case, by the number of files, with walls of 1.2 mm and an infill of a fifth.
FILAMENT_G: Final = {8: 1900, 9: 2100}
PRINT_HOURS: Final = {8: 54, 9: 59}
# How much longer and wider the sheets are than the board: they rest on the rails, with a little room to swell.
SHEET_OVER_MM: Final = 7
FLOOR_OVER_MM: Final = 15
FLOOR_MM: Final = 3
SPARE_SHARE: Final = 0.1  # glass tubes and leads of reeds break


def parts_of(profile: Profile) -> list[Part]:
    """Return the parts that a build needs, boards first; empty for a table that exists only on the page."""
    boards = _boards(profile)
    if not boards:
        return []
    return [*boards, *_matrix(profile), *_controls(profile), *_lights(profile), *case_parts(profile)]


def with_spares(quantity: int, what: str, use: str, price_eur: float) -> Part:
    """Return a part whose number of spares is a tenth of its quantity, rounded up."""
    return Part(quantity, what, use, spare=math.ceil(quantity * SPARE_SHARE), price_eur=price_eur)


def _boards(profile: Profile) -> list[Part]:
    display = profile.display
    wired_glass = display.bus is not None
    if profile.board.is_simulated and not wired_glass and profile.lights is None:
        return []
    parts = [
        Part(1, "Raspberry Pi with a 40-pin header (Zero 2 W, 3, 4 or 5)", "runs the table", price_eur=50),
        Part(1, "its own USB supply: 5.1 V, 2.5 A (Zero 2 W, 3), 3 A (4), 5 A (5)", "the Pi", price_eur=12),
        Part(1, "microSD card, 16 GB, A1", "the Pi", spare=1, price_eur=8),
        Part(1, "header 2 x 20, to solder in (sold without: Zero 2 W)", "only for a Zero 2 W", price_eur=2),
        *profile.board.parts,
    ]
    if wired_glass:
        bus = "I2C, 4 pins" if isinstance(display.bus, I2cBus) else "4-wire SPI, 7 pins"
        kind = display.kind
        what = f"OLED module {kind.chip}, {kind.pixels}, {bus}, 3.3 V"
        parts.append(Part(1, what, "the glass", price_eur=kind.price_eur))
    jumpers = sum(bundle.start in BOARDS.values() for bundle, _ in plan_of(profile).connections())
    parts.append(with_spares(jumpers, "jumper wire with a 2.54 mm socket, 30 cm", "on the headers of Pi and Pico", 0.1))
    return parts


def _matrix(profile: Profile) -> list[Part]:
    """Return the parts of the switch matrix: the switches with their magnets, and the lines of ranks and files."""
    if profile.matrix is None:
        return []
    files, ranks = profile.shape.files, profile.shape.ranks
    squares = files * ranks
    wire_m = math.ceil(squares * REED_WIRE_M)
    lines_m = math.ceil((2 * squares * profile.square_mm / 1000) + (files + ranks) * HOOKUP_M)
    least, most = SENSOR.reed.pull_in_at
    reed = f"reed switch, normally open, close differential, {least:g} to {most:g} AT ({SENSOR.reed.model})"
    return [
        with_spares(squares, reed, "one under each square", 1.8),
        with_spares(squares, "diode 1N4148, DO-35", "one in series with each reed: no ghosts", 0.03),
        Part(wire_m, "copper wire 0.5 mm, solid, tinned", "from each reed's leads down to the lines", "m", 1, 0.3),
        with_spares(4 * files, f"neodymium disc magnet {SENSOR.magnet}", "one in the foot of each piece", 0.8),
        Part(1, f"felt {SENSOR.felt_mm:g} mm, self-adhesive, 200 x 300 mm", "under the pieces' feet", price_eur=5),
        Part(1, "epoxy glue, two tubes", "magnets and reeds", price_eur=6),
        Part(lines_m, FINE, "rank and file lines", "m", math.ceil(lines_m / 10), 0.25),
        *(_plug(ways, f"{lines} lines: board to console") for ways, lines in ((ranks, "rank"), (files, "file"))),
    ]


def _plug(ways: int, use: str) -> Part:
    what = f"plug and socket, wire to wire, 2.5 mm, {ways} ways, 3 A (JST SM on AWG 22, or alike)"
    return Part(1, what, use, price_eur=1.5)


def _controls(profile: Profile) -> list[Part]:
    parts = []
    if profile.buttons.roll is not None:
        what = "push button, normally open, for a hole of 24 mm"
        if profile.lights is not None and profile.lights.button_light:
            what += ", illuminated: a hollow cap that lets light through, a LED holder to take out"
        parts.append(Part(1, what, "roll", price_eur=3))
    if profile.buttons.encoder is not None:
        what = "rotary encoder EC11 with push, 20 or 24 detents, and a knob"
        parts.append(Part(1, what, "next and choose", price_eur=3))
    if profile.buzzer is not None:
        parts += PIEZO.parts
    return parts


def _lights(profile: Profile) -> list[Part]:
    lights = profile.lights
    if lights is None:
        return []
    kind, signals = lights.kind, len(lights.kind.inputs)
    if not kind.is_chain:
        what = f"{kind.chip} module, {kind.side} x {kind.side} LEDs"
        modules = Part(profile.light_count, what, "the lights", price_eur=kind.price_eur)
        return [modules, *_power(profile), _plug(2 + signals, "lights: board to console")]
    count, what = profile.light_count - lights.button_light, f"{kind.chip} light, single or cut from a strip"
    parts = [with_spares(count, what, "one under each square", kind.price_eur)]
    if lights.button_light:
        what = f"{kind.chip} light, single, on a round board of 10 mm"
        parts.append(Part(1, what, "in the roll button", price_eur=2 * kind.price_eur))
    return [
        *parts,
        *_power(profile),
        Part(signals, f"resistor 330 {OHM}, 0.25 W", "in each signal wire of the lights", spare=1, price_eur=0.05),
        *_light_wires(profile, signals, back=lights.button_light),
        _plug(2 + signals, "lights, near end: board to console"),
        _plug(2 + signals * lights.button_light, "lights, far end: board to console"),
    ]


def _light_wires(profile: Profile, signals: int, *, back: bool) -> list[Part]:
    """Return the wire for a chain of lights: between the lights, to both ends of the chain, and inside the console.

    Args:
        profile: the build.
        signals: the number of signals of the chain.
        back: whether the signals run from the far end back to the roll button.
    """
    chain_m = profile.shape.files * profile.shape.ranks * profile.square_mm / 1000
    far_m = HOOKUP_M + profile.shape.ranks * profile.square_mm / 1000
    in_console_m = HOOKUP_M * (1 + back)
    supply_m = math.ceil(2 * (chain_m + HOOKUP_M + far_m + in_console_m))
    signals_m = math.ceil(signals * (chain_m + HOOKUP_M + back * (far_m + HOOKUP_M)))
    return [
        Part(supply_m, THICK, "the lights' supply", "m", math.ceil(supply_m / 10), 0.4),
        Part(signals_m, FINE, "the lights' signals", "m", math.ceil(signals_m / 10), 0.25),
    ]


def _power(profile: Profile) -> list[Part]:
    """Return the parts of the lights' 5 V supply, including switch, fuse, level shifter and capacitors."""
    supply = light_supply(profile)
    amps, fuse = supply.rated_ma / 1000, supply.fuse_ma / 1000
    return [
        Part(1, f"5 V supply, {amps:g} A, plug 5.5 x 2.1 mm", "the lights", price_eur=18),
        Part(1, "socket for plugs of 5.5 x 2.1 mm, 5 A (Switchcraft 722A)", "5 V into the console", price_eur=4),
        Part(1, "rocker switch, cut-out 13 x 19 mm, 6 A", "5 V on and off", price_eur=1.5),
        Part(1, f"fuse 5 x 20 mm of glass, T {fuse:g} A L (IEC 60127-2, sheet 3)", "behind the switch", "", 2, 0.3),
        Part(1, "fuse holder 5 x 20 mm, for a perforated board", "the power board", price_eur=1),
        Part(1, "74AHCT125 in DIP-14 (TI SN74AHCT125N), with socket", "3.3 V to 5 V (not 74HC125)", "", 1, 0.8),
        Part(1, "capacitor 100 nF, ceramic", "at the level shifter", spare=1, price_eur=0.1),
        Part(1, "capacitor 1000 \N{MICRO SIGN}F, 10 V", "on the power board", price_eur=0.4),
        Part(1, "perforated board 50 x 70 mm, and 4 screw terminals of 2 ways", "the power board", price_eur=4),
    ]


def case_parts(profile: Profile) -> list[Part]:
    """Return the parts of a build's case: sheets, filament, screws, inserts, feet, tape and cable ties."""
    files = profile.shape.files
    return [
        *_sheets(profile),
        Part(
            FILAMENT_G[files] / 1000,
            "PLA or PETG filament, 1.75 mm",
            f"the case: about {PRINT_HOURS[files]} hours of printing (estimated; make printing)",
            unit="kg",
            spare=0.2,
            price_eur=20,
        ),
        *(
            with_spares(count, f"screw M3 x {length}, socket head (ISO 4762), stainless A2", "the case", 0.05)
            for length, count in M3_SCREWS.items()
        ),
        with_spares(INSERTS, "heat-set insert M3, brass, 5.7 mm long, for a hole of 4.0 mm", "the case", 0.1),
        *_board_screws(profile),
        with_spares(FEET, "foot of rubber, 5 mm or higher, self-adhesive", "under lid, floor and bearer", 0.1),
        Part(1, "double-sided tape, a roll", "sheet and lights to the tiles", price_eur=2),
        with_spares(10, "cable tie, 100 mm", "cables at the notch and in the console", 0.02),
    ]


def _sheets(profile: Profile) -> list[Part]:
    """Return the two sheets that close the board: the playing surface above and the floor below."""
    board_mm = [profile.square_mm * side for side in (profile.shape.files, profile.shape.ranks)]
    sheet = " x ".join(str(side + SHEET_OVER_MM) for side in board_mm)
    floor = " x ".join(str(side + FLOOR_OVER_MM) for side in board_mm)
    return [
        Part(
            1,
            f"sheet {SENSOR.sheet_mm:g} mm, {sheet} mm: acrylic, or 0.5 mm of veneer on it",
            "what the pieces stand on",
            price_eur=20,
        ),
        Part(1, f"hardboard or plywood {FLOOR_MM} mm, {floor} mm", "closes the board from below", price_eur=6),
    ]


def _board_screws(profile: Profile) -> list[Part]:
    boards = {
        **({profile.board.name: profile.board.screws} if profile.board.screws else {}),
        **({"power board": BOARD_SCREWS} if profile.lights is not None else {}),
    }
    parts = [with_spares(BOARD_SCREWS, "screw M2.5 x 8", "the Pi on the lid", 0.05)]
    if boards:
        words = f"{' and '.join(boards)} on the lid"
        parts.append(with_spares(sum(boards.values()), "screw M2 x 8", words, 0.05))
    if profile.display.bus is not None:
        parts.append(with_spares(BOARD_SCREWS, f"screw {profile.display.kind.screw}", "the glass", 0.05))
    return parts
