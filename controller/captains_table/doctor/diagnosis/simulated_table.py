"""A simulated table with faults: how its switches, lights and buttons respond to what a person does.

Faults are parsed and checked here; they are written as in `diode-missing:c4`, `short:3-4`, `lights-swapped:a1-b1`,
`dead e4`. Two functions list the lights and the buttons of any build, in the order of the test.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from captains_table.doctor.diagnosis.guided_test import RANKS_OF_PIECES
from captains_table.games.contract import Shape, Square
from captains_table.hardware.profiles.profile import Profile
from captains_table.simulation.electrics.circuit import TYPICAL_THRESHOLD_V
from captains_table.simulation.electrics.electric_board import ElectricBoard
from captains_table.simulation.electrics.faults import BadFault, BoardFault, FaultKind, parse_fault
from captains_table.table.model.events import Button

PHRASES: Final = '"dead e4", "stuck d5", "no-diode c3", "swap a1 b1", "reverse row 3", "reverse column c"'
OLD_WORDS: Final = {"dead": FaultKind.REED_OPEN, "stuck": FaultKind.REED_STUCK, "no-diode": FaultKind.DIODE_MISSING}


def chain_of(profile: Profile) -> list[Square]:
    """Return the squares in the order of a build's chain of lights, after corrections; empty without lights."""
    if profile.board.lights:
        return list(profile.shape.squares())
    return [] if profile.lights is None else sorted(profile.shape.squares(), key=profile.light_of)


def buttons_of(profile: Profile) -> list[Button]:
    """Return the buttons of a build in the order in which the test asks for them."""
    if profile.board.is_bought:
        return []  # a clock may be on its cable, or none
    with_encoder = [Button.NEXT, Button.PREVIOUS, Button.CHOOSE] if profile.buttons.kind == "encoder" else []
    return [Button.ROLL, *with_encoder]


class SimulatedTable:
    """A table as it really is, with its faults; squares are named by where a person puts the piece.

    Args:
        profile: the build that the table should have.
        faults: the table's faults, written as in the module's docstring.

    Raises:
        BadFault: a fault is of an unknown kind, has a wrong place, or does not fit the build.

    Attributes:
        profile: the build that the table should have.
        pieces: the number of pieces, which are numbered from 1.
        wired: maps the square of a wrongly connected switch to the square whose connection the switch uses.
        electrical: the faults of the switch matrix.
        magnets_off: the pieces whose magnet closes no switch.
        chain: the squares in the order of the chain of lights according to the profile, with its corrections.
        real_chain: the squares in the order in which the chain really connects their lights.
        dark: the squares whose light does not shine.
        wired_buttons: maps a wrongly connected button to the button whose connection it uses.
        dead_buttons: the buttons that do nothing.
        threshold_v: the voltage below which a pin reads low.
    """

    def __init__(self, profile: Profile, faults: Iterable[str] = ()) -> None:
        self.profile = profile
        self.shape = profile.shape
        self.pieces = RANKS_OF_PIECES * profile.shape.files
        self.wired: dict[Square, Square] = {}
        self.electrical: list[BoardFault] = []
        self.magnets_off: set[int] = set()
        self.chain = chain_of(profile)
        self.real_chain = sorted(profile.shape.squares(), key=profile.wired_light_of) if self.chain else []
        self.dark: set[Square] = set()
        self.wired_buttons: dict[Button, Button] = {}
        self.dead_buttons: set[Button] = set()
        self._corrected = {Button(wire): Button(real) for wire, real in profile.buttons.corrections.items()}
        self.threshold_v = TYPICAL_THRESHOLD_V
        for fault in filter(None, map(str.strip, faults)):
            _add(self, fault)
        self._board = ElectricBoard(profile.shape, [self._by_wiring(fault) for fault in self.electrical])
        self._known: dict[frozenset[Square], frozenset[Square]] = {}

    def _by_wiring(self, fault: BoardFault) -> BoardFault:
        """Return the fault with each square replaced by the square where its reed is wired."""
        places = tuple(self.wired.get(place, place) if isinstance(place, Square) else place for place in fault.places)
        return BoardFault(fault.kind, places)

    def closed(self, standing: Mapping[Square, int], *, aside: bool = False) -> frozenset[Square]:
        """Return the squares that are read as closed.

        Args:
            standing: the number of the piece on each occupied square.
            aside: whether the pieces are in a corner of their squares.
        """
        there = [self.wired.get(square, square) for square, piece in standing.items() if piece not in self.magnets_off]
        reeds = self._board.reeds((), there) if aside else self._board.reeds(there)
        if reeds not in self._known:
            read, corrections = self._board.read_at(self.threshold_v, reeds), self.profile.corrections
            self._known[reeds] = frozenset(corrections.get(wire, wire) for wire in read)
        return self._known[reeds]

    def light_seen(self, lit: Square) -> Square | None:
        """Return the square where a light shines while the table lights a square; `None` if no light shines."""
        seen = self.real_chain[self.chain.index(lit)]
        return None if seen in self.dark else seen

    def answer(self, button: Button) -> Button | None:
        """Return the button that the table registers when a button is pressed; `None` if it registers none."""
        wire = self.wired_buttons.get(button, button)
        return None if button in self.dead_buttons else self._corrected.get(wire, wire)


