"""Advice in Pig: bank at twenty or when that wins, catch whoever pays, and else stay where nobody can catch you.

Thousands of matches of such players among themselves say that leaving one's home for the mud costs more than it brings,
and that of two players the one banks early who can then catch the other (`captains-table simulate pig` measures it).
"""

from typing import Final

from captains_table.games.contract import ROLL, Action, Decide, Pick, Square
from captains_table.players.common.advice import Advice
from captains_table.players.common.strategies import Strategy
from pig_game.rules import BANK, HOLD, STAY
from pig_game.state import State, Step

FACES: Final = 6  # one of them loses the turn
TWO: Final = 2


def advise(state: State) -> Advice | None:
    """Return the best answer; `None` where nothing is to be decided."""
    match state.step:
        case Step.CHOICE:
            return _throw_or_bank(state, HOLD)
        case Step.MOVE:
            return _move(state)
        case _:
            return None


def hold_at(points: int) -> Strategy:
    """Return a player who banks at so many points, and moves as advised."""

    def play(state: State, decide: Decide) -> Action:  # noqa: ARG001 - the state says it all
        advice = _move(state) if state.step is Step.MOVE else _throw_or_bank(state, points)
        return advice.action or Pick(STAY.id)

    return play


def _throw_or_bank(state: State, hold: int) -> Advice:
    gain = (HOLD - state.points) / FACES  # five faces add 20 in all, the sixth loses what there is
    why = f"a throw changes {state.points} points by {gain:+.1f} on average"
    if state.scores[state.seat] + state.bankable >= state.agreed.target:
        return Advice(Pick(BANK.id), f"Bank {state.bankable}", "it wins the match", float(state.bankable))
    caught = _most_paid(state) if len(state.seats) == TWO else 0
    if state.points + caught >= hold:
        return Advice(Pick(BANK.id), f"Bank {state.bankable}", why, float(state.bankable))
    return Advice(Pick(ROLL.id), "Throw again", why, state.points + gain)


def _move(state: State) -> Advice:
    most = _most_paid(state)
    if most == 0:
        return Advice(Pick(STAY.id), "Stay", "nobody can be caught who could pay", 0.0)
    square = next(square for square in state.targets() if _paid(state, square) == most)
    here = state.squares[state.seat]
    return Advice(Pick(f"{here}{square}"), f"Catch on {square}", f"worth {most} points", float(most))


def _most_paid(state: State) -> int:
    return max((_paid(state, square) for square in state.targets()), default=0)


def _paid(state: State, square: Square) -> int:
    """Return what whoever stands on a square would pay if he were caught."""
    victim = state.at(square)
    return 0 if victim is None else min(state.agreed.catch, state.scores[victim])
