"""The solvers of dice against throws written out, and the exact figures that the rules of the games tell."""

from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given, settings, strategies as st

from captains_table.games.common.dice import cargo
from captains_table.games.ship_captain_crew import ShipCaptainCrew
from captains_table.players.common.hold_solver import FACES, chance, dice_multisets
from captains_table.players.legend.dice_solver import (
    before_first_throw,
    cargo_policy,
    chance_of_at_least,
    crew_policy,
    stop_or_throw,
)
from captains_table.players.ship_captain_crew.adviser import advise_on_cargo
from captains_table.players.ship_captain_crew.berths_solver import BOTH, EACH, NEVER, CargoOdds, crew_chances
from tests.support.by_words import DiceGame

SCORED = {face: Fraction(face) for face in FACES}
UNSCORED = dict.fromkeys(FACES, Fraction())
THREE = dice_multisets(3)
VALUES = st.lists(st.integers(-20, 60).map(Fraction), min_size=len(THREE.full), max_size=len(THREE.full))

# --- what kept dice are worth -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("dice", "count"), [(1, 6), (2, 21), (4, 126), (5, 252)])
def test_there_are_as_many_full_handfuls_as_ways_to_choose_with_repetition(dice: int, count: int) -> None:
    assert len(dice_multisets(dice).full) == count
    assert sum(chance(multiset) for multiset in dice_multisets(dice).full) == 1


@settings(max_examples=15)
@given(VALUES, st.lists(st.sampled_from(FACES), max_size=3))
def test_keeping_is_worth_the_mean_over_all_throws_of_the_others(full: list[Fraction], kept: list[int]) -> None:
    throws = [THREE.index((*kept, *faces)) - THREE.first_full for faces in product(FACES, repeat=3 - len(kept))]
    mean = sum((full[index] for index in throws), Fraction()) / len(throws)
    assert THREE.when_kept(full)[THREE.index(kept)] == mean


@settings(max_examples=15)
@given(VALUES, st.sampled_from(THREE.full))
def test_the_best_keep_is_the_best_of_all_subsets(full: list[Fraction], multiset: tuple[int, ...]) -> None:
    kept = THREE.when_kept(full)
    subsets = {THREE.index(subset) for count in range(4) for subset in combinations(multiset, count)}
    assert THREE.keeps(THREE.index(multiset)) == subsets
    assert THREE.best_kept(kept)[THREE.index(multiset) - THREE.first_full] == max(kept[index] for index in subsets)


# --- Ship, Captain and Crew -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "throws", "words", "why"),
    [
        ("50", ("65416",), "Throw both cargo dice", "about 8 cargo expected from this turn"),
        ("50", ("65466",), "Stand with 12", "about 12 cargo expected from this turn"),
        ("1", ("65443", "stand", "65466"), "Stand with 12", "that is enough"),
        ("1", ("65466", "stand", "65465"), "Throw both cargo dice", "less than enough to stand"),
        ("14", ("65411", "stand", *["11111"] * 3, "65466"), "Stand with 12", "that is enough"),
    ],
)
def test_advice_on_the_cargo_heeds_the_score(target: str, throws: tuple[str, ...], words: str, why: str) -> None:
    game = ShipCaptainCrew()
    start = game.start(("Anne", "Bart"), {"order": "seated", "target": target})
    advice = advise_on_cargo(DiceGame(game).said(start, *throws))
    assert advice is not None
    assert (advice.words, advice.why) == (words, why)


def test_the_crew_is_complete_as_often_as_the_rules_say() -> None:
    first, second, third = crew_chances()
    assert first == Fraction(205, 1296)
    assert second == Fraction(1995847, 10077696)
    assert round(float(first + second + third), 9) == 0.539975108


@pytest.mark.parametrize(("keeps", "figure"), [(NEVER, 3.483727796), (BOTH, 4.084579617), (EACH, 4.316351145)])
def test_a_turn_is_worth_the_cargo_the_rules_say(keeps: tuple[tuple[int, ...], ...], figure: float) -> None:
    assert round(float(CargoOdds(keeps).expected()), 9) == figure


def test_each_cargo_is_thrown_or_kept_as_all_throws_written_out_say() -> None:
    """A die alone: with one throw left it is thrown below 3.5, so it is worth 4.25 before two throws."""
    both, each = CargoOdds(BOTH), CargoOdds(EACH)
    one_left = {face: max(Fraction(face), Fraction(7, 2)) for face in FACES}
    two_left = {face: max(Fraction(face), sum(one_left.values()) / 6) for face in FACES}
    for one, two in product(FACES, repeat=2):
        stands = both.choices((one, two), 1)[0].kept == (0, 1)
        assert stands == (one + two >= 7), "both dice are thrown below the average of seven"
        assert each.choices((one, two), 2)[0].expected == two_left[one] + two_left[two]
    assert [choice.kept for choice in each.choices((1, 1), 0)] == [(0, 1)], "no throw is left"


# --- Legend -----------------------------------------------------------------------------------------------------------


def test_three_throws_bring_home_the_cargo_and_find_a_crew_as_often_as_the_rules_say() -> None:
    assert cargo_policy().expected() == Fraction(7721004643, 1451188224)
    assert round(float(crew_policy().expected()), 9) == 0.667253220


@pytest.mark.parametrize("faces", [(6, 5, 4, 3, 1), (6, 6, 5, 5, 4), (1, 1, 2, 2, 3), (6, 4, 4, 2, 1)])
def test_the_best_keep_with_one_throw_left_is_the_best_of_all_thirty_two(faces: tuple[int, ...]) -> None:
    def value(kept: tuple[int, ...]) -> Fraction:
        throws = [cargo((*kept, *others)) for others in product(FACES, repeat=5 - len(kept))]
        return Fraction(sum(throws), len(throws))

    every = {tuple(sorted(kept)): value(kept) for count in range(6) for kept in combinations(faces, count)}
    best = cargo_policy().best(faces, 1)
    assert best.expected == max(every.values()) == every[tuple(sorted(best.kept))]


def test_the_legend_die_stops_on_a_four_or_more_and_always_after_its_second_throw() -> None:
    assert [face for face in FACES if stop_or_throw(face, 2, SCORED, UNSCORED).stops] == [4, 5, 6]
    assert all(stop_or_throw(face, 1, SCORED, UNSCORED).stops for face in FACES)
    assert before_first_throw(SCORED, UNSCORED) == Fraction(17, 4)


def test_a_third_throw_pays_where_no_piece_can_move_but_a_higher_die_takes_the_king() -> None:
    scored = {face: Fraction(0 if face < 5 else 20) for face in FACES}
    choice = stop_or_throw(3, 1, scored, scored)
    assert (choice.stops, choice.throwing) == (False, Fraction(20, 3))


def test_a_wanted_value_comes_as_often_as_counting_says() -> None:
    for face, throws in product(FACES, (1, 2, 3)):
        wins = sum(max(faces) >= face for faces in product(FACES, repeat=throws))
        assert chance_of_at_least(face, throws) == Fraction(wins, 6**throws)
