"""Solves a turn of Ship, Captain and Crew exactly: the expected cargo of each choice, and a turn's odds, also as text.

The only decision of a turn is about the two cargo dice after ship, captain and crew are set aside. `CargoOdds` solves
it for the expected cargo, in fractions; `TurnOdds` for any utility of the cargo, such as the chance to win.

Source: docs/rules/ship-captain-crew.md S2 - S4.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from operator import mul
from typing import Final

from captains_table.games.common.dice import CAPTAIN, CREW, SHIP
from captains_table.players.common.figures import figure
from captains_table.players.common.hold_solver import FACES, dice_multisets

BERTHS = (SHIP, CAPTAIN, CREW)
DICE = 5
BERTH_THROWS = 3
MOST_CARGO: Final = 12
CARGOES: Final = range(MOST_CARGO + 1)
Cargo = tuple[int, int]
CargoUtilities = Sequence[float]  # the utility of each cargo from 0 to 12
KeptPlaces = tuple[int, ...]
PAIRS: Final = tuple(combinations_with_replacement(FACES, 2))
TWO_DICE: Final = dice_multisets(2)  # its full multisets are those pairs
SUMS: Final = tuple(map(sum, PAIRS))
BOTH: tuple[KeptPlaces, ...] = ((0, 1), ())
EACH: tuple[KeptPlaces, ...] = ((0, 1), (0,), (1,), ())
NEVER: tuple[KeptPlaces, ...] = ((0, 1),)


@dataclass(frozen=True, slots=True)
class CargoChoice:
    """A choice of the cargo dice to keep.

    Attributes:
        kept: the indexes (0, 1) of the dice to keep; both if the player stands.
        expected: the expected cargo of the turn after this choice.
    """

    kept: KeptPlaces
    expected: Fraction


class CargoOdds:
    """The expected cargo of a turn under best play.

    Args:
        keeps: the allowed ways to keep cargo dice: `BOTH` (both dice or none), `EACH` (any of the dice), or `NEVER`
            (cargo is never thrown again).

    Attributes:
        expected: returns the expected cargo before a throw, given the number of berths that are filled already (0 to 2)
            and the number of throws left.
    """

    def __init__(self, keeps: tuple[KeptPlaces, ...] = BOTH) -> None:
        self._keeps = keeps
        self._kept: list[list[Fraction]] = []  # by throws left, from 1
        for left in range(BERTH_THROWS - 1):
            self._kept.append(TWO_DICE.when_kept([self._value(pair, left) for pair in PAIRS]))
        self.expected = cache(self._expected)

    def choices(self, cargo: Cargo, throws_left: int) -> list[CargoChoice]:
        """Return the choices of cargo dice to keep, the highest expected cargo first.

        Of two equally good choices, the choice that keeps more dice comes first.
        """
        keeps = self._keeps if throws_left else NEVER
        found = [CargoChoice(kept, self._after(cargo, kept, throws_left)) for kept in keeps]
        return sorted(found, key=lambda choice: (-choice.expected, -len(choice.kept)))

    def _after(self, cargo: Cargo, kept: KeptPlaces, throws_left: int) -> Fraction:
        if len(kept) == len(cargo):
            return Fraction(sum(cargo))
        return self._kept[throws_left - 1][TWO_DICE.index(cargo[place] for place in kept)]

    def _value(self, cargo: Cargo, throws_left: int) -> Fraction:
        return self.choices(cargo, throws_left)[0].expected

    def _expected(self, berths: int = 0, throws_left: int = BERTH_THROWS) -> Fraction:
        found = completions(berths, throws_left).items()
        return sum((share * self._value(cargo, left) for (left, cargo), share in found), Fraction())


@cache
def cargo_odds(cargo_dice: str) -> CargoOdds:
    """Return the odds for a value of the option `cargo_dice`, "both" or "each" (S3)."""
    return CargoOdds(EACH if cargo_dice == "each" else BOTH)


def crew_chances() -> list[Fraction]:
    """Return the chances that the first, the second and the third throw complete the crew."""
    found = completions().items()
    return [
        sum((share for (left, _), share in found if left == BERTH_THROWS - throw), Fraction()) for throw in (1, 2, 3)
    ]


@cache
def completions(berths: int = 0, throws: int = BERTH_THROWS) -> Mapping[tuple[int, Cargo], Fraction]:
    """Return the probabilities of completing ship, captain and crew, by the outcome of the completing throw.

    The key is the number of throws left after the completing throw, and the two cargo dice, the lower one first.

    Args:
        berths: the number of berths that are filled already.
        throws: the number of throws left.
    """
    found: defaultdict[tuple[int, Cargo], Fraction] = defaultdict(Fraction)
    waiting = {berths: Fraction(1)}
    for left in range(throws - 1, -1, -1):
        after: defaultdict[int, Fraction] = defaultdict(Fraction)
        for before, chance in waiting.items():
            outcomes = _throws(before)
            for (filled, others), ways in outcomes.items():
                share = chance * ways / outcomes.total()
                if filled == len(BERTHS):
                    found[left, (others[0], others[1])] += share
                else:
                    after[filled] += share
        waiting = after
    return found


def _throws(berths: int) -> Counter[tuple[int, tuple[int, ...]]]:
    """Count the ways in which one throw leads to each outcome.

    An outcome is a pair: the number of berths filled after the throw, and the remaining dice in ascending order.

    Args:
        berths: how many of the three berths (ship, captain and crew) are filled before the throw.
    """
    found = Counter[tuple[int, tuple[int, ...]]]()
    for faces in product(FACES, repeat=DICE - berths):
        others, filled = sorted(faces), berths
        while filled < len(BERTHS) and BERTHS[filled] in others:
            others.remove(BERTHS[filled])
            filled += 1
        found[filled, tuple(others)] += 1
    return found


# --- any utility ------------------------------------------------------------------------------------------------------


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


# --- odds as text -----------------------------------------------------------------------------------------------------


def ship_captain_crew_odds() -> Iterator[str]:
    """Yield the lines of text about the odds of a turn."""
    yield "Ship, Captain and Crew: a turn of three throws"
    chances = crew_chances()
    for throw, chance in enumerate(chances, start=1):
        yield figure(f"chance that the crew is complete on throw {throw}", chance)
    yield figure("chance of a crew within three", sum(chances, Fraction()))
    ways = (("never throwing the cargo again", NEVER), ("best play, both dice together", BOTH))
    for label, keeps in (*ways, ("best play, single dice too", EACH)):
        yield figure(f"expected cargo, {label}", CargoOdds(keeps).expected())
    for label, keeps in (("both together", BOTH), ("single dice too", EACH)):
        yield from _cargo_advice(label, CargoOdds(keeps))


def _cargo_advice(label: str, cargo: CargoOdds) -> Iterator[str]:
    """Yield lines that say which cargo dice to keep, for each pair of faces, with two throws left and with one."""
    for left in (2, 1):
        yield f"best with the cargo ({label}), {left} left:"
        best = {dice: cargo.choices(dice, left)[0] for dice in PAIRS}
        for kept, words in (((0, 1), "stand on"), ((1,), "keep the higher of"), ((), "throw both of")):
            cargoes = [f"{one}-{two}" for (one, two), choice in best.items() if choice.kept == kept]
            if cargoes:
                yield f"  {words} {', '.join(cargoes)}"
