"""Eurus as a player of Swashbuckle: its answers, and the error rate of each level.

Source: docs/rules/swashbuckle.md; docs/opponents.md.
"""

from dataclasses import replace
from functools import cache, lru_cache
from typing import Final

from captains_table.games.common.dice import ThrowStep
from captains_table.games.contract import REFUSE, TAKE_UP, Action, Decide, KeepAsk, Pick
from captains_table.games.swashbuckle import Swashbuckle
from captains_table.games.swashbuckle.asks import RAID
from captains_table.games.swashbuckle.state import ChallengeRestStep, Cursing, Raiding, State, SwashbuckleTurn
from captains_table.phrases import say
from captains_table.players.common.opponents import Means, Opponent
from captains_table.players.common.strategies import Strategy, err_sometimes, play_at_random, play_greedily
from captains_table.players.swashbuckle.adviser import SwashbuckleAdviser
from captains_table.players.swashbuckle.best_column import play_best_column
from captains_table.players.swashbuckle.eurus.turn_to_win import MatchForecast, turn_to_win
from captains_table.players.swashbuckle.sheet_turn import TurnEvaluation
from captains_table.players.swashbuckle.sheet_values import table_of

REMEMBERED_TURNS: Final = 8


@cache
def _adviser() -> SwashbuckleAdviser:
    return SwashbuckleAdviser(table_of)


@lru_cache(maxsize=REMEMBERED_TURNS)
def _seen(state: State) -> MatchForecast:
    return MatchForecast(state)


@lru_cache(maxsize=REMEMBERED_TURNS)
def _turn_of(state: State) -> TurnEvaluation:
    return turn_to_win(state.sheet, _seen(state), len(state.turn.faces))


def _before_turn(state: State) -> State:
    """Return the state before the turn's first throw, as a cache key for the whole turn."""
    turn = SwashbuckleTurn(faces=(None,) * len(state.turn.faces))
    return replace(state, turn=turn, step=ThrowStep(()), latest_events=())


def _right(state: State, decide: Decide) -> Action:
    """Return the answer with the best chance to win; with several columns, the answer of `play_best_column` (N5).

    In a challenge, a computer starts its sheet as soon as its turn comes (N1). It refuses every penalty, because it
    uses no calculator and addresses no player by name (N2).
    """
    if state.accused is not None:
        return Pick(REFUSE.id)
    if isinstance(state.step, ChallengeRestStep):
        return Pick(TAKE_UP.id)
    return play_best_column(_adviser(), state, decide) if state.options.columns > 1 else _to_win(state)


def _to_win(state: State) -> Action:
    at = _before_turn(state)
    match state.step:
        case Raiding(points):
            chances = _seen(at).raids(points)
            return Pick(f"{RAID}{max(chances, key=lambda victim: chances[victim])}")
        case Cursing():
            curses = _seen(at).curses()
            return Pick(max(curses, key=lambda id_: curses[id_]))
        case _:
            return _turn_of(at).answer(state).action


# --- levels -----------------------------------------------------------------------------------------------------------

ERRORS: Final = {0: 100, 1: 100, 2: 60, 3: 35, 4: 15, 5: 0}  # percentage of wrong answers by level


def make_eurus(level: int, means: Means) -> Strategy:
    """Return the strategy of Eurus at a level.

    Eurus answers like a beginner in a percentage of its decisions. `ERRORS` has the percentage for each level.
    """
    below = means.below
    greedy = play_greedily(Swashbuckle(), below)
    at_random = play_at_random(below)

    def wrong(state: State, decide: Decide) -> Action:
        """Return a beginner's answer: random dice to keep, and otherwise that of a greedy player (`play_greedily`).

        Level 0 answers at random half of the time in place of the greedy player.
        """
        is_random = isinstance(decide.ask, KeepAsk) or (level == 0 and below(2))
        return (at_random if is_random else greedy)(state, decide)

    return err_sometimes(_right, wrong, ERRORS[level], below)


EURUS: Final = Opponent(
    "eurus",
    "Eurus",
    make_eurus,
    {0: say("gentle"), 1: say("beginner"), 2: say("fair"), 3: say("good"), 4: say("strong"), 5: say("strongest")},
    usual=2,
    level_notes={
        0: say("Keeps any dice, and fills every other box at random"),
        1: say("Keeps any dice, and takes the box that shows most"),
        2: say("Plays like that in three answers of five"),
        3: say("Plays like that in one answer of three"),
        4: say("Plays like that in one answer of seven"),
        5: say("Weighs every throw and box by the chance to win"),
    },
)
