"""Advice in Swashbuckle: the answer with the greatest expected plunder for the player; and the luck measure.

Opponents do not change the advice about dice. Raids and curses are aimed at the opponent with the highest expected
total. The advice is to save a curse if a curse will probably cost the victim more in a later turn. There is no advice
if players have several columns (N5).

The luck measure is the expected final plunder of a sheet at each moment of a turn, as if the seat played the whole
match alone; raids and curses change it from outside. Within a turn the expectation is exact. The value of later turns
comes from a table; the rounding error of that table (hundredths of a point, rarely a tenth) counts as luck in the next
turn's first throw.

Source: docs/rules/swashbuckle.md.
"""

from collections.abc import Callable, Collection
from functools import lru_cache
from typing import Final

from captains_table.games.common.dice import ThrowStep
from captains_table.games.contract import Keep, Over, Pick
from captains_table.games.swashbuckle import asks, steps
from captains_table.games.swashbuckle.scoring import cursable, raidable
from captains_table.games.swashbuckle.sheet import CURSED_DICE, DICE_COUNT, Sheet, box_title
from captains_table.games.swashbuckle.state import SWASHBUCKLE_THROWS, State, SwashbuckleTurn
from captains_table.phrases import message, say
from captains_table.players.common.advice import Advice, about, faces_kept, keep_words
from captains_table.players.common.hold_solver import Multiset
from captains_table.players.swashbuckle.sheet_turn import HouseRules, SheetTurn
from captains_table.players.swashbuckle.sheet_values import SheetValues

# The expected cost to the victim of a curse at the best later moment, by the turns that the victim has after this one:
# optimal stopping over the costs in 80 seeded games of the adviser. A curse that costs less now should wait.
WORTH_OF_WAITING: Final = (0.0, 5.2, 6.5, 7.0, 7.5, 7.7, 7.9, 8.2, 8.3, 8.5, 8.6, 8.7, 8.7, 8.7, 8.7, 8.7)
REMEMBERED_TURNS: Final = 64
REMEMBERED_SHEETS: Final = 256


class SwashbuckleAdviser:
    """Advises the seat that must decide.

    Args:
        table_of: returns the values of all sheets. The argument says whether a player may scuttle a box (fill it with 0
            points) although the dice would score in another box (W3).

    Attributes:
        turn: returns the evaluation of a turn, given the sheet, the house rules and the number of dice; results are
            cached.
    """

    def __init__(self, table_of: Callable[[bool], SheetValues]) -> None:
        self._table_of = table_of
        self.turn = lru_cache(maxsize=REMEMBERED_TURNS)(self._weigh)

    def __call__(self, state: State) -> Advice | None:
        """Return advice on the best answer.

        The result is `None` if players have several columns, if a penalty is to be accepted or refused, or if no
        decision about dice, boxes, raids or curses is due.
        """
        return None if state.options.columns > 1 or state.accused is not None else self._advised(state)

    def _advised(self, state: State) -> Advice | None:
        match state.step:
            case steps.BoxChoiceStep() | steps.BoxHoldStep() | steps.PiracyFallen():
                return self._about_dice(state)
            case steps.Raiding(points):
                return self._raid(state, points)
            case steps.Cursing():
                return self._curse(state)
            case _:
                return None

    def expected_total(self, state: State, seat: int) -> float:
        """Return a seat's expected plunder at the end of the match."""
        sheet = state.sheets[seat]
        return points_without_bonuses(sheet) + self._table_of(state.options.voluntary_scuttle).of_sheet(sheet)

    # --- dice -------------------------------------------------------------------------------------------------------

    def _weigh(self, sheet: Sheet, rules: HouseRules, dice: int) -> SheetTurn:
        return SheetTurn(sheet, self._table_of(rules.voluntary_scuttle), rules, dice)

    def turn_of(self, state: State) -> SheetTurn:
        """Return the evaluation of the current turn."""
        return self.turn(state.sheet, rules_of(state), len(state.turn.faces))

    def _about_dice(self, state: State) -> Advice:
        action, value, kept = self.turn_of(state).answer(state)
        expected = value + points_without_bonuses(state.sheet)
        why = say("{plunder} plunder expected in the end", about(expected))
        return Advice(action, _words(action, kept), why, expected)

    # --- raids and curses -------------------------------------------------------------------------------------------

    def _raid(self, state: State, points: int) -> Advice:
        victim = max(raidable(state), key=lambda seat: self.expected_total(state, seat))
        words = say("Raid {name}", state.called(victim))
        expected = self.expected_total(state, victim)
        why = message("expected to end highest of those left to raid, with {plunder} before losing {points}")
        why = say(why, plunder=about(expected), points=points)
        return Advice(Pick(f"raid-{victim}"), words, why, self.expected_total(state, state.seat))

    def _curse(self, state: State) -> Advice:
        own = self.expected_total(state, state.seat)
        hurt = [seat for seat in cursable(state) if not state.is_full(seat)]
        finished = [seat for seat in cursable(state) if state.is_full(seat)]
        gain = -self.cost_of_curse(state, state.seat) if finished else 0.0
        if gain > 0:  # a curse on a finished challenge sheet hits its sender, and four alike count double (N1, W7)
            words = say("Curse {name}", state.called(finished[0]))
            why = say("four dice are worth {points} more to you now", about(gain))
            return Advice(Pick(f"curse-{finished[0]}"), words, why, own + gain)
        if not hurt:
            why = say("your own four dice would cost {points}", about(-gain))
            return Advice(Pick("no-curse"), say("No curse"), why, own)
        victim = max(hurt, key=lambda seat: self.expected_total(state, seat))
        cost = self.cost_of_curse(state, victim)
        has_later = not state.options.challenge  # a victim that has not begun is cursed in its first turn in any case
        waiting = WORTH_OF_WAITING[len(state.sheets[victim].open_boxes()) - 1] if has_later else 0.0
        if cost >= waiting:
            why = say("expected to end highest; four dice cost {points} points", about(cost))
            return Advice(Pick(f"curse-{victim}"), say("Curse {name}", state.called(victim)), why, own)
        costs = message("would cost {name} {points} points now; later {later}")
        why = say(costs, name=state.called(victim), points=about(cost), later=about(waiting, cost))
        return Advice(Pick("no-curse"), say("No curse yet"), why, own)

    def cost_of_curse(self, state: State, victim: int) -> float:
        """Return how many points a seat is expected to lose if its turn has four dice instead of five (W7)."""
        rules, sheet = rules_of(state), state.sheets[victim]
        return self.turn(sheet, rules, DICE_COUNT).before() - self.turn(sheet, rules, CURSED_DICE).before()


