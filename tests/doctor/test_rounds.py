"""Rounds with several pieces: few, and every diode that is missing shows in one of them."""

import pytest

from captains_table.doctor.diagnosis.electrical_test import ElectricalTest
from captains_table.doctor.diagnosis.explanations import MatrixReading
from captains_table.doctor.diagnosis.round_choice import first_rounds, revealing_squares
from captains_table.games.contract import Shape

SHAPES = [Shape(8, 8), Shape(9, 8), Shape(9, 9)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("pieces", [3, 4, 7, 10, 16, 24, 32, 36])
def test_whatever_number_of_pieces_there_is_every_missing_diode_would_show(shape: Shape, pieces: int) -> None:
    rounds = first_rounds(shape, pieces)
    assert frozenset().union(*(revealing_squares(shape, standing) for standing in rounds)) == set(
        range(shape.files * shape.ranks)
    )
    assert max(map(len, rounds)) <= pieces


@pytest.mark.parametrize(("shape", "most"), list(zip(SHAPES, (2, 3, 3), strict=True)))
def test_with_a_whole_set_few_rounds_are_enough(shape: Shape, most: int) -> None:
    assert len(first_rounds(shape, 4 * shape.files)) <= most


def test_two_pieces_make_no_rectangle() -> None:
    assert first_rounds(Shape(8, 8), 2) == []


def test_on_a_board_without_faults_no_further_round_is_wanted() -> None:
    shape = Shape(8, 8)
    test = ElectricalTest(shape, 32)
    test.learn([MatrixReading(frozenset(), 0), *(MatrixReading(frozenset({at}), 1 << at) for at in range(64))])
    rounds = 0
    while (standing := test.next_round()) is not None:
        test.learn([MatrixReading(standing, sum(1 << at for at in standing))])
        rounds += 1
    assert rounds == 2
    assert test.verdict().unproven == frozenset()
