"""How Eurus plays Swashbuckle with several columns: in the column where the dice gain most (N5).

The adviser evaluates each column alone. The evaluation ignores that the same dice may suit several columns. Therefore
the play is sensible but not optimal.

Source: docs/rules/swashbuckle.md.
"""

from collections.abc import Iterator
from dataclasses import replace

from captains_table.games.contract import Action, Decide, Keep, Pick, PickAsk, offered_option
from captains_table.games.swashbuckle.sheet import BONUS, SCORE, SCUTTLE, cell_id, earns_bonus
from captains_table.games.swashbuckle.state import BoxChoiceStep, BoxHoldStep, Cursing, Raiding, State
from captains_table.players.common.advice import Advice
from captains_table.players.swashbuckle.adviser import SwashbuckleAdviser


def play_best_column(adviser: SwashbuckleAdviser, state: State, decide: Decide) -> Action:
    """Find the best answer for each column as if it were the only one, and return the answer with the highest gain.

    After the throw for piracy, return the best answer for the column in which piracy is filled. Return the game's
    default answer for a raid, for a curse, and if the adviser has no advice.
    """
    match state.step:
        case BoxChoiceStep() | BoxHoldStep() if not state.turn.is_piracy:
            answers = dict(_answers(adviser, state, decide))
            return max(answers, key=lambda each: answers[each]) if answers else _proposed(decide)
        case Raiding() | Cursing():
            return _proposed(decide)
        case _:
            advice = adviser(as_only_column(state, state.turn.column))
            return _proposed(decide) if advice is None or advice.action is None else advice.action


def as_only_column(state: State, column: int) -> State:
    """Return the match as if the seat on turn had only this column and every other seat had only its first column."""
    sheets = [state.columns_of(seat)[0] for seat in range(len(state.seats))]
    sheets[state.seat] = replace(state.columns[column], hornswaggled=not state.may_hornswaggle)
    turn = replace(state.turn, column=0)
    return replace(state, options=replace(state.options, columns=1), sheets=tuple(sheets), turn=turn)


def _answers(adviser: SwashbuckleAdviser, state: State, decide: Decide) -> Iterator[tuple[Action, float]]:
    """Yield the best answer for each of the player's columns that is not full, with the gain of the answer.

    Answers that are not allowed are left out.
    """
    for column, sheet in enumerate(state.columns):
        if sheet.is_full:
            continue
        one = as_only_column(state, column)
        advice = adviser(one)
        action = None if advice is None else _in_column(advice, state, column)
        is_offered = isinstance(action, Keep) or (
            isinstance(action, Pick) and offered_option(decide, action.id) is not None
        )
        if advice is not None and action is not None and is_offered:
            yield action, advice.expected - adviser.expected_total(one, one.seat) + _bonus_elsewhere(state, one, action)


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
