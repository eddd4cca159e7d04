"""Aether as an opponent at a seat of Legend: how far it looks, and how often it errs, at which level."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from captains_table.games.legend.state import AETHER
from captains_table.players.common.opponents import Means, Opponent
from captains_table.players.common.strategies import Strategy


@dataclass(frozen=True, slots=True)
class Level:
    """How well Aether plays.

    Attributes:
        words: what it is like, for whoever chooses it.
        nodes: positions it looks at before it answers, as far as the time it is given reaches.
        depth: moves it looks ahead at most, its own included: with few pieces the same positions come again and again.
        glances: of a hundred turns those in which it looks only at what a move brings at once, and overlooks many.
        slips: of a hundred throws of the cargo dice those in which it keeps the wrong ones.
    """

    words: str
    nodes: int
    depth: int = 64
    glances: int = 0
    slips: int = 0


LEVELS: Final[Mapping[int, Level]] = {
    1: Level("beginner", 4_000, glances=95, slips=90),
    2: Level("novice", 4_000, glances=66, slips=60),
    3: Level("casual", 4_000, glances=38, slips=30),
    4: Level("seasoned", 4_000, glances=18, slips=12),
    5: Level("strong", 4_000, glances=4, slips=3),
    6: Level("strongest", 150_000, depth=6),
}


def _make(level: int, means: Means) -> Strategy:
    from captains_table.players.legend.aether.player import AetherPlayer  # noqa: PLC0415 - a start need not wait for it
    from captains_table.players.legend.aether.thinking import thinker_of  # noqa: PLC0415 - its tables take a moment

    return AetherPlayer(thinker_of(LEVELS[level], means))


WORDS: Final = {number: level.words for number, level in LEVELS.items()}
OPPONENT: Final = Opponent("aether", AETHER, _make, WORDS, usual=3)
