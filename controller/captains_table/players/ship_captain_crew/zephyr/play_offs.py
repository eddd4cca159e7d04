"""Rounds in which the highest cargo wins and those tied for it play on: single rounds and play-offs, solved exactly.

It is the best answer to others who play as the adviser says, for any number of players.

Source: docs/rules/ship-captain-crew.md S5.
"""

from collections.abc import Iterator, Sequence
from math import comb

from captains_table.players.ship_captain_crew.zephyr.turn_odds import CARGOES, TurnOdds

NEAR = 1e-13


class PlayOffs:
    """The chances of one player.

    Args:
        odds: of a turn.
    """

    def __init__(self, odds: TurnOdds) -> None:
        self._odds = odds
        self._solved: dict[tuple[int, int], float] = {(1, 0): 1.0}

    def chance(self, players: int, place: int) -> float:
        """Return the chance to win before a round of so many players, at a place in their order."""
        if (players, place) not in self._solved:
            chance = 1 / players
            while True:  # only a tie of all leads back to the same round, so each step is several times nearer
                self._solved[players, place] = chance
                better = sum(
                    share * self._odds.worth(self._worths(players, place, best, ties))
                    for best, ties, share in self._before(place)
                )
                if abs(better - chance) < NEAR:
                    break
                chance = better
        return self._solved[players, place]

    def worths(self, players: int, place: int, fell: Sequence[int]) -> list[float]:
        """Return what each cargo of the player on turn is worth; `fell` are those of whoever threw before."""
        best = max(fell, default=-1)
        return self._worths(players, place, best, sum(cargo == best for cargo in fell))

    def _worths(self, players: int, place: int, best: int, ties: int) -> list[float]:
        return [
            0.0 if cargo < best else self._against_later(players - 1 - place, cargo, ties if cargo == best else 0)
            for cargo in CARGOES
        ]

    def _against_later(self, later: int, cargo: int, ties: int) -> float:
        """Return the chance to win with a cargo that nobody before exceeded and so many of them reached."""
        level, below = self._odds.adviser[cargo], sum(self._odds.adviser[:cargo])
        return sum(
            comb(later, more) * level**more * below ** (later - more) * self.chance(1 + ties + more, ties)
            if level or not more
            else 0.0
            for more in range(later + 1)
        )

    def _before(self, others: int) -> Iterator[tuple[int, int, float]]:
        """Yield the highest cargo of those who throw before, how many have it, and how likely that is."""
        if not others:
            yield -1, 0, 1.0
            return
        for best in CARGOES:
            level, below = self._odds.adviser[best], sum(self._odds.adviser[:best])
            for ties in range(1, others + 1):
                if level:
                    yield best, ties, comb(others, ties) * level**ties * below ** (others - ties)
