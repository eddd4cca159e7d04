"""Aether as an opponent that may sit on a seat of Legend."""

from typing import Final

from captains_table.games.legend.state import AETHER
from captains_table.players.common.opponents import Means, Opponent
from captains_table.players.common.strategies import Strategy
from captains_table.players.legend.aether.levels import LEVELS, USUAL


def _make(level: int, means: Means) -> Strategy:
    from captains_table.players.legend.aether.player import AetherPlayer  # noqa: PLC0415 - a start need not wait for it
    from captains_table.players.legend.aether.thinking import thinker_of  # noqa: PLC0415 - its tables take a moment

    return AetherPlayer(thinker_of(LEVELS[level], means))


OPPONENT: Final = Opponent(
    key="aether",
    title=AETHER,
    make=_make,
    levels={number: level.words for number, level in LEVELS.items()},
    usual=USUAL,
)
