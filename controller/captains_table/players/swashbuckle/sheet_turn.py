"""One turn of Swashbuckle weighed to the end: every box to fill, every keep, the hornswaggle.

Within the turn everything is exact; what the sheet is worth afterwards comes from `SheetValues`.

Source: docs/rules/swashbuckle.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Final

from captains_table.games.swashbuckle.sheet import (
    BONUS,
    BOXES,
    DICE,
    HORNSWAGGLE,
    PIRACY,
    UPPER,
    Sheet,
    Values,
    is_five_alike,
    is_for_piracy,
    maximum,
    piracy_points,
    points,
)
from captains_table.players.common.hold_solver import Multiset, chance, dice_multisets
from captains_table.players.swashbuckle.sheet_values import SheetValues, dot, halves_of

NEVER: Final = -1e9  # the value of what may not be done
IMPOSSIBLE: Final = -1e8


@dataclass(frozen=True, slots=True)
class HouseRules:
    """What was agreed, as far as it changes what a turn is worth."""

    values: Values
    voluntary_scuttle: bool = False


@dataclass(frozen=True, slots=True)
class Kept:
    """The dice that stay, and what throwing the others is worth."""

    multiset: Multiset
    value: float


class Fillings:
    """What every final multiset is worth in every open box of a sheet, the rest of the match included.

    Args:
        sheet: the player's sheet, its hornswaggle spent or not.
        table: what sheets are worth.
        rules: what was agreed.
        dice: five, or four under a curse.
    """

    def __init__(self, sheet: Sheet, table: SheetValues, rules: HouseRules, dice: int = DICE) -> None:
        self._sheet, self._table, self._rules, self._dice = sheet, table, rules, dice
        self._upper, self._lower = halves_of(sheet)
        self._upper_row, self._lower_row = table.upper_row(self._upper), table.lower_row(self._lower)
        self._marks = sheet.scored_swashbuckle
        self._is_last = len(sheet.open_boxes()) == 1
        self.scores = {box: self._column(box) for box in sheet.open_boxes()}
        self.scuttles = {box: self.after(box, 0) for box in sheet.open_boxes()}

    def after(self, box: str, value: int) -> float:
        """Return what the sheet is worth with a box filled, the points in it not counted."""
        if self._is_last:  # then it is known exactly, and no product of two rounded rows
            return self._table.of_sheet(self._sheet.with_box(box, value))
        place = BOXES.index(box)
        if place < len(UPPER):
            lower = self._lower_row if value else self._table.lower_row(self._lower.scuttled())
            return dot(self._table.upper_row(self._upper.with_box(place, value)), lower)
        return dot(self._upper_row, self._table.lower_row(self._lower.with_box(place - len(UPPER), scuttled=not value)))

    def _column(self, box: str) -> list[float]:
        """Return the value of scoring each multiset in a box, `NEVER` where it takes no points."""
        if box == PIRACY:
            value = self.piracy if self._dice == DICE else NEVER
            return [value if opens else NEVER for opens in opens_piracy(self._dice)]
        gained = points_of(box, self._dice, self._rules.values)
        values = {0: NEVER}
        if box in UPPER:
            values |= {gain: gain + self.after(box, gain) for gain in set(gained) - {0}}
        else:
            after = self.after(box, 1)
            values |= {gain: gain + after for gain in set(gained) - {0}}
        return [values[gain] for gain in gained]

    @cached_property
    def piracy(self) -> float:
        """What the throw for the box piracy and all that follows are worth before it (W6)."""
        after = self.after(PIRACY, 1)
        if self._sheet.hornswaggled:
            return after + _mean_piracy(marks=self._marks)
        without = self._lower.without_hornswaggle().with_box(_PIRACY_PLACE)
        spent = after if self._is_last else dot(self._upper_row, self._table.lower_row(without))
        throws = piracy_throws(marks=self._marks)
        return sum(share * max(after + now, spent + again - HORNSWAGGLE) for share, now, again in throws)

    @cached_property
    def best(self) -> list[float]:
        """The value of the best box for each full multiset."""
        scuttling = max(self.scuttles.values())
        columns = list(self.scores.values())
        scored = list(map(max, *columns)) if len(columns) > 1 else list(columns[0])
        if self._marks:
            for index in five_alike(self._dice):
                scored[index] = max(self.options(index).values())
        floor = scuttling if self._rules.voluntary_scuttle else NEVER
        return [scuttling if value < IMPOSSIBLE else max(value, floor) for value in scored]

    def options(self, index: int) -> dict[str, float]:
        """Return the value of every answer that fills a box, by its id.

        Args:
            index: of the full multiset.
        """
        scores = {f"score-{box}": column[index] for box, column in self.scores.items() if column[index] > IMPOSSIBLE}
        earns = self._marks and index in five_alike(self._dice)
        if earns and not scores:
            most = {box: maximum(box, self._rules.values) for box in self.scores}
            scores = {f"score-{box}": points + self.after(box, points) for box, points in most.items()}
        if self._rules.voluntary_scuttle or not scores:
            scores |= {f"scuttle-{box}": value for box, value in self.scuttles.items()}
        bonus = BONUS if earns else 0
        return {option: value + bonus for option, value in scores.items()}


class SheetTurn:
    """A turn on a sheet.

    Args:
        sheet: the player's sheet as the turn stands, an open box at least.
        table: what sheets are worth.
        rules: what was agreed.
        dice: five, or four under a curse.
    """

    def __init__(self, sheet: Sheet, table: SheetValues, rules: HouseRules, dice: int = DICE) -> None:
        self._all = dice_multisets(dice)
        self._left = not sheet.hornswaggled
        self.now = Fillings(sheet, table, rules, dice)
        spent = Fillings(replace(sheet, hornswaggled=True), table, rules, dice) if self._left else self.now
        self._cheated = self._all.when_kept(spent.best)
        self._ends = [self.now.best if not self._left else self._with_cheat(self.now.best)]
        self._kept: list[list[float]] = [] if self._left else [self._cheated]

    def _with_cheat(self, finals: list[float]) -> list[float]:
        cheated = self._all.best_kept(self._cheated)
        return [max(final, value - HORNSWAGGLE) for final, value in zip(finals, cheated, strict=True)]

    def before(self, throws_left: int = 3) -> float:
        """Return what the turn and the rest of the match are worth before all dice are thrown."""
        return self._after_hold(throws_left)[0]

    def options(self, faces: Sequence[int], throws_left: int) -> dict[str, float]:
        """Return the value of every answer that ends the throwing, by its id."""
        values = self.now.options(self._all.index(faces) - self._all.first_full)
        if self._left and not throws_left:
            values["hornswaggle"] = self.best_keep(faces, 0).value
        return values

    def best_keep(self, faces: Sequence[int], throws_left: int) -> Kept:
        """Return the best dice to keep if the others are thrown; with no throw left, by the hornswaggle.

        Where the hornswaggle is already spent and no throw is left, there is nothing to ask.
        """
        kept = self._after_hold(throws_left) if throws_left else self._cheated
        full = self._all.index(faces)
        best = max(self._all.keeps(full) - {full}, key=lambda index: (kept[index], index))
        return Kept(self._all.all[best], kept[best] - (0 if throws_left else HORNSWAGGLE))

    def kept_value(self, kept: Sequence[int], throws_left: int) -> float:
        """Return what keeping these faces and throwing the other dice is worth, that throw being one of those left."""
        return self._after_hold(throws_left)[self._all.index(kept)]

    def _after_hold(self, throws_left: int) -> list[float]:
        """Return the value of keeping each multiset with so many throws left, the next one included."""
        while len(self._kept) < throws_left:
            if len(self._ends) <= len(self._kept):
                self._ends.append(self._all.best_kept(self._kept[-1]))
            self._kept.append(self._all.when_kept(self._ends[len(self._kept)]))
        return self._kept[throws_left - 1]


# --- what does not depend on the sheet ------------------------------------------------------------------------------

_PIRACY_PLACE: Final = BOXES.index(PIRACY) - len(UPPER)


@cache
def points_of(box: str, dice: int, values: Values) -> tuple[int, ...]:
    """Return what each full multiset scores in a box."""
    return tuple(points(box, multiset, values) for multiset in dice_multisets(dice).full)


@cache
def opens_piracy(dice: int) -> tuple[bool, ...]:
    """Return which full multisets open the box piracy."""
    return tuple(is_for_piracy(multiset) for multiset in dice_multisets(dice).full)


@cache
def five_alike(dice: int) -> frozenset[int]:
    """Return which full multisets are a swashbuckle."""
    return frozenset(index for index, multiset in enumerate(dice_multisets(dice).full) if is_five_alike(multiset))


@cache
def piracy_standing(*, marks: bool, raids: int = 0) -> tuple[float, ...]:
    """Return what standing on each piracy throw is worth (W6).

    Args:
        marks: whether five alike earn a bonus mark.
        raids: how often the points count once more, as they do where what one wins another loses.
    """
    return tuple(
        float((1 + raids) * piracy_points(multiset) + (BONUS if marks and is_five_alike(multiset) else 0))
        for multiset in dice_multisets(DICE).full
    )


@cache
def piracy_kept(*, marks: bool, raids: int = 0) -> tuple[list[float], list[float]]:
    """Return what standing on each piracy throw and what keeping each multiset of it once more is worth (W6)."""
    standing = list(piracy_standing(marks=marks, raids=raids))
    return standing, dice_multisets(DICE).when_kept(standing)


@cache
def piracy_throws(*, marks: bool, raids: int = 0) -> tuple[tuple[float, float, float], ...]:
    """Return each piracy throw's chance, its points standing, and those expected after one more throw."""
    rows = dice_multisets(DICE)
    standing, kept = piracy_kept(marks=marks, raids=raids)
    chances = [float(chance(multiset)) for multiset in rows.full]
    return tuple(zip(chances, standing, rows.best_kept(kept), strict=True))


@cache
def _mean_piracy(*, marks: bool) -> float:
    return sum(share * standing for share, standing, _ in piracy_throws(marks=marks))
