"""Swashbuckle's solver against a plain solution of the last turns, and the tables that lie in the package."""

from functools import cache
from importlib.resources import files

import numpy as np
import pytest

from captains_table.games.swashbuckle.sheet import UPPER, Sheet, Values
from captains_table.players.swashbuckle.eurus.forecast import last_gains
from captains_table.players.swashbuckle.sheet_turn import HouseRules
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
from tests.players.swashbuckle_oracle import LAST_SHEETS, rest_of, sheet_with
from tests.support.effort import effort

ENDS = [
    sheet_with(("swashbuckle",)),
    sheet_with(("piracy",)),
    sheet_with(("piracy",), hornswaggled=True),
    sheet_with(("sixes",), upper=4),
    sheet_with(("sixes", "full-boat"), swashbuckle=0),
    *(
        sheet_with(("succession-4", "succession-5")),
        sheet_with(("aces-high", "piracy")),
        sheet_with(("pieces-of-8", "swashbuckle"), hornswaggled=True),
    )[: effort(1, 3)],
]


def solved(solver: SheetSolver, sheet: Sheet) -> complex:
    """Return what the solver expects of the rest of a match; the imaginary part is the mean square."""
    upper, lower = sheet_halves(sheet)
    return complex(solver.value[lower.filled, upper_halves()[upper], lower.flags])


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("voluntary", [False, True])
def test_the_last_turns_are_valued_as_every_throw_written_out_gives(*, voluntary: bool) -> None:
    solver = SheetSolver(voluntary=voluntary)
    open_lower = effort(1, 2)
    solver.solve(open_upper=1, open_lower=open_lower)
    for sheet in ENDS:
        if len(set(sheet.open_boxes()) - set(UPPER)) <= open_lower:
            exact = rest_of(sheet, voluntary=voluntary)
            assert solved(solver, sheet).real == pytest.approx(exact, abs=1e-9), sheet.open_boxes()


@cache
def solver_of_spread() -> SheetSolver:
    """Return the solver that knows the last turns with one box open."""
    solver = SheetSolver(voluntary=False, raids=1, spread=True)
    solver.solve(open_upper=1, open_lower=0)
    solver.solve(open_upper=0, open_lower=1)
    return solver


@pytest.mark.slow
@pytest.mark.parametrize("sheet", LAST_SHEETS, ids=lambda sheet: sheet.open_boxes()[0])
def test_the_solver_keeps_the_spread_of_what_is_still_to_come(sheet: Sheet) -> None:
    """Where one box is open, it is that of all gains; piracy counts twice, as one loses what the other wins."""
    value = solved(solver_of_spread(), sheet)
    gains = last_gains(*sheet_halves(sheet), HouseRules(Values()), 5, 1.0)
    mean = sum(gain * chance for gain, chance in gains)
    variance = sum((gain - mean) ** 2 * chance for gain, chance in gains)
    assert value.real == pytest.approx(mean, abs=1e-4)
    assert value.imag - value.real**2 == pytest.approx(variance, abs=1e-2)


@pytest.mark.parametrize(
    ("name", "voluntary", "optimum"), [(SWASHBUCKLE_FILE, False, 300.5576), (SWASHBUCKLE_VOLUNTARY, True, 306.8019)]
)
def test_the_table_in_the_package_is_that_of_these_rules(name: str, optimum: float, *, voluntary: bool) -> None:
    """It tells the exact optimum; made anew for the last turns, it differs by no more than its compression does."""
    table = sheet_values(name)
    assert round(table.optimum, 4) == optimum
    assert table.of_sheet(Sheet()) == pytest.approx(optimum, abs=0.01)
    for sheet in ENDS:
        exact = rest_of(sheet, voluntary=voluntary)
        assert table.of_sheet(sheet) == pytest.approx(exact, abs=0.5), sheet.open_boxes()


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
