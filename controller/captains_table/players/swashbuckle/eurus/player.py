"""Eurus at the table: what it answers in Swashbuckle, and how well at which level.

Source: docs/rules/swashbuckle.md; docs/opponents.md.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import Final

from captains_table.games.common.steps import Throwing
from captains_table.games.contract import STAND, THROW_AGAIN, Action, Decide, Keep, KeepAsk, Pick
from captains_table.games.swashbuckle import Swashbuckle
from captains_table.games.swashbuckle.asks import CURSE, HORNSWAGGLE, NO_CURSE, RAID
from captains_table.games.swashbuckle.boxes import CURSED_DICE
from captains_table.games.swashbuckle.scoring import cursable, raidable
from captains_table.games.swashbuckle.sheet import Sheet
from captains_table.games.swashbuckle.state import (
    MAX_THROWS,
    Choosing,
    HoldDecision,
    PiracyFallen,
    Raiding,
    State,
    TurnInHand,
)
from captains_table.players.common.advice import dice_showing
from captains_table.players.common.erring import err_sometimes
from captains_table.players.common.opponents import Means, Opponent
from captains_table.players.common.strategies import Strategy, play_at_random, play_greedily
from captains_table.players.swashbuckle.eurus.outlook import Outlook
from captains_table.players.swashbuckle.eurus.race import Forecast, Race
from captains_table.players.swashbuckle.eurus.turn_to_win import Aim, TurnToWin
from captains_table.players.swashbuckle.sheet_turn import HouseRules, SheetTurn
from captains_table.players.swashbuckle.table_files import RAIDS, sheet_values, table_of

TWO: Final = 2
REMEMBERED_CURSES: Final = 32
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
        self.state, self.seat = state, state.seat
        self.others = state.others()
        self.outlook = self._outlook(self.seat, raidable(state))
        self.race = Race([self.forecast(seat) for seat in self.others])

    def forecast(self, seat: int) -> Forecast:
        """Return what a seat's total is expected to be."""
        state, sheet = self.state, self.state.sheets[seat]
        if seat == state.seat:
            return self.outlook.forecast(sheet)
        victims = [other for other in range(len(state.seats)) if other != seat and state.sheets[other].pillaged is None]
        outlook = self._outlook(seat, victims if state.options.pillage == "steal" else ())
        forecast = outlook.forecast(sheet)
        if seat in state.cursed and not sheet.is_full:
            return forecast.less(cost_of_curse(state, seat))
        return forecast

    def _outlook(self, seat: int, victims: Sequence[int]) -> Outlook:
        """Return what a seat may expect of sheets: of two players what one takes the other loses."""
        options = self.state.options
        if not victims or (len(self.others) > 1 and seat != self.seat):
            return _outlook_of(options.voluntary_scuttle, 0.0)
        is_double = options.captain_pillage == "double" and options.captain in victims
        return _outlook_of(options.voluntary_scuttle, (2.0 if is_double else 1.0) / len(self.others))

    # --- raids and curses -------------------------------------------------------------------------------------------

    def raids(self, mean: float, variance: float, points: int) -> dict[int, float]:
        """Return the chance to win with each victim who may be raided."""
        options = self.state.options
        doubled = options.captain if options.captain_pillage == "double" else None
        return {
            victim: self._after_loss(mean, variance, victim, 2 * points if victim == doubled else points)
            for victim in raidable(self.state)
        }

    def after_raid(self, mean: float, variance: float, points: int) -> float:
        """Return the chance to win once the best victim has been raided; where there is none, with the points alone."""
        return max(self.raids(mean, variance, points).values(), default=self.race.chance(mean, variance))

    def _after_loss(self, mean: float, variance: float, victim: int, loss: float) -> float:
        return self.race.chance_after_loss(mean, variance, self.others.index(victim), loss)

    def curses(self) -> dict[str, float]:
        """Return the chance to win with every answer to whom to curse, waiting for a better moment among them."""
        own = self.forecast(self.seat)
        victims = cursable(self.state)
        costs = {victim: cost_of_curse(self.state, victim) for victim in victims}
        now = {f"{CURSE}{victim}": self._after_loss(*own, victim, cost) for victim, cost in costs.items()}
        later = max(self._after_loss(*own, victim, self._cost_later(victim, cost)) for victim, cost in costs.items())
        return now | {NO_CURSE.id: later}

    def _cost_later(self, victim: int, cost: float) -> float:
        """Return what the curse costs a victim at the best later moment, if there is one."""
        has_later = len(self.state.sheets[victim].open_boxes()) > 1 and not self.state.sheet.is_full
        return LATER[0] + LATER[1] * cost if has_later else 0.0


@cache
def _outlook_of(voluntary: bool, raid: float) -> Outlook:  # noqa: FBT001 - a key, no flag
    return Outlook(voluntary=voluntary, raid=raid)


def cost_of_curse(state: State, victim: int) -> float:
    """Return how many points a turn with four dice costs a seat, the raid that it cannot make included (W7)."""
    options = state.options
    is_duel = len(state.seats) == TWO and options.pillage == "steal" and state.sheet.pillaged is None
    return _cost_of_curse(state.sheets[victim], HouseRules(options.values, options.voluntary_scuttle), is_duel)


@lru_cache(maxsize=REMEMBERED_CURSES)
def _cost_of_curse(sheet: Sheet, rules: HouseRules, is_duel: bool) -> float:  # noqa: FBT001 - a key, no flag
    has_raids = is_duel and not rules.voluntary_scuttle
    table = sheet_values(RAIDS) if has_raids else table_of(rules.voluntary_scuttle)
    return table.of_sheet(sheet) - SheetTurn(sheet, table, rules, CURSED_DICE).before()


# --- answers ----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=REMEMBERED_TURNS)
def _seen(state: State) -> Seen:
    return Seen(state)


@lru_cache(maxsize=REMEMBERED_TURNS)
def _turn_of(state: State) -> TurnToWin:
    seen, options = _seen(state), state.options
    rules = HouseRules(options.values, options.voluntary_scuttle)
    aim = Aim(seen.outlook, seen.race, seen.after_raid, rules, len(state.turn.faces))
    return TurnToWin(state.sheet, aim)


def _before_turn(state: State) -> State:
    """Return what of a state is the same throughout a turn."""
    turn = TurnInHand(faces=(None,) * len(state.turn.faces))
    return replace(state, turn=turn, step=Throwing(()), latest_events=())


def _right(state: State, decide: Decide) -> Action:
    """Return the answer with the best chance to win."""
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
            chances = _seen(at).raids(*_seen(at).forecast(state.seat), points)
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
