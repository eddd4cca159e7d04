"""Forecast of the points that a Swashbuckle sheet may still gain: mean and variance, including future raids.

For a sheet with one open box, the exact distribution is computed. The forecast includes the cost of a curse (W7).

Source: docs/rules/swashbuckle.md.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Final

from captains_table.games.contract import Pick
from captains_table.games.swashbuckle.sheet import (
    BLIMEY,
    BLIMEY_FROM,
    BOXES,
    CURSED_DICE,
    DICE_COUNT,
    HORNSWAGGLE,
    LOWER,
    MOST_PIRACY,
    PIRACY,
    SCORE,
    SMOOTH_SAILING,
    SWASHBUCKLE,
    UPPER,
    Sheet,
    is_five_alike,
)
from captains_table.games.swashbuckle.state import SWASHBUCKLE_THROWS
from captains_table.players.common.hold_solver import dice_multisets
from captains_table.players.swashbuckle.eurus.race import Gains, Rest
from captains_table.players.swashbuckle.sheet_turn import (
    HouseRules,
    SheetTurn,
    TurnAnswer,
    piracy_standing,
    throw_chances,
)
from captains_table.players.swashbuckle.sheet_values import (
    HORNSWAGGLE_LEFT,
    RAIDS,
    SCUTTLED,
    SMOOTH,
    SPREAD,
    UPPER_FULL,
    LowerHalf,
    SheetValues,
    UpperHalf,
    sheet_halves,
    sheet_values,
    table_of,
)

REMEMBERED_TURNS: Final = 1024
LEAST_SUBTOTAL: Final = 6  # stands for all subtotals that miss the blimey bonus: one point in each box
FOR_PIRACY: Final = Pick(f"{SCORE}{PIRACY}")
LEAST_VARIANCE: Final = 1.0  # of a sheet with several open boxes, because the table is rounded
REMEMBERED: Final = 4096
REMEMBERED_CURSES: Final = 32


def last_gains(upper: UpperHalf, lower: LowerHalf, rules: HouseRules, dice: int, raid: float) -> Gains:
    """Return the distribution of the points that a sheet with one open box may still gain, including bonuses.

    Args:
        upper: the sheet's upper half.
        lower: the sheet's lower half.
        rules: the house rules.
        dice: the number of dice, five, or four under a curse.
        raid: the additional weight of each point of piracy.
    """
    return _gains_of(_alike(upper), lower, rules, dice, raid)


def _alike(upper: UpperHalf) -> UpperHalf:
    """Return the cache key of an upper half for sheets with one open box: the same for all equivalent upper halves.

    If the open box is an upper one, upper halves are equivalent if the same number of dice with the box's face earns
    the blimey bonus. If the open box is a lower one, only the blimey bonus matters: earned or not.
    """
    if upper.filled == UPPER_FULL:
        return UpperHalf(upper.filled, upper.subtotal if upper.subtotal == BLIMEY_FROM else LEAST_SUBTOTAL)
    face = (UPPER_FULL & ~upper.filled).bit_length()  # of the open box
    needed = -(-(BLIMEY_FROM - upper.subtotal) // face)  # dice of the open box's face
    return UpperHalf(upper.filled, BLIMEY_FROM - face * needed if needed <= DICE_COUNT else LEAST_SUBTOTAL)


@lru_cache(maxsize=REMEMBERED_TURNS)
def _gains_of(upper: UpperHalf, lower: LowerHalf, rules: HouseRules, dice: int, raid: float) -> Gains:
    gains: defaultdict[float, float] = defaultdict(float)
    for gain, share in _LastTurn(sheet_of(upper, lower), rules, dice, raid).gains():
        gains[round(gain, 6)] += share
    return tuple(sorted(gains.items()))


def sheet_of(upper: UpperHalf, lower: LowerHalf) -> Sheet:
    """Return a sheet that has these halves."""
    filler = 1 if lower.flags & SMOOTH else 0
    nest = [filler if upper.filled >> box & 1 else None for box in range(len(UPPER))]
    if upper.filled:
        first = next(box for box, value in enumerate(nest) if value is not None)
        nest[first] = upper.subtotal - filler * (upper.filled.bit_count() - 1)
    bilge: list[int | None] = [filler if lower.filled >> box & 1 else None for box in range(len(LOWER))]
    swashbuckle = LOWER.index(SWASHBUCKLE)
    if bilge[swashbuckle] is not None:
        bilge[swashbuckle] = 0 if lower.flags & SCUTTLED else 1
    return Sheet((*nest, *bilge), hornswaggled=not lower.flags & HORNSWAGGLE_LEFT)


class _LastTurn:
    """Computes the probability of every outcome of a turn on a sheet with one open box.

    The turn is played for the greatest expected points.
    """

    def __init__(self, sheet: Sheet, rules: HouseRules, dice: int, raid: float) -> None:
        self._rows, self._raid = dice_multisets(dice), raid
        self._marks = sheet.scored_swashbuckle
        table = table_of(rules.voluntary_scuttle)
        self._turn = SheetTurn(sheet, table, rules, dice)
        self._spent = SheetTurn(replace(sheet, hornswaggled=True), table, rules, dice)

    def gains(self) -> Iterator[tuple[float, float]]:
        """Yield each possible gain and its probability; equal gains may be yielded several times."""
        lying = self._rows.thrown({0: 1.0})
        cheated: defaultdict[int, float] = defaultdict(float)
        for left in range(SWASHBUCKLE_THROWS - 1, -1, -1):
            kept: defaultdict[int, float] = defaultdict(float)
            for index, share in lying.items():
                best = self._turn.fill_or_throw(self._rows.all[index], left)
                if best.kept is None:
                    yield from self._filled(index, best, 0, share)
                else:
                    (kept if left else cheated)[self._rows.index(best.kept)] += share
            lying = self._rows.thrown(kept)
        for index, share in self._rows.thrown(cheated).items():
            yield from self._filled(index, self._spent.fill_or_throw(self._rows.all[index], 0), HORNSWAGGLE, share)

    def _filled(self, index: int, answer: TurnAnswer, price: int, share: float) -> Iterator[tuple[float, float]]:
        """Yield each possible gain from filling the box, and its probability; only piracy has several possible gains.

        Args:
            index: the index of the final dice.
            answer: the answer that fills the box.
            price: the points that the hornswaggle cost in this turn.
            share: the probability of the final dice.
        """
        value = answer.value - price
        if answer.action != FOR_PIRACY:
            yield value, share
            return
        if is_five_alike(self._rows.all[index]):  # then piracy takes its maximum (W5)
            yield value + self._raid * MOST_PIRACY, share
            return
        standing, booty = piracy_standing(marks=self._marks), piracy_standing(marks=False)
        mean = sum(likely * points for likely, points in zip(throw_chances(), standing, strict=True))
        for likely, points, taken in zip(throw_chances(), standing, booty, strict=True):
            yield value + (points - mean) + self._raid * taken, share * likely


class SheetForecast:
    """Forecasts the points that sheets may still gain.

    Args:
        rules: the house rules.
        raid: how many points an opponent loses on average for each point in the box piracy; the forecast counts the
            loss as an additional gain.

    Attributes:
        of_halves: returns the forecast before a turn with five dice, given a sheet's two halves; results are cached.
    """

    def __init__(self, rules: HouseRules, raid: float) -> None:
        self._rules, self._raid = rules, raid
        tables = {table_of(rules.voluntary_scuttle): 1.0}
        if raid:
            usual, raids = table_of(False), sheet_values(RAIDS)  # noqa: FBT003 - the only argument
            tables[raids] = raid
            tables[usual] = tables.get(usual, 0.0) - raid
        self._tables: list[tuple[SheetValues, float]] = [(table, share) for table, share in tables.items() if share]
        self._spread = sheet_values(SPREAD)
        self.of_halves = lru_cache(maxsize=REMEMBERED)(self._of_halves)
        self._cost = lru_cache(maxsize=REMEMBERED_CURSES)(self._cost_of_curse)

    def of_sheet(self, sheet: Sheet, *, cursed: bool = False) -> Rest:
        """Return the forecast for a player who has this sheet before the next turn.

        Args:
            sheet: the player's sheet.
            cursed: whether the next turn has four dice.
        """
        if not cursed or sheet.is_full:
            return self.of_halves(*sheet_halves(sheet))
        if len(sheet.open_boxes()) == 1:
            return _known(last_gains(*sheet_halves(sheet), self._rules, CURSED_DICE, self._raid))
        usual = self.of_halves(*sheet_halves(sheet))
        return Rest(usual.mean - self.cost_of_curse(sheet), usual.variance)

    def cost_of_curse(self, sheet: Sheet) -> float:
        """Return how many points a turn with four dice costs a player with this sheet (W7).

        If raids count, the cost includes the lost chance of a raid, because four dice allow no raid.
        """
        return self._cost(replace(sheet, pillaged=None, cursed=None))

    def _of_halves(self, upper: UpperHalf, lower: LowerHalf) -> Rest:
        """Return the forecast for a sheet with these halves, including bonuses."""
        open_boxes = len(BOXES) - upper.filled.bit_count() - lower.filled.bit_count()
        if not open_boxes:
            blimey = BLIMEY if upper.subtotal >= BLIMEY_FROM else 0
            return Rest(blimey + (SMOOTH_SAILING if lower.flags & SMOOTH else 0), 0.0)
        if open_boxes == 1:
            return _known(last_gains(upper, lower, self._rules, DICE_COUNT, self._raid))
        mean = sum(share * table.of_halves(upper, lower) for table, share in self._tables)
        return Rest(mean, max(LEAST_VARIANCE, self._spread.of_halves(upper, lower)))

    def _cost_of_curse(self, sheet: Sheet) -> float:
        voluntary = self._rules.voluntary_scuttle
        table = sheet_values(RAIDS) if self._raid and not voluntary else table_of(voluntary)
        return table.of_sheet(sheet) - SheetTurn(sheet, table, self._rules, CURSED_DICE).before()


def _known(gains: Gains) -> Rest:
    mean = sum(points * chance for points, chance in gains)
    return Rest(mean, sum(chance * (points - mean) ** 2 for points, chance in gains), gains)
