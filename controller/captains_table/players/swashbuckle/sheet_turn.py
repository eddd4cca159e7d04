"""Evaluates one turn of Swashbuckle: every box to fill, every keep, the throw for piracy, and the hornswaggle.

A turn is evaluated by expected points, or by another measure (a subclass of `BoxValues`). Within the turn all values
are exact; the value of later turns comes from `SheetValues` or from the other measure.

Source: docs/rules/swashbuckle.md.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Final, NamedTuple

from captains_table.games.contract import STAND, THROW_AGAIN, Keep, Pick
from captains_table.games.swashbuckle import asks
from captains_table.games.swashbuckle.sheet import (
    BONUS,
    BOXES,
    DICE_COUNT,
    HORNSWAGGLE,
    PIRACY,
    SCORE,
    SCUTTLE,
    UPPER,
    Sheet,
    Values,
    box_points,
    is_five_alike,
    is_for_piracy,
    maximum,
    piracy_points,
)
from captains_table.games.swashbuckle.state import SWASHBUCKLE_THROWS, State
from captains_table.games.swashbuckle.steps import BoxHoldStep, PiracyFallen
from captains_table.players.common.advice import dice_showing
from captains_table.players.common.hold_solver import Multiset, chance, dice_multisets
from captains_table.players.swashbuckle.sheet_values import LowerHalf, SheetValues, UpperHalf, sheet_halves

NEVER: Final = -1e9  # the value of an illegal choice
IMPOSSIBLE: Final = -1e8  # a lower value means that every choice was illegal


@dataclass(frozen=True, slots=True)
class HouseRules:
    """The options of a match that change the value of a turn."""

    values: Values
    voluntary_scuttle: bool = False


@dataclass(frozen=True, slots=True)
class KeptDice:
    """The dice to keep, and the value of throwing the others."""

    multiset: Multiset
    value: float


class TurnAnswer(NamedTuple):
    """The answer to a decision about the thrown dice, and its value.

    Attributes:
        action: the option to pick, or the dice to keep.
        value: the value of the answer.
        kept: the dice to keep while the others are thrown; `None` if the answer throws no dice.
    """

    action: Pick | Keep
    value: float
    kept: Multiset | None = None


class BoxValues(ABC):
    """The values of scoring the final dice of a turn in the open boxes of a sheet.

    There is a value for each open box and each full multiset (a possible result of all dice). A value includes the
    later turns. Subclasses define how values are measured.

    Args:
        sheet: the player's sheet.
        rules: the house rules.
        dice: the number of dice: five, or four under a curse.
        spent: the values for the same sheet with the hornswaggle spent; `None` if it is spent already.
    """

    def __init__(self, sheet: Sheet, rules: HouseRules, dice: int, spent: "BoxValues | None") -> None:
        self.dice, self.spent = dice, spent
        self._sheet, self._rules = sheet, rules
        self._upper, self._lower = sheet_halves(sheet)
        self._marks = sheet.scored_swashbuckle

    @abstractmethod
    def worth(self, box: str, points: int, bonus: int = 0) -> float:
        """Return the value of filling a box with points and earning a bonus at the same time."""

    @property
    @abstractmethod
    def piracy(self) -> float:
        """Return the expected value of choosing the box piracy, before its throw (W6)."""

    @property
    @abstractmethod
    def piracy_standing(self) -> Sequence[float]:
        """Return, for each possible throw for piracy, the value of scoring the throw.

        `after_piracy` must be added to each value. The throws are the full multisets of five dice, in order.
        """

    @property
    def after_piracy(self) -> float:
        """Return the value of the turns after the box piracy is filled.

        The value is 0 if the values of `piracy_standing` already include the later turns.
        """
        return 0.0

    def halves_after(self, box: str, points: int) -> tuple[UpperHalf, LowerHalf]:
        """Return the upper and the lower half of the sheet after a box is filled with points (0 to scuttle the box)."""
        place = BOXES.index(box)
        if place < len(UPPER):
            return self._upper.with_box(place, points), self._lower if points else self._lower.scuttled()
        return self._upper, self._lower.with_box(place - len(UPPER), scuttled=not points)

    @cached_property
    def _scores(self) -> dict[str, list[float]]:
        """Return a list of values for each open box: the value of scoring each possible result of all dice in the box.

        The value is `NEVER` if the dice score no points in the box. In the box piracy it is also `NEVER` if the dice do
        not allow filling the box, or if fewer than five dice are in play.
        """
        return {box: self._column(box) for box in self._sheet.open_boxes()}

    def _column(self, box: str) -> list[float]:
        if box == PIRACY:
            value = self.piracy if self.dice == DICE_COUNT else NEVER
            return [value if opens else NEVER for opens in opens_piracy(self.dice)]
        gained = _points_by_multiset(box, self.dice, self._rules.values)
        values = {gain: self.worth(box, gain) if gain else NEVER for gain in set(gained)}
        return [values[gain] for gain in gained]

    @cached_property
    def best(self) -> list[float]:
        """The value of filling the best box, for each combination of faces, in the order of `DiceMultisets.full`."""
        scuttling = max(self.worth(box, 0) for box in self._scores)
        columns = list(self._scores.values())
        scored = list(map(max, *columns)) if len(columns) > 1 else columns[0]
        floor = scuttling if self._rules.voluntary_scuttle else NEVER
        best = [scuttling if value < IMPOSSIBLE else max(value, floor) for value in scored]
        if self._marks:
            for index in five_alike(self.dice):
                best[index] = max(self.options(index).values())
        return best

    def options(self, index: int) -> dict[str, float]:
        """Return the value of every answer that fills a box, keyed by the answer's id.

        Args:
            index: the index of the dice in the list of all combinations of dice, `DiceMultisets.full`.
        """
        scores = {box: column[index] for box, column in self._scores.items() if column[index] > IMPOSSIBLE}
        bonus = 0
        if self._marks and index in five_alike(self.dice):  # another swashbuckle after the first (W5)
            bonus, values = BONUS, self._rules.values
            gains = {box: _points_by_multiset(box, self.dice, values)[index] for box in scores}
            gains = gains or {box: maximum(box, values) for box in self._scores}
            scores = {box: self.worth(box, gain, bonus) for box, gain in gains.items()}
        found = {f"{SCORE}{box}": value for box, value in scores.items()}
        if self._rules.voluntary_scuttle or not scores:
            found |= {f"{SCUTTLE}{box}": self.worth(box, 0, bonus) for box in self._scores}
        return found


class TurnEvaluation:
    """The evaluation of a turn on a sheet.

    Args:
        now: the values of filling the sheet's boxes.
        price: the points that a hornswaggle (an extra throw) costs; 0 if `now.spent` has subtracted them already.
    """

    def __init__(self, now: BoxValues, price: int = 0) -> None:
        self.now, self._price = now, price
        self._all = dice_multisets(now.dice)
        self._spent = now.spent or now
        self._cheated = self._all.when_kept(self._spent.best)
        self._kept: list[list[float]] = []

    def before(self) -> float:
        """Return the value of the turn and all later turns, before the turn's first throw."""
        return self._after_hold(SWASHBUCKLE_THROWS)[0]

    def options(self, faces: Sequence[int], throws_left: int) -> dict[str, float]:
        """Return the value of every answer that fills a box, keyed by the answer's id.

        If no throw is left and the hornswaggle is not spent, the answer to use the hornswaggle is included.
        """
        values = self.now.options(self._all.index(faces) - self._all.first_full)
        if self.now.spent and not throws_left:
            values[asks.HORNSWAGGLE_OPTION.id] = self.best_keep(faces, 0).value
        return values

    def best_keep(self, faces: Sequence[int], throws_left: int) -> KeptDice:
        """Return the best dice to keep when the other dice are thrown again.

        If no throw is left, the player pays for a hornswaggle (an extra throw), which must still be available.
        """
        kept = self._after_hold(throws_left) if throws_left else self._cheated
        best = self._best_of(faces, kept)
        return KeptDice(self._all.all[best], kept[best] - (0 if throws_left else self._price))

    def kept_value(self, kept: Sequence[int], throws_left: int) -> float:
        """Return the value of keeping these faces and throwing the other dice; `throws_left` includes that throw."""
        return self._after_hold(throws_left)[self._all.index(kept)]

    def best_piracy_keep(self, faces: Sequence[int]) -> KeptDice:
        """Return the best dice to keep from a throw for piracy, if a hornswaggle (a paid extra throw) follows."""
        best = self._best_of(faces, self._piracy_kept)
        return KeptDice(self._all.all[best], self._piracy_kept[best] + self._spent.after_piracy - self._price)

    def piracy_kept_value(self, kept: Sequence[int]) -> float:
        """Return the value of keeping these faces of a throw for the box piracy, before an extra throw.

        The extra throw (the hornswaggle) is paid for already.
        """
        return self._piracy_kept[self._all.index(kept)] + self.now.after_piracy

    @cached_property
    def _piracy_kept(self) -> list[float]:
        return self._all.when_kept(self._spent.piracy_standing)

    def _best_of(self, faces: Sequence[int], kept: Sequence[float]) -> int:
        """Return the index of the best multiset to keep, such that at least one die is thrown again.

        Args:
            faces: the dice.
            kept: the value of keeping each multiset.
        """
        full = self._all.index(faces)
        return max(self._all.keeps(full) - {full}, key=lambda index: (kept[index], index))

    def _after_hold(self, throws_left: int) -> list[float]:
        """Return the value of keeping each multiset of dice and throwing the others.

        `throws_left` counts this throw and all later throws of the turn.
        """
        if not self._kept:
            ends = self.now.best
            if self.now.spent:
                cheated = self._all.best_kept(self._cheated)
                ends = [max(end, value - self._price) for end, value in zip(ends, cheated, strict=True)]
            self._kept.append(self._all.when_kept(ends))
        while len(self._kept) < throws_left:
            self._kept.append(self._all.when_kept(self._all.best_kept(self._kept[-1])))
        return self._kept[throws_left - 1]

    # --- answers ----------------------------------------------------------------------------------------------------

    def answer(self, state: State) -> TurnAnswer:
        """Return the best answer to the match's question about the dice."""
        turn, faces = state.turn, state.turn.lying
        left = max(0, SWASHBUCKLE_THROWS - turn.throws)
        match state.step:
            case BoxHoldStep(hornswaggle=is_hornswaggle):
                kept = self.best_piracy_keep(faces) if turn.is_piracy else None
                kept = kept or self.best_keep(faces, 0 if is_hornswaggle else left)
                return TurnAnswer(
                    Keep(dice_showing(kept.multiset, turn.faces, turn.all_dice)), kept.value, kept.multiset
                )
            case PiracyFallen():
                standing = self.now.piracy_standing[self._all.index(faces) - self._all.first_full]
                options = {STAND.id: standing + self.now.after_piracy}
                return _best(options, asks.HORNSWAGGLE_OPTION.id, self.best_piracy_keep(faces))
            case _:
                return self.fill_or_throw(faces, left)

    def fill_or_throw(self, faces: Sequence[int], left: int) -> TurnAnswer:
        """Return the best answer to a throw with `left` throws left: fill a box, or throw some of the dice again."""
        again = THROW_AGAIN if left else asks.HORNSWAGGLE_OPTION
        kept = self.best_keep(faces, left) if left or self.now.spent else None
        return _best(self.now.options(self._all.index(faces) - self._all.first_full), again.id, kept)


