import math

import pytest
from hypothesis import given, strategies as st

from captains_table.simulation.electrics.network import (
    SATURATION_A,
    SERIES_OHM,
    SLOPE_V,
    Diode,
    ElectricalNetwork,
    Resistor,
    Source,
    diode_current,
    solve,
    solve_linear,
)


@given(st.floats(-5, 5), st.floats(0, 100))
def test_a_diode_carries_what_its_equation_says_and_its_slope_is_the_difference_of_currents(
    volts: float, ohm: float
) -> None:
    amperes, siemens = diode_current(volts, ohm)
    junction_v = volts - amperes * (SERIES_OHM + ohm)
    assert amperes == pytest.approx(SATURATION_A * math.expm1(junction_v / SLOPE_V), rel=1e-6, abs=1e-15)
    if -1 <= volts <= 3:
        more, less = diode_current(volts + 1e-5, ohm)[0], diode_current(volts - 1e-5, ohm)[0]
        assert siemens == pytest.approx((more - less) / 2e-5, rel=1e-3, abs=1e-9)


def test_a_1n4148_drops_as_its_data_sheet_says() -> None:
    assert diode_current(0.72, 0.0)[0] == pytest.approx(8e-3, abs=3e-3)  # Vishay: 5 mA at 0.62 to 0.72 V
    assert diode_current(1.0, 0.0)[0] > 10e-3  # every maker: at most 1 V at 10 mA


@given(st.lists(st.lists(st.floats(-1, 1), min_size=4, max_size=4), min_size=4, max_size=4), st.data())
def test_linear_equations_are_solved(rows: list[list[float]], data: st.DataObject) -> None:
    for at, row in enumerate(rows):
        row[at] += 5  # far from singular
    wanted = data.draw(st.lists(st.floats(-10, 10), min_size=4, max_size=4))
    right = [sum(a * x for a, x in zip(row, wanted, strict=True)) for row in rows]
    assert solve_linear([row.copy() for row in rows], right) == pytest.approx(wanted, abs=1e-9)


def test_a_divider_divides() -> None:
    network = ElectricalNetwork(2, (Source(0, 1e-3, 3.0), Source(1, 100.0, 0.0)), (Resistor(0, 1, 200.0),))
    assert solve(network) == pytest.approx((3.0, 1.0), abs=1e-4)


def test_a_diode_blocks_in_one_direction() -> None:
    sources = (Source(0, 50_000.0, 3.3), Source(1, 50.0, 0.0))
    forward, _ = solve(ElectricalNetwork(2, sources, (), (Diode(0, 1, 0.15),)))
    blocked, _ = solve(ElectricalNetwork(2, sources, (), (Diode(1, 0, 0.15),)))
    assert forward == pytest.approx(0.465, abs=0.01)
    assert blocked == pytest.approx(3.3, abs=0.001)
    undriven = solve(ElectricalNetwork(2, (Source(0, 50.0, 3.3),)))
    assert undriven == pytest.approx((3.3, 0.0), abs=1e-6), "a node that nothing drives has a level"
