"""Solves Legend's dice exactly: five cargo dice, each of them kept or thrown again, and the Legend die; odds as text.

Source: docs/rules/legend.md L5 - L9.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement

from captains_table.games.common.dice import cargo, has_crew, roman
from captains_table.games.legend.state import CARGO_DICE, LEGEND_THROWS
from captains_table.players.common.figures import figure
from captains_table.players.common.hold_solver import FACES, KeepPolicy


@cache
def cargo_policy() -> KeepPolicy:
    """Return the policy that maximises the expected cargo."""
    return KeepPolicy(cargo)


@cache
def crew_policy() -> KeepPolicy:
    """Return the policy that maximises the chance of a crew."""
    return KeepPolicy(has_crew)


# --- the Legend die ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StopChoice:
    """The decision whether to stop or to throw the Legend die again, with the value of each choice.

    The value of throwing again is 0 if no throw is left.
    """

    stops: bool
    stopping: Fraction
    throwing: Fraction


def stop_or_throw(
    face: int, throws_left: int, scored: Mapping[int, Fraction], unscored: Mapping[int, Fraction]
) -> StopChoice:
    """Return whether to stop or to throw the Legend die again, and the value of either choice.

    Args:
        face: the face that the die shows.
        throws_left: how many of the die's three throws are left, 0 to 2.
        scored: for each face, the value of a turn that ends with it after one or two throws.
        unscored: for each face, the value of a turn that ends with it after three throws. The face itself then scores
            nothing (L9).
    """
    stopping = (scored if throws_left else unscored)[face]
    if not throws_left:
        return StopChoice(stops=True, stopping=stopping, throwing=Fraction())
    after = [stop_or_throw(again, throws_left - 1, scored, unscored) for again in FACES]
    throwing = sum((choice.stopping if choice.stops else choice.throwing for choice in after), Fraction()) / len(FACES)
    return StopChoice(stops=stopping >= throwing, stopping=stopping, throwing=throwing)


def before_first_throw(scored: Mapping[int, Fraction], unscored: Mapping[int, Fraction]) -> Fraction:
    """Return the expected value of a turn before the first throw of its Legend die.

    Args:
        scored: the value of the turn for each final face of the die after one or two throws.
        unscored: the value of the turn for each final face after three throws (L9).
    """
    choices = [stop_or_throw(face, LEGEND_THROWS - 1, scored, unscored) for face in FACES]
    return sum((max(choice.stopping, choice.throwing) for choice in choices), Fraction()) / len(FACES)


def chance_of_at_least(face: int, throws: int) -> Fraction:
    """Return the chance that a die shows at least this face at least once in a number of throws."""
    return 1 - Fraction(face - 1, len(FACES)) ** throws


# --- odds as text -----------------------------------------------------------------------------------------------------


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
    stops = [roman(face) for face in FACES if stop_or_throw(face, LEGEND_THROWS - 1, scored, unscored).stops]
    yield f"after the first throw stop on {', '.join(stops)}; after the second always"
    for face in FACES:
        chances = [chance_of_at_least(face, throws) for throws in range(1, LEGEND_THROWS + 1)]
        yield f"{roman(face):>3} or more within 1, 2, 3 throws: " + ", ".join(str(chance) for chance in chances)


def _cargo_thrown(cargo: tuple[int, int], left: int) -> int:
    return len(CARGO_DICE) - len(cargo_policy().best((6, 5, 4, *cargo), left).kept)