def _best(options: Mapping[str, float], again: str, kept: KeptDice | None) -> TurnAnswer:
    """Return the best option, or throwing again if that is better.

    Args:
        options: the value of each option, keyed by its id.
        again: the id of throwing again.
        kept: the best dice to keep; `None` if the dice may not be thrown again.
    """
    best = max(options, key=lambda each: (options[each], each))
    if kept is not None and kept.value > options[best]:
        return TurnAnswer(Pick(again), kept.value, kept.multiset)
    return TurnAnswer(Pick(best), options[best])


# --- by points ------------------------------------------------------------------------------------------------------


class PlunderBoxValues(BoxValues):
    """The values of filling boxes, in points; a table gives the value of later turns."""

    def __init__(
        self, sheet: Sheet, table: SheetValues, rules: HouseRules, dice: int, spent: "PlunderBoxValues | None" = None
    ) -> None:
        super().__init__(sheet, rules, dice, spent)
        self._table, self._is_last = table, len(sheet.open_boxes()) == 1
        self._after = cache(self._find_after)

    def worth(self, box: str, points: int, bonus: int = 0) -> float:
        """Return the points of filling a box plus the expected points of later turns."""
        return points + self._after(box, points if box in UPPER else min(points, 1)) + bonus

    def _find_after(self, box: str, value: int) -> float:
        """Return the expected points of all later turns after a box is filled."""
        if self._is_last:  # the value is known exactly, so the rounded table is not needed
            return self._table.of_sheet(self._sheet.with_box(box, value))
        return self._table.of_halves(*self.halves_after(box, value))

    @cached_property
    def piracy(self) -> float:
        throws, after = piracy_throws(marks=self._marks), self.after_piracy
        if self.spent is None:
            return after + sum(share * standing for share, standing, _ in throws)
        spent = self.spent.after_piracy
        return sum(share * max(after + now, spent + again - HORNSWAGGLE) for share, now, again in throws)

    @property
    def piracy_standing(self) -> Sequence[float]:
        """Return the points that each possible throw for piracy scores if no dice are thrown again."""
        return piracy_standing(marks=self._marks)

    @property
    def after_piracy(self) -> float:
        """Return the value of the sheet after the box piracy is filled, without the points scored in this box."""
        return self._after(PIRACY, 1)


