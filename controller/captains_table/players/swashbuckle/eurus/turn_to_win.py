"""Evaluates a turn of Swashbuckle by the chance to win: every box, every keep, the hornswaggle, raids and curses.

Within the turn all chances are exact; later turns are forecast (`SheetForecast`).

Source: docs/rules/swashbuckle.md.
"""

from dataclasses import replace
from functools import cache, cached_property, lru_cache
from typing import Final

from captains_table.games.swashbuckle.asks import CURSE, NO_CURSE
from captains_table.games.swashbuckle.scoring import cursable, raidable
from captains_table.games.swashbuckle.sheet import BONUS, DICE_COUNT, PIRACY, Sheet, earns_bonus, piracy_points
from captains_table.games.swashbuckle.state import State
from captains_table.players.common.hold_solver import dice_multisets
from captains_table.players.swashbuckle.adviser import points_without_bonuses, rules_of
from captains_table.players.swashbuckle.eurus.forecast import SheetForecast
from captains_table.players.swashbuckle.eurus.race import Race, Rest, RivalTotal
from captains_table.players.swashbuckle.sheet_turn import BoxValues, HouseRules, TurnEvaluation, throw_chances

REMEMBERED_OUTLOOKS: Final = 8
# The cost of a curse at the best later moment, as a linear function of its cost now (intercept, slope): fitted to 400
# seeded matches of the adviser. It is nearly the same for all turns from the second to the last but one.
LATER: Final = (1.0, 0.82)


class MatchForecast:
    """A match as the player on turn sees it: forecasts, opponents, and the values of raids and curses.

    Args:
        state: the current state.

    Attributes:
        rules: the house rules.
        outlook: the forecaster for the sheet of the player on turn.
        race: the player's race against the opponents' totals.
    """

    def __init__(self, state: State) -> None:
        self._state, self._others = state, state.others()
        self.rules = rules_of(state)
        self.outlook = self._outlook(state.seat)
        self.race = Race([self._rival(seat) for seat in self._others])

    def _rival(self, seat: int) -> RivalTotal:
        sheet = self._state.sheets[seat]
        return RivalTotal(
            points_without_bonuses(sheet), self._outlook(seat).of_sheet(sheet, cursed=seat in self._state.cursed)
        )

    def _outlook(self, seat: int) -> SheetForecast:
        """Return the forecaster for a seat's sheet.

        The forecaster adds a share of the points that opponents would lose by the seat's raid. It adds nothing in three
        cases: raids take no points from the victim (`pillage` is `add`), every opponent was raided already, or the seat
        is not on turn and has several opponents.
        """
        options, several = self._state.options, len(self._others) > 1
        victims = [each for each, sheet in enumerate(self._state.sheets) if each != seat and sheet.pillaged is None]
        if options.pillage == "add" or not victims or (several and seat != self._state.seat):
            return sheet_forecast_of(self.rules, 0.0)
        is_double = options.captain_pillage == "double" and options.captain in victims
        return sheet_forecast_of(self.rules, (2.0 if is_double else 1.0) / len(self._others))

    # --- raids and curses -------------------------------------------------------------------------------------------

    def raids(self, points: int) -> dict[int, float]:
        """Return the chance to win after raiding each possible victim, keyed by the victim's seat.

        Args:
            points: the points in the piracy box, which is filled already.
        """
        return self._raids(points_without_bonuses(self._state.sheet), self.outlook.of_sheet(self._state.sheet), points)

    def after_raid(self, counted: float, rest: Rest, points: int) -> float:
        """Return the chance to win after raiding the best victim, or without a raid if there is no victim.

        Args:
            counted: the player's certain points.
            rest: the forecast of the points that may still come.
            points: the points of the box piracy.
        """
        return max(self._raids(counted, rest, points).values(), default=self.race.chance(counted, rest))

    def _raids(self, counted: float, rest: Rest, points: int) -> dict[int, float]:
        options = self._state.options
        doubled = options.captain if options.captain_pillage == "double" else None
        return {
            victim: self._after_loss(victim, 2 * points if victim == doubled else points).chance(counted, rest)
            for victim in raidable(self._state)
        }

    def _after_loss(self, victim: int, loss: float) -> Race:
        return self.race.after_loss(self._others.index(victim), loss)

    def curses(self) -> dict[str, float]:
        """Return the chance to win after each answer to the question whom to curse, keyed by the answer's id.

        For the answer not to curse now, the chance assumes that the best victim is cursed in a later turn, if a later
        curse is possible.
        """
        own, rest = points_without_bonuses(self._state.sheet), self.outlook.of_sheet(self._state.sheet)
        now, later = {}, []
        for victim in cursable(self._state):
            if self._state.is_full(victim):  # a curse on a finished challenge sheet hits its sender (N1)
                shorter = self.outlook.of_sheet(self._state.sheet, cursed=True)
                now[f"{CURSE}{victim}"] = self.race.chance(own, shorter)
                continue
            sheet, outlook = self._state.sheets[victim], self._outlook(victim)
            cursed = RivalTotal(points_without_bonuses(sheet), outlook.of_sheet(sheet, cursed=True))
            now[f"{CURSE}{victim}"] = self.race.instead(self._others.index(victim), cursed).chance(own, rest)
            is_ahead = self._state.options.challenge  # the victim is cursed in its first turn in any case (N1)
            has_later = len(sheet.open_boxes()) > 1 and not self._state.sheet.is_full and not is_ahead
            cost = LATER[0] + LATER[1] * outlook.cost_of_curse(sheet) if has_later else 0.0
            later.append(self._after_loss(victim, cost).chance(own, rest))
        return now | {NO_CURSE.id: max(later, default=self.race.chance(own, rest))}


