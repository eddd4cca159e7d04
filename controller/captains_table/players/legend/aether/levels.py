"""Aether's levels: how far it looks, and how often it errs as people do who have played less."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True)
class Level:
    """How well Aether plays.

    Attributes:
        words: what it is like, for whoever chooses it.
        nodes: positions it looks at before it answers, unless it was given time instead.
        depth: moves it looks ahead at most, its own included.
        glances: of a hundred turns those in which it looks only at what a move brings at once, and overlooks many.
        slips: of a hundred throws of the cargo dice those in which it keeps the wrong ones.
    """

    words: str
    nodes: int
    depth: int = 64
    glances: int = 0
    slips: int = 0


LEVELS: Final[Mapping[int, Level]] = MappingProxyType(
    {
        1: Level("beginner", 4_000, glances=88, slips=80),
        2: Level("novice", 4_000, glances=57, slips=50),
        3: Level("casual", 4_000, glances=31, slips=25),
        4: Level("seasoned", 4_000, glances=16, slips=12),
        5: Level("strong", 4_000, glances=4, slips=3),
        6: Level("strongest", 150_000),
    }
)
USUAL: Final = 3