class SheetTurn(TurnEvaluation):
    """The evaluation of a turn by expected points, given the player's sheet.

    Args:
        sheet: the player's sheet; at least one box must be open.
        table: the values of sheets.
        rules: the house rules.
        dice: the number of dice, five, or four under a curse.
    """

    def __init__(self, sheet: Sheet, table: SheetValues, rules: HouseRules, dice: int = DICE_COUNT) -> None:
        spent = PlunderBoxValues(replace(sheet, hornswaggled=True), table, rules, dice)
        super().__init__(
            spent if sheet.hornswaggled else PlunderBoxValues(sheet, table, rules, dice, spent), HORNSWAGGLE
        )


# --- tables that do not depend on the sheet -------------------------------------------------------------------------


@cache
def _points_by_multiset(box: str, dice: int, values: Values) -> tuple[int, ...]:
    """Return the points in a box for every multiset of this number of dice, in the order of `DiceMultisets.full`.

    Args:
        box: the box.
        dice: the number of dice.
        values: the points of the boxes whose points are set by options.
    """
    return tuple(box_points(box, multiset, values) for multiset in dice_multisets(dice).full)


@cache
def opens_piracy(dice: int) -> tuple[bool, ...]:
    """Return, for each possible result of all dice (`DiceMultisets.full`), whether it may fill the box piracy."""
    return tuple(is_for_piracy(multiset) for multiset in dice_multisets(dice).full)


