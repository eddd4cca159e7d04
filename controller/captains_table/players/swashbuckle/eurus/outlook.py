"""What a sheet may still bring: the points expected and how far they spread, raids that are still open included.

Source: docs/rules/swashbuckle.md.
"""

from functools import lru_cache
from typing import Final

from captains_table.games.swashbuckle.sheet import BLIMEY, BLIMEY_FROM, SMOOTH_SAILING, Sheet
from captains_table.players.swashbuckle.adviser import counted_bonuses
from captains_table.players.swashbuckle.eurus.race import Forecast
from captains_table.players.swashbuckle.sheet_layout import (
    LOWER_FULL,
    SMOOTH,
    UPPER_FULL,
    LowerHalf,
    UpperHalf,
    halves_of,
)
from captains_table.players.swashbuckle.sheet_values import SheetValues, dot
from captains_table.players.swashbuckle.table_files import RAIDS, SPREAD, sheet_values, table_of

LEAST_VARIANCE: Final = 1.0  # of a sheet with an open box; the table is rounded
REMEMBERED: Final = 4096


class Outlook:
    """What sheets may still bring.

    Args:
        voluntary: whether boxes may be scuttled at will (W3).
        raid: how much more each point of piracy counts: 1 where one rival loses what is won, 2 where he loses double.
    """

    def __init__(self, *, voluntary: bool, raid: float) -> None:
        tables = {table_of(voluntary): 1.0}
        if raid:
            usual, raids = table_of(False), sheet_values(RAIDS)  # noqa: FBT003 - the adviser asks no other question
            tables[raids] = raid
            tables[usual] = tables.get(usual, 0.0) - raid
        self._tables: list[tuple[SheetValues, float]] = [(table, share) for table, share in tables.items() if share]
        self._spread = sheet_values(SPREAD)
        self.of_halves = lru_cache(maxsize=REMEMBERED)(self._of_halves)

    def forecast(self, sheet: Sheet) -> Forecast:
        """Return the final total of a player who begins his next turn with this sheet."""
        rest = self.of_halves(*halves_of(sheet))
        return Forecast(sheet.total - counted_bonuses(sheet) + rest.mean, rest.variance)

    def _of_halves(self, upper: UpperHalf, lower: LowerHalf) -> Forecast:
        """Return the points still to come, bonuses included."""
        if upper.filled == UPPER_FULL and lower.filled == LOWER_FULL:
            blimey = BLIMEY if upper.subtotal >= BLIMEY_FROM else 0
            return Forecast(blimey + (SMOOTH_SAILING if lower.flags & SMOOTH else 0), 0.0)
        mean = sum(share * dot(table.upper_row(upper), table.lower_row(lower)) for table, share in self._tables)
        variance = dot(self._spread.upper_row(upper), self._spread.lower_row(lower))
        return Forecast(mean, max(LEAST_VARIANCE, variance))
