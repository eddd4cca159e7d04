"""Legend's dice: the rule file's exact figures, the best keep against all keeps, and when the Legend die stops."""

from fractions import Fraction
from itertools import combinations, product

import pytest

from captains_table.games.common.dice import cargo
from captains_table.players.common.cargo_solver import (
    before_first_throw,
    cargo_policy,
    chance_of_at_least,
    crew_policy,
    stop_or_throw,
)
from captains_table.players.common.hold_solver import FACES

SCORED = {face: Fraction(face) for face in FACES}
UNSCORED = dict.fromkeys(FACES, Fraction())


def test_free_keeping_brings_home_the_cargo_the_rules_say() -> None:
    assert cargo_policy().expected() == Fraction(7721004643, 1451188224)


def test_three_throws_find_a_crew_as_often_as_the_rules_say() -> None:
    assert round(float(crew_policy().expected()), 9) == 0.667253220


@pytest.mark.parametrize("faces", [(6, 5, 4, 3, 1), (6, 6, 5, 5, 4), (1, 1, 2, 2, 3), (6, 4, 4, 2, 1)])
def test_the_best_keep_with_one_throw_left_is_the_best_of_all_thirty_two(faces: tuple[int, ...]) -> None:
    def value(places: tuple[int, ...]) -> Fraction:
        kept = [faces[place] for place in places]
        throws = [cargo((*kept, *others)) for others in product(FACES, repeat=5 - len(kept))]
        return Fraction(sum(throws), len(throws))

    every = {places: value(places) for count in range(6) for places in combinations(range(5), count)}
    best = cargo_policy().best(faces, 1)
    assert best.expected == max(every.values())
    assert best.expected == max(
        value for places, value in every.items() if sorted(faces[place] for place in places) == sorted(best.kept)
    )


def test_the_legend_die_stops_on_a_four_or_more_and_always_after_its_second_throw() -> None:
    assert [face for face in FACES if stop_or_throw(face, 2, SCORED, UNSCORED).stops] == [4, 5, 6]
    assert all(stop_or_throw(face, 1, SCORED, UNSCORED).stops for face in FACES)
    assert before_first_throw(SCORED, UNSCORED) == Fraction(17, 4)


def test_a_third_throw_pays_where_no_piece_can_move_but_a_higher_die_takes_the_king() -> None:
    scored = {face: Fraction(0 if face < 5 else 20) for face in FACES}
    assert not stop_or_throw(3, 1, scored, scored).stops
    assert stop_or_throw(3, 1, scored, scored).throwing == Fraction(20, 3)


def test_a_wanted_value_comes_as_often_as_counting_says() -> None:
    for face, throws in product(FACES, (1, 2, 3)):
        wins = sum(max(faces) >= face for faces in product(FACES, repeat=throws))
        assert chance_of_at_least(face, throws) == Fraction(wins, 6**throws)
