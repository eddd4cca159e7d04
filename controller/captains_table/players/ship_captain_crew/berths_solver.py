"""Ship, Captain and Crew solved exactly: what each choice of a turn is worth in expected cargo.

Only one thing is ever chosen: what to do with the two cargo dice once ship, captain and crew are aside.

Source: docs/rules/ship-captain-crew.md S2 - S4.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product

from captains_table.games.common.dice import CAPTAIN, CREW, SHIP
from captains_table.players.common.figures import figure
from captains_table.players.common.hold_solver import FACES

BERTHS = (SHIP, CAPTAIN, CREW)
DICE = 5
THROWS = 3
Cargo = tuple[int, int]
BOTH: tuple[tuple[int, ...], ...] = ((0, 1), ())
EACH: tuple[tuple[int, ...], ...] = ((0, 1), (0,), (1,), ())
NEVER: tuple[tuple[int, ...], ...] = ((0, 1),)


@dataclass(frozen=True, slots=True)
class CargoChoice:
    """What may be done with the cargo: which of its two dice (by place) stay, and what that is worth.

    Keeping both is standing.
    """

    kept: tuple[int, ...]
    expected: Fraction


class CargoOdds:
    """The odds of a turn.

    Args:
        keeps: the ways the cargo dice may be kept (`BOTH`, `EACH`; `NEVER` throws no cargo again).
    """

    def __init__(self, keeps: tuple[tuple[int, ...], ...] = BOTH) -> None:
        self._keeps = keeps
        self._value = cache(self._value_of_cargo)
        self._before = cache(self._value_before)

    def choices(self, cargo: Cargo, throws_left: int) -> list[CargoChoice]:
        """Return what may be done with the cargo, best first; of equals the one that keeps more."""
        keeps = self._keeps if throws_left else NEVER
        found = [CargoChoice(kept, self._after(cargo, kept, throws_left)) for kept in keeps]
        return sorted(found, key=lambda choice: (-choice.expected, -len(choice.kept)))

    def expected(self, berths: int = 0, throws_left: int = THROWS) -> Fraction:
        """Return the expected cargo of best play before a throw, with so many berths filled (0 to 2)."""
        return self._before(berths, throws_left)

    def _after(self, cargo: Cargo, kept: tuple[int, ...], throws_left: int) -> Fraction:
        if len(kept) == len(cargo):
            return Fraction(sum(cargo))
        outcomes = [
            tuple(cargo[place] if place in kept else faces[place] for place in range(2))
            for faces in product(FACES, repeat=2)
        ]
        return sum((self._value((one, two), throws_left - 1) for one, two in outcomes), Fraction()) / len(outcomes)

    def _value_of_cargo(self, cargo: Cargo, throws_left: int) -> Fraction:
        return self.choices(cargo, throws_left)[0].expected

    def _value_before(self, berths: int, throws_left: int) -> Fraction:
        if not throws_left:
            return Fraction()
        total, throws = Fraction(), 0
        for filled, others in _throws(berths):
            throws += 1
            if filled < len(BERTHS):
                total += self._before(filled, throws_left - 1)
            else:
                total += self._value((others[0], others[1]), throws_left - 1)
        return total / throws


def crew_chances(berths: int = 0, throws: int = THROWS) -> list[Fraction]:
    """Return the chances that the crew is complete with exactly the first, second ... throw from here."""
    waiting = {berths: Fraction(1)}
    chances = []
    for _ in range(throws):
        after: dict[int, Fraction] = {}
        for filled, chance in waiting.items():
            outcomes = [found for found, _ in _throws(filled)]
            for found in outcomes:
                after[found] = after.get(found, Fraction()) + chance / len(outcomes)
        chances.append(after.pop(len(BERTHS), Fraction()))
        waiting = after
    return chances


def completions() -> Iterator[tuple[int, Cargo, Fraction]]:
    """Yield how many throws are left when the crew is complete, the cargo that lies there, and how likely that is."""
    waiting = {0: Fraction(1)}
    for left in range(THROWS - 1, -1, -1):
        after: dict[int, Fraction] = {}
        for berths, chance in waiting.items():
            outcomes = list(_throws(berths))
            for filled, others in outcomes:
                if filled == len(BERTHS):
                    yield left, (others[0], others[1]), chance / len(outcomes)
                else:
                    after[filled] = after.get(filled, Fraction()) + chance / len(outcomes)
        waiting = after


def _throws(berths: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield, for every equally likely throw of the dice not aside, the berths then filled and the other dice."""
    for faces in product(FACES, repeat=DICE - berths):
        others, filled = list(faces), berths
        while filled < len(BERTHS) and BERTHS[filled] in others:
            others.remove(BERTHS[filled])
            filled += 1
        yield filled, tuple(others)


def odds() -> Iterator[str]:
    """Yield the figures of a turn."""
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
    """Yield what is best with every cargo, by throws left."""
    for left in (2, 1):
        yield f"best with the cargo ({label}), {left} left:"
        best = {dice: cargo.choices(dice, left)[0] for dice in combinations_with_replacement(FACES, 2)}
        for kept, words in (((0, 1), "stand on"), ((1,), "keep the higher of"), ((), "throw both of")):
            cargoes = [f"{one}-{two}" for (one, two), choice in best.items() if choice.kept == kept]
            if cargoes:
                yield f"  {words} {', '.join(cargoes)}"
