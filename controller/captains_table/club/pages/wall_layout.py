"""Computes the layout of the wall for a browser's window, and chooses the table that is shown large.

Lengths are in units of the page's letters (`rem`). A projector's screen has 120 by 67.5 units at any resolution, so
that all such screens show the same picture; an upright one has 67.5 by 120. A narrow window, such as a phone's, gets a
list instead.

The table shown large is the arbiter's choice, or else one with a high excitement. Excitement is a sum of points for
what everybody in the room can see:

| Points | For |
|---|---|
| up to 30 | a close score: 30 if the two best are level, none if the second has nothing |
| up to 30 | a late stage: 30 times the share of the match that is played, by its heading ("Turn 12 of 16") |
| 40 | a king, a crown or everything (by Davy Jones) was just taken |
| 15, and 3 for each bidder | an auction in which somebody has bid |
| 20 | the player on turn has less than half a minute left |
| 5 | dice tumble |
| 10 | a match that has ended; of the other points, only those for a close score are added |

A table that is idle or offline has no points.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import ceil
from typing import Final

from captains_table.club.intake.table_state import Glance
from captains_table.games.contract import EventKind
from captains_table.table.model.view import Phase
from captains_table.web.cards import main_tally

LONG_SIDE, SHORT_SIDE = 120, 67.5
SMALLEST_UNIT: Final = 10.5
"""The least size of a unit in pixels: on small screens letters stay legible, and there is room for fewer tables."""
LIST_BELOW: Final = 700
"""A window narrower than this (px) shows a list, which scrolls."""
LISTED: Final = 40
"""How many tables a page of a list has."""
LARGEST_WINDOW: Final = 16_384
HEAD, FOOT, GAP = 4.6, 7.4, 0.8
UPRIGHT_HEAD, UPRIGHT_FOOT = 8.4, 10.4
ASIDE: Final = 37.0
"""The width of the column with the featured table and standings; in an upright window, the height of their row."""
ASIDE_FROM: Final = 96.0
"""A window whose longer side is shorter than this (units) has no room for a featured table next to the others."""
FEATURED_FROM: Final = 5
"""With fewer tables every one is large already, and none is featured."""
LEAST_WIDTH, LEAST_HEIGHT = 15.0, 12.6
IDEAL: Final = 1.3
"""The best ratio of width to height of a table on the wall: a board, and next to it the players."""
MOST_TILES: Final = 60
CLOSE, LATE, TAKEN, AUCTION, BIDDER, HURRY, TUMBLING, ENDED = 30, 30, 40, 15, 3, 20, 5, 10
HURRY_S: Final = 30
LINE_HEAD, LINE_MARGIN, LINE, MOST_COLUMNS = 8.0, 2.5, 1.5, 3
LETTER, LINE_EXTRA = 0.56, 11.0
"""A letter's width and what a line has besides names, in the size of its letters."""
LEAST_LETTER, LARGEST_LETTER = 1.4, 4.0
TAKINGS: Final = frozenset({EventKind.KING, EventKind.CROWN, EventKind.DAVY_JONES})
STAYS_S: Final = 20.0
"""How long a table is shown large at least, unless another leads by `TAKEN` points."""
LEAVES_S: Final = 90.0
"""How long a table is shown large at most, if another one has any excitement."""
MARGIN: Final = 8
"""By how many points another table must lead to replace the table shown large."""
_OF: Final = re.compile(r"(\d{1,4}) of (\d{1,4})")


@dataclass(frozen=True, slots=True)
class BrowserWindow:
    """A browser's window in pixels."""

    width: int = 1920
    height: int = 1080

    @property
    def unit(self) -> float:
        """The size of a unit (`rem`) in pixels."""
        longer, shorter = max(self.width, self.height), min(self.width, self.height)
        return max(SMALLEST_UNIT, min(longer / LONG_SIDE, shorter / SHORT_SIDE))

    @property
    def is_narrow(self) -> bool:
        """Whether the window is so narrow that tables are shown as a list."""
        return self.width < LIST_BELOW

    @property
    def is_upright(self) -> bool:
        """Whether the window is higher than wide."""
        return self.height > self.width

    @property
    def has_aside(self) -> bool:
        """Whether there is room for a featured table and standings next to the tables."""
        return not self.is_narrow and max(self.width, self.height) / self.unit >= ASIDE_FROM

    def area(self, *, aside: bool) -> tuple[float, float]:
        """Return the width and height in units that are left for the tables, with or without the side column."""
        beside = aside * (ASIDE + GAP)
        width, height = self.width / self.unit - GAP, self.height / self.unit - GAP
        if self.is_upright:
            return width, height - UPRIGHT_HEAD - UPRIGHT_FOOT - beside
        return width - beside, height - HEAD - FOOT


