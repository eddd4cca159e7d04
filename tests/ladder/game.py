"""One round of Legend between two computer players, without Genie and buying back: who led in the end, and the king.

Both rounds of a pair have the same dice: what White's throw of a turn is in one, it is in the other, where colours are
exchanged.
"""

import random
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final, NamedTuple

from captains_table.games.contract import Action, Decide, Over, PickAsk, Roll, Rolled
from captains_table.games.legend import Legend
from captains_table.games.legend.asks import BUY_BACK
from captains_table.games.legend.state import State, grand_scores
from captains_table.players.common.strategies import Below, Strategy

GAME: Final = Legend()
NAMES: Final = ("White", "Black")
MOST_TURNS: Final = 400
"""A round that lasts so long is broken off, and the tallies count as they stand."""
DICE: Final = 8

PlayerMaker = Callable[[Below], Strategy]


class Played(NamedTuple):
    """What came of a round, for the first player."""

    lead: float  # 1 where their grand score was higher, 0 where it was lower, else a half
    by: int  # how much higher it was
    king: float  # 1 where they took the king, 0 where theirs was taken; a half where the round was broken off
    turns: int  # of both
    seconds: tuple[float, float]  # of the processor that a turn of theirs took, and of the other player's, on average


def play(first: PlayerMaker, second: PlayerMaker, pair: int, *, first_has_white: bool) -> Played:
    """Return what came of a round; the same pair is the same dice."""
    makers = (first, second) if first_has_white else (second, first)
    players = [maker(random.Random(f"{pair} {seat}").randrange) for seat, maker in enumerate(makers)]
    state = replace(GAME.start(NAMES, {"rounds": "1"}), genie_spent=(True, True))
    spent, turns = [0.0, 0.0], 0
    while not isinstance(turn := GAME.turn(state), Over) and state.turns < MOST_TURNS:
        turns = state.turns + 1
        if isinstance(turn, Roll):
            state = GAME.apply(state, _thrown(state, turn, pair))
            continue
        assert isinstance(turn, Decide)
        began = time.process_time()
        action: Action = players[turn.seat](state, _without_buying(turn))
        spent[turn.seat] += time.process_time() - began
        state = GAME.apply(state, action)
    return _counted(state, turns, spent, 0 if first_has_white else 1)


def _counted(state: State, turns: int, spent: list[float], first: int) -> Played:
    mine, other = grand_scores(state)[first], grand_scores(state)[1 - first]
    lead, king = (mine > other) - (mine < other), state.rounds_won[first] - state.rounds_won[1 - first]
    of_white = (turns + 1) // 2
    seconds = (spent[0] / of_white, spent[1] / max(1, turns - of_white))
    return Played((1 + lead) / 2, mine - other, (1 + king) / 2, turns, (seconds[first], seconds[1 - first]))


def _thrown(state: State, roll: Roll, pair: int) -> Rolled:
    """Return how dice fall: each by the pair, the turn and how often it was thrown, in either seat."""
    turn = state.turn
    rng = random.Random(f"{pair} {state.turns} {turn.cargo_throws}")
    faces = [rng.randint(1, 6) for _ in range(DICE)]
    faces[5] = random.Random(f"{pair} {state.turns} legend {turn.legend_throws}").randint(1, 6)
    return Rolled(tuple(faces[die - 1] for die in roll.dice))


def _without_buying(decide: Decide) -> Decide:
    if not isinstance(decide.ask, PickAsk):
        return decide
    options = tuple(option for option in decide.ask.options if option.id != BUY_BACK.id)
    return Decide(decide.seat, replace(decide.ask, options=options))
