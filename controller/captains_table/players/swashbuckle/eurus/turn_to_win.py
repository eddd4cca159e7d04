"""One turn of Swashbuckle weighed by the chance to end highest: every box to fill, every keep, the hornswaggle.

Within the turn everything is exact; what follows after it is a forecast (`Outlook`).

Source: docs/rules/swashbuckle.md.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

from captains_table.games.swashbuckle.sheet import BONUS, BOXES, DICE, PIRACY, UPPER, Sheet, maximum, piracy_points
from captains_table.players.common.hold_solver import chance, dice_multisets
from captains_table.players.swashbuckle.adviser import counted_bonuses
from captains_table.players.swashbuckle.eurus.outlook import Outlook
from captains_table.players.swashbuckle.eurus.race import Race, Rest
from captains_table.players.swashbuckle.sheet_turn import (
    IMPOSSIBLE,
    NEVER,
    HouseRules,
    Kept,
    five_alike,
    opens_piracy,
    points_of,
)
from captains_table.players.swashbuckle.sheet_values import LowerHalf, UpperHalf, halves_of

AfterRaid = Callable[[float, Rest, int], float]  # the best chance, by one's own points, the rest, and the booty


@dataclass(frozen=True, slots=True)
class Aim:
    """What a turn is played for.

    Attributes:
        outlook: what sheets may still bring the player.
        race: what his total must beat.
        after_raid: what his chance is once somebody is raided of the booty.
        rules: what was agreed.
        dice: five, or four under a curse.
    """

    outlook: Outlook
    race: Race
    after_raid: AfterRaid
    rules: HouseRules
    dice: int = DICE


class Ends:
    """The chance to win with every final multiset in every open box of a sheet.

    Args:
        sheet: the player's sheet.
        aim: what he plays for.
        spent: the same with the hornswaggle spent; `None` if this sheet's is.
    """

    def __init__(self, sheet: Sheet, aim: Aim, spent: "Ends | None") -> None:
        self._outlook, self._race, self._after_raid = aim.outlook, aim.race, aim.after_raid
        self._rules, self._dice, self._spent = aim.rules, aim.dice, spent
        self._counted = sheet.total - counted_bonuses(sheet)
        self._upper, self._lower = halves_of(sheet)
        self._marks = sheet.scored_swashbuckle
        self._scores = {box: self._column(box) for box in sheet.open_boxes()}
        self._scuttles = {box: self._chance(box, 0, 0) for box in sheet.open_boxes()}

    def _halves_after(self, box: str, points: int) -> tuple[UpperHalf, LowerHalf]:
        place = BOXES.index(box)
        if place < len(UPPER):
            return self._upper.with_box(place, points), self._lower if points else self._lower.scuttled()
        return self._upper, self._lower.with_box(place - len(UPPER), scuttled=not points)

    def _chance(self, box: str, points: int, bonus: int) -> float:
        """Return the chance to win once a box is filled."""
        rest = self._outlook.of_halves(*self._halves_after(box, points))
        return self._race.chance(self._counted + points + bonus, rest)

    def _chance_of_raid(self, points: int, bonus: int) -> float:
        """Return the chance to win once piracy is filled and its victim named."""
        rest = self._outlook.of_halves(*self._halves_after(PIRACY, points))
        return self._after_raid(self._counted + points + bonus, rest, points)

    def _column(self, box: str) -> list[float]:
        """Return the chance with each multiset in a box, `NEVER` where it takes no points."""
        if box == PIRACY:
            value = self.piracy if self._dice == DICE else NEVER
            return [value if opens else NEVER for opens in opens_piracy(self._dice)]
        gained = points_of(box, self._dice, self._rules.values)
        chances = {gain: self._chance(box, gain, 0) if gain else NEVER for gain in set(gained)}
        return [chances[gain] for gain in gained]

    # --- the throw for piracy (W6) ----------------------------------------------------------------------------------

    @cached_property
    def piracy(self) -> float:
        """The chance to win before the throw for piracy."""
        best = self.piracy_standing
        if self._spent is not None:
            best = list(map(max, best, dice_multisets(DICE).best_kept(self.piracy_kept)))
        return sum([share * value for share, value in zip(_shares(), best, strict=True)])

    @cached_property
    def piracy_standing(self) -> list[float]:
        """The chance to win with each throw for piracy as it lies."""
        booty = _booty(marks=self._marks)
        chances = {each: self._chance_of_raid(*each) for each in set(booty)}
        return [chances[each] for each in booty]

    @cached_property
    def piracy_kept(self) -> list[float]:
        """The chance to win if dice of a throw for piracy stay and the others are thrown by the hornswaggle."""
        spent = self if self._spent is None else self._spent
        return dice_multisets(DICE).when_kept(spent.piracy_standing)

    # --- all boxes --------------------------------------------------------------------------------------------------

    @cached_property
    def best(self) -> list[float]:
        """The chance with the best box for each full multiset."""
        scuttling = max(self._scuttles.values())
        columns = list(self._scores.values())
        scored = list(map(max, *columns)) if len(columns) > 1 else list(columns[0])
        floor = scuttling if self._rules.voluntary_scuttle else NEVER
        best = [scuttling if value < IMPOSSIBLE else max(value, floor) for value in scored]
        if self._marks:
            for index in five_alike(self._dice):
                best[index] = max(self.options(index).values())
        return best

    def options(self, index: int) -> dict[str, float]:
        """Return the chance with every answer that fills a box, by its id.

        Args:
            index: of the full multiset.
        """
        scores = {f"score-{box}": column[index] for box, column in self._scores.items() if column[index] > IMPOSSIBLE}
        earns = self._marks and index in five_alike(self._dice)
        bonus = BONUS if earns else 0
        if earns:
            scores = self._marked(index, list(scores))
        if self._rules.voluntary_scuttle or not scores:
            scores |= {f"scuttle-{box}": self._chance(box, 0, bonus) for box in self._scuttles}
        return scores

    def _marked(self, index: int, scoring: Sequence[str]) -> dict[str, float]:
        """Return the chances with a swashbuckle thrown again, which earns a bonus mark (W5)."""
        boxes = [box for box in self._scores if f"score-{box}" in scoring]
        if boxes:
            values = self._rules.values
            return {
                f"score-{box}": self._chance(box, points_of(box, self._dice, values)[index], BONUS) for box in boxes
            }
        most = {box: maximum(box, self._rules.values) for box in self._scores}
        return {
            f"score-{box}": self._chance_of_raid(points, BONUS) if box == PIRACY else self._chance(box, points, BONUS)
            for box, points in most.items()
        }


class TurnToWin:
    """A turn on a sheet.

    Args:
        sheet: the player's sheet as the turn stands.
        aim: what he plays for.
    """

    def __init__(self, sheet: Sheet, aim: Aim) -> None:
        self._all = dice_multisets(aim.dice)
        spent = Ends(replace(sheet, hornswaggled=True), aim, None)
        self._is_left = not sheet.hornswaggled
        self.now = Ends(sheet, aim, spent) if self._is_left else spent
        self._cheated = self._all.when_kept(spent.best)
        self._kept: list[list[float]] = []

    def options(self, faces: Sequence[int], throws_left: int) -> dict[str, float]:
        """Return the chance to win with every answer that ends the throwing, by its id."""
        chances = self.now.options(self._all.index(faces) - self._all.first_full)
        if self._is_left and not throws_left:
            chances["hornswaggle"] = self.best_keep(faces, 0).value
        return chances

    def best_keep(self, faces: Sequence[int], throws_left: int) -> Kept:
        """Return the best dice to keep if the others are thrown; with no throw left, by the hornswaggle."""
        return self._best_of(faces, self._after_hold(throws_left) if throws_left else self._cheated)

    def best_piracy_keep(self, faces: Sequence[int]) -> Kept:
        """Return the best dice of a throw for piracy to keep if the others are thrown by the hornswaggle."""
        return self._best_of(faces, self.now.piracy_kept)

    def standing_on_piracy(self, faces: Sequence[int]) -> float:
        """Return the chance to win with a throw for piracy as it lies."""
        return self.now.piracy_standing[self._all.index(faces) - self._all.first_full]

    def _best_of(self, faces: Sequence[int], kept: list[float]) -> Kept:
        full = self._all.index(faces)
        best = max(self._all.keeps(full) - {full}, key=lambda index: (kept[index], index))
        return Kept(self._all.all[best], kept[best])

    def _after_hold(self, throws_left: int) -> list[float]:
        """Return the chance with each multiset kept and so many throws left, the next one included."""
        while len(self._kept) < throws_left:
            self._kept.append(self._all.when_kept(self._ends(len(self._kept))))
        return self._kept[throws_left - 1]

    def _ends(self, throws_left: int) -> list[float]:
        """Return the chance with each full multiset and so many throws left."""
        if throws_left:
            best_kept = self._all.best_kept(self._kept[throws_left - 1])
            return list(map(max, self.now.best, best_kept))
        if self._is_left:
            return list(map(max, self.now.best, self._all.best_kept(self._cheated)))
        return self.now.best


@cache
def _shares() -> tuple[float, ...]:
    return tuple(float(chance(multiset)) for multiset in dice_multisets(DICE).full)


@cache
def _booty(*, marks: bool) -> tuple[tuple[int, int], ...]:
    """Return what each throw for piracy scores in its box, and as a bonus mark."""
    return tuple(
        (piracy_points(multiset), BONUS if marks and index in five_alike(DICE) else 0)
        for index, multiset in enumerate(dice_multisets(DICE).full)
    )