@dataclass(frozen=True, slots=True)
class PagedLayout:
    """A layout of items, such as tables, that take turns if there are more than a page has room for.

    Attributes:
        columns, rows: how many columns and rows of items a page has; a list has one column.
        pages: the number of pages, at least 1.
    """

    columns: int
    rows: int
    pages: int

    @property
    def room(self) -> int:
        """The greatest number of items on a page."""
        return self.columns * self.rows

    def page(self, number: int) -> slice:
        """Return the slice of the list of items that a page shows; pages count from 0, and numbers wrap around."""
        first = number % self.pages * self.room
        return slice(first, first + self.room)


@dataclass(frozen=True, slots=True)
class WallLayout(PagedLayout):
    """A wall's layout.

    Attributes:
        aside: whether there is a side column for the featured table and standings.
        is_list: whether tables are shown as a list.
    """

    aside: bool = False
    is_list: bool = False

    @property
    def shows_large(self) -> bool:
        """Whether there are so few tables that each tile is large and shows all details."""
        return not self.is_list and self.pages == 1 and self.room < FEATURED_FROM


@dataclass(frozen=True, slots=True)
class LineLayout(PagedLayout):
    """The layout of a list of lines; `letter` is the size of its letters in units."""

    letter: float


def lay_out_lines(window: BrowserWindow, count: int, letters: int, *, beside: bool = False) -> LineLayout:
    """Return the layout that shows lines of names largest; lines that would be too small to read take several pages.

    Args:
        window: the size of the browser's window.
        count: the number of lines.
        letters: how many letters the names of the longest line have.
        beside: whether the list stands in the side column.
    """
    if window.is_narrow:
        return LineLayout(1, count, 1, 1.0)
    width, height = window.area(aside=False)
    if beside:
        width, height = (width, ASIDE) if window.is_upright else (ASIDE, height)
    width, height = width - 2 * LINE_MARGIN, height - LINE_HEAD
    em = LINE_EXTRA + LETTER * letters
    found = [
        LineLayout(columns, ceil(count / columns), 1, min(width / columns / em, height / ceil(count / columns) / LINE))
        for columns in range(1, MOST_COLUMNS + 1)
    ]
    best = max(found, key=lambda layout: layout.letter)
    if best.letter >= LEAST_LETTER:
        return replace(best, letter=min(best.letter, LARGEST_LETTER))
    columns, lines = max(1, int(width / em / LEAST_LETTER)), max(1, int(height / LINE / LEAST_LETTER))
    pages = ceil(count / (columns * lines))
    return LineLayout(columns, ceil(ceil(count / pages) / columns), pages, LEAST_LETTER)


