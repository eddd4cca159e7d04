"""Eurus at the table: what it answers in Swashbuckle, and how well at which level.

Source: docs/rules/swashbuckle.md; docs/opponents.md.
"""

from dataclasses import replace
from functools import cache, lru_cache
from typing import Final

from captains_table.games.common.dice import Throwing
from captains_table.games.contract import REFUSE, STAND, TAKE_UP, THROW_AGAIN, Action, Decide, Keep, KeepAsk, Pick
from captains_table.games.swashbuckle import Swashbuckle
from captains_table.games.swashbuckle.asks import CURSE, HORNSWAGGLE, NO_CURSE, RAID
from captains_table.games.swashbuckle.scoring import cursable, raidable
from captains_table.games.swashbuckle.sheet import Sheet
from captains_table.games.swashbuckle.state import (
    MAX_THROWS,
    Choosing,
    HoldDecision,
    PiracyFallen,
    Raiding,
    Resting,
    State,
    TurnInHand,
)
from captains_table.players.common.advice import dice_showing
from captains_table.players.common.opponents import Means, Opponent
from captains_table.players.common.strategies import Strategy, err_sometimes, play_at_random, play_greedily
from captains_table.players.swashbuckle.adviser import SwashbuckleAdviser, counted_bonuses
from captains_table.players.swashbuckle.best_column import play_best_column
from captains_table.players.swashbuckle.eurus.outlook import Outlook
from captains_table.players.swashbuckle.eurus.race import Race, Rest, Rival
from captains_table.players.swashbuckle.eurus.turn_to_win import Aim, TurnToWin
from captains_table.players.swashbuckle.sheet_turn import HouseRules
from captains_table.players.swashbuckle.sheet_values import table_of

REMEMBERED_OUTLOOKS: Final = 8
# What a curse costs at the best later moment, by what it costs now: a line through 400 seeded matches of the adviser,
# nearly the same one from the second turn to the last but one. What makes a curse costly lasts for several turns.
LATER: Final = (1.0, 0.82)
REMEMBERED_TURNS: Final = 8


class Seen:
    """A match as the player on turn sees it.

    Args:
        state: as it stands.
    """

    def __init__(self, state: State) -> None:
        self._state, self._others = state, state.others()
        self.rules = HouseRules(state.options.values, state.options.voluntary_scuttle)
        self.outlook = self._outlook(state.seat)
        self.race = Race([self._rival(seat) for seat in self._others])

    def _rival(self, seat: int) -> Rival:
        sheet = self._state.sheets[seat]
        return Rival(_counted(sheet), self._outlook(seat).of_sheet(sheet, cursed=seat in self._state.cursed))

    def _outlook(self, seat: int) -> Outlook:
        """Return what a seat may expect of sheets: of two players what one takes the other loses."""
        options, several = self._state.options, len(self._others) > 1
        victims = [each for each, sheet in enumerate(self._state.sheets) if each != seat and sheet.pillaged is None]
        if options.pillage == "add" or not victims or (several and seat != self._state.seat):
            return outlook_of(self.rules, 0.0)
        is_double = options.captain_pillage == "double" and options.captain in victims
        return outlook_of(self.rules, (2.0 if is_double else 1.0) / len(self._others))

    # --- raids and curses -------------------------------------------------------------------------------------------

    def raids(self, points: int) -> dict[int, float]:
        """Return the chance to win with each victim who may be raided, piracy being filled."""
        return self._raids(_counted(self._state.sheet), self.outlook.of_sheet(self._state.sheet), points)

    def after_raid(self, counted: float, rest: Rest, points: int) -> float:
        """Return the chance to win once the best victim has been raided; where there is none, with the points alone."""
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
        """Return the chance to win with every answer to whom to curse, waiting for a better moment among them."""
        counted, rest = _counted(self._state.sheet), self.outlook.of_sheet(self._state.sheet)
        now, later = {}, []
        for victim in cursable(self._state):
            if self._state.is_full(victim):  # the curse on a finished challenge sheet falls back (N1)
                own = self.outlook.of_sheet(self._state.sheet, cursed=True)
                now[f"{CURSE}{victim}"] = self.race.chance(counted, own)
                continue
            sheet, outlook = self._state.sheets[victim], self._outlook(victim)
            cursed = Rival(_counted(sheet), outlook.of_sheet(sheet, cursed=True))
            now[f"{CURSE}{victim}"] = self.race.instead(self._others.index(victim), cursed).chance(counted, rest)
            is_ahead = self._state.options.challenge  # cursed in his first turn whenever it is spoken (N1)
            has_later = len(sheet.open_boxes()) > 1 and not self._state.sheet.is_full and not is_ahead
            cost = LATER[0] + LATER[1] * outlook.cost_of_curse(sheet) if has_later else 0.0
            later.append(self._after_loss(victim, cost).chance(counted, rest))
        return now | {NO_CURSE.id: max(later, default=self.race.chance(counted, rest))}


