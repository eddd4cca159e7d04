"""Aether's levels as an opponent in Legend, with their search limits and error rates."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from captains_table.games.legend.state import AETHER
from captains_table.phrases import say
from captains_table.players.common.opponents import Means, Opponent
from captains_table.players.common.strategies import Strategy


@dataclass(frozen=True, slots=True)
class AetherLevel:
    """The strength of one level.

    Attributes:
        words: a short description, shown when a level is chosen.
        nodes: the maximum number of positions to search for a decision.
        depth: the maximum search depth in moves; endings with few pieces would otherwise be searched endlessly.
        glances: the percentage of decisions in which the level overlooks many moves, and compares the other moves only
            by their immediate gain.
        slips: the percentage of decisions about the cargo dice in which the level may throw dice that it should keep.
        sees: the share of the moves, in tenths, that is considered at a glance.
    """

    words: str
    nodes: int
    depth: int = 64
    glances: int = 0
    slips: int = 0
    sees: int = 6


LEVELS: Final[Mapping[int, AetherLevel]] = {
    0: AetherLevel(say("gentle"), 4_000, glances=100, slips=100, sees=3),
    1: AetherLevel(say("beginner"), 4_000, glances=95, slips=90),
    2: AetherLevel(say("novice"), 4_000, glances=66, slips=60),
    3: AetherLevel(say("casual"), 4_000, glances=38, slips=30),
    4: AetherLevel(say("seasoned"), 4_000, glances=18, slips=12),
    5: AetherLevel(say("strong"), 4_000, glances=4, slips=3),
    6: AetherLevel(say("strongest"), 150_000, depth=6),
}


def _make(level: int, means: Means) -> Strategy:
    from captains_table.players.legend.aether.player import AetherPlayer  # noqa: PLC0415 - slow import, only when it plays
    from captains_table.players.legend.aether.thinking import thinker_of  # noqa: PLC0415 - the same

    return AetherPlayer(thinker_of(LEVELS[level], means))


WORDS: Final = {number: level.words for number, level in LEVELS.items()}
LEVEL_NOTES: Final = {
    0: say("Sees few of its moves, and throws dice that it should keep"),
    1: say("Takes what brings most at once, and seldom looks further"),
    2: say("Looks ahead in one turn of three"),
    3: say("Looks ahead in most turns"),
    4: say("Looks ahead in four turns of five"),
    5: say("Looks ahead nearly always"),
    6: say("Looks further ahead, and never errs with the dice"),
}
OPPONENT: Final = Opponent("aether", AETHER, _make, WORDS, usual=3, level_notes=LEVEL_NOTES)
