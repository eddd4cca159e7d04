"""The parts of a strip (the squares' circuit board) and their footprints, in millimetres, y upwards."""

from dataclasses import dataclass, field
from itertools import pairwise

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Pad:
    """One pad, relative to the middle of the unrotated part.

    Attributes:
        number: its name in the netlist.
        at: its middle.
        size: width and height.
        drill: diameter of its hole; 0: a pad for surface mounting on the upper side.
    """

    number: str
    at: Point
    size: Point
    drill: float = 0


@dataclass(frozen=True, slots=True)
class Footprint:
    """The footprint of a part on the board.

    Attributes:
        name: its name.
        pads: its pads.
        outline: half the width and height of its courtyard; None: the part itself is not on the board.
        drawn: lines of the silkscreen, each from point to point.
    """

    name: str
    pads: tuple[Pad, ...]
    outline: Point | None
    drawn: tuple[tuple[Point, Point], ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A part placed on the board.

    Attributes:
        reference: its name on the board.
        value: the type or value of the part to buy.
        footprint: its footprint.
        at: its middle.
        angle: rotation in degrees, counterclockwise.
        nets: pad number -> net.
    """

    reference: str
    value: str
    footprint: Footprint
    at: Point
    angle: int = 0
    nets: dict[str, str] = field(default_factory=dict)


PIN_PITCH = 2.54


def _frame(x: float, y: float) -> tuple[tuple[Point, Point], ...]:
    """Return the upper and the lower side of a rectangle with this half width and half height."""
    return ((-x, -y), (x, -y)), ((-x, y), (x, y))


def reed(lead: float) -> Footprint:
    """Return the footprint of a reed, which lies in the case above: holes for its leads, `lead` from the middle."""
    pads = tuple(Pad(number, (x, 0), (2.2, 2.2), 1.2) for number, x in (("1", -lead), ("2", lead)))
    return Footprint("Reed", pads, None, (((3 - lead, 0), (lead - 6, 0)),))


DIODE = Footprint(
    "SOD-123",
    (Pad("1", (-1.65, 0), (0.9, 1.2)), Pad("2", (1.65, 0), (0.9, 1.2))),
    (2.35, 1.15),
    (*_frame(1.4, 0.95), ((-2.3, -0.9), (-2.3, 0.9))),  # the bar is at the cathode's end
)
CAPACITOR = Footprint("0805", (Pad("1", (-0.95, 0), (1, 1.45)), Pad("2", (0.95, 0), (1, 1.45))), (1.7, 1))
LIGHT = Footprint(  # WS2812B data sheet: 1 supply, 2 data out, 3 ground, 4 data in
    "WS2812B-5050",
    tuple(
        Pad(number, at, (1.5, 1))
        for number, at in (("1", (-2.45, 1.6)), ("2", (-2.45, -1.6)), ("3", (2.45, -1.6)), ("4", (2.45, 1.6)))
    ),
    (3.45, 2.75),
    # The chip has a cut corner at pin 3; the silkscreen shows only that corner.
    (*_frame(2.5, 2.65), *pairwise(((2.5, -2.65), (3, -2.65), (3.6, -2.05), (3.6, -1)))),
)
PINS = Footprint(
    "Pins-1x5",
    tuple(Pad(str(pin + 1), (0, (2 - pin) * PIN_PITCH), (1.7, 1.7), 1.0) for pin in range(5)),
    (1.0, 6.2),
)
WIRE = Footprint("Wire", (Pad("1", (0, 0), (2.2, 2.2), 1.2),), (1.4, 1.4))
HOLE = Footprint("M3", (Pad("", (0, 0), (3.2, 3.2), 3.2),), (3.5, 3.5))
