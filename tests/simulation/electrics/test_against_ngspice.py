import random

import pytest

from captains_table.games.contract import Shape
from captains_table.simulation.electrics.circuit import RP2040, Chip
from captains_table.simulation.electrics.faults import FaultKind
from tests.support.faulty_boards import random_faults
from tests.support.measured_board import PI, IdleDrive, MeasuredBoard
from tests.support.spice import solved_by_ngspice

BOARDS = 16
WITHIN_V = 0.02
BOARD = Shape(9, 8)


def drawn(seed: int) -> tuple[random.Random, MeasuredBoard]:
    """Return a board with some faults, on a chip that drives its ranks in some way."""
    rng = random.Random(seed)
    drive, chip = rng.choice(list(IdleDrive)), rng.choice([RP2040, PI])
    return rng, MeasuredBoard(BOARD, random_faults(rng, BOARD), chip, drive)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(BOARDS))
def test_a_faulty_board_has_the_levels_that_ngspice_finds_and_is_read_alike(seed: int) -> None:
    rng, board = drawn(seed)
    chip = board.chip
    reeds = board.reeds(rng.sample(BOARD.squares(), rng.randint(1, 20)))
    solved = solved_by_ngspice(BOARD, board.faults, reeds, chip, board.drive)
    levels = board.levels(reeds)
    assert max(abs(levels[at] - volts) for at, volts in solved.levels.items()) < WITHIN_V
    assert {at: read(volts, chip) for at, volts in levels.items()} == {
        at: read(volts, chip) for at, volts in solved.levels.items()
    }
    currents = board.currents(reeds)
    assert max(abs(currents[at] - amperes) for at, amperes in solved.currents.items()) < 1e-3


def read(volts: float, chip: Chip) -> str:
    return "closed" if volts <= chip.low_below_v else "uncertain" if volts < chip.high_above_v else "open"


def test_the_boards_held_against_ngspice_have_every_fault() -> None:
    assert {fault.kind for seed in range(BOARDS) for fault in drawn(seed)[1].faults} == set(FaultKind)
