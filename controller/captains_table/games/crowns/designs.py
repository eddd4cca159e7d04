"""A player's piece: its name and two grids, what it may cost and what is left of the points.

Rules: docs/rules/crowns.md D4, D5.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

from captains_table.games.crowns.grids import HALVES, BadGrid, Grid, parse_grid

POINTS: Final = 25
LONGEST_NAME: Final = 20
FORM: Final = "NAME: STANDARD / LEVELLED"


class BadDesign(ValueError):  # noqa: N818 - named by its condition
    """A piece is designed in a way that the rules do not allow, or written so that it cannot be read."""


@dataclass(frozen=True)
class Design:
    """A piece as it was designed.

    Attributes:
        name: what its player calls it.
        standard: how it moves at first, and again after it was captured.
        levelled: how it moves once levelled up.
    """

    name: str
    standard: Grid
    levelled: Grid

    @property
    def value(self) -> int:
        """What it counts for, whichever grid is in use (D4)."""
        return self.standard.price

    @property
    def rings(self) -> int:
        """The gold that unspent points become, rounded down (D4)."""
        return (POINTS * HALVES - self.standard.net - self.levelled.net) // HALVES

    def __str__(self) -> str:
        return f"{self.name}: {self.standard} / {self.levelled}"


def check_design(design: Design) -> None:
    """Raise BadDesign unless a piece may be played with (D4)."""
    standard, levelled = design.standard.net, design.levelled.net
    if standard + levelled > POINTS * HALVES:
        spent = f"{points(standard)} and {points(levelled)} is {points(standard + levelled)}"
        raise BadDesign(f"{design.name} costs too much: {spent}, expected at most {POINTS} points together")
    if levelled <= standard:
        raise BadDesign(
            f"{design.name}: the levelled-up grid costs {points(levelled)} and the standard one {points(standard)}, "
            "each after its discount: expected it to cost more"
        )


def points(halves: int) -> str:
    """Return a number of halves as points: 17, or 3.5."""
    whole, half = divmod(halves, HALVES)
    return f"{whole}.5" if half else str(whole)


@cache
def parse_design(text: str) -> Design:
    """Return the piece that is written as `NAME: STANDARD / LEVELLED`.

    Raises:
        BadDesign: it is written otherwise, or the rules do not allow it.
    """
    name, colon, grids = text.partition(":")
    name = name.strip()
    if not colon:
        raise BadDesign(f"{text[:60]!r} is no piece: expected {FORM}, such as Ferris: b4 d4 / b5 d5")
    if not name.isprintable() or not 1 <= len(name) <= LONGEST_NAME:
        raise BadDesign(f"{name[:LONGEST_NAME]!r} is no name of a piece: expected 1 to {LONGEST_NAME} characters")
    standard, slash, levelled = grids.partition("/")
    if not slash or "/" in levelled:
        raise BadDesign(f"{name} has {grids.count('/') + 1} grids: expected two with a / between them, {FORM}")
    try:
        design = Design(name, parse_grid(standard), parse_grid(levelled))
    except BadGrid as error:
        raise BadDesign(f"{name}: {error}") from error
    check_design(design)
    return design
