"""Eurus as a player of Swashbuckle: its answers, and the error rate of each level.

With several columns Eurus plays in the column where the dice gain most (N5). The adviser evaluates each column alone,
and ignores that the same dice may suit several columns. Therefore that play is sensible but not optimal.

Source: docs/rules/swashbuckle.md; docs/opponents.md.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Final

from captains_table.games.common.dice import ThrowStep
from captains_table.games.contract import REFUSE, TAKE_UP, Action, Decide, Keep, KeepAsk, Pick, PickAsk, offered_option
from captains_table.games.swashbuckle import Swashbuckle, steps
from captains_table.games.swashbuckle.asks import RAID
from captains_table.games.swashbuckle.sheet import BONUS, SCORE, SCUTTLE, cell_id, earns_bonus
from captains_table.games.swashbuckle.state import State, SwashbuckleTurn
from captains_table.phrases import say
from captains_table.players.common.advice import Advice
from captains_table.players.common.opponents import Means, Opponent
from captains_table.players.common.strategies import Strategy, err_sometimes, play_at_random, play_greedily
from captains_table.players.swashbuckle.adviser import SwashbuckleAdviser
from captains_table.players.swashbuckle.eurus.turn_to_win import MatchForecast, turn_to_win
from captains_table.players.swashbuckle.sheet_turn import TurnEvaluation
from captains_table.players.swashbuckle.sheet_values import table_of

REMEMBERED_TURNS: Final = 8


_ADVISER: Final = SwashbuckleAdviser(table_of)
_seen = lru_cache(maxsize=REMEMBERED_TURNS)(MatchForecast)


@lru_cache(maxsize=REMEMBERED_TURNS)
def _turn_of(state: State) -> TurnEvaluation:
    return turn_to_win(state.sheet, _seen(state), len(state.turn.faces))


def _before_turn(state: State) -> State:
    """Return the state before the turn's first throw, as a cache key for the whole turn."""
    turn = SwashbuckleTurn(faces=(None,) * len(state.turn.faces))
    return replace(state, turn=turn, step=ThrowStep(()), latest_events=())


def _right(state: State, decide: Decide) -> Action:
    """Return the answer with the best chance to win; with several columns, the answer of `_play_best_column` (N5).

    In a challenge, a computer starts its sheet as soon as its turn comes (N1). It refuses every penalty, because it
    uses no calculator and addresses no player by name (N2).
    """
    if state.accused is not None:
        return Pick(REFUSE.id)
    if isinstance(state.step, steps.ChallengeRestStep):
        return Pick(TAKE_UP.id)
    return _play_best_column(state, decide) if state.options.columns > 1 else _to_win(state)


def _to_win(state: State) -> Action:
    at = _before_turn(state)
    match state.step:
        case steps.Raiding(points):
            chances = _seen(at).raids(points)
            return Pick(f"{RAID}{max(chances, key=lambda victim: chances[victim])}")
        case steps.Cursing():
            curses = _seen(at).curses()
            return Pick(max(curses, key=lambda id_: curses[id_]))
        case _:
            return _turn_of(at).answer(state).action


# --- several columns --------------------------------------------------------------------------------------------------


def _play_best_column(state: State, decide: Decide) -> Action:
    """Find the best answer for each column as if it were the only one, and return the answer with the highest gain.

    After the throw for piracy, return the best answer for the column in which piracy is filled. Return the game's
    default answer for a raid, for a curse, and if the adviser has no advice.
    """
    match state.step:
        case steps.BoxChoiceStep() | steps.BoxHoldStep() if not state.turn.is_piracy:
            answers = dict(_answers(state, decide))
            return max(answers, key=lambda each: answers[each]) if answers else _proposed(decide)
        case steps.Raiding() | steps.Cursing():
            return _proposed(decide)
        case _:
            advice = _ADVISER(as_only_column(state, state.turn.column))
            return _proposed(decide) if advice is None or advice.action is None else advice.action


def as_only_column(state: State, column: int) -> State:
    """Return the match as if the seat on turn had only this column and every other seat had only its first column."""
    sheets = [state.columns_of(seat)[0] for seat in range(len(state.seats))]
    sheets[state.seat] = replace(state.columns[column], hornswaggled=not state.may_hornswaggle)
    turn = replace(state.turn, column=0)
    return replace(state, options=replace(state.options, columns=1), sheets=tuple(sheets), turn=turn)


def _answers(state: State, decide: Decide) -> Iterator[tuple[Action, float]]:
    """Yield the best answer for each of the player's columns that is not full, with the gain of the answer.

    Answers that are not allowed are left out.
    """
    for column, sheet in enumerate(state.columns):
        if sheet.is_full:
            continue
        one = as_only_column(state, column)
        advice = _ADVISER(one)
        action = None if advice is None else _in_column(advice, state, column)
        is_offered = isinstance(action, Keep) or (
            isinstance(action, Pick) and offered_option(decide, action.id) is not None
        )
        if advice is not None and action is not None and is_offered:
            yield (
                action,
                advice.expected - _ADVISER.expected_total(one, one.seat) + _bonus_elsewhere(state, one, action),
            )


def _bonus_elsewhere(state: State, one: State, action: Action) -> int:
    """Return the swashbuckle bonus that an answer gains only through another column; 0 if it gains none.

    An answer gains the bonus only if it fills a box. If the answer's own column earns the bonus already, the result
    is 0.

    Args:
        state: the match.
        one: the match as if the seat had only the column of the answer.
        action: the answer for that column.
    """
    fills = isinstance(action, Pick) and action.id.startswith((SCORE, SCUTTLE))
    is_earned = any(earns_bonus(sheet, state.turn.lying) for sheet in state.columns)
    return BONUS if fills and is_earned and not one.sheet.scored_swashbuckle else 0


def _in_column(advice: Advice, state: State, column: int) -> Action | None:
    """Return the answer to give in the match with all columns, from advice about a match with one column.

    `None` if the advice names no answer.
    """
    if isinstance(advice.action, Pick):
        for kind in (SCORE, SCUTTLE):
            if advice.action.id.startswith(kind):
                return Pick(cell_id(kind, advice.action.id.removeprefix(kind), column, state.columns))
    return advice.action


def _proposed(decide: Decide) -> Action:
    """Return the default answer of a question, or its first option if it has no default.

    Raises:
        TypeError: the question is not answered by a pick.
    """
    ask = decide.ask
    if isinstance(ask, PickAsk):
        return Pick(ask.options[0].id if ask.default is None else ask.default)
    raise TypeError(f"{ask}: expected one of Swashbuckle's asks, which are answered by a pick or by the adviser")


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
