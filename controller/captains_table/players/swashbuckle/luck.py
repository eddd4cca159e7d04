"""The luck measure of Swashbuckle: the expected final plunder of a sheet at each moment of a turn.

The expectation covers the whole match from its beginning, as if the seat played alone; raids and curses change it from
outside. Within a turn the expectation is exact. The value of later turns comes from a table; the rounding error of that
table (hundredths of a point, rarely a tenth) counts as luck in the next turn's first throw.

Source: docs/rules/swashbuckle.md.
"""

from collections.abc import Callable, Collection
from functools import lru_cache
from typing import Final

from captains_table.games.common.dice import ThrowStep
from captains_table.games.contract import Over
from captains_table.games.swashbuckle.sheet import CURSED_DICE, DICE_COUNT, Sheet
from captains_table.games.swashbuckle.state import (
    SWASHBUCKLE_THROWS,
    BoxChoiceStep,
    BoxHoldStep,
    Cursing,
    PiracyFallen,
    Raiding,
    State,
    SwashbuckleTurn,
)
from captains_table.players.swashbuckle.adviser import SwashbuckleAdviser, points_without_bonuses, rules_of
from captains_table.players.swashbuckle.sheet_turn import HouseRules
from captains_table.players.swashbuckle.sheet_values import SheetValues

REMEMBERED_SHEETS: Final = 256


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
        if isinstance(state.step, Raiding | Cursing) or sheet.is_full:
            return self._rest(rules_of(state), sheet, False)  # noqa: FBT003 - a cache key
        if turn.is_piracy:
            return self._piracy(state)
        weighed = self._adviser.turn_of(state)
        left = max(0, SWASHBUCKLE_THROWS - turn.throws)
        match state.step:
            case ThrowStep(falling) if turn.throws:
                # the hornswaggle allows one more throw than `left`
                return weighed.kept_value(_lying_but(turn, falling), max(1, left))
            case BoxHoldStep(hornswaggle):
                return weighed.best_keep(turn.lying, 0 if hornswaggle else left).value
            case BoxChoiceStep():
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
            case PiracyFallen():
                return weighed.answer(state).value
            case _:
                return weighed.best_piracy_keep(turn.lying).value


def _lying_but(turn: SwashbuckleTurn, falling: Collection[int]) -> list[int]:
    return [face for die, face in zip(turn.all_dice, turn.lying, strict=True) if die not in falling]