def _counted(sheet: Sheet) -> int:
    return sheet.total - counted_bonuses(sheet)


@lru_cache(maxsize=REMEMBERED_OUTLOOKS)
def outlook_of(rules: HouseRules, raid: float) -> Outlook:
    """Return what sheets may still bring under such rules."""
    return Outlook(rules, raid)


# --- answers ----------------------------------------------------------------------------------------------------------


@cache
def _adviser() -> SwashbuckleAdviser:
    return SwashbuckleAdviser(table_of)


@lru_cache(maxsize=REMEMBERED_TURNS)
def _seen(state: State) -> Seen:
    return Seen(state)


@lru_cache(maxsize=REMEMBERED_TURNS)
def _turn_of(state: State) -> TurnToWin:
    seen = _seen(state)
    aim = Aim(seen.outlook, seen.race, seen.after_raid, seen.rules, len(state.turn.faces))
    return TurnToWin(state.sheet, aim)


def _before_turn(state: State) -> State:
    """Return what of a state is the same throughout a turn."""
    turn = TurnInHand(faces=(None,) * len(state.turn.faces))
    return replace(state, turn=turn, step=Throwing(()), latest_events=())


def _right(state: State, decide: Decide) -> Action:
    """Return the answer with the best chance to win; of several columns the one that gains most points (N5).

    A penalty is refused: a computer needs no calculator and calls nobody by name (N2).
    """
    if state.accused is not None:
        return Pick(REFUSE.id)
    if isinstance(state.step, Resting):
        return Pick(TAKE_UP.id)
    return play_best_column(_adviser(), state, decide) if state.options.columns > 1 else _to_win(state)


def _to_win(state: State) -> Action:
    at = _before_turn(state)
    match state.step:
        case Choosing():
            return _fill_or_throw(state, _turn_of(at))
        case HoldDecision(hornswaggle=is_hornswaggle):
            turn, faces = _turn_of(at), state.turn.lying
            left = 0 if is_hornswaggle else MAX_THROWS - state.turn.throws
            kept = turn.best_piracy_keep(faces) if state.turn.is_piracy else turn.best_keep(faces, left)
            return Keep(dice_showing(kept.multiset, state.turn.faces, state.turn.all_dice))
        case PiracyFallen():
            turn, faces = _turn_of(at), state.turn.lying
            cheats = turn.best_piracy_keep(faces).value > turn.standing_on_piracy(faces)
            return Pick(HORNSWAGGLE.id if cheats else STAND.id)
        case Raiding(points):
            chances = _seen(at).raids(points)
            return Pick(f"{RAID}{max(chances, key=lambda victim: chances[victim])}")
        case _:
            curses = _seen(at).curses()
            return Pick(max(curses, key=lambda id_: curses[id_]))


def _fill_or_throw(state: State, turn: TurnToWin) -> Pick:
    faces, left = state.turn.lying, max(0, MAX_THROWS - state.turn.throws)
    chances = turn.options(faces, left)
    best = max(chances, key=lambda id_: (chances[id_], id_))
    if left and turn.best_keep(faces, left).value > chances[best]:
        return Pick(THROW_AGAIN.id)
    return Pick(best)


# --- levels -----------------------------------------------------------------------------------------------------------

ERRORS: Final = {1: 100, 2: 60, 3: 35, 4: 15, 5: 0}  # of a hundred answers, by level


def make_eurus(level: int, means: Means) -> Strategy:
    """Return Eurus at one of its levels."""
    below = means.below
    greedy = play_greedily(Swashbuckle(), below)
    any_dice = play_at_random(below)

    def wrong(state: State, decide: Decide) -> Action:
        """Take the box that shows most at once, and keep any dice."""
        return (any_dice if isinstance(decide.ask, KeepAsk) else greedy)(state, decide)

    return err_sometimes(_right, wrong, ERRORS[level], below)


EURUS: Final = Opponent(
    "eurus", "Eurus", make_eurus, {1: "beginner", 2: "fair", 3: "good", 4: "strong", 5: "strongest"}, usual=2
)
