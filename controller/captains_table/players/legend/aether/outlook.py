"""Evaluates states of a Legend match for Aether, computes the cargo that wins the match, and plans a turn's action.

The planned action is the search's action, with exceptions if a move can take the opponent's king.

Source: docs/rules/legend.md L3, L4, L8, L13, L20.
"""

from dataclasses import replace
from typing import Final

import chess

from captains_table.games.common.dice import cargo
from captains_table.games.legend import asks, effects
from captains_table.games.legend.state import LEGEND_DIE, LEGEND_THROWS, State, with_step
from captains_table.games.legend.steps import LegendMain, Treasure
from captains_table.players.legend.aether.situation import (
    FoundAction,
    grand_lead,
    is_over,
    situation_of,
    standing,
    turn_ended,
)
from captains_table.players.legend.aether.thinking import Thinker

EVEN: Final = (0, 0, 0)
TREASURE: Final = 7  # two dice, on average
MOST_CARGO: Final = 12
LONG_ROUND: Final = 120  # turns, after which it takes the king whenever possible


def outlook(thinker: Thinker, state: State, seat: int, parts: int) -> float:
    """Return a seat's expected lead at the end of the match.

    If the turn's move was made already, the turn counts as ended without a cargo. A treasure that is still to be thrown
    counts as its mean.

    Args:
        thinker: runs the search.
        state: the state, before or after the turn's move.
        seat: the seat whose lead is returned.
        parts: the number by which the search's limits are divided.
    """
    treasure = 0
    if state.turn.moved:
        treasure = TREASURE if isinstance(state.turn.step, Treasure) else 0
        treasure *= 1 if seat == state.seat else -1
        state = turn_ended(state)
    if is_over(state):
        return float(grand_lead(state, seat) + treasure)
    value = thinker.search(situation_of(state), parts).value
    return treasure + (value if seat == state.seat else -value)


def after_move(state: State, id_: str) -> State:
    """Return the state after a permitted move on the board, given its id."""
    return effects.move_piece(with_step(state, LegendMain()), asks.permitted_moves(state)[id_])


def king_takers(state: State) -> list[str]:
    """Return the ids of the permitted moves that take the opponent's king."""
    position = state.position
    return [
        id_
        for id_, move in asks.permitted_moves(state).items()
        if (taken := position.captured(move)) is not None and taken[0] == chess.KING
    ]


def is_last_round(state: State) -> bool:
    """Return whether this round is the last one of the match."""
    return state.round == state.options.rounds


def cargo_to_win(state: State, after: State) -> int | None:
    """Return the least cargo of this turn that wins the match.

    The result is `None` if the match goes on after the turn, or if no cargo wins the match.

    Args:
        state: the current turn.
        after: the same turn after its move; the move may be only planned.
    """
    is_last_turn = state.turns + 1 == state.options.turn_limit
    if not is_last_round(state) or not (after.turn.king_taken or is_last_turn):
        return None
    ahead, *rest = standing(turn_ended(after), state.seat)
    return next((cargo for cargo in range(MOST_CARGO + 1) if (ahead + cargo, *rest) > EVEN), None)


def plan(thinker: Thinker, state: State) -> FoundAction:
    """Return the action for the Legend die as it shows now: throw it again, move, summon the Genie, or forfeit.

    Normally this is the thinker's action. Moves that take the opponent's king are exceptions. A capture that wins the
    match is always chosen. Once the round has lasted LONG_ROUND turns, a capture is also chosen if the match can still
    be won after it. If the match could no longer be won after the capture, any other permitted action is preferred.
    """
    found = thinker.decide(situation_of(state))
    takers = king_takers(state)
    if not takers:
        return found
    taker = found.move if found.move in takers else takers[0]
    if not _may_win(state, taker):
        return _without(thinker, state, takers, found) if found.move == taker else found
    if _wins(state, taker) or state.turns >= LONG_ROUND:
        return replace(found, action="move", move=taker)
    return found


def _wins(state: State, taker: str) -> bool:
    """Return whether `taker`, a move that takes the king, wins the match with the cargo dice as they show now."""
    needed = cargo_to_win(state, after_move(state, taker))
    return needed is not None and cargo(state.turn.cargo_faces) >= needed


def _may_win(state: State, taker: str) -> bool:
    """Return whether the match can still be won after a move that takes the king; always true before the last round."""
    if not is_last_round(state):
        return True
    needed = cargo_to_win(state, after_move(state, taker))
    within_reach = cargo(state.turn.cargo_faces) if state.turn.cargo_throws == LEGEND_THROWS else MOST_CARGO
    return needed is not None and needed <= within_reach


def _without(thinker: Thinker, state: State, takers: list[str], found: FoundAction) -> FoundAction:
    """Return the best move that does not take the king, for a turn in which taking the king would lose the match.

    If every permitted move takes the king, the Legend die is thrown again; if that is not allowed either, the result is
    the action found.

    Args:
        thinker: runs the searches.
        state: the state before the move.
        takers: the moves that take the king.
        found: the action that the search found.
    """
    others = [id_ for id_ in asks.permitted_moves(state) if id_ not in takers]
    if others:  # together they get the time of one whole search
        lead_by = {id_: outlook(thinker, after_move(state, id_), state.seat, len(others)) for id_ in others}
        return replace(found, move=max(others, key=lambda id_: lead_by[id_]))
    if LEGEND_DIE in asks.throwable(state):
        return replace(found, action="throw", move=None)
    return found
