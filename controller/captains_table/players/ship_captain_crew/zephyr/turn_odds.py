"""A turn of Ship, Captain and Crew for somebody to whom cargoes are worth something else than their points.

Source: docs/rules/ship-captain-crew.md S2 - S4.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import Final

from captains_table.players.common.hold_solver import FACES
from captains_table.players.ship_captain_crew.adviser import cargo_odds
from captains_table.players.ship_captain_crew.berths_solver import THROWS, Cargo, completions

MOST_CARGO: Final = 12
CARGOES: Final = range(MOST_CARGO + 1)
PAIRS: Final = tuple(combinations_with_replacement(FACES, 2))
PLACE_OF: Final = {pair: place for place, pair in enumerate(PAIRS)}
SUMS: Final = tuple(map(sum, PAIRS))
WITH_FACE: Final = tuple(tuple(PLACE_OF[min(kept, face), max(kept, face)] for face in FACES) for kept in FACES)
WAYS: Final = tuple(1 if one == two else 2 for one, two in PAIRS)
THROWN: Final = sum(WAYS)

Worths = Sequence[float]  # what each cargo from 0 to 12 is worth
Kept = tuple[int, ...]


class TurnOdds:
    """What a turn is worth to whoever plays it best for himself, and what the adviser makes of one.

    Attributes:
        no_crew: the chance that no crew is found within three throws; no decision changes it.
        adviser: the chance of each cargo from 0 to 12 if the adviser's answers are followed.
    """

    def __init__(self, cargo_dice: str) -> None:
        self._is_each = cargo_dice == "each"
        self._found: list[list[float]] = [[0.0] * len(PAIRS) for _ in range(THROWS)]
        for left, cargo, share in completions():
            self._found[left][_place(cargo)] += float(share)
        self.no_crew = 1 - sum(map(sum, self._found))
        self.adviser = self._chances(cargo_dice)

    def worth(self, worths: Worths) -> float:
        """Return what a turn is worth before its first throw, if it is played for these worths."""
        return self.no_crew * worths[0] + self.worth_of_crew(worths)

    def worth_of_crew(self, worths: Worths) -> float:
        """Return the part of a turn's worth that comes from turns in which a crew is found."""
        total = 0.0
        for found, values in zip(self._found, self._values(worths), strict=False):
            total += sum([chance * value for chance, value in zip(found, values, strict=True)])
        return total

    def worth_keeping(self, cargo: Cargo, kept: Kept, left: int, worths: Worths) -> float:
        """Return what it is worth to keep those dice of a cargo (by place) and to throw the others."""
        if len(kept) == len(cargo):
            return worths[sum(cargo)]
        *_, values = self._values(worths, left - 1)
        return _when_thrown(values) if not kept else _when_one_is_kept(values, cargo[kept[0]])

    def _values(self, worths: Worths, most: int = THROWS - 1) -> Iterator[list[float]]:
        """Yield what every cargo is worth with no throw left, with one, and so on."""
        standing = values = [worths[total] for total in SUMS]
        yield values
        for _ in range(most):
            thrown = _when_thrown(values)
            if self._is_each:
                single = [_when_one_is_kept(values, face) for face in FACES]
                values = [
                    max(worth, thrown, single[one - 1], single[two - 1])
                    for worth, (one, two) in zip(standing, PAIRS, strict=True)
                ]
            else:
                values = [max(worth, thrown) for worth in standing]
            yield values

    def _chances(self, cargo_dice: str) -> list[float]:
        """Return the chance of each cargo under the adviser's answers."""
        odds = cargo_odds(cargo_dice)
        chances = [0.0] * len(CARGOES)
        lying = [dict(enumerate(found)) for found in self._found]
        chances[0] = self.no_crew
        for left in range(THROWS - 1, -1, -1):
            for place, share in lying[left].items():
                kept = odds.choices(PAIRS[place], left)[0].kept
                if len(kept) == len(PAIRS[place]):
                    chances[SUMS[place]] += share
                    continue
                faces = [PAIRS[place][die] for die in kept]
                falling = enumerate(WAYS) if not faces else ((after, 1) for after in WITH_FACE[faces[0] - 1])
                ways = THROWN if not faces else len(FACES)
                for after, count in falling:
                    lying[left - 1][after] = lying[left - 1].get(after, 0.0) + share * count / ways
        return chances


def _place(cargo: Cargo) -> int:
    one, two = sorted(cargo)
    return PLACE_OF[one, two]


def _when_thrown(values: Sequence[float]) -> float:
    return sum([count * value for count, value in zip(WAYS, values, strict=True)]) / THROWN


def _when_one_is_kept(values: Sequence[float], face: int) -> float:
    return sum([values[place] for place in WITH_FACE[face - 1]]) / len(FACES)


@cache
def turn_odds(cargo_dice: str) -> TurnOdds:
    """Return the odds of a turn under the option `cargo_dice`, "both" or "each" (S3)."""
    return TurnOdds(cargo_dice)
