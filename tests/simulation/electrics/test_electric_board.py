"""A board with electrical faults: what is read, what flows, and what can be a fault."""

import random

import pytest
from hypothesis import given, strategies as st

from captains_table.games.contract import Shape, Square, parse_square
from captains_table.simulation.electrics.circuit import RP2040, Chip
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
from tests.support.faulty_boards import random_fault, random_faults
from tests.support.measured_board import PI, IdleDrive, MeasuredBoard, ScanReading

BOARD, WIDE = Shape(8, 8), Shape(9, 8)


def board(*faults: str, drive: IdleDrive = IdleDrive.OPEN_DRAIN, chip: Chip = RP2040) -> MeasuredBoard:
    return MeasuredBoard(BOARD, [parse_fault(fault, BOARD) for fault in faults], chip, drive)


def squares(names: str) -> frozenset[Square]:
    return frozenset(map(parse_square, names.split()))


def read(faulty: MeasuredBoard, names: str) -> ScanReading:
    return faulty.read(faulty.reeds(squares(names)))


def most_amperes(faulty: MeasuredBoard, names: str) -> float:
    return max(map(abs, faulty.currents(faulty.reeds(squares(names))).values()))


@given(st.sets(st.sampled_from(BOARD.squares())), st.sampled_from(IdleDrive), st.sampled_from([RP2040, PI]))
def test_a_good_board_reads_what_stands_on_it(standing: set[Square], drive: IdleDrive, chip: Chip) -> None:
    good = MeasuredBoard(BOARD, (), chip, drive)
    assert good.read(standing) == ScanReading(frozenset(standing), frozenset())
    assert max(map(abs, good.currents(standing).values())) < 0.001


LINKED = ("diode-missing:c4", "diode-bridged:c4")


@pytest.mark.parametrize(
    ("faults", "standing", "closed", "uncertain"),
    [
        *((fault, "c4 c1 d4", "c4 c1 d4", "d1") for fault in LINKED),
        ("diode-missing:c4", "c4 c1 d1", "c4 c1 d1", ""),
        ("diode-reversed:c4", "c4", "", ""),
        ("diode-reversed:c4", "c4 c1 d4", "c1 d4", "d1"),
        *((fault, "c4 c1 d4", "c1 d4", "") for fault in ("diode-open:c4", "reed-open:c4")),
        ("line-open:c", "c4 c1 d4", "d4", ""),
        ("line-open:4", "c4 c1 d4", "c1", ""),
        ("reed-stuck:c4", "", "c4", ""),
        ("short:c-d", "c4 f2", "c4 d4 f2", ""),
        ("short:3-4", "c4 f2", "c3 c4 f2", ""),
        ("short:c-3", "", "c3", ""),
    ],
)
def test_a_fault_is_read_as_it_is_and_makes_the_fourth_corner_of_a_linked_diode_uncertain(
    faults: str, standing: str, closed: str, uncertain: str
) -> None:
    assert read(board(faults), standing) == ScanReading(squares(closed), squares(uncertain))


@pytest.mark.parametrize(
    ("fault", "standing", "closed", "uncertain", "amperes"),
    [
        ("diode-missing:c4", "c4 c1 d4", "c4 d4", "", 0.013),
        ("diode-reversed:c4", "c4 c1", "", "c1", 0.01),
        ("short:3-4", "", "", "", 0.03),
    ],
    ids=[
        "a linked diode hides its file",
        "a reversed one leaves it between the thresholds",
        "ranks work against another",
    ],
)
def test_with_ranks_driven_high_a_fault_hides_switches_and_lets_outputs_work_against_each_other(
    fault: str, standing: str, closed: str, uncertain: str, amperes: float
) -> None:
    faulty = board(fault, drive=IdleDrive.PUSH_PULL)
    assert read(faulty, standing) == ScanReading(squares(closed), squares(uncertain))
    assert most_amperes(faulty, standing) > amperes
    assert not read(board("short:3-4", drive=IdleDrive.PUSH_PULL), "c4 c3").closed


def test_what_is_uncertain_depends_on_the_chip() -> None:
    faulty = board("diode-missing:c4")
    reeds = faulty.reeds(squares("c4 c1 d4"))
    assert faulty.read_at(1.5, reeds) == squares("c4 c1 d4 d1")
    assert faulty.read_at(0.9, reeds) == squares("c4 c1 d4")


@given(st.integers(), st.sets(st.sampled_from(BOARD.squares()), max_size=12), st.sampled_from(IdleDrive))
def test_a_faulty_board_has_levels_within_its_supply_and_open_drains_keep_outputs_from_working_against_each_other(
    seed: int, standing: set[Square], drive: IdleDrive
) -> None:
    faulty = MeasuredBoard(BOARD, random_faults(random.Random(seed), BOARD), RP2040, drive)
    levels = faulty.levels(faulty.reeds(standing))
    assert len(levels) == 64
    assert all(-1e-6 <= volts <= RP2040.supply_v + 1e-6 for volts in levels.values())
    if drive is IdleDrive.OPEN_DRAIN:
        assert max(map(abs, faulty.currents(faulty.reeds(standing)).values())) < 0.001


# --- what a fault is ------------------------------------------------------------------------------------------------


@given(st.integers(), st.sampled_from(FaultKind))
def test_a_fault_is_printed_as_it_is_typed_and_says_where_it_is(seed: int, kind: FaultKind) -> None:
    fault = random_fault(random.Random(seed), WIDE, kind)
    assert parse_fault(str(fault), WIDE) == fault
    assert parse_fault("diode-missing:c4", WIDE) == BoardFault(FaultKind.DIODE_MISSING, (Square(2, 3),))
    assert parse_fault("short:c-3", WIDE).lines == (FileLine(2), RankLine(2))
    assert parse_fault("line-open:i", WIDE).lines == (FileLine(8),)
    assert parse_fault("reed-stuck:a1", WIDE).square == Square(0, 0)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("diode-mising:c4", "there is no kind 'diode-mising', expected one of diode-missing, "),
        ("diode-missing", "'' is not a square: expected a letter and a number"),
        ("reed-open:k1", "k1 is no square of a board of 9 files and 8 ranks"),
        ("line-open:9", "9 is no line of a board of 9 files and 8 ranks"),
        ("line-open:c4", "'c4' is no line: expected a file's letter or a rank's number"),
        *((f"short:{at}", "expected two lines that touch, such as c-d") for at in ("c", "3-3", "c-d-e")),
    ],
)
def test_what_cannot_be_a_fault_is_said(text: str, sentence: str) -> None:
    with pytest.raises(BadFault) as refusal:
        parse_fault(text, WIDE)
    assert str(refusal.value).startswith(f"fault '{text}': {sentence}")


def test_one_diode_cannot_have_two_faults() -> None:
    with pytest.raises(BadFault, match="cannot both be"):
        board("diode-missing:c4", "diode-open:c4")
    with pytest.raises(BadFault, match="diode-missing:c4 and diode-reversed:c4 cannot both be"):
        check_together(parse_fault(text, WIDE) for text in ("diode-missing:c4", "reed-open:c4", "diode-reversed:c4"))


def test_reeds_close_as_their_faults_let_them() -> None:
    faults = [parse_fault(text, WIDE) for text in ("reed-open:a1", "reed-stuck:b1", "reed-narrow:c1", "diode-open:d1")]
    a1, b1, c1, d1 = (Square(file, 0) for file in range(4))
    assert reeds_closed(faults, centred=[a1, c1, d1]) == {b1, c1, d1}
    assert reeds_closed(faults, centred=[], aside=[a1, c1, d1]) == {b1, d1}
