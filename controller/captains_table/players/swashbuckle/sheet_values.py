"""The expected value of the rest of a Swashbuckle match on any sheet, read from a compressed table.

The exact values of all 17 million sheets (computed by `solver`) form a matrix with a row for each lower half and a
column for each upper half. To fit on a small computer, the matrix is stored as a low-rank approximation: a sum of
products of a column and a row. The file:

    8 bytes    b"CAPSWSH1"
    4 x 4      little-endian: terms, upper halves, lower halves (unsigned), checksum (CRC-32 of all that follows)
    8          the exact value of an empty sheet (float64)
    terms x 4  the step of each term's upper numbers (float32), then the same for the lower
    then       upper halves x terms numbers (int16), lower halves x terms numbers

A sheet is reduced to two halves, which contain all that matters for the rest of a match. The upper half tells which of
the boxes for ones to sixes are filled, and their subtotal up to the threshold of the blimey bonus. The lower half tells
which other boxes are filled, whether `swashbuckle` was scuttled, whether no box contains 0, and whether the hornswaggle
is left.

There are tables with and without voluntary scuttling, a table that counts raids, and a table of variances.
"""

import struct
from array import array
from binascii import crc32
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from operator import mul
from typing import Final, NamedTuple

from captains_table.games.swashbuckle.sheet import (
    BLIMEY_FROM,
    DICE_COUNT,
    LOWER,
    SWASHBUCKLE as SWASHBUCKLE_BOX,
    UPPER,
    Sheet,
)

UPPER_BOXES: Final = len(UPPER)
LOWER_BOXES: Final = len(LOWER)
UPPER_FULL: Final = (1 << UPPER_BOXES) - 1
LOWER_FULL: Final = (1 << LOWER_BOXES) - 1
SWASHBUCKLE_BIT: Final = 1 << LOWER.index(SWASHBUCKLE_BOX)
HORNSWAGGLE_LEFT: Final = 1  # the flags of a lower half
SMOOTH: Final = 2
SCUTTLED: Final = 4
FLAGS: Final = 8
MAGIC: Final = b"CAPSWSH1"
HEADER: Final = struct.Struct("<8sIIIId")
STEP_BYTES: Final = 4
NUMBER_BYTES: Final = 2
EMPTY: Final = Sheet()
FOLDER: Final = "tables"
SWASHBUCKLE_FILE: Final = "swashbuckle.values"
SWASHBUCKLE_VOLUNTARY: Final = "swashbuckle-voluntary.values"
RAIDS: Final = "swashbuckle-raids.values"  # points of piracy count twice, because a rival loses them
SPREAD: Final = "swashbuckle-spread.values"  # the variance of the points still to come, under the policy of RAIDS
SOLVED: Final = {(): SWASHBUCKLE_FILE, (("voluntary_scuttle", "true"),): SWASHBUCKLE_VOLUNTARY}


class UpperHalf(NamedTuple):
    """The upper half of a sheet: its filled boxes as bits in sheet order, and their subtotal, at most `BLIMEY_FROM`."""

    filled: int
    subtotal: int

    def with_box(self, box: int, points: int) -> "UpperHalf":
        """Return the half after filling a box; `box` is the box's place in the sheet, from 0."""
        return UpperHalf(self.filled | 1 << box, min(BLIMEY_FROM, self.subtotal + points))


class LowerHalf(NamedTuple):
    """The lower half of a sheet.

    Attributes:
        filled: the filled boxes as bits in sheet order.
        flags: `HORNSWAGGLE_LEFT` if the extra throw is left, `SMOOTH` if no box of the whole sheet was filled with 0,
            and `SCUTTLED` if the box swashbuckle was filled with 0.
    """

    filled: int
    flags: int

    def with_box(self, box: int, *, scuttled: bool = False) -> "LowerHalf":
        """Return the half after filling a box, with 0 points if `scuttled`.

        `box` is the box's place among the lower boxes, from 0.
        """
        bit = 1 << box
        flags = self.flags if not scuttled else self.scuttled().flags
        return LowerHalf(self.filled | bit, flags | SCUTTLED if scuttled and bit == SWASHBUCKLE_BIT else flags)

    def scuttled(self) -> "LowerHalf":
        """Return the half with the flags that apply once any box of the sheet, upper or lower, was filled with 0."""
        return LowerHalf(self.filled, self.flags & ~SMOOTH)


def sheet_halves(sheet: Sheet) -> tuple[UpperHalf, LowerHalf]:
    """Return the two halves of a sheet."""
    filled = [value is not None for value in sheet.filled]
    upper = sum(is_filled << place for place, is_filled in enumerate(filled[:UPPER_BOXES]))
    lower = sum(is_filled << place for place, is_filled in enumerate(filled[UPPER_BOXES:]))
    flags = 0 if sheet.hornswaggled else HORNSWAGGLE_LEFT
    flags |= 0 if 0 in sheet.filled else SMOOTH
    flags |= SCUTTLED if sheet[SWASHBUCKLE_BOX] == 0 else 0
    return UpperHalf(upper, min(BLIMEY_FROM, sheet.subtotal)), LowerHalf(lower, flags)


