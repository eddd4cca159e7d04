"""Simple players for any game: random, greedy, a careful child, one who follows an adviser, one who errs at random."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from captains_table.games.contract import (
    GIVING_UP,
    ROLL,
    THROW_AGAIN,
    Action,
    Amount,
    AmountAsk,
    Decide,
    Game,
    Keep,
    KeepAsk,
    Option,
    Pick,
    PickAsk,
)
from captains_table.players.common.advice import StateAdviser

Below = Callable[[int], int]  # returns a random integer from 0 up to its argument, the argument excluded
Strategy = Callable[[Any, Decide], Action]
CaptureJudge = Callable[[Any, str], bool]
"""Returns whether a move on the board, given by its id, captures a piece and cannot be answered by a capture of its own
piece."""
PERCENT = 100


def play_at_random(below: Below) -> Strategy:
    """Return a player that chooses every answer at random.

    The player gives up the match only if no other option is offered.
    """

    def play(state: object, decide: Decide) -> Action:  # noqa: ARG001 - independent of the state
        match decide.ask:
            case PickAsk(options=options):
                open_options = [option for option in options if option.id not in GIVING_UP] or list(options)
                return Pick(open_options[below(len(open_options))].id)
            case KeepAsk(dice=dice):
                kept = below((1 << len(dice)) - 1)  # never all: at least one die must be thrown
                return Keep(tuple(die for place, die in enumerate(dice) if kept >> place & 1))
            case AmountAsk(lo=lo, hi=hi):
                return Amount(lo + below(hi - lo + 1))

    return play


def play_carefully(takes_undefended: CaptureJudge | None, below: Below) -> Strategy:
    """Return the careful child, against whom the lowest level of every computer is measured (docs/opponents.md).

    The child captures a piece that nobody can capture back, if there is one. It throws dice as the table proposes. All
    its other answers are random: a move on the board, if there is one, and otherwise any option.
    """
    at_random = play_at_random(below)

    def play(state: object, decide: Decide) -> Action:
        match decide.ask:
            case KeepAsk(default=default):
                return Keep(default)
            case PickAsk(options=options, default=default) as ask:
                moves = [option for option in options if option.on_board]
                captures = [each for each in moves if takes_undefended is not None and takes_undefended(state, each.id)]
                throws = any(option.id.startswith((ROLL.id, THROW_AGAIN.id)) for option in options)
                if throws and default is not None and not captures:
                    return Pick(default)
                return at_random(state, replace(decide, ask=replace(ask, options=tuple(captures or moves or options))))
            case _:
                return at_random(state, decide)

    return play


def play_greedily(game: Game[Any], below: Below) -> Strategy:
    """Return a player that chooses the move on the board with the highest immediate gain.

    If several moves gain the most, one of them is chosen at random. If a question offers no move on the board, the
    player gives the question's default answer, or chooses the first option if there is no default.
    """

    def play(state: object, decide: Decide) -> Action:
        match decide.ask:
            case PickAsk(options=options, default=default):
                moves = [option for option in options if option.on_board]
                if moves:
                    return Pick(_most_gain(game, state, decide.seat, moves, below).id)
                return Pick(options[0].id if default is None else default)
            case KeepAsk(default=default):
                return Keep(default)
            case AmountAsk(default=default):
                return Amount(default)

    return play


def _most_gain(game: Game[Any], state: object, seat: int, options: list[Option], below: Below) -> Option:
    gains = [lead_over_others(game.score(game.apply(state, Pick(option.id))), seat) for option in options]
    best = [option for option, gain in zip(options, gains, strict=True) if gain == max(gains)]
    return best[below(len(best))]


def lead_over_others(scores: Sequence[int], seat: int) -> int:
    """Return how many points a seat is ahead of the best other seat; negative if it is behind."""
    return scores[seat] - max((score for other, score in enumerate(scores) if other != seat), default=0)


def play_best(adviser: StateAdviser, otherwise: Strategy) -> Strategy:
    """Return a player that follows the adviser, or the strategy `otherwise` if the adviser has no answer."""

    def play(state: object, decide: Decide) -> Action:
        advice = adviser(state)
        return otherwise(state, decide) if advice is None or advice.action is None else advice.action

    return play


def err_sometimes(right: Strategy, wrong: Strategy, percent: int, below: Below) -> Strategy:
    """Return a player that follows the right strategy, with errors.

    Each answer follows the wrong strategy with a probability of `percent` percent.
    """
    if not percent:
        return right

    def play(state: object, decide: Decide) -> Action:
        return (wrong if below(PERCENT) < percent else right)(state, decide)

    return play
