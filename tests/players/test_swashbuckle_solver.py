"""Swashbuckle's solver against a plain solution of the last turns, and the tables that lie in the package."""

from importlib.resources import files

import numpy as np
import pytest

from captains_table.games.swashbuckle.sheet import UPPER, Sheet
from captains_table.players.swashbuckle.sheet_values import (
    SWASHBUCKLE_FILE,
    SWASHBUCKLE_VOLUNTARY,
    BadTable,
    SheetValues,
    sheet_halves,
    sheet_values,
    upper_halves,
)
from captains_table.players.swashbuckle.solver.compressing import crosses
from captains_table.players.swashbuckle.solver.sheets import SheetSolver
from tests.players.swashbuckle_oracle import sheet_with, value_of
from tests.support.effort import effort

ENDS = [
    sheet_with(("swashbuckle",)),
    sheet_with(("piracy",)),
    sheet_with(("piracy",), hornswaggled=True),
    sheet_with(("sixes",), upper=4),
    sheet_with(("sixes", "full-boat"), swashbuckle=0),
    sheet_with(("succession-4", "succession-5")),
    sheet_with(("aces-high", "piracy")),
    sheet_with(("pieces-of-8", "swashbuckle"), hornswaggled=True),
]


def solved_value(solver: SheetSolver, sheet: Sheet) -> float:
    """Return what the solver expects of the whole match, as the oracle does."""
    upper, lower = sheet_halves(sheet)
    rest = solver.value[lower.filled, upper_halves()[upper], lower.flags]
    return float(rest) + sheet.total - sheet.blimey - sheet.smooth_sailing


@pytest.mark.long
@pytest.mark.parametrize("voluntary", [False, True])
def test_the_last_turns_are_valued_as_every_throw_written_out_gives(*, voluntary: bool) -> None:
    solver = SheetSolver(voluntary=voluntary)
    open_lower = effort(1, 2)
    solver.solve(open_upper=1, open_lower=open_lower)
    for sheet in ENDS:
        if len(set(sheet.open_boxes()) - set(UPPER)) <= open_lower:
            exact = value_of(sheet, voluntary=voluntary)
            assert solved_value(solver, sheet) == pytest.approx(exact, abs=1e-9), sheet.open_boxes()


@pytest.mark.parametrize(("name", "voluntary"), [(SWASHBUCKLE_FILE, False), (SWASHBUCKLE_VOLUNTARY, True)])
def test_the_table_in_the_package_is_that_of_these_rules(name: str, *, voluntary: bool) -> None:
    """Made anew for the last turns, the table differs by no more than its compression does."""
    table = sheet_values(name)
    for sheet in ENDS:
        exact = value_of(sheet, voluntary=voluntary) - sheet.total + sheet.blimey + sheet.smooth_sailing
        assert table.of_sheet(sheet) == pytest.approx(exact, abs=0.5), sheet.open_boxes()


def test_the_tables_know_the_exact_optimum_the_rules_tell() -> None:
    plain, voluntary = sheet_values(SWASHBUCKLE_FILE), sheet_values(SWASHBUCKLE_VOLUNTARY)
    assert round(plain.optimum, 4) == 300.5576
    assert round(voluntary.optimum, 4) == 306.8019
    assert plain.of_sheet(Sheet()) == pytest.approx(plain.optimum, abs=0.01)
    assert voluntary.of_sheet(Sheet()) == pytest.approx(voluntary.optimum, abs=0.01)


def test_crosses_meet_a_matrix_of_few_terms_exactly_and_the_same_way_each_time() -> None:
    rng = np.random.default_rng(5)
    matrix = rng.normal(size=(40, 3)) @ rng.normal(size=(3, 25))
    columns, rows = crosses(matrix, terms=3)
    assert np.abs(columns @ rows.T - matrix).max() < 1e-5
    again = crosses(matrix, terms=3)
    assert (columns.tobytes(), rows.tobytes()) == tuple(part.tobytes() for part in again)


@pytest.mark.parametrize("damage", [b"", b"CAPSWSH1", b"no table at all, but long enough to hold a heading"])
def test_what_is_no_table_is_refused(damage: bytes) -> None:
    with pytest.raises(BadTable, match="expected"):
        SheetValues(damage)


def test_a_table_with_one_byte_changed_is_refused() -> None:
    data = bytearray((files("captains_table.players.swashbuckle") / "tables" / SWASHBUCKLE_FILE).read_bytes())
    data[-1000] ^= 1
    with pytest.raises(BadTable, match="checksum"):
        SheetValues(bytes(data))
