"""What doctor predicts of a faulty board, against the model of its electrics; and in which rounds it looks."""

import random

import pytest
from hypothesis import given, strategies as st

from captains_table.doctor.diagnosis.electrical_test import ElectricalTest
from captains_table.doctor.diagnosis.explanations import MatrixReading
from captains_table.doctor.diagnosis.matrix_logic import Predictor, predict
from captains_table.doctor.diagnosis.round_choice import first_rounds, revealing_squares
from captains_table.doctor.diagnosis.suspects import Suspect, SuspectKind, mask_of, short
from captains_table.games.contract import Shape, Square
from captains_table.simulation.electrics.faults import BoardFault, FaultKind, FileLine, parse_fault
from tests.support.faulty_boards import random_faults
from tests.support.measured_board import MeasuredBoard

WIDE = Shape(9, 8)
KINDS = {
    FaultKind.DIODE_MISSING: SuspectKind.LINKED,
    FaultKind.DIODE_BRIDGED: SuspectKind.LINKED,
    FaultKind.DIODE_REVERSED: SuspectKind.REVERSED,
    FaultKind.DIODE_OPEN: SuspectKind.BROKEN,
    FaultKind.REED_OPEN: SuspectKind.BROKEN,
    FaultKind.REED_STUCK: SuspectKind.STUCK,
}


def suspect_of(fault: BoardFault, shape: Shape) -> Suspect:
    lines = [line.file if isinstance(line, FileLine) else shape.files + line.rank for line in fault.lines]
    if fault.kind is FaultKind.SHORT:
        return short(*lines)
    if fault.square is None:
        return Suspect(SuspectKind.OPEN, (lines[0],))
    return Suspect(KINDS[fault.kind], (number(fault.square, shape),))


def number(square: Square, shape: Shape) -> int:
    return square.rank * shape.files + square.file


@given(st.integers(0, 10**6))
def test_what_is_sure_is_surely_read_and_what_is_not_possible_is_never_read(seed: int) -> None:
    rng = random.Random(seed)
    faults = random_faults(rng, WIDE, [kind for kind in FaultKind if kind is not FaultKind.REED_NARROW])
    squares = [fault.square for fault in faults if fault.square is not None]
    if len(set(squares)) != len(squares):
        return  # two faults of one square: a reed that is open hides what its diode is
    standing = rng.sample(WIDE.squares(), rng.randint(0, 20))
    board = MeasuredBoard(WIDE, faults)
    read = board.read(board.reeds(standing))
    suspects = frozenset(suspect_of(fault, WIDE) for fault in faults)
    predicted = predict(WIDE, suspects, [number(square, WIDE) for square in standing])
    closed, uncertain = (mask_of(number(square, WIDE) for square in group) for group in read)
    assert predicted.sure == closed
    assert uncertain & ~(predicted.likely | predicted.possible) == 0
    assert predicted.likely & ~uncertain == 0


@pytest.mark.parametrize(("fault", "volts"), [("diode-missing:c4", 0.95), ("diode-reversed:c4", 1.45)])
def test_a_ghost_of_two_diodes_is_likely_and_one_of_three_is_possible(fault: str, volts: float) -> None:
    shape = Shape(8, 8)
    board = MeasuredBoard(shape, [parse_fault(fault, shape)])
    corners = [Square(2, 3), Square(5, 3), Square(2, 6)]
    ghost = number(Square(5, 6), shape)
    predicted = predict(shape, frozenset({suspect_of(board.faults[0], shape)}), [number(at, shape) for at in corners])
    assert Square(5, 6) in board.read_at(volts, board.reeds(corners))
    assert Square(5, 6) not in board.read_at(0.8, board.reeds(corners))
    assert (predicted.likely if volts < 1 else predicted.possible) == 1 << ghost


def test_a_diode_under_no_piece_changes_nothing_that_is_predicted() -> None:
    predictor = Predictor(WIDE)
    linked = frozenset({Suspect(SuspectKind.LINKED, (5,))})
    assert predictor.predict(linked, frozenset({1, 2})) == predictor.predict(frozenset(), frozenset({1, 2}))


SHAPES = [Shape(8, 8), Shape(9, 8), Shape(9, 9)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("pieces", [3, 4, 7, 10, 16, 24, 32, 36])
def test_whatever_number_of_pieces_there_is_every_missing_diode_would_show(shape: Shape, pieces: int) -> None:
    rounds = first_rounds(shape, pieces)
    assert frozenset().union(*(revealing_squares(shape, standing) for standing in rounds)) == set(
        range(shape.files * shape.ranks)
    )
    assert max(map(len, rounds)) <= pieces


def test_with_a_whole_set_few_rounds_are_enough_and_two_pieces_make_no_rectangle() -> None:
    for shape, most in zip(SHAPES, (2, 3, 3), strict=True):
        assert len(first_rounds(shape, 4 * shape.files)) <= most
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
