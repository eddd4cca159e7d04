"""What Aether does with its one move: what the search found, save where a king taken decides the match.

Source: docs/rules/legend.md L3, L4, L8.
"""

from dataclasses import replace
from typing import Final

from captains_table.games.common.dice import cargo
from captains_table.games.legend import asks
from captains_table.games.legend.state import LEGEND_DIE, MAX_THROWS, State
from captains_table.players.legend.aether.outlook import (
    MOST_CARGO,
    after_move,
    best_of,
    cargo_to_win,
    is_last_round,
    king_takers,
)
from captains_table.players.legend.aether.reading import situation_of
from captains_table.players.legend.aether.situation import Found
from captains_table.players.legend.aether.thinking import Thinker

LONG_ROUND: Final = 120  # turns, after which a king is taken wherever he can be


def plan(thinker: Thinker, state: State) -> Found:
    """Return what is done under the Legend die as it lies: throw it again, move, summon the Genie, or forfeit."""
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
    """Return whether taking the king wins the match with the cargo dice as they lie."""
    needed = cargo_to_win(state, after_move(state, taker))
    return needed is not None and cargo(state.turn.cargo_faces) >= needed


def _may_win(state: State, taker: str) -> bool:
    """Return whether the match may still be won once the king is taken so."""
    if not is_last_round(state):
        return True
    needed = cargo_to_win(state, after_move(state, taker))
    within_reach = cargo(state.turn.cargo_faces) if state.turn.cargo_throws == MAX_THROWS else MOST_CARGO
    return needed is not None and needed <= within_reach


def _without(thinker: Thinker, state: State, takers: list[str], found: Found) -> Found:
    """Return what is done in place of taking a king, which would end a match that is behind."""
    others = [id_ for id_ in asks.permitted_moves(state) if id_ not in takers]
    if others:
        return replace(found, move=best_of(thinker, state, others))
    if LEGEND_DIE in asks.throwable(state):
        return replace(found, action="throw", move=None)
    return found
