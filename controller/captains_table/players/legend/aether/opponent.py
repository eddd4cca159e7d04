"""Aether as an opponent that may sit on a seat of Legend."""

from typing import Final

from captains_table.games.legend.state import AETHER
from captains_table.players.common.opponents import Means, Opponent
from captains_table.players.common.strategies import Strategy
from captains_table.players.legend.aether.aether import Aether
from captains_table.players.legend.aether.levels import LEVELS, USUAL, Level
from captains_table.players.legend.aether.player import AetherPlayer
from captains_table.players.legend.aether.thinking import Thinker


def thinker_of(level: Level, means: Means) -> Thinker:
    """Return what thinks at a level; it remembers what it has searched."""
    return Thinker(Aether(), level, means)


def _make(level: int, means: Means) -> Strategy:
    return AetherPlayer(thinker_of(LEVELS[level], means))


OPPONENT: Final = Opponent(
    key="aether",
    title=AETHER,
    make=_make,
    levels={number: level.words for number, level in LEVELS.items()},
    usual=USUAL,
)