@lru_cache(maxsize=REMEMBERED_OUTLOOKS)
def sheet_forecast_of(rules: HouseRules, raid: float) -> SheetForecast:
    """Return a cached forecaster of the points that sheets may still gain.

    Args:
        rules: the house rules.
        raid: how many points an opponent loses on average for each point in the box piracy.
    """
    return SheetForecast(rules, raid)


# --- the current turn -------------------------------------------------------------------------------------------------


class Chances(BoxValues):
    """The chances to win after scoring each possible result of the dice in each open box of a sheet.

    Args:
        sheet: the player's sheet.
        seen: the match as the player sees it.
        dice: the number of dice, five, or four under a curse.
        spent: the chances for the same sheet with the extra throw (hornswaggle) used; `None` if `sheet` has it used
            already.
    """

    def __init__(self, sheet: Sheet, seen: MatchForecast, dice: int, spent: "Chances | None" = None) -> None:
        super().__init__(sheet, seen.rules, dice, spent)
        self._seen = seen
        self._counted = points_without_bonuses(sheet)

    def worth(self, box: str, points: int, bonus: int = 0) -> float:
        """Return the chance to win after filling a box and, if the box is piracy, after the raid."""
        rest = self._seen.outlook.of_halves(*self.halves_after(box, points))
        if box == PIRACY and points:
            return self._seen.after_raid(self._counted + points + bonus, rest, points)
        return self._seen.race.chance(self._counted + points + bonus, rest)

    @cached_property
    def piracy(self) -> float:
        """Return the chance to win after the box piracy is chosen, and before the throw for piracy (W6)."""
        best, rows = self.piracy_standing, dice_multisets(DICE_COUNT)
        if self.spent is not None:
            best = list(map(max, best, rows.best_kept(rows.when_kept(self.spent.piracy_standing))))
        return sum([share * value for share, value in zip(throw_chances(), best, strict=True)])

    @cached_property
    def piracy_standing(self) -> list[float]:
        """Return the chance to win after each throw of five dice for the box piracy, if no die is thrown again."""
        worth = cache(self.worth)
        throws = [(piracy_points(faces), earns_bonus(self._sheet, faces)) for faces in dice_multisets(DICE_COUNT).full]
        return [worth(PIRACY, points, BONUS if earns else 0) for points, earns in throws]


def turn_to_win(sheet: Sheet, seen: MatchForecast, dice: int) -> TurnEvaluation:
    """Return an evaluation that values each answer in a turn by the chance to win."""
    spent = Chances(replace(sheet, hornswaggled=True), seen, dice)
    return TurnEvaluation(spent if sheet.hornswaggled else Chances(sheet, seen, dice, spent))
