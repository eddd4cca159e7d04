"""The faults of a switch matrix and their parser, for example for `diode-missing:c4`, `short:c-d` or `line-open:3`.

Faults that exclude each other are refused. Another function returns which reeds are closed, by pieces or by faults.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from captains_table.games.contract import Shape, Square


class BadFault(ValueError):
    """A fault cannot be parsed, does not fit the board, or excludes another fault."""


class FaultKind(StrEnum):
    """A kind of fault, with the word by which users type it."""

    DIODE_MISSING = "diode-missing"  # a wire is in its place
    DIODE_BRIDGED = "diode-bridged"  # solder bridges it
    DIODE_REVERSED = "diode-reversed"
    DIODE_OPEN = "diode-open"  # a cold joint, a broken diode
    REED_OPEN = "reed-open"  # the reed never closes
    REED_STUCK = "reed-stuck"  # the reed is always closed
    REED_NARROW = "reed-narrow"  # the reed closes only for a piece in the middle of its square
    SHORT = "short"  # two lines touch
    LINE_OPEN = "line-open"  # a line is not connected to its pin


DIODE_FAULTS: Final = frozenset(
    {FaultKind.DIODE_MISSING, FaultKind.DIODE_BRIDGED, FaultKind.DIODE_REVERSED, FaultKind.DIODE_OPEN}
)
REED_FAULTS: Final = frozenset({FaultKind.REED_OPEN, FaultKind.REED_STUCK, FaultKind.REED_NARROW})
LINES_JOINED: Final = 2


@dataclass(frozen=True, slots=True)
class FileLine:
    """A file line of the matrix, which is pulled up and read; `file` counts from 0, and the line's text is a letter."""

    file: int

    def __str__(self) -> str:
        return chr(ord("a") + self.file)


@dataclass(frozen=True, slots=True)
class RankLine:
    """A driven rank line of the matrix; `rank` counts from 0, but `str` gives the number counted from 1."""

    rank: int

    def __str__(self) -> str:
        return str(self.rank + 1)


MatrixLine = FileLine | RankLine


@dataclass(frozen=True, slots=True)
class BoardFault:
    """One fault of a board; `str` gives the text that `parse_fault` accepts.

    Attributes:
        kind: the kind of fault.
        places: the fault's square in the wiring plan, or the two lines of a short, or the open line.
    """

    kind: FaultKind
    places: tuple[Square | FileLine | RankLine, ...]

    def __str__(self) -> str:
        return f"{self.kind}:{'-'.join(map(str, self.places))}"

    @property
    def square(self) -> Square | None:
        """The square of a diode or reed fault; `None` for faults of lines."""
        place = self.places[0]
        return place if isinstance(place, Square) else None

    @property
    def lines(self) -> tuple[MatrixLine, ...]:
        """The two lines of a short, or the open line; empty for faults of a square."""
        return tuple(place for place in self.places if not isinstance(place, Square))


def parse_fault(text: str, shape: Shape) -> BoardFault:
    """Parse a fault written as `kind:places`; raises BadFault."""
    word, _, places = text.strip().partition(":")
    if word not in list(FaultKind):
        raise BadFault(f"fault {text!r}: there is no kind {word!r}, expected one of {', '.join(FaultKind)}")
    kind = FaultKind(word)
    try:
        return BoardFault(kind, _PLACES[kind](places, shape))
    except ValueError as error:
        raise BadFault(f"fault {text!r}: {error}") from None


def check_together(faults: Iterable[BoardFault]) -> None:
    """Raise BadFault if a diode or a reed has two different faults."""
    seen: dict[tuple[bool, Square], BoardFault] = {}
    for fault in faults:
        if fault.square is None:
            continue
        other = seen.setdefault((fault.kind in DIODE_FAULTS, fault.square), fault)
        if other.kind is not fault.kind:
            raise BadFault(f"{other} and {fault} cannot both be: expected one of them")


def reeds_closed(faults: Iterable[BoardFault], centred: Iterable[Square], aside: Iterable[Square] = ()) -> set[Square]:
    """Return the squares whose reeds are closed.

    Args:
        faults: the faults of the board; only reed faults matter here.
        centred: squares with a piece in the middle, or near it.
        aside: squares with a piece near a corner.
    """
    squares: dict[FaultKind, set[Square]] = {kind: set() for kind in REED_FAULTS}
    for fault in faults:
        if fault.kind in REED_FAULTS and fault.square is not None:
            squares[fault.kind].add(fault.square)
    within_reach = set(centred) | (set(aside) - squares[FaultKind.REED_NARROW])
    return (within_reach - squares[FaultKind.REED_OPEN]) | squares[FaultKind.REED_STUCK]


# --- places ---------------------------------------------------------------------------------------------------------


def _one_square(text: str, shape: Shape) -> tuple[Square]:
    return (shape.square(text),)


def _one_line(text: str, shape: Shape) -> tuple[MatrixLine]:
    lines: list[MatrixLine] = [*map(FileLine, range(shape.files)), *map(RankLine, range(shape.ranks))]
    for line in lines:
        if str(line) == text:
            return (line,)
    if re.fullmatch(r"[a-z]|[1-9]\d*", text):
        raise ValueError(f"{text} is no line of a board of {shape}")
    raise ValueError(f"{text!r} is no line: expected a file's letter or a rank's number, such as c or 3")


def _two_lines(text: str, shape: Shape) -> tuple[MatrixLine, ...]:
    names = text.split("-")
    lines = tuple(line for name in names for line in _one_line(name, shape))
    if len(lines) != LINES_JOINED or lines[0] == lines[1]:
        raise ValueError("expected two lines that touch, such as c-d, 3-4 or c-3")
    return lines


_Places = Callable[[str, Shape], tuple[Square | FileLine | RankLine, ...]]
_PLACES: Final[dict[FaultKind, _Places]] = {
    **dict.fromkeys(DIODE_FAULTS | REED_FAULTS, _one_square),
    FaultKind.SHORT: _two_lines,
    FaultKind.LINE_OPEN: _one_line,
}
