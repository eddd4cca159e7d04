"""A simulated board with faults: what its switches say of the pieces that stand on it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from captains_table.games.contract import Shape, Square, parse_square

FAULT_WORDS = '"dead e4", "stuck d5", "swap a1 b1", "reverse row 3", "reverse column c", "no-diode c3"'


class BadFault(ValueError):  # noqa: N818 - named by its condition
    """A fault cannot be read."""


@dataclass(slots=True)
class FaultyBoard:
    """Switches that are wired or broken in some way.

    Attributes:
        shape: the board.
        corrections: square by wiring -> square it really is, as a profile has them.
        wired: square -> square whose place its switch has in the wiring; only those that differ.
        dead: squares whose switch never closes.
        stuck: squares whose switch is always closed.
        bare: squares whose diode is missing.
    """

    shape: Shape
    corrections: Mapping[Square, Square] = field(default_factory=dict)
    wired: dict[Square, Square] = field(default_factory=dict)
    dead: set[Square] = field(default_factory=set)
    stuck: set[Square] = field(default_factory=set)
    bare: set[Square] = field(default_factory=set)

    def closed(self, standing: Iterable[Square]) -> frozenset[Square]:
        """Return the squares that are read as closed while pieces stand on these."""
        real = (set(standing) - self.dead) | self.stuck
        for corner in self.bare & real:
            files = [at.file for at in real if at.rank == corner.rank]
            ranks = [at.rank for at in real if at.file == corner.file]
            real = real | {Square(file, rank) for file in files for rank in ranks}
        by_wire = (self.wired.get(square, square) for square in real)
        return frozenset(self.corrections.get(wire, wire) for wire in by_wire)


def parse_faults(text: str, shape: Shape, corrections: Mapping[Square, Square]) -> FaultyBoard:
    """Return the board of faults such as `dead e4, swap a1 b1, reverse row 3`; raises BadFault."""
    board = FaultyBoard(shape, corrections)
    for fault in filter(None, (part.strip() for part in text.split(","))):
        _add(board, fault)
    return board


def _add(board: FaultyBoard, fault: str) -> None:
    match fault.split():
        case ["dead", name]:
            board.dead.add(_square(name, board.shape))
        case ["stuck", name]:
            board.stuck.add(_square(name, board.shape))
        case ["no-diode", name]:
            board.bare.add(_square(name, board.shape))
        case ["swap", first, second]:
            one, other = _square(first, board.shape), _square(second, board.shape)
            _exchange(board, [one, other])
        case ["reverse", "row", number]:
            rank = _square(f"a{number}", board.shape).rank
            _exchange(board, [Square(file, rank) for file in range(board.shape.files)])
        case ["reverse", "column", letter]:
            file = _square(f"{letter}1", board.shape).file
            _exchange(board, [Square(file, rank) for rank in range(board.shape.ranks)])
        case _:
            raise BadFault(f"fault {fault!r}: expected faults such as {FAULT_WORDS}, with commas between")


def _exchange(board: FaultyBoard, line: list[Square]) -> None:
    wires = [board.wired.get(square, square) for square in line]
    board.wired |= dict(zip(line, reversed(wires), strict=True))


def _square(name: str, shape: Shape) -> Square:
    try:
        square = parse_square(name)
    except ValueError as error:
        raise BadFault(f"fault: {error}") from None
    if square not in shape:
        raise BadFault(f"fault: {name} is no square of a board of {shape}")
    return square
