import random

import pytest
from hypothesis import given, strategies as st

from captains_table.games.contract import Shape, Square
from captains_table.simulation.electrics.faults import (
    BadFault,
    BoardFault,
    FaultKind,
    FileLine,
    RankLine,
    check_together,
    parse_fault,
    reeds_closed,
)
from tests.support.faulty_boards import random_fault

BOARD = Shape(9, 8)


@given(st.integers(), st.sampled_from(FaultKind))
def test_a_fault_is_printed_as_it_is_typed(seed: int, kind: FaultKind) -> None:
    fault = random_fault(random.Random(seed), BOARD, kind)
    assert parse_fault(str(fault), BOARD) == fault


def test_faults_say_where_they_are() -> None:
    assert parse_fault("diode-missing:c4", BOARD) == BoardFault(FaultKind.DIODE_MISSING, (Square(2, 3),))
    assert parse_fault("short:c-3", BOARD).lines == (FileLine(2), RankLine(2))
    assert parse_fault("line-open:i", BOARD).lines == (FileLine(8),)
    assert parse_fault("reed-stuck:a1", BOARD).square == Square(0, 0)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("diode-mising:c4", "there is no kind 'diode-mising', expected one of diode-missing, "),
        ("diode-missing", "'' is not a square: expected a letter and a number"),
        ("reed-open:k1", "k1 is no square of a board of 9 files and 8 ranks"),
        ("line-open:9", "9 is no line of a board of 9 files and 8 ranks"),
        ("line-open:c4", "'c4' is no line: expected a file's letter or a rank's number"),
        ("short:c", "expected two lines that touch, such as c-d"),
        ("short:3-3", "expected two lines that touch, such as c-d"),
        ("short:c-d-e", "expected two lines that touch, such as c-d"),
    ],
)
def test_what_cannot_be_a_fault_is_said(text: str, sentence: str) -> None:
    with pytest.raises(BadFault) as refusal:
        parse_fault(text, BOARD)
    assert str(refusal.value).startswith(f"fault '{text}': {sentence}")


def test_one_diode_cannot_have_two_faults() -> None:
    with pytest.raises(BadFault, match="diode-missing:c4 and diode-reversed:c4 cannot both be"):
        check_together(parse_fault(text, BOARD) for text in ("diode-missing:c4", "reed-open:c4", "diode-reversed:c4"))


def test_reeds_close_as_their_faults_let_them() -> None:
    faults = [parse_fault(text, BOARD) for text in ("reed-open:a1", "reed-stuck:b1", "reed-narrow:c1", "diode-open:d1")]
    a1, b1, c1, d1 = (Square(file, 0) for file in range(4))
    assert reeds_closed(faults, centred=[a1, c1, d1]) == {b1, c1, d1}
    assert reeds_closed(faults, centred=[], aside=[a1, c1, d1]) == {b1, d1}