@cache
def five_alike(dice: int) -> frozenset[int]:
    """Return the indices in `DiceMultisets.full` of the throws with five equal faces; empty for four dice."""
    return frozenset(index for index, multiset in enumerate(dice_multisets(dice).full) if is_five_alike(multiset))


@cache
def piracy_standing(*, marks: bool, raids: int = 0) -> tuple[float, ...]:
    """Return the points for keeping each possible throw for piracy (W6).

    Args:
        marks: whether five alike earn a bonus mark.
        raids: the number of victims that lose the points; their losses are added to the result.
    """
    return tuple(
        float((1 + raids) * piracy_points(multiset) + (BONUS if marks and is_five_alike(multiset) else 0))
        for multiset in dice_multisets(DICE_COUNT).full
    )


@cache
def throw_chances() -> tuple[float, ...]:
    """Return the probability of each combination of faces in one throw of all five dice.

    The order of the faces does not matter. The combinations are in the order of `DiceMultisets.full`.
    """
    return tuple(float(chance(multiset)) for multiset in dice_multisets(DICE_COUNT).full)


@cache
def piracy_throws(*, marks: bool, raids: int = 0) -> tuple[tuple[float, float, float], ...]:
    """Return three numbers for each throw for piracy.

    These are the throw's probability, its points, and the expected points if some dice are thrown again. The dice are
    chosen for the greatest expected points. The arguments are those of `piracy_standing`.
    """
    rows, standing = dice_multisets(DICE_COUNT), piracy_standing(marks=marks, raids=raids)
    return tuple(zip(throw_chances(), standing, rows.best_kept(rows.when_kept(standing)), strict=True))
