"""Values of a turn of Ship, Captain and Crew under any utility of the cargo, such as the chance to win.

The module also computes the chance of each cargo for a player who follows the adviser.

Source: docs/rules/ship-captain-crew.md S2 - S4.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from operator import mul
from typing import Final

from captains_table.players.ship_captain_crew.adviser import cargo_odds
from captains_table.players.ship_captain_crew.berths_solver import BERTH_THROWS, PAIRS, TWO_DICE, Cargo, completions

MOST_CARGO: Final = 12
CARGOES: Final = range(MOST_CARGO + 1)
SUMS: Final = tuple(map(sum, PAIRS))

CargoUtilities = Sequence[float]  # the utility of each cargo from 0 to 12
KeptPlaces = tuple[int, ...]


class TurnOdds:
    """Calculates the value of a turn under best play, given the utility of each cargo.

    Attributes:
        no_crew: the chance to find no crew within three throws; no decision changes this chance.
        adviser: the chance of each cargo from 0 to 12 for a player who follows the adviser.
    """

    def __init__(self, cargo_dice: str) -> None:
        self._is_each = cargo_dice == "each"
        found = completions()
        self._found = [[float(found.get((left, pair), 0)) for pair in PAIRS] for left in range(BERTH_THROWS)]
        self.no_crew = 1 - sum(map(sum, self._found))
        self.adviser = self._chances(cargo_dice)

    def worth(self, worths: CargoUtilities) -> float:
        """Return the expected utility of a turn before its first throw."""
        return self.no_crew * worths[0] + self.worth_of_crew(worths)

    def worth_of_crew(self, worths: CargoUtilities) -> float:
        """Return the part of a turn's expected utility that comes from the outcomes with a crew."""
        return sum([sum(map(mul, *each)) for each in zip(self._found, self._values(worths), strict=True)])

    def worth_keeping(self, cargo: Cargo, kept: KeptPlaces, left: int, worths: CargoUtilities) -> float:
        """Return the expected utility of keeping some dice of a cargo and throwing the others.

        Args:
            cargo: the two cargo dice.
            kept: the places (0, 1) of the dice to keep; both places if the turn ends without a further throw.
            left: the number of throws left, including the throw of the dice that are not kept.
            worths: the utility of each cargo.
        """
        if len(kept) == len(cargo):
            return worths[sum(cargo)]
        *_, values = self._values(worths, left - 1)
        return TWO_DICE.when_kept(values)[TWO_DICE.index(cargo[place] for place in kept)]

    def _values(self, worths: CargoUtilities, most: int = BERTH_THROWS - 1) -> Iterator[list[float]]:
        """Yield the expected utilities of all pairs of cargo dice with no throw left, then with one, up to `most`."""
        standing = values = [worths[total] for total in SUMS]
        yield values
        for _ in range(most):
            kept = TWO_DICE.when_kept(values)
            values = TWO_DICE.best_kept(kept) if self._is_each else [max(worth, kept[0]) for worth in standing]
            yield values

    def _chances(self, cargo_dice: str) -> list[float]:
        """Return the chance of each cargo for a player who follows the adviser."""
        odds = cargo_odds(cargo_dice)
        chances = [self.no_crew] + [0.0] * MOST_CARGO
        lying: dict[int, float] = {}
        for left in range(BERTH_THROWS - 1, -1, -1):
            kept: defaultdict[int, float] = defaultdict(float)
            for index, pair in enumerate(PAIRS, start=TWO_DICE.first_full):
                share = self._found[left][index - TWO_DICE.first_full] + lying.get(index, 0.0)
                stay = odds.choices(pair, left)[0].kept
                if len(stay) == len(pair):
                    chances[sum(pair)] += share
                else:
                    kept[TWO_DICE.index(pair[place] for place in stay)] += share
            lying = TWO_DICE.thrown(kept)
        return chances


@cache
def turn_odds(cargo_dice: str) -> TurnOdds:
    """Return the odds of a turn for a value of the option `cargo_dice`, "both" or "each" (S3)."""
    return TurnOdds(cargo_dice)
