"""The exact figures of Ship, Captain and Crew's dice."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement

from captains_table.players.common.figures import figure
from captains_table.players.common.hold_solver import FACES
from captains_table.players.ship_captain_crew.berths_solver import BOTH, EACH, NEVER, CargoOdds, crew_chances


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
