"""How a wall is laid out: as many tables as can be read, sized by their number, on as many pages as that takes.

Lengths are in units of the page's letters (`rem`), of which a projector's screen has 120 by 67.5, whatever its pixels:
every screen shows the same picture. A narrow one, such as a phone's, has a list instead.
"""

from dataclasses import dataclass
from math import ceil
from typing import Final

ACROSS, DOWN = 120, 67.5
SMALLEST_UNIT: Final = 10.5
"""Pixels of a unit on small screens: letters stay legible, and fewer tables have room."""
LIST_BELOW: Final = 700
"""A window that is narrower (px) shows a list, which scrolls."""
LISTED: Final = 40
"""Tables on a page of a list."""
LARGEST_WINDOW: Final = 16_384

HEAD, FOOT, GAP = 4.6, 5.0, 0.8
ASIDE: Final = 37.0
ASIDE_FROM: Final = 96.0
"""A window that is less wide has no room for a featured table beside the others."""
FEATURED_FROM: Final = 5
"""With fewer tables every one is large already, and none is shown larger."""
LEAST_WIDTH, LEAST_HEIGHT = 15.0, 12.6
IDEAL: Final = 1.3
"""Width to height of a table on the wall: a board, and beside it who plays."""
MOST_TILES: Final = 60


@dataclass(frozen=True, slots=True)
class Window:
    """A browser's window in pixels."""

    width: int = 1920
    height: int = 1080

    @property
    def unit(self) -> float:
        """Pixels of a unit."""
        return max(SMALLEST_UNIT, min(self.width / ACROSS, self.height / DOWN))

    @property
    def is_narrow(self) -> bool:
        """Whether tables are listed below each other."""
        return self.width < LIST_BELOW


@dataclass(frozen=True, slots=True)
class Plan:
    """A wall's layout.

    Attributes:
        columns, rows: of the tables on a page; a list has one column.
        pages: how many there are, at least 1.
        aside: whether there is room for a featured table, and standings, beside them.
        is_list: whether tables are listed below each other.
    """

    columns: int
    rows: int
    pages: int
    aside: bool = False
    is_list: bool = False

    @property
    def room(self) -> int:
        """Tables on a page."""
        return self.columns * self.rows

    @property
    def shows_large(self) -> bool:
        """Whether tables are so large that each shows all that is said of it."""
        return not self.is_list and self.pages == 1 and self.room < FEATURED_FROM

    def page(self, number: int) -> slice:
        """Return which tables are on a page; numbers go round."""
        first = number % self.pages * self.room
        return slice(first, first + self.room)


def planned(window: Window, tables: int, *, wants_aside: bool = False) -> Plan:
    """Return how so many tables are laid out in a window.

    Args:
        window: in pixels.
        tables: how many.
        wants_aside: whether something beside them is to be seen though they are few: standings, the arbiter's choice.
    """
    if window.is_narrow:
        return Plan(1, LISTED, max(1, ceil(tables / LISTED)), is_list=True)
    width, height = window.width / window.unit, window.height / window.unit
    aside = width >= ASIDE_FROM and (tables >= FEATURED_FROM or (wants_aside and tables > 0))
    width, height = width - GAP - aside * (ASIDE + GAP), height - HEAD - FOOT - GAP
    most_across, most_down = max(1, int(width / (LEAST_WIDTH + GAP))), max(1, int(height / (LEAST_HEIGHT + GAP)))
    most_across = min(most_across, MOST_TILES)
    most_down = max(1, min(most_down, MOST_TILES // most_across))
    pages = max(1, ceil(tables / (most_across * most_down)))
    columns, rows = _grid(ceil(tables / pages), width, height, most_across, most_down)
    return Plan(columns, rows, pages, aside)


def _grid(tables: int, width: float, height: float, most_across: int, most_down: int) -> tuple[int, int]:
    """Return columns and rows that make tables largest; of those alike, with the fewest places left empty."""
    found = [(columns, ceil(max(1, tables) / columns)) for columns in range(1, most_across + 1)]
    return max(
        (grid for grid in found if grid[1] <= most_down),
        key=lambda grid: (round(min(width / grid[0] / IDEAL, height / grid[1]), 2), -grid[0] * grid[1]),
    )
