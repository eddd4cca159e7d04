"""Lays out a strip (the circuit board for several squares of a rank): positions of parts, tracks and vias.

Lengths are in millimetres from the lower left corner of its left square, y upwards.

Five lines run straight along the whole board, from a pin at the left end to the same pin at the right end. The lines on
the upper side are above those on the lower side, so that a file's track crosses them all by changing sides once.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from hardware.strip import parts
from hardware.strip.numbers import DIAGONAL, Square
from hardware.strip.parts import PIN_PITCH, Part, Point

LINES = ("DATA", "5V", "RANK", "GND", "BACK")  # pin 1 to 5
MIDDLE_PIN = 18.38
GAP = 0.5  # between the board and the case around it
UPPER, LOWER = "F.Cu", "B.Cu"
THIN, WIDE, MIDDLE = 0.3, 1.2, 0.8
PIN_FROM_EDGE = 1.4
HOLES = ((15.0, 9.3), (40.0, 36.0))  # in the first and the last square
PINS_SAID = " ".join(f"{pin} {line}" for pin, line in enumerate(LINES, start=1))
Placing = Callable[[Point], Point]


@dataclass(frozen=True, slots=True)
class Track:
    """A copper track along points on one side of the board."""

    net: str
    side: str
    width: float
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Label:
    """A text of the silkscreen, with its height in millimetres."""

    text: str
    at: Point
    height: float = 1.0


@dataclass
class Strip:
    """The layout of a board: corners of its outline, parts, tracks, vias (each with its net) and silkscreen labels."""

    corners: tuple[Point, Point]
    parts: list[Part] = field(default_factory=list)
    tracks: list[Track] = field(default_factory=list)
    vias: list[tuple[str, Point]] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)


def strip(square: Square, names: list[str]) -> Strip:
    """Return the layout of a board for neighbouring squares; `names` are their labels, such as "a/e"."""
    end, margin = square.size * len(names), square.ledge + GAP
    board = Strip(((margin, margin), (end - margin, square.size - margin)))
    pins = margin + PIN_FROM_EDGE, end - margin - PIN_FROM_EDGE
    _lines(board, pins, len(names))
    for number, name in enumerate(names):
        _square(board, square, number, name, pins)
    for number, left in enumerate((0.0, end - square.size)):
        board.parts += [
            Part(f"H{2 * number + place}", "M3", parts.HOLE, (left + x, y))
            for place, (x, y) in enumerate(HOLES, start=1)
        ]
        board.labels.append(Label(PINS_SAID, (left + square.size / 2, 26.6), 0.8))
    free = square.size * (len(names) // 2) + 8.6, 6.9
    board.labels.append(Label(f"Captain's Table, {len(names)} squares of {square.size:g} mm", free))
    return board


def lane(line: str) -> float:
    """Return the y position of a line."""
    return round(MIDDLE_PIN + (2 - LINES.index(line)) * PIN_PITCH, 2)


def _lines(board: Strip, ends: Point, squares: int) -> None:
    """Add the pins at both ends and the lines between them, except DATA, which runs from light to light."""
    for number, (x, inwards) in enumerate(zip(ends, (1.9, -1.9), strict=True), start=1):
        data = f"DATA{0 if number == 1 else squares}"
        nets = {str(pin): net for pin, net in enumerate((data, *LINES[1:]), start=1)}
        board.parts.append(Part(f"J{number}", "pin header 1x5", parts.PINS, (x, MIDDLE_PIN), nets=nets))
        board.labels.append(Label("1", (x + inwards, lane("DATA"))))
    for line, side, width in (("5V", UPPER, WIDE), ("RANK", UPPER, 0.5), ("GND", LOWER, WIDE), ("BACK", LOWER, THIN)):
        board.tracks.append(Track(line, side, width, ((ends[0], lane(line)), (ends[1], lane(line)))))


def _square(board: Strip, square: Square, number: int, name: str, pins: Point) -> None:
    left = number * square.size

    def there(point: Point) -> Point:
        return round(left + point[0], 2), round(point[1], 2)

    _contact(board, square, number, there)
    _light(board, square, number, there)
    _data(board, square, number, there, pins)
    board.labels.append(Label(name, there((31, 40.5)), 2.5))


def _contact(board: Strip, square: Square, number: int, there: Placing) -> None:
    """Add a square's reed, from its file's wire to its diode, and the diode to the rank line."""
    file, middle = f"FILE{number + 1}", f"REED{number + 1}"
    inner, outer = square.leads
    centre = (inner[0] + outer[0]) / 2, (inner[1] + outer[1]) / 2
    lead = round((outer[0] - inner[0]) / 2 / DIAGONAL, 2)
    crossing = (lane("RANK") + lane("GND")) / 2
    ends = (inner[0], 41.5), (inner[0], 8.3)
    diode = outer[0] - 1.4, 14.0
    board.parts += [
        Part(f"S{number + 1}", "reed switch", parts.reed(lead), there(centre), -45, {"1": file, "2": middle}),
        Part(f"D{number + 1}", "1N4148W", parts.DIODE, there(diode), -90, {"1": "RANK", "2": middle}),
        *(
            Part(f"W{number + 1}{end}", "wire", parts.WIRE, there(at), nets={"1": file})
            for end, at in zip("NS", ends, strict=True)
        ),
    ]
    board.tracks += [
        Track(file, LOWER, 0.5, (there(ends[0]), there((inner[0], crossing)))),
        Track(file, UPPER, 0.5, (there((inner[0], crossing)), there(ends[1]))),
        Track(
            middle, UPPER, 0.5, (there(outer), there((diode[0], outer[1] + 1.4)), there((diode[0], diode[1] - 1.65)))
        ),
        Track("RANK", UPPER, 0.5, (there((diode[0], diode[1] + 1.65)), there((diode[0], lane("RANK"))))),
    ]
    board.vias.append((file, there((inner[0], crossing))))


def _light(board: Strip, square: Square, number: int, there: Placing) -> None:
    """Add a square's light with its capacitor, connected to 5V and GND."""
    x, y = square.light
    left, right, below, above = light_pads(square)
    capacitor = x + 1, y - 4.6
    ground = x - 4.7
    to_ground = (ground, above), (capacitor[0] - 3, capacitor[1])
    nets = {"1": "5V", "2": f"DATA{number + 1}", "3": "GND", "4": f"DATA{number}"}
    board.parts += [
        Part(f"L{number + 1}", "WS2812B", parts.LIGHT, there((x, y)), 180, nets),
        Part(f"C{number + 1}", "100 nF", parts.CAPACITOR, there(capacitor), nets={"1": "GND", "2": "5V"}),
    ]
    board.tracks += [
        Track("5V", UPPER, MIDDLE, (there((right, below)), there((right, lane("5V"))))),
        Track("5V", UPPER, MIDDLE, (there((capacitor[0] + 0.95, capacitor[1])), there((right, capacitor[1])))),
        Track("GND", UPPER, MIDDLE, (there((left, above)), there(to_ground[0]))),
        Track("GND", UPPER, MIDDLE, (there((capacitor[0] - 0.95, capacitor[1])), there(to_ground[1]))),
        Track("GND", LOWER, MIDDLE, (there(to_ground[0]), there((ground, lane("GND"))))),
        Track("GND", LOWER, MIDDLE, (there(to_ground[1]), there((ground, capacitor[1])))),
    ]
    board.vias += [("GND", there(point)) for point in to_ground]


def light_pads(square: Square) -> tuple[float, float, float, float]:
    """Return a light's pad positions: x of the left pads (ground, data in) and of the right ones (data out, supply).

    Then y of the lower and of the upper pads.
    """
    x, y = square.light
    return x - 2.45, x + 2.45, y - 1.6, y + 1.6


def _data(board: Strip, square: Square, number: int, there: Placing, pins: Point) -> None:
    """Add the track of a light's data output to the next light or the last pins; for the first light also its input."""
    left, right, below, above = light_pads(square)
    if number == 0:
        rise = below - (left - pins[0])
        board.tracks.append(Track("DATA0", UPPER, THIN, ((pins[0], lane("DATA")), (pins[0], rise), (left, below))))
    run, out = below - 3.4, right + 3.1
    last = (number + 2) * square.size > pins[1] + square.size
    goal = (pins[1], lane("DATA")) if last else there((square.size + left, below))
    start = [there(point) for point in ((right, above), (out, above), (out + above - run, run))]
    end = round(goal[0] - abs(goal[1] - run), 2), run
    board.tracks.append(Track(f"DATA{number + 1}", UPPER, THIN, (*start, end, goal)))
