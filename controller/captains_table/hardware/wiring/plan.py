"""The data types of a wiring plan: boxes (parts with pins), and bundles of wires between two boxes.

Pins of a controller are numbered as on its pinout: the Pico's 40 castellations and the Pi's 40-pin header.
The plan converts GP and BCM numbers to these pins, chooses ground pins, and chooses the colours of signal wires.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from captains_table.hardware.kinds import PinOwner

# The pin of each GP number of the Pico (Raspberry Pi Pico data sheet, figure 2).
PICO_GP: Final = dict(
    zip(
        [*range(23), 26, 27, 28],
        [1, 2, 4, 5, 6, 7, 9, 10, 11, 12, 14, 15, 16, 17, 19, 20, 21, 22, 24, 25, 26, 27, 29, 31, 32, 34],
        strict=True,
    )
)
# The header's pin of each BCM number of the Pi, the same on every Pi with 40 pins.
PI_BCM: Final = dict(
    zip(
        range(2, 28),
        [3, 5, 7, 29, 31, 26, 24, 21, 19, 23, 32, 33, 8, 10, 36, 11, 12, 35, 38, 40, 15, 16, 18, 22, 37, 13],
        strict=True,
    )
)
PINS: Final = {"pico": PICO_GP, "pi": PI_BCM}
LABELS: Final = {"pico": "GP", "pi": "BCM "}
GROUNDS: Final = {"pico": (3, 8, 13, 18, 23, 28, 33, 38), "pi": (6, 9, 14, 20, 25, 30, 34, 39)}
PI_3V3: Final = 1
Pin = int | str
# The colours of a bundle's wires, in the order of the resistor colour code, with WireViz's names.
LINE_COLOURS: Final = ("BN", "RD", "OG", "YE", "GN", "BU", "VT", "GY", "WH")
GROUND: Final = "BK"
PLUS: Final = "RD"
BOARDS: Final[Mapping[PinOwner, str]] = {"pico": "Pico", "pi": "Pi"}


def header_labels(owner: PinOwner) -> list[str]:
    """Return the labels of a controller's 40 pins; a pin that no build uses is labelled with a dash."""
    labels = {pin: f"{LABELS[owner]}{number}" for number, pin in PINS[owner].items()}
    labels |= dict.fromkeys(GROUNDS[owner], "GND")
    if owner == "pi":
        labels[PI_3V3] = "3.3 V"
    return [labels.get(pin, "-") for pin in range(1, 41)]


@dataclass(frozen=True, slots=True)
class Box:
    """A part in the wiring diagram, with its pins.

    Attributes:
        name: the part's name in the diagram.
        what: a description of the part.
        pins: maps each pin, in order, to its label; a pin is a number, or a name if it has no number.
        note: a note for wiring the part, with a newline between lines; may be empty.
    """

    name: str
    what: str
    pins: Mapping[Pin, str]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Wire:
    """One wire of a bundle: a pin of the first box, a pin of the second, and the wire's colour as WireViz names it."""

    start: Pin
    end: Pin
    colour: str


@dataclass(frozen=True, slots=True)
class Bundle:
    """The wires from the box named `start` to the box named `end`: in one cable if `cable` is true, otherwise loose."""

    name: str
    start: str
    end: str
    wires: tuple[Wire, ...]
    cable: bool = False


@dataclass(slots=True)
class WiringPlan:
    """The wiring plan of a build: boxes and bundles in the order of wiring.

    Attributes:
        boxes: the boxes, keyed by name.
        bundles: the bundles of wires.
        grounds: for each controller, the ground pins that are assigned to wires.
    """

    boxes: dict[str, Box] = field(default_factory=dict)
    bundles: list[Bundle] = field(default_factory=list)
    grounds: dict[PinOwner, list[int]] = field(default_factory=lambda: {"pico": [], "pi": []})

    def add(self, box: Box) -> Box:
        """Add a box and return it."""
        self.boxes[box.name] = box
        return box

    def board(self, owner: PinOwner) -> Box:
        """Return the box of the Pico or of the Pi's header; the first call adds it to the plan."""
        name = BOARDS[owner]
        if name not in self.boxes:
            what = "Raspberry Pi Pico" if owner == "pico" else "Raspberry Pi, 40-pin header"
            self.add(Box(name, what, dict(enumerate(header_labels(owner), start=1))))
        return self.boxes[name]

    def ground(self, owner: PinOwner, pin: Pin) -> int:
        """Assign one of a controller's ground pins to a wire, and return the pin's number.

        The ground pin nearest to `pin` is chosen among those that are not assigned yet, or among all if none is left.
        """
        free = [ground for ground in GROUNDS[owner] if ground not in self.grounds[owner]] or GROUNDS[owner]
        place = min(free, key=lambda ground: abs(ground - int(pin)))
        self.grounds[owner].append(place)
        return place

    def connect(self, start: Box, end: Box, *wires: Wire) -> None:
        """Add a bundle of wires from one box to another."""
        self.bundles.append(Bundle(f"W{len(self.bundles) + 1}", start.name, end.name, wires))

    def wires(self, owner: PinOwner, pins: Mapping[int, Pin], *grounds: Pin) -> list[Wire]:
        """Return the wires from a controller to a box: first those of the signals, then those of ground.

        Args:
            owner: the controller.
            pins: the box's pins, keyed by the GP or BCM number of the controller's pin.
            grounds: the box's ground pins. They are connected to ground pins of the controller near the pin of the
                first signal.
        """
        wires = [
            Wire(PINS[owner][number], pin, LINE_COLOURS[index % len(LINE_COLOURS)])
            for index, (number, pin) in enumerate(pins.items())
        ]
        return wires + [Wire(self.ground(owner, wires[0].start), ground, GROUND) for ground in grounds]

    def signals(self, owner: PinOwner, end: Box, pins: Mapping[int, Pin], *grounds: Pin) -> None:
        """Connect pins and ground of a controller to a box; `wires` explains the arguments."""
        self.connect(self.board(owner), end, *self.wires(owner, pins, *grounds))

    def connections(self) -> Iterator[tuple[Bundle, Wire]]:
        """Yield each wire with its bundle."""
        for bundle in self.bundles:
            for wire in bundle.wires:
                yield bundle, wire
