"""The possible faults of a switch matrix, as far as readings can tell them apart.

Squares are numbered rank by rank from a1. Lines are numbered too, files first and then ranks.
Functions find the lines of a square, and convert squares to bit masks and back.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from captains_table.games.contract import Shape


class SuspectKind(StrEnum):
    """The kinds of fault; faults that no reading can tell apart are one kind."""

    LINKED = "linked"  # diode missing, with a wire in its place, or bridged
    MUTE = "mute"  # does not conduct from file to rank: reed or diode broken, or diode reversed
    BROKEN = "broken"  # does not conduct at all
    REVERSED = "reversed"  # conducts from rank to file
    LEAKY = "leaky"  # conducts from rank to file at least: diode missing, bridged or reversed; on an open line
    STUCK = "stuck"  # the reed is always closed
    WIDE = "wide"  # a piece on the first square closes the reed of the second as well
    SHORT = "short"  # two lines touch
    OPEN = "open"  # a line is not connected to its pin


DIODES = frozenset({SuspectKind.LINKED, SuspectKind.MUTE, SuspectKind.BROKEN, SuspectKind.REVERSED})


@dataclass(frozen=True, slots=True, order=True)
class Suspect:
    """One possible fault.

    Attributes:
        kind: the kind of the fault.
        places: for OPEN the line without contact to its pin; for SHORT the two touching lines in ascending order; for
            WIDE the square with the piece, and the second square whose reed the piece closes; for any other kind the
            square of the fault.
    """

    kind: SuspectKind
    places: tuple[int, ...]


Suspects = frozenset[Suspect]
"""Faults that are assumed to be present together."""


def short(one: int, other: int) -> Suspect:
    """Return the fault that two lines touch each other."""
    return Suspect(SuspectKind.SHORT, (min(one, other), max(one, other)))


def matrix_lines_of(shape: Shape, square: int) -> tuple[int, int]:
    """Return the numbers of a square's two matrix lines, file first; rank lines are numbered after all file lines."""
    rank, file = divmod(square, shape.files)
    return file, shape.files + rank


def mask_of(squares: Iterable[int]) -> int:
    """Return the bit mask of some squares."""
    mask = 0
    for square in squares:
        mask |= 1 << square
    return mask


def squares_of(mask: int) -> list[int]:
    """Return the squares of a bit mask, in ascending order."""
    return [square for square in range(mask.bit_length()) if mask >> square & 1]
