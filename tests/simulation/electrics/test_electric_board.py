import random

import pytest
from hypothesis import given, strategies as st

from captains_table.games.contract import Shape, Square, parse_square
from captains_table.simulation.electrics.circuit import PI, RP2040, Chip, IdleDrive
from captains_table.simulation.electrics.electric_board import ElectricBoard, ScanPin, ScanReading
from captains_table.simulation.electrics.faults import BadFault, parse_fault
from tests.support.faulty_boards import random_faults

BOARD = Shape(8, 8)


def board(*faults: str, drive: IdleDrive = IdleDrive.OPEN_DRAIN, chip: Chip = RP2040) -> ElectricBoard:
    return ElectricBoard(BOARD, [parse_fault(fault, BOARD) for fault in faults], chip, drive)


def old_board(*faults: str) -> ElectricBoard:
    return board(*faults, drive=IdleDrive.PUSH_PULL)


def squares(names: str) -> frozenset[Square]:
    return frozenset(map(parse_square, names.split()))


def read(faulty: ElectricBoard, names: str) -> ScanReading:
    return faulty.read(faulty.reeds(squares(names)))


def most_amperes(faulty: ElectricBoard, names: str) -> float:
    return max(map(abs, faulty.currents(faulty.reeds(squares(names))).values()))


def level(faulty: ElectricBoard, names: str, at: str) -> float:
    square = parse_square(at)
    return faulty.levels(faulty.reeds(squares(names)))[ScanPin(square.rank, square.file)]


@given(st.sets(st.sampled_from(BOARD.squares())), st.sampled_from(IdleDrive), st.sampled_from([RP2040, PI]))
def test_a_good_board_reads_what_stands_on_it(standing: set[Square], drive: IdleDrive, chip: Chip) -> None:
    good = ElectricBoard(BOARD, (), chip, drive)
    assert good.read(standing) == ScanReading(frozenset(standing), frozenset())
    assert max(map(abs, good.currents(standing).values())) < 0.001


def test_a_linked_diode_makes_the_fourth_corner_uncertain() -> None:
    for kind in ("diode-missing", "diode-bridged"):
        assert read(board(f"{kind}:c4"), "c4 c1 d4") == ScanReading(squares("c4 c1 d4"), squares("d1"))
        assert level(board(f"{kind}:c4"), "c4 c1 d4", "d1") == pytest.approx(0.94, abs=0.02)
        assert most_amperes(board(f"{kind}:c4"), "c4 c1 d4") < 0.0002


def test_the_other_corners_of_a_linked_diode_show_no_ghost() -> None:
    assert read(board("diode-missing:c4"), "c4 c1 d1") == ScanReading(squares("c4 c1 d1"), frozenset())


def test_with_ranks_driven_high_a_linked_diode_hides_its_file() -> None:
    assert read(old_board("diode-missing:c4"), "c4 c1 d4") == ScanReading(squares("c4 d4"), frozenset())
    assert level(old_board("diode-missing:c4"), "c4 c1 d4", "c1") > 2.0
    assert most_amperes(old_board("diode-missing:c4"), "c4 c1 d4") > 0.013


def test_a_reversed_diode_is_not_read_and_lets_a_ghost_through_the_other_way() -> None:
    assert read(board("diode-reversed:c4"), "c4") == ScanReading(frozenset(), frozenset())
    assert read(board("diode-reversed:c4"), "c4 c1 d4") == ScanReading(squares("c1 d4"), squares("d1"))


def test_with_ranks_driven_high_a_reversed_diode_leaves_its_file_between_the_thresholds() -> None:
    assert read(old_board("diode-reversed:c4"), "c4 c1") == ScanReading(frozenset(), squares("c1"))
    assert level(old_board("diode-reversed:c4"), "c4 c1", "c1") == pytest.approx(1.65, abs=0.02)
    assert most_amperes(old_board("diode-reversed:c4"), "c4 c1") > 0.01


def test_an_open_diode_an_open_reed_and_an_open_line_are_not_read() -> None:
    for fault in ("diode-open:c4", "reed-open:c4"):
        assert read(board(fault), "c4 c1 d4") == ScanReading(squares("c1 d4"), frozenset())
    assert read(board("line-open:c"), "c4 c1 d4") == ScanReading(squares("d4"), frozenset())
    assert read(board("line-open:4"), "c4 c1 d4") == ScanReading(squares("c1"), frozenset())


def test_a_stuck_reed_is_always_read() -> None:
    assert read(board("reed-stuck:c4"), "") == ScanReading(squares("c4"), frozenset())


def test_shorted_files_are_read_together() -> None:
    assert read(board("short:c-d"), "c4 f2") == ScanReading(squares("c4 d4 f2"), frozenset())


def test_shorted_ranks_are_read_together() -> None:
    assert read(board("short:3-4"), "c4 f2") == ScanReading(squares("c3 c4 f2"), frozenset())


def test_with_ranks_driven_high_shorted_ranks_are_not_read_and_work_against_each_other() -> None:
    assert not read(old_board("short:3-4"), "c4 c3").closed
    assert most_amperes(old_board("short:3-4"), "") > 0.03


def test_a_file_shorted_to_a_rank_is_closed_with_that_rank_whatever_stands() -> None:
    assert read(board("short:c-3"), "") == ScanReading(squares("c3"), frozenset())


def test_what_is_uncertain_depends_on_the_chip() -> None:
    faulty = board("diode-missing:c4")
    reeds = faulty.reeds(squares("c4 c1 d4"))
    assert faulty.read_at(1.5, reeds) == squares("c4 c1 d4 d1")
    assert faulty.read_at(0.9, reeds) == squares("c4 c1 d4")


@given(st.integers(), st.sets(st.sampled_from(BOARD.squares()), max_size=12), st.sampled_from(IdleDrive))
def test_every_faulty_board_has_levels_between_ground_and_supply(
    seed: int, standing: set[Square], drive: IdleDrive
) -> None:
    faulty = ElectricBoard(BOARD, random_faults(random.Random(seed), BOARD), RP2040, drive)
    levels = faulty.levels(faulty.reeds(standing))
    assert len(levels) == 64
    assert all(-1e-6 <= volts <= RP2040.supply_v + 1e-6 for volts in levels.values())


@given(st.integers(), st.sets(st.sampled_from(BOARD.squares()), max_size=12))
def test_with_open_drains_no_fault_lets_outputs_work_against_each_other(seed: int, standing: set[Square]) -> None:
    faulty = ElectricBoard(BOARD, random_faults(random.Random(seed), BOARD))
    assert max(map(abs, faulty.currents(faulty.reeds(standing)).values())) < 0.001


def test_two_faults_of_one_diode_are_refused() -> None:
    with pytest.raises(BadFault, match="cannot both be"):
        board("diode-missing:c4", "diode-open:c4")
