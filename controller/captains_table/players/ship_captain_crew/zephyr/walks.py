"""How the total of somebody who plays as the adviser says grows, turn by turn.

Source: docs/rules/ship-captain-crew.md S4, S5.
"""

from functools import lru_cache
from itertools import count
from typing import Final, NamedTuple

from captains_table.players.ship_captain_crew.zephyr.turn_odds import CARGOES, MOST_CARGO, turn_odds

SURPLUSES = range(MOST_CARGO)  # by how much the target may be exceeded
UNLIKELY = 1e-12
REMEMBERED: Final = 128


class Walk(NamedTuple):
    """A player with so many points to go, by the number of his further turns.

    Attributes:
        short: the chance that he has not reached the target.
        arrives: the chances that he reaches it with that turn, by how much he exceeds it.
    """

    short: list[float]
    arrives: list[list[float]]

    def short_after(self, turns: int) -> float:
        """Return the chance that the target is not reached after so many turns."""
        return self.short[turns] if turns < len(self.short) else 0.0

    def arrival(self, turns: int) -> list[float]:
        """Return the chances that it is reached with the last of so many turns."""
        return self.arrives[turns] if turns < len(self.arrives) else [0.0] * len(SURPLUSES)


@lru_cache(maxsize=REMEMBERED)
def walk(cargo_dice: str, to_go: int) -> Walk:
    """Return how a player with so many points to go fares, until it is as good as certain that he has arrived."""
    if to_go <= 0:
        return Walk([0.0], [[float(surplus == -to_go) for surplus in SURPLUSES]])
    chances = turn_odds(cargo_dice).adviser
    lying = [1.0] + [0.0] * (to_go - 1)  # by points gained, as long as the target is not reached
    short, arrives = [1.0], [[0.0] * len(SURPLUSES)]
    for _ in count():
        after = [0.0] * (to_go + MOST_CARGO)
        for cargo in CARGOES:
            if chances[cargo]:
                for gained, share in enumerate(lying):
                    after[gained + cargo] += chances[cargo] * share
        lying = after[:to_go]
        short.append(sum(lying))
        arrives.append(after[to_go:])
        if short[-1] < UNLIKELY:
            return Walk(short, arrives)
    raise AssertionError  # every turn may bring points
