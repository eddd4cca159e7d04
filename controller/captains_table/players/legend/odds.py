"""Computes the exact odds of Legend's dice as lines of text."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement

from captains_table.games.common.dice import roman
from captains_table.players.common.cargo_solver import (
    CARGO_DICE,
    THROWS,
    before_first_throw,
    cargo_policy,
    chance_of_at_least,
    crew_policy,
    stop_or_throw,
)
from captains_table.players.common.figures import figure
from captains_table.players.common.hold_solver import FACES


def legend_odds() -> Iterator[str]:
    """Yield the lines of text about the odds of a turn."""
    yield "Legend: five cargo dice, three throws, free keeping"
    yield figure("best expected cargo a turn", cargo_policy().expected())
    yield figure("best chance of ship, captain and crew", crew_policy().expected())
    yield "best with crew and cargo, for the greatest expected cargo:"
    for left in (2, 1):
        thrown = {cargo: _cargo_thrown(cargo, left) for cargo in combinations_with_replacement(FACES, 2)}
        for words, wanted in (("stand on", 0), ("throw one of", 1), ("throw both of", 2)):
            cargoes = [f"{one}-{two}" for (one, two), count in thrown.items() if count == wanted]
            if cargoes:
                yield f"  {left} left: {words} {', '.join(cargoes)}"
    yield "Legend die: up to three throws, the third scores no die (L9); any value may move"
    scored = {face: Fraction(face) for face in FACES}
    unscored = dict.fromkeys(FACES, Fraction())
    yield figure("best expected value scored", before_first_throw(scored, unscored))
    stops = [roman(face) for face in FACES if stop_or_throw(face, THROWS - 1, scored, unscored).stops]
    yield f"after the first throw stop on {', '.join(stops)}; after the second always"
    for face in FACES:
        chances = [chance_of_at_least(face, throws) for throws in range(1, THROWS + 1)]
        yield f"{roman(face):>3} or more within 1, 2, 3 throws: " + ", ".join(str(chance) for chance in chances)


def _cargo_thrown(cargo: tuple[int, int], left: int) -> int:
    return CARGO_DICE - len(cargo_policy().best((6, 5, 4, *cargo), left).kept)
