"""Ship, Captain and Crew: the rule file's exact figures, and every choice against throws written out."""

from fractions import Fraction
from itertools import product

import pytest

from captains_table.players.common.hold_solver import FACES
from captains_table.players.ship_captain_crew.berths_solver import BOTH, EACH, NEVER, CargoOdds, crew_chances

ALL_CARGOES = [(one, two) for one, two in product(FACES, repeat=2)]


def test_the_crew_is_complete_as_often_as_the_rules_say() -> None:
    first, second, third = crew_chances()
    assert first == Fraction(205, 1296)
    assert second == Fraction(1995847, 10077696)
    assert round(float(first + second + third), 9) == 0.539975108


@pytest.mark.parametrize(("keeps", "figure"), [(NEVER, 3.483727796), (BOTH, 4.084579617), (EACH, 4.316351145)])
def test_a_turn_is_worth_the_cargo_the_rules_say(keeps: tuple[tuple[int, ...], ...], figure: float) -> None:
    assert round(float(CargoOdds(keeps).expected()), 9) == figure


def test_with_one_throw_left_both_dice_are_thrown_below_the_average_of_seven() -> None:
    odds = CargoOdds(BOTH)
    for cargo in ALL_CARGOES:
        stands = odds.choices(cargo, 1)[0].kept == (0, 1)
        assert stands == (sum(cargo) >= 7), cargo


@pytest.mark.parametrize("cargo", ALL_CARGOES)
def test_single_dice_with_two_throws_left_are_worth_what_all_throws_give(cargo: tuple[int, int]) -> None:
    """A die alone: with one throw left it is thrown below 3.5, so it is worth 4.25 before two throws."""
    one_left = {face: max(Fraction(face), Fraction(7, 2)) for face in FACES}
    two_left = {face: max(Fraction(face), sum(one_left.values()) / 6) for face in FACES}
    assert CargoOdds(EACH).choices(cargo, 2)[0].expected == two_left[cargo[0]] + two_left[cargo[1]]


def test_nothing_is_thrown_when_no_throw_is_left() -> None:
    assert [choice.kept for choice in CargoOdds(EACH).choices((1, 1), 0)] == [(0, 1)]