@cache
def upper_halves() -> dict[UpperHalf, int]:
    """Map every reachable upper half to its index; halves with more filled boxes come first."""
    reached = {UpperHalf(0, 0)}
    layer = reached
    for _ in range(UPPER_BOXES):
        layer = {
            half.with_box(box, (box + 1) * count)
            for half in layer
            for box in range(UPPER_BOXES)
            if not half.filled >> box & 1
            for count in range(DICE_COUNT + 1)
        }
        reached = reached | layer
    in_order = sorted(reached, key=lambda half: (-half.filled.bit_count(), half))
    return {half: index for index, half in enumerate(in_order)}


@cache
def lower_halves() -> dict[LowerHalf, int]:
    """Map every lower half to its index; the halves are sorted by the number `filled`, then by the number `flags`."""
    in_order = [
        LowerHalf(filled, flags)
        for filled in range(LOWER_FULL + 1)
        for flags in range(FLAGS if filled & SWASHBUCKLE_BIT else SCUTTLED)
    ]
    return {half: index for index, half in enumerate(in_order)}


class BadTable(ValueError):
    """The bytes are not a valid table of sheet values."""


class SheetValues:
    """The expected value of the rest of a match for any sheet, read from a table.

    Attributes:
        optimum: the exact value of an empty sheet.
    """

    def __init__(self, data: bytes) -> None:
        """Read a table from bytes; raises BadTable if they are no valid table."""
        if len(data) < HEADER.size or not data.startswith(MAGIC):
            raise BadTable(f"{len(data)} bytes: expected a table of sheets that begins with {MAGIC.decode()}")
        _, terms, uppers, lowers, checksum, self.optimum = HEADER.unpack_from(data)
        expected = HEADER.size + 2 * STEP_BYTES * terms + NUMBER_BYTES * terms * (uppers + lowers)
        if len(data) != expected or (uppers, lowers) != (len(upper_halves()), len(lower_halves())):
            raise BadTable(f"a table of {uppers} by {lowers} halves in {len(data)} bytes: expected {expected}")
        if crc32(data[HEADER.size - 8 :]) != checksum:
            raise BadTable("the table's checksum is wrong: expected the file as it was made (make tables)")
        self.terms = terms
        steps = struct.unpack_from(f"<{2 * terms}f", data, HEADER.size)
        numbers = array("h", data[HEADER.size + 2 * STEP_BYTES * terms :])
        if struct.pack("=h", 1) != struct.pack("<h", 1):
            numbers.byteswap()
        split = terms * uppers
        both = [upper * lower for upper, lower in zip(steps[:terms], steps[terms:], strict=True)]
        self._upper = array("f", map(mul, numbers[:split], both * uppers))
        self._lower = numbers[split:]

    def upper_row(self, half: UpperHalf) -> "array[float]":
        """Return the factors for an upper half; their dot product with those of a lower half is the sheet's value."""
        at = self.terms * upper_halves()[half]
        return self._upper[at : at + self.terms]

    def lower_row(self, half: LowerHalf) -> "array[int]":
        """Return the factors for a lower half; their dot product with those of an upper half is the sheet's value."""
        at = self.terms * lower_halves()[half]
        return self._lower[at : at + self.terms]

    def of_halves(self, upper: UpperHalf, lower: LowerHalf) -> float:
        """Return the expected points still to come on a sheet with these halves."""
        return dot(self.upper_row(upper), self.lower_row(lower))

    def of_sheet(self, sheet: Sheet) -> float:
        """Return the expected points still to come on a sheet, including bonuses; exact for an empty or full sheet."""
        if sheet == EMPTY:
            return float(self.optimum)
        return float(sheet.blimey + sheet.smooth_sailing) if sheet.is_full else self.of_halves(*sheet_halves(sheet))


def dot(upper: "array[float]", lower: "array[int]") -> float:
    """Return the value of a sheet: the dot product of the rows of its two halves."""
    return float(sum(map(mul, upper, lower)))


class TablesMissing(RuntimeError):
    """The package lacks a table file."""


@cache
def sheet_values(name: str = SWASHBUCKLE_FILE) -> SheetValues:
    """Return the table in a file of this name; the result is cached.

    Raises:
        TablesMissing: the package lacks the file.
        BadTable: the file is no valid table.
    """
    try:
        return SheetValues((files("captains_table.players.swashbuckle") / FOLDER / name).read_bytes())
    except FileNotFoundError as error:
        raise TablesMissing(f"the package lacks {FOLDER}/{name}: expected it made by `make tables`") from error


def table_of(voluntary: bool) -> SheetValues:  # noqa: FBT001 - the only argument
    """Return the table of sheet values with or without voluntary scuttling (docs/rules/swashbuckle.md W3)."""
    return sheet_values(SWASHBUCKLE_VOLUNTARY if voluntary else SWASHBUCKLE_FILE)


def optimum_alone(options: Mapping[str, str]) -> float | None:
    """Return the expected plunder of a player without opponents under best play.

    The result is `None` for options for which the package has no table of sheet values.
    """
    name = SOLVED.get(tuple(options.items()))
    return None if name is None else sheet_values(name).optimum