def rules_of(state: State) -> HouseRules:
    """Return the match's options that affect the expected points of a score sheet."""
    return HouseRules(state.options.values, state.options.voluntary_scuttle)


def points_without_bonuses(sheet: Sheet) -> int:
    """Return the points on a sheet without the bonuses Blimey and Smooth Sailing.

    The forecast of the remaining turns includes these two bonuses. Swashbuckle bonuses are part of the result.
    """
    return sheet.total - sheet.blimey - sheet.smooth_sailing


def _words(action: Pick | Keep, kept: Multiset | None) -> str:
    if kept is not None:
        if action != Pick(asks.HORNSWAGGLE_OPTION.id):
            return keep_words(kept)
        faces = faces_kept(kept)
        return say("Hornswaggle: keep {faces}", faces) if kept else say("Hornswaggle: throw them all")
    kind, _, box = action.id.partition("-") if isinstance(action, Pick) else ("", "", "")
    if not box:
        return say("Stand")
    return say("Score {box}", box_title(box)) if kind == "score" else say("Scuttle {box}", box_title(box))


# --- luck -------------------------------------------------------------------------------------------------------------


class SheetMeasure:
    """Computes the points (plunder) that each seat may expect to have at the end of a match.

    Args:
        table_of: returns the table of sheet values for a house rule: True if a player may scuttle (fill a box with 0
            points) voluntarily (W3).
    """

    def __init__(self, table_of: Callable[[bool], SheetValues]) -> None:
        self._table_of = table_of
        self._adviser = SwashbuckleAdviser(table_of)
        self._rest = lru_cache(maxsize=REMEMBERED_SHEETS)(self._weigh_rest)  # seats that wait keep their sheets

    def expected(self, state: State, seat: int) -> float:
        """Return a seat's points plus the points that its sheet is expected to gain under best play."""
        sheet = state.sheets[seat]
        if seat == state.seat and not isinstance(state.step, Over):
            return points_without_bonuses(sheet) + self._on_turn(state)
        return points_without_bonuses(sheet) + self._rest(rules_of(state), sheet, seat in state.cursed)

    def promised(self, state: State, seat: int) -> float:  # noqa: ARG002 - the signature of `Measure`
        """Return 0, because `expected` already includes the points of every later turn."""
        return 0.0

    def _weigh_rest(self, rules: HouseRules, sheet: Sheet, cursed: bool) -> float:  # noqa: FBT001 - a cache key, private
        if cursed and not sheet.is_full:
            return self._adviser.turn(sheet, rules, CURSED_DICE).before()
        return self._table_of(rules.voluntary_scuttle).of_sheet(sheet)

    def _on_turn(self, state: State) -> float:
        sheet, turn = state.sheet, state.turn
        if isinstance(state.step, steps.Raiding | steps.Cursing) or sheet.is_full:
            return self._rest(rules_of(state), sheet, False)  # noqa: FBT003 - a cache key
        if turn.is_piracy:
            return self._piracy(state)
        weighed = self._adviser.turn_of(state)
        left = max(0, SWASHBUCKLE_THROWS - turn.throws)
        match state.step:
            case ThrowStep(falling) if turn.throws:
                # the hornswaggle allows one more throw than `left`
                return weighed.kept_value(_lying_but(turn, falling), max(1, left))
            case steps.BoxHoldStep(hornswaggle):
                return weighed.best_keep(turn.lying, 0 if hornswaggle else left).value
            case steps.BoxChoiceStep():
                values = [*weighed.options(turn.lying, left).values()]
                return max([*values, weighed.best_keep(turn.lying, left).value] if left else values)
            case _:  # before the turn's first throw, or while the seats throw for the start
                return self._rest(rules_of(state), sheet, len(turn.faces) < DICE_COUNT)

    def _piracy(self, state: State) -> float:
        """Return the expected points still to come while the seat on turn throws for piracy (W6)."""
        turn, weighed = state.turn, self._adviser.turn_of(state)
        match state.step:
            case ThrowStep(falling) if turn.is_hornswaggled:
                return weighed.piracy_kept_value(_lying_but(turn, falling))
            case ThrowStep():
                return weighed.now.piracy
            case steps.PiracyFallen():
                return weighed.answer(state).value
            case _:
                return weighed.best_piracy_keep(turn.lying).value


def _lying_but(turn: SwashbuckleTurn, falling: Collection[int]) -> list[int]:
    return [face for die, face in zip(turn.all_dice, turn.lying, strict=True) if die not in falling]
