"""What kept dice are worth, against throws written out one by one."""

from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given, settings, strategies as st

from captains_table.players.common.hold_solver import FACES, chance, dice_multisets


@pytest.mark.parametrize(("dice", "count"), [(1, 6), (2, 21), (4, 126), (5, 252)])
def test_there_are_as_many_full_handfuls_as_ways_to_choose_with_repetition(dice: int, count: int) -> None:
    assert len(dice_multisets(dice).full) == count
    assert sum(chance(multiset) for multiset in dice_multisets(dice).full) == 1


def values(dice: int) -> st.SearchStrategy[list[Fraction]]:
    count = len(dice_multisets(dice).full)
    return st.lists(st.integers(-20, 60).map(Fraction), min_size=count, max_size=count)


@settings(max_examples=15, deadline=None)
@given(values(3), st.lists(st.sampled_from(FACES), max_size=3))
def test_keeping_is_worth_the_mean_over_all_throws_of_the_others(full: list[Fraction], kept: list[int]) -> None:
    rows = dice_multisets(3)
    throws = [rows.index((*kept, *faces)) - rows.first_full for faces in product(FACES, repeat=3 - len(kept))]
    mean = sum((full[index] for index in throws), Fraction()) / len(throws)
    assert rows.when_kept(full)[rows.index(kept)] == mean


@settings(max_examples=15, deadline=None)
@given(values(3), st.sampled_from(dice_multisets(3).full))
def test_the_best_keep_is_the_best_of_all_subsets(full: list[Fraction], multiset: tuple[int, ...]) -> None:
    rows = dice_multisets(3)
    kept = rows.when_kept(full)
    subsets = {rows.index(subset) for count in range(4) for subset in combinations(multiset, count)}
    assert rows.keeps(rows.index(multiset)) == subsets
    assert rows.best_kept(kept)[rows.index(multiset) - rows.first_full] == max(kept[index] for index in subsets)
