"""A simulated table with faults: what its switches, lights and buttons make of what hands do."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from captains_table.doctor.diagnosis.guided_test import RANKS_OF_PIECES
from captains_table.games.contract import Shape, Square
from captains_table.simulation.electrics.circuit import TYPICAL_THRESHOLD_V
from captains_table.simulation.electrics.electric_board import ElectricBoard
from captains_table.table.model.events import Button


@dataclass(slots=True)
class SimulatedTable:
    """What is really there, faults included. Squares are where the hand is.

    Attributes:
        shape: the board.
        board: its matrix, squares by wiring.
        corrections: square by wiring -> square it is read as, as the profile has it; only those that differ.
        wired: square -> square whose place its switch has in the wiring; only those that differ.
        pieces: how many there are, numbered from 1.
        magnets_off: pieces whose magnet closes nothing.
        chain: squares in the order of the chain of lights as the profile has it, corrections included.
        real_chain: squares in the order in which the chain really lies.
        dark: squares whose light is out.
        buttons: button that is pressed -> button that answers; only those that differ.
        dead_buttons: those that do nothing.
        threshold_v: below this a level is read as low.
    """

    shape: Shape
    board: ElectricBoard
    corrections: Mapping[Square, Square] = field(default_factory=dict)
    wired: Mapping[Square, Square] = field(default_factory=dict)
    pieces: int = 0
    magnets_off: Collection[int] = frozenset()
    chain: Sequence[Square] = ()
    real_chain: Sequence[Square] = ()
    dark: Collection[Square] = frozenset()
    buttons: Mapping[Button, Button] = field(default_factory=dict)
    dead_buttons: Collection[Button] = frozenset()
    threshold_v: float = TYPICAL_THRESHOLD_V
    _known: dict[frozenset[Square], frozenset[Square]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.pieces = self.pieces or RANKS_OF_PIECES * self.shape.files

    def closed(self, standing: Mapping[Square, int], *, aside: bool = False) -> frozenset[Square]:
        """Return the squares that are read as closed.

        Args:
            standing: square -> number of the piece on it.
            aside: whether pieces stand in a corner of their square.
        """
        there = [self._wire(square) for square, piece in standing.items() if piece not in self.magnets_off]
        reeds = self.board.reeds((), there) if aside else self.board.reeds(there)
        if reeds not in self._known:
            self._known[reeds] = frozenset(self._read(self.board.read_at(self.threshold_v, reeds)))
        return self._known[reeds]

    def _wire(self, square: Square) -> Square:
        return self.wired.get(square, square)

    def _read(self, wires: Iterable[Square]) -> Iterable[Square]:
        return (self.corrections.get(wire, wire) for wire in wires)

    def light_seen(self, lit: Square) -> Square | None:
        """Return where a light shines while the table lights a square, None if it is dark."""
        seen = self.real_chain[self.chain.index(lit)]
        return None if seen in self.dark else seen

    def answer(self, button: Button) -> Button | None:
        """Return which button the table hears when one is pressed, None if none."""
        return None if button in self.dead_buttons else self.buttons.get(button, button)
