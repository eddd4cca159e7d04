"""What kept dice are worth, against throws written out one by one."""

from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from captains_table.players.common.hold_solver import FACES, chance, handfuls


@pytest.mark.parametrize(("dice", "count"), [(1, 6), (2, 21), (4, 126), (5, 252)])
def test_there_are_as_many_full_handfuls_as_ways_to_choose_with_repetition(dice: int, count: int) -> None:
    assert len(handfuls(dice).full) == count
    assert sum(chance(handful) for handful in handfuls(dice).full) == 1


def worths(dice: int) -> st.SearchStrategy[list[Fraction]]:
    count = len(handfuls(dice).full)
    return st.lists(st.integers(-20, 60).map(Fraction), min_size=count, max_size=count)


@settings(max_examples=15, deadline=None)
@given(worths(3), st.lists(st.sampled_from(FACES), max_size=3))
def test_keeping_is_worth_the_mean_over_all_throws_of_the_others(full: list[Fraction], kept: list[int]) -> None:
    rows = handfuls(3)
    throws = [rows.index((*kept, *faces)) - rows.first_full for faces in product(FACES, repeat=3 - len(kept))]
    mean = sum((full[index] for index in throws), Fraction()) / len(throws)
    assert rows.when_kept(full)[rows.index(kept)] == mean


@settings(max_examples=15, deadline=None)
@given(worths(3), st.sampled_from(handfuls(3).full))
def test_the_best_keep_is_the_best_of_all_subsets(full: list[Fraction], handful: tuple[int, ...]) -> None:
    rows = handfuls(3)
    kept = rows.when_kept(full)
    subsets = {rows.index(subset) for count in range(4) for subset in combinations(handful, count)}
    assert rows.keeps(rows.index(handful)) == subsets
    assert rows.best_kept(kept)[rows.index(handful) - rows.first_full] == max(kept[index] for index in subsets)