def lay_out_wall(
    window: BrowserWindow, tables: int, *, wants_aside: bool = False, may_feature: bool = True
) -> WallLayout:
    """Return the layout of the wall: the page that shows all tables of the club.

    Args:
        window: the size of the browser's window.
        tables: the number of tables.
        wants_aside: whether a wide window gets the side column even for few tables, to show standings or a table that
            the arbiter chose.
        may_feature: whether one of many tables can be shown large.
    """
    if window.is_narrow:
        return WallLayout(1, LISTED, max(1, ceil(tables / LISTED)), is_list=True)
    aside = window.has_aside and tables > 0 and (wants_aside or (may_feature and tables >= FEATURED_FROM))
    width, height = window.area(aside=aside)
    most_across, most_down = max(1, int(width / (LEAST_WIDTH + GAP))), max(1, int(height / (LEAST_HEIGHT + GAP)))
    most_across = min(most_across, MOST_TILES)
    most_down = max(1, min(most_down, MOST_TILES // most_across))
    pages = max(1, ceil(tables / (most_across * most_down)))
    columns, rows = _grid(ceil(tables / pages), width, height, most_across, most_down)
    return WallLayout(columns, rows, pages, aside)


def _grid(tables: int, width: float, height: float, most_across: int, most_down: int) -> tuple[int, int]:
    """Return the numbers of columns and rows that show the tables largest.

    If several grids show them equally large, the grid with the fewest places is chosen.
    """
    found = [(columns, ceil(max(1, tables) / columns)) for columns in range(1, most_across + 1)]
    return max(
        (grid for grid in found if grid[1] <= most_down),
        key=lambda grid: (round(min(width / grid[0] / IDEAL, height / grid[1]), 2), -grid[0] * grid[1]),
    )


@dataclass(frozen=True, slots=True)
class Featured:
    """The table that is shown large, and since when (monotonic seconds)."""

    user: str
    since_s: float


def excitement(glance: Glance) -> int:
    """Return the excitement of a table, from 0: the sum of the points in the module's docstring."""
    if glance.phase is Phase.IDLE:
        return 0
    if glance.phase is Phase.OVER:
        return ENDED + _closeness(glance)
    return (
        _closeness(glance)
        + round(LATE * _share_played(glance))
        + TAKEN * any(event.kind in TAKINGS for event in glance.latest_events)
        + _auction(glance)
        + HURRY * any(seat.on_turn and _is_hurried(seat.seconds_left) for seat in glance.seats)
        + TUMBLING * glance.is_throwing
    )


def featured(current: Featured | None, points: Mapping[str, int], now_s: float, chosen: str = "") -> Featured | None:
    """Return the table that is shown large now; `None` if no table is online.

    The table that the arbiter chose is shown if it is online. Otherwise the current table stays while it is online and
    has points, until the best other table with points replaces it. This happens at once if the other table leads by
    `TAKEN` points, after `STAYS_S` if it leads by `MARGIN` points, and after `LEAVES_S` in any case. If there is no
    current table, or it does not stay, the table with the most points is shown.

    Args:
        current: the table shown large until now; `None` if there was none.
        points: the excitement of each table that is online, by its user name.
        now_s: the time in monotonic seconds.
        chosen: the user name of the table that the arbiter chose; empty if the arbiter chose none.
    """
    if chosen in points:
        return current if current is not None and current.user == chosen else Featured(chosen, now_s)
    best = max(points, key=points.__getitem__, default=None)
    if best is None:
        return None
    if current is None or current.user not in points or not points[current.user]:
        return Featured(best, now_s)
    others = {user: worth for user, worth in points.items() if user != current.user}
    other = max(others, key=others.__getitem__, default=None)
    if other is None or not others[other]:
        return current
    shown_s, more = now_s - current.since_s, others[other] - points[current.user]
    is_time = more >= TAKEN or (shown_s >= STAYS_S and more >= MARGIN) or shown_s >= LEAVES_S
    return Featured(other, now_s) if is_time else current


def _closeness(glance: Glance) -> int:
    ranking = [seat.tallies.get(main_tally(list(seat.tallies))) for seat in glance.seats]
    scores = [score for score in ranking if score is not None]
    if len(scores) < 2:  # noqa: PLR2004 - one score alone is not close
        return 0
    best, second = sorted(scores, reverse=True)[:2]
    return 0 if best <= 0 else round(CLOSE * max(0.0, second / best))


def _share_played(glance: Glance) -> float:
    """Return how much of the match is already played, from 0 to 1, according to a heading such as `Round 3 of 10`.

    Return 0 if the heading does not state it.
    """
    said = _OF.search(glance.heading)
    if said is not None and int(said[2]):
        return min(1.0, int(said[1]) / int(said[2]))
    return 0.0


def _auction(glance: Glance) -> int:
    bidders = sum(bool(seat.bid) for seat in glance.seats)
    return AUCTION + BIDDER * bidders if bidders else 0


def _is_hurried(seconds_left: int | None) -> bool:
    return seconds_left is not None and seconds_left < HURRY_S
