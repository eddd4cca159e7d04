"""The figures of docs/electrics.md are those that ngspice finds; `make long` looks at all of them."""

import pytest

from tests.electrics.__main__ import PAGE
from tests.electrics.tables import BEGIN, CLOSED, END, SCENES, Scene, level_row, rising_row
from tests.support.effort import LONG_RUN

TABLES = PAGE.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0].splitlines()


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("row", [*SCENES, *CLOSED] if LONG_RUN else [*SCENES[::5], CLOSED[0]], ids=str)
def test_the_figures_of_the_electrics_are_those_that_ngspice_finds(row: Scene | int) -> None:
    assert (rising_row(row) if isinstance(row, int) else level_row(row)) in TABLES, "run `make electrics`"


def test_the_tables_of_the_electrics_have_a_row_for_each_board() -> None:
    assert len([line for line in TABLES if line]) == len(SCENES) + len(CLOSED) + 4, "run `make electrics`"
