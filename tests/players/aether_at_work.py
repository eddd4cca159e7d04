"""Aethers at seats: with its own search, one that hardly looks ahead, or one that a test makes up."""

import random
from dataclasses import replace

from captains_table.games.contract import Action
from captains_table.games.legend.state import State
from captains_table.players.common.opponents import Means
from captains_table.players.common.strategies import Strategy
from captains_table.players.legend.aether.opponent import LEVELS, AetherLevel
from captains_table.players.legend.aether.player import AetherPlayer
from captains_table.players.legend.aether.thinking import ActionFinder, Thinker, thinker_of
from captains_table.players.legend.bartering import answering_bargains
from tests.support.legend_harness import asked

UNERRING = AetherLevel("unerring", nodes=300, depth=2)


def no_time() -> float:
    """Return the time of a clock that nobody may read."""
    raise AssertionError("the clock was read")


class Ticking:
    """A clock that goes on by a millisecond whenever it is read."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.001
        return self.now


def means(seed: int) -> Means:
    return Means(random.Random(seed).randrange, no_time)


def with_search(search: ActionFinder, seed: int = 0, level: AetherLevel = UNERRING) -> Strategy:
    return answering_bargains(AetherPlayer(Thinker(search, level, means(seed))))


def seated(level: AetherLevel = UNERRING, seed: int = 0) -> Strategy:
    """Return an Aether that thinks for itself."""
    return answering_bargains(AetherPlayer(thinker_of(level, means(seed))))


def hasty(level: int, seed: int) -> Strategy:
    """Return an Aether that errs as a level does, but hardly looks ahead: for matches that are played to their end."""
    return seated(replace(LEVELS[level], nodes=1), seed)


def answer(player: Strategy, state: State) -> Action:
    return player(state, asked(state))
