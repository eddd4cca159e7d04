"""What a sheet may still bring: the points expected and how far they spread, raids that are still open included.

Source: docs/rules/swashbuckle.md.
"""

from dataclasses import replace
from functools import lru_cache
from typing import Final

from captains_table.games.swashbuckle.boxes import BOXES, CURSED_DICE, DICE
from captains_table.games.swashbuckle.sheet import BLIMEY, BLIMEY_FROM, SMOOTH_SAILING, Sheet
from captains_table.players.swashbuckle.eurus.last_turn import last_gains
from captains_table.players.swashbuckle.eurus.race import Gains, Rest
from captains_table.players.swashbuckle.sheet_layout import SMOOTH, LowerHalf, UpperHalf, halves_of
from captains_table.players.swashbuckle.sheet_turn import HouseRules, SheetTurn
from captains_table.players.swashbuckle.sheet_values import RAIDS, SPREAD, SheetValues, dot, sheet_values, table_of

LEAST_VARIANCE: Final = 1.0  # of a sheet with an open box; the table is rounded
REMEMBERED: Final = 4096
REMEMBERED_CURSES: Final = 32


class Outlook:
    """What sheets may still bring.

    Args:
        rules: what was agreed.
        raid: how much more each point of piracy counts: 1 where one rival loses what is won, 2 where he loses double.
    """

    def __init__(self, rules: HouseRules, raid: float) -> None:
        self._rules, self._raid = rules, raid
        tables = {table_of(rules.voluntary_scuttle): 1.0}
        if raid:
            usual, raids = table_of(False), sheet_values(RAIDS)  # noqa: FBT003 - the adviser asks no other question
            tables[raids] = raid
            tables[usual] = tables.get(usual, 0.0) - raid
        self._tables: list[tuple[SheetValues, float]] = [(table, share) for table, share in tables.items() if share]
        self._spread = sheet_values(SPREAD)
        self.of_halves = lru_cache(maxsize=REMEMBERED)(self._of_halves)
        self._cost = lru_cache(maxsize=REMEMBERED_CURSES)(self._cost_of_curse)

    def of_sheet(self, sheet: Sheet, *, cursed: bool = False) -> Rest:
        """Return what is still to come for a player who begins his next turn with this sheet."""
        upper, lower = halves_of(sheet)
        if not cursed or sheet.is_full:
            return self.of_halves(upper, lower)
        if len(sheet.open_boxes()) == 1:
            return _known(last_gains(upper, lower, self._rules, CURSED_DICE, self._raid))
        usual = self.of_halves(upper, lower)
        return Rest(usual.mean - self.cost_of_curse(sheet), usual.variance)

    def cost_of_curse(self, sheet: Sheet) -> float:
        """Return how many points a turn with four dice costs, the raid that it cannot make included (W7)."""
        return self._cost(replace(sheet, pillaged=None, cursed=None))

    def _of_halves(self, upper: UpperHalf, lower: LowerHalf) -> Rest:
        """Return the points still to come, bonuses included."""
        open_boxes = len(BOXES) - upper.filled.bit_count() - lower.filled.bit_count()
        if not open_boxes:
            blimey = BLIMEY if upper.subtotal >= BLIMEY_FROM else 0
            return Rest(blimey + (SMOOTH_SAILING if lower.flags & SMOOTH else 0), 0.0)
        if open_boxes == 1:
            return _known(last_gains(upper, lower, self._rules, DICE, self._raid))
        mean = sum(share * dot(table.upper_row(upper), table.lower_row(lower)) for table, share in self._tables)
        variance = dot(self._spread.upper_row(upper), self._spread.lower_row(lower))
        return Rest(mean, max(LEAST_VARIANCE, variance))

    def _cost_of_curse(self, sheet: Sheet) -> float:
        voluntary = self._rules.voluntary_scuttle
        table = sheet_values(RAIDS) if self._raid and not voluntary else table_of(voluntary)
        return table.of_sheet(sheet) - SheetTurn(sheet, table, self._rules, CURSED_DICE).before()


def _known(gains: Gains) -> Rest:
    mean = sum(points * chance for points, chance in gains)
    return Rest(mean, sum(chance * (points - mean) ** 2 for points, chance in gains), gains)
