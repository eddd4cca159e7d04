"""Advice in Swashbuckle: the answer that leads to the greatest expected plunder of one's own.

Against others the same answers are given: what they do changes nothing about one's own dice. Raids and curses, which
do concern others, go against whoever is expected to end highest; the curse waits for a turn that it hurts most. Beyond
one column there is no advice (N5).

Source: docs/rules/swashbuckle.md.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from captains_table.games.contract import Keep, Pick
from captains_table.games.swashbuckle import asks
from captains_table.games.swashbuckle.scoring import cursable, raidable
from captains_table.games.swashbuckle.sheet import CURSED_DICE, DICE, Sheet, title_of
from captains_table.games.swashbuckle.state import Choosing, Cursing, HoldDecision, PiracyFallen, Raiding, State
from captains_table.players.common.advice import Advice, keep_words
from captains_table.players.common.hold_solver import Multiset
from captains_table.players.swashbuckle.sheet_turn import HouseRules, SheetTurn
from captains_table.players.swashbuckle.sheet_values import SheetValues

# What the best later moment for a curse costs its victim on average, by the turns he has after this one: optimal
# stopping over the costs met in 80 seeded games of the adviser. A curse that costs less now had better wait.
WORTH_OF_WAITING: Final = (0.0, 5.2, 6.5, 7.0, 7.5, 7.7, 7.9, 8.2, 8.3, 8.5, 8.6, 8.7, 8.7, 8.7, 8.7, 8.7)
REMEMBERED_TURNS: Final = 64


class SwashbuckleAdviser:
    """Advises whoever must decide.

    Args:
        table_of: returns what sheets are worth; told whether boxes may be scuttled at will (W3).

    Attributes:
        turn: weighs a turn of so many dice with a sheet, by the match's rules.
    """

    def __init__(self, table_of: Callable[[bool], SheetValues]) -> None:
        self._table_of = table_of
        self.turn = lru_cache(maxsize=REMEMBERED_TURNS)(self._weigh)

    def __call__(self, state: State) -> Advice | None:
        """Return the best answer, `None` where nothing is to be decided, and where a player has several columns."""
        return None if state.options.columns > 1 or state.accused is not None else self._advised(state)

    def _advised(self, state: State) -> Advice | None:
        match state.step:
            case Choosing() | HoldDecision() | PiracyFallen():
                return self._about_dice(state)
            case Raiding(points):
                return self._raid(state, points)
            case Cursing():
                return self._curse(state)
            case _:
                return None

    def expected_total(self, state: State, seat: int) -> float:
        """Return what a seat's plunder is expected to be in the end."""
        sheet = state.sheets[seat]
        return counted(sheet) + self._table_of(state.options.voluntary_scuttle).of_sheet(sheet)

    # --- one's own dice ---------------------------------------------------------------------------------------------

    def _weigh(self, sheet: Sheet, rules: HouseRules, dice: int) -> SheetTurn:
        return SheetTurn(sheet, self._table_of(rules.voluntary_scuttle), rules, dice)

    def turn_of(self, state: State) -> SheetTurn:
        """Return the turn in hand, weighed."""
        return self.turn(state.sheet, rules_of(state), len(state.turn.faces))

    def _about_dice(self, state: State) -> Advice:
        action, value, kept = self.turn_of(state).answer(state)
        expected = value + counted(state.sheet)
        return Advice(action, _words(action, kept), f"{expected:.1f} plunder expected in the end", expected)

    # --- others -----------------------------------------------------------------------------------------------------

    def _raid(self, state: State, points: int) -> Advice:
        victim = max(raidable(state), key=lambda seat: self.expected_total(state, seat))
        words = f"Raid {state.called(victim)}"
        expected = self.expected_total(state, victim)
        why = f"expected to end highest of those left to raid, with {expected:.1f} before losing {points}"
        return Advice(Pick(f"raid-{victim}"), words, why, self.expected_total(state, state.seat))

    def _curse(self, state: State) -> Advice:
        own = self.expected_total(state, state.seat)
        hurt = [seat for seat in cursable(state) if not state.is_full(seat)]
        finished = [seat for seat in cursable(state) if state.is_full(seat)]
        gain = -self.cost_of_curse(state, state.seat) if finished else 0.0
        if gain > 0:  # the curse on a finished challenge sheet falls back, and four alike count double (N1, W7)
            why = f"four dice are worth {gain:.1f} more to you now"
            return Advice(Pick(f"curse-{finished[0]}"), f"Curse {state.called(finished[0])}", why, own + gain)
        if not hurt:
            return Advice(Pick("no-curse"), "No curse", f"your own four dice would cost {-gain:.1f}", own)
        victim = max(hurt, key=lambda seat: self.expected_total(state, seat))
        cost = self.cost_of_curse(state, victim)
        has_later = not state.options.challenge  # who has not begun is cursed in his first turn whenever it is spoken
        waiting = WORTH_OF_WAITING[len(state.sheets[victim].open_boxes()) - 1] if has_later else 0.0
        if cost >= waiting:
            why = f"expected to end highest; four dice cost {cost:.1f} points"
            return Advice(Pick(f"curse-{victim}"), f"Curse {state.called(victim)}", why, own)
        why = f"would cost {state.called(victim)} {cost:.1f} points now; later about {waiting:.1f}"
        return Advice(Pick("no-curse"), "No curse yet", why, own)

    def cost_of_curse(self, state: State, victim: int) -> float:
        """Return how many points a turn with four dice costs a seat (W7)."""
        rules, sheet = rules_of(state), state.sheets[victim]
        return self.turn(sheet, rules, DICE).before() - self.turn(sheet, rules, CURSED_DICE).before()


def rules_of(state: State) -> HouseRules:
    """Return what the match agreed on that changes what sheets are worth."""
    return HouseRules(state.options.values, state.options.voluntary_scuttle)


def counted(sheet: Sheet) -> int:
    """Return what a sheet has without the bonuses that the value of its rest counts already."""
    return sheet.total - sheet.blimey - sheet.smooth_sailing


def _words(action: Pick | Keep, kept: Multiset | None) -> str:
    if kept is not None:
        is_hornswaggle = action == Pick(asks.HORNSWAGGLE.id)
        return f"Hornswaggle: {keep_words(kept).lower()}" if is_hornswaggle else keep_words(kept)
    kind, _, box = action.id.partition("-") if isinstance(action, Pick) else ("", "", "")
    return f"{kind.capitalize()} {title_of(box)}".strip()
