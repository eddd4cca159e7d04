"""What a sheet of Swashbuckle is worth at each moment of a turn, by the adviser's own figures.

A seat expects its total, and from the first moment on the whole rest of its match as if it played alone: whoever raids
or curses changes that from outside. Within a turn everything is exact; what the sheet is worth afterwards is the
table's, whose rounding (hundredths of a point, seldom a tenth) falls to the first throw of the next turn.

Source: docs/rules/swashbuckle.md.
"""

from collections.abc import Callable, Collection
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
    TurnInHand,
)
from captains_table.players.swashbuckle.adviser import SwashbuckleAdviser, counted, rules_of
from captains_table.players.swashbuckle.sheet_turn import HouseRules
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
        self._rest = lru_cache(maxsize=REMEMBERED_SHEETS)(self._weigh_rest)  # of many, all but one wait

    def expected(self, state: State, seat: int) -> float:
        """Return a seat's total, and what best play makes of the rest of its sheet."""
        sheet = state.sheets[seat]
        if seat == state.seat and not isinstance(state.step, Over):
            return counted(sheet) + self._on_turn(state)
        return counted(sheet) + self._rest(rules_of(state), sheet, seat in state.cursed)

    def promised(self, state: State, seat: int) -> float:  # noqa: ARG002 - as every measure is asked
        """Return 0: the whole match is expected from its beginning."""
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
        left = max(0, MAX_THROWS - turn.throws)
        match state.step:
            case Throwing(falling) if turn.throws:
                # a hornswaggle's throw is one more
                return weighed.kept_value(_lying_but(turn, falling), max(1, left))
            case HoldDecision(hornswaggle):
                return weighed.best_keep(turn.lying, 0 if hornswaggle else left).value
            case Choosing():
                values = [*weighed.options(turn.lying, left).values()]
                return max([*values, weighed.best_keep(turn.lying, left).value] if left else values)
            case _:  # nothing was thrown yet; while they throw for the start everybody waits
                return self._rest(rules_of(state), sheet, len(turn.faces) < DICE)

    def _piracy(self, state: State) -> float:
        """Return what the throw for piracy is worth (W6)."""
        turn, weighed = state.turn, self._adviser.turn_of(state)
        match state.step:
            case Throwing(falling) if turn.is_hornswaggled:
                return weighed.piracy_kept_value(_lying_but(turn, falling))
            case Throwing():
                return weighed.now.piracy
            case PiracyFallen():
                return weighed.answer(state).value
            case _:
                return weighed.best_piracy_keep(turn.lying).value


def _lying_but(turn: TurnInHand, falling: Collection[int]) -> list[int]:
    return [face for die, face in zip(turn.all_dice, turn.lying, strict=True) if die not in falling]