def _add(table: SimulatedTable, fault: str) -> None:
    word, colon, places = fault.partition(":")
    if not colon:
        _add_phrase(table, fault)
    elif word in _WORDS:
        try:
            _WORDS[word](table, places.strip())
        except BadFault as error:
            raise BadFault(f"fault {fault!r}: {error}") from None
    elif word in list(FaultKind):
        table.electrical.append(parse_fault(fault, table.shape))
    elif word in _PLAIN:
        raise BadFault(f"fault {fault!r}: expected {word} alone, as it has no place")
    else:
        raise BadFault(f"fault {fault!r}: there is no kind {word!r}, expected one of {', '.join(KINDS)}, or {PHRASES}")


def _add_phrase(table: SimulatedTable, fault: str) -> None:
    match fault.split():
        case [word, name] if word in OLD_WORDS:
            table.electrical.append(BoardFault(OLD_WORDS[word], (_square(name, table.shape),)))
        case ["swap", first, second]:
            _exchange(table, [_square(first, table.shape), _square(second, table.shape)])
        case ["reverse", "row", number]:
            rank = _square(f"a{number}", table.shape).rank
            _exchange(table, [Square(file, rank) for file in range(table.shape.files)])
        case ["reverse", "column", letter]:
            file = _square(f"{letter}1", table.shape).file
            _exchange(table, [Square(file, rank) for rank in range(table.shape.ranks)])
        case [word] if word in _PLAIN:
            _PLAIN[word](table)
        case _:
            raise BadFault(f"fault {fault!r}: expected KIND:PLACE with one of {', '.join(KINDS)}, or {PHRASES}")


def _exchange(table: SimulatedTable, line: Sequence[Square]) -> None:
    wires = [table.wired.get(square, square) for square in line]
    table.wired |= dict(zip(line, reversed(wires), strict=True))


def _square(name: str, shape: Shape) -> Square:
    try:
        return shape.square(name)
    except ValueError as error:
        raise BadFault(f"fault: {error}") from None


def _two(places: str, shape: Shape) -> tuple[Square, Square]:
    names = places.split("-")
    if len(set(names)) != 2 or len(names) != 2:  # noqa: PLR2004
        raise BadFault(f"{places!r}: expected two squares, such as a1-b1")
    return _square(names[0], shape), _square(names[1], shape)


# --- each kind ------------------------------------------------------------------------------------------------------


def _magnet(table: SimulatedTable, places: str) -> None:
    if not places.isdecimal() or not 1 <= int(places) <= table.pieces:
        raise BadFault(f"{places!r}: expected the number of a piece, 1 to {table.pieces}")
    table.magnets_off.add(int(places))


def _lights(table: SimulatedTable) -> list[Square]:
    if not table.real_chain:
        raise BadFault(f"{table.profile.name} has no lights; expected a profile that has")
    return table.real_chain


def _light_dark(table: SimulatedTable, places: str) -> None:
    _lights(table)
    table.dark.add(_square(places, table.shape))


def _lights_swapped(table: SimulatedTable, places: str) -> None:
    chain = _lights(table)
    one, other = (chain.index(square) for square in _two(places, table.shape))
    chain[one], chain[other] = chain[other], chain[one]


def _lights_order(table: SimulatedTable, places: str) -> None:
    _lights(table)
    if places not in {"rows", "serpentine"}:
        raise BadFault(f"{places!r}: expected rows or serpentine")
    ranks = ([Square(file, rank) for file in range(table.shape.files)] for rank in range(table.shape.ranks))
    table.real_chain = [
        square
        for number, rank in enumerate(ranks)
        for square in (reversed(rank) if places == "serpentine" and number % 2 else rank)
    ]


def _lights_end(table: SimulatedTable, places: str) -> None:
    chain = _lights(table)
    table.dark |= set(chain[chain.index(_square(places, table.shape)) :])


def _button_dead(table: SimulatedTable, places: str) -> None:
    names = [button.value for button in buttons_of(table.profile)]
    if places not in names:
        raise BadFault(f"{places!r}: expected one of {', '.join(names)}, which {table.profile.name} has")
    table.dead_buttons.add(Button(places))


def _threshold(table: SimulatedTable, places: str) -> None:
    try:
        volts = float(places)
    except ValueError:
        volts = 0.0
    if not 0.8 <= volts <= 2.0:  # noqa: PLR2004 - VIL and VIH (simulation/electrics/circuit.py)
        raise BadFault(f"{places!r}: expected volts from 0.8 to 2.0, below which this chip reads low")
    table.threshold_v = volts


def _exchange_buttons(table: SimulatedTable, one: Button, other: Button) -> None:
    has = buttons_of(table.profile)
    if one not in has or other not in has:
        raise BadFault(f"fault: {table.profile.name} has no encoder; expected a profile that has")
    table.wired_buttons |= {one: other, other: one}


_WORDS: Final[dict[str, Callable[[SimulatedTable, str], None]]] = {
    "magnet-weak": _magnet,
    "magnet-missing": _magnet,
    "swapped": lambda table, places: _exchange(table, _two(places, table.shape)),
    "light-dark": _light_dark,
    "lights-swapped": _lights_swapped,
    "lights-order": _lights_order,
    "lights-end": _lights_end,
    "button-dead": _button_dead,
    "chip-threshold": _threshold,
}
_PLAIN: Final[dict[str, Callable[[SimulatedTable], None]]] = {
    "encoder-reversed": lambda table: _exchange_buttons(table, Button.NEXT, Button.PREVIOUS),
    "buttons-swapped": lambda table: _exchange_buttons(table, Button.ROLL, Button.CHOOSE),
}
KINDS: Final = (*FaultKind, *_WORDS, *_PLAIN)
