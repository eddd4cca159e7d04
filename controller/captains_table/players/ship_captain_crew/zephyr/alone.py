"""Ship, Captain and Crew alone: the fewest turns to the target, solved exactly.

Source: docs/rules/ship-captain-crew.md S5.
"""

from captains_table.players.ship_captain_crew.zephyr.turn_odds import CARGOES, TurnOdds


class Alone:
    """How many turns a player alone needs.

    Args:
        odds: of a turn.
    """

    def __init__(self, odds: TurnOdds) -> None:
        self._odds = odds
        self._turns = [0.0]

    def turns(self, to_go: int) -> float:
        """Return how many turns are needed on average for so many points."""
        while len(self._turns) <= to_go:
            self._turns.append(0.0)  # the turn without a crew leads back here, and is divided out
            best = self._odds.worth_of_crew(self.worths(len(self._turns) - 1))
            self._turns[-1] = (1 - best) / (1 - self._odds.no_crew)
        return self._turns[max(0, to_go)]

    def worths(self, to_go: int) -> list[float]:
        """Return what each cargo is worth with so many points to go: the fewer turns after it the better."""
        return [-self.turns(to_go - cargo) for cargo in CARGOES]
