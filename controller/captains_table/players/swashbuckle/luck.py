"""What a sheet of Swashbuckle is worth at each moment of a turn, by the adviser's own figures.

A seat expects its total, and from the first moment on the whole rest of its match as if it played alone: whoever raids
or curses changes that from outside. Within a turn everything is exact; what the sheet is worth afterwards is the
table's, whose rounding (hundredths of a point, seldom a tenth) falls to the first throw of the next turn.

Source: docs/rules/swashbuckle.md.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from captains_table.games.common.dice import Throwing
from captains_table.games.contract import Over
from captains_table.games.swashbuckle.sheet import CURSED_DICE, DICE, Sheet
from captains_table.games.swashbuckle.state import (
    MAX_THROWS,
    Choosing,
    Cursing,
    HoldDecision,
    PiracyFallen,
    Raiding,
    State,
)
from captains_table.players.common.hold_solver import dice_multisets
from captains_table.players.swashbuckle.adviser import SwashbuckleAdviser, counted_bonuses, rules_of
from captains_table.players.swashbuckle.sheet_turn import HouseRules, piracy_kept
from captains_table.players.swashbuckle.sheet_values import SheetValues

REMEMBERED_SHEETS: Final = 256


class SheetMeasure:
    """What seats may expect of their sheets.

    Args:
        table_of: returns what sheets are worth; told whether boxes may be scuttled at will (W3).
    """

    def __init__(self, table_of: Callable[[bool], SheetValues]) -> None:
        self._table_of = table_of
        self._adviser = SwashbuckleAdviser(table_of)
        self._seat_waiting = lru_cache(maxsize=REMEMBERED_SHEETS)(self._weigh_waiting)  # of many, all but one wait

    def expected(self, state: State, seat: int) -> float:
        """Return a seat's total, and what best play makes of the rest of its sheet."""
        sheet = state.sheets[seat]
        if seat == state.seat and not isinstance(state.step, Over):
            return _counted(sheet) + self._on_turn(state)
        return self._seat_waiting(rules_of(state), sheet, seat in state.cursed)

    def promised(self, state: State, seat: int) -> float:  # noqa: ARG002 - as every measure is asked
        """Return 0: the whole match is expected from its beginning."""
        return 0.0

    def _weigh_waiting(self, rules: HouseRules, sheet: Sheet, cursed: bool) -> float:  # noqa: FBT001 - a cache key, private
        return _counted(sheet) + self._rest(rules, sheet, cursed=cursed)

    def _rest(self, rules: HouseRules, sheet: Sheet, *, cursed: bool) -> float:
        if cursed and not sheet.is_full:
            return self._adviser.turn(sheet, rules, CURSED_DICE).before()
        return self._table_of(rules.voluntary_scuttle).of_sheet(sheet)

    def _on_turn(self, state: State) -> float:
        sheet, turn = state.sheet, state.turn
        if isinstance(state.step, Raiding | Cursing) or sheet.is_full:
            return self._rest(rules_of(state), sheet, cursed=False)
        if turn.is_piracy:
            return self._piracy(state)
        weighed = self._adviser.turn_of(state)
        left = max(0, MAX_THROWS - turn.throws)
        match state.step:
            case Throwing(falling) if turn.throws:
                kept = [face for die, face in zip(turn.all_dice, turn.lying, strict=True) if die not in falling]
                return weighed.kept_value(kept, max(1, left))  # a hornswaggle's throw is one more
            case HoldDecision(hornswaggle):
                return weighed.best_keep(turn.lying, 0 if hornswaggle else left).value
            case Choosing():
                values = [*weighed.options(turn.lying, left).values()]
                return max([*values, weighed.best_keep(turn.lying, left).value] if left else values)
            case _:  # nothing was thrown yet; while they throw for the start everybody waits
                return self._rest(rules_of(state), sheet, cursed=len(turn.faces) < DICE)

    # --- the throw for piracy (W6) ----------------------------------------------------------------------------------

    def _piracy(self, state: State) -> float:
        turn, sheet = state.turn, state.sheet
        after = self._adviser.after_piracy(state, sheet)
        match state.step:
            case Throwing(falling) if turn.is_hornswaggled:
                kept = [face for die, face in zip(turn.all_dice, turn.lying, strict=True) if die not in falling]
                _, kept_values = piracy_kept(marks=sheet.scored_swashbuckle)
                return after + kept_values[dice_multisets(DICE).index(kept)]
            case Throwing():
                return self._adviser.turn(sheet, rules_of(state), DICE).now.piracy
            case _:
                _, cheating = self._adviser.best_piracy_keep(state)
                is_choice = isinstance(state.step, PiracyFallen)
                return max(after + self._adviser.piracy_points(state), cheating) if is_choice else cheating


def _counted(sheet: Sheet) -> int:
    """Return what a sheet has without the bonuses that a solved sheet counts itself."""
    return sheet.total - counted_bonuses(sheet)
