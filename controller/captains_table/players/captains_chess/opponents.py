"""Who plays Captain's Chess in place of a person: Boreas, who is always there, and the key of a UCI engine."""

from typing import Final

from captains_table.players.common.opponents import Means, Opponent
from captains_table.players.common.strategies import Strategy

ENGINE: Final = "engine"  # what precedes the level of a UCI engine that the configuration names
LEVELS: Final = {1: "beginner", 2: "novice", 3: "casual", 4: "club player", 5: "strong", 6: "strongest"}


def _boreas(level: int, means: Means) -> Strategy:
    from captains_table.players.captains_chess.boreas.player import boreas  # noqa: PLC0415 - tables only he needs

    return boreas(level, means)


BOREAS: Final = Opponent("boreas", "Boreas", _boreas, LEVELS, usual=3)
