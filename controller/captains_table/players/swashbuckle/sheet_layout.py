"""How a Swashbuckle sheet is numbered: what matters of it for the rest of a match, split into two halves.

The upper half is which of ones to sixes are filled and their subtotal, counted up to what the blimey bonus needs.
The lower half is which other boxes are filled, whether `swashbuckle` was scuttled, whether nothing is 0 so far, and
whether the hornswaggle is left. The value of a sheet is a matrix of upper halves by lower halves.
"""

from functools import cache
from typing import Final, NamedTuple

from captains_table.games.swashbuckle.boxes import DICE, LOWER, SWASHBUCKLE, UPPER
from captains_table.games.swashbuckle.sheet import BLIMEY_FROM, Sheet

UPPER_BOXES: Final = len(UPPER)
LOWER_BOXES: Final = len(LOWER)
UPPER_FULL: Final = (1 << UPPER_BOXES) - 1
LOWER_FULL: Final = (1 << LOWER_BOXES) - 1
SWASHBUCKLE_BIT: Final = 1 << LOWER.index(SWASHBUCKLE)

HORNSWAGGLE_LEFT: Final = 1  # the flags of a lower half
SMOOTH: Final = 2
SCUTTLED: Final = 4
FLAGS: Final = 8


class UpperHalf(NamedTuple):
    """Filled boxes as bits in the sheet's order, and their subtotal up to `BLIMEY_FROM`."""

    filled: int
    subtotal: int

    def with_box(self, box: int, points: int) -> "UpperHalf":
        """Return the half with a box (its place) filled."""
        return UpperHalf(self.filled | 1 << box, min(BLIMEY_FROM, self.subtotal + points))


class LowerHalf(NamedTuple):
    """Filled boxes as bits in the sheet's order, and flags."""

    filled: int
    flags: int

    def with_box(self, box: int, *, scuttled: bool = False) -> "LowerHalf":
        """Return the half with a box (its place among the lower ones) filled."""
        bit = 1 << box
        flags = self.flags if not scuttled else self.scuttled().flags
        return LowerHalf(self.filled | bit, flags | SCUTTLED if scuttled and bit == SWASHBUCKLE_BIT else flags)

    def scuttled(self) -> "LowerHalf":
        """Return the half after a 0 was written somewhere."""
        return LowerHalf(self.filled, self.flags & ~SMOOTH)

    def without_hornswaggle(self) -> "LowerHalf":
        """Return the half with the hornswaggle spent."""
        return LowerHalf(self.filled, self.flags & ~HORNSWAGGLE_LEFT)


def halves_of(sheet: Sheet) -> tuple[UpperHalf, LowerHalf]:
    """Return what matters of a sheet."""
    filled = [value is not None for value in sheet.filled]
    upper = sum(is_filled << place for place, is_filled in enumerate(filled[:UPPER_BOXES]))
    lower = sum(is_filled << place for place, is_filled in enumerate(filled[UPPER_BOXES:]))
    flags = 0 if sheet.hornswaggled else HORNSWAGGLE_LEFT
    flags |= 0 if 0 in sheet.filled else SMOOTH
    flags |= SCUTTLED if sheet[SWASHBUCKLE] == 0 else 0
    return UpperHalf(upper, min(BLIMEY_FROM, sheet.subtotal)), LowerHalf(lower, flags)


@cache
def upper_halves() -> dict[UpperHalf, int]:
    """Return every upper half that can be reached and its index; those with more filled boxes come first."""
    reached = {UpperHalf(0, 0)}
    layer = reached
    for _ in range(UPPER_BOXES):
        layer = {
            half.with_box(box, (box + 1) * count)
            for half in layer
            for box in range(UPPER_BOXES)
            if not half.filled >> box & 1
            for count in range(DICE + 1)
        }
        reached = reached | layer
    in_order = sorted(reached, key=lambda half: (-half.filled.bit_count(), half))
    return {half: index for index, half in enumerate(in_order)}


@cache
def lower_halves() -> dict[LowerHalf, int]:
    """Return every lower half and its index: by filled boxes, then by flags."""
    in_order = [
        LowerHalf(filled, flags)
        for filled in range(LOWER_FULL + 1)
        for flags in range(FLAGS if filled & SWASHBUCKLE_BIT else SCUTTLED)
    ]
    return {half: index for index, half in enumerate(in_order)}
