"""Solves small direct-current networks of resistors, voltage sources and diodes by nodal analysis.

The solver applies Newton's method to Kirchhoff's current law: it linearises each diode, solves the linear network, and
halves a step that increases the residual current. All elements are monotone, so that there is exactly one solution. All
diodes are of type 1N4148.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

# The 1N4148 of NXP's SPICE model: the parameters that matter below 100 mA.
SATURATION_A: Final = 4.352e-9
EMISSION: Final = 1.906
SERIES_OHM: Final = 0.6458
THERMAL_V: Final = 1.380649e-23 * 300.15 / 1.602176634e-19  # at 27 degrees Celsius, as in SPICE
SLOPE_V: Final = EMISSION * THERMAL_V

LEAK_S: Final = 1e-9  # conductance from each node to ground, so that an undriven node has a defined voltage
CLOSE_V: Final = 1e-9
BALANCED_A: Final = 1e-10
MOST_STEPS: Final = 200
MOST_HALVINGS: Final = 30


class Source(NamedTuple):
    """A node connected to a voltage through a resistance."""

    node: int
    ohm: float
    volts: float


class Resistor(NamedTuple):
    """A resistance between two nodes."""

    one: int
    other: int
    ohm: float


class Diode(NamedTuple):
    """A 1N4148 diode between two nodes, with a resistance in series."""

    anode: int
    cathode: int
    ohm: float


@dataclass(frozen=True)
class ElectricalNetwork:
    """A network: the number of its nodes, which are numbered from 0, and its elements."""

    nodes: int
    sources: tuple[Source, ...]
    resistors: tuple[Resistor, ...] = ()
    diodes: tuple[Diode, ...] = ()


class NotSolved(ArithmeticError):
    """The solver did not converge."""


@lru_cache(maxsize=1 << 14)
def solve(network: ElectricalNetwork) -> tuple[float, ...]:
    """Return the voltage of each node, cached for repeated calls; raises NotSolved if the solver does not converge."""
    matrix, injected = _linear_part(network)
    volts = [max((source.volts for source in network.sources), default=0.0)] * network.nodes
    residual, jacobian = _balance(network, matrix, injected, volts)
    for _ in range(MOST_STEPS):
        size = _norm(residual)
        step = solve_linear(jacobian, residual)
        share = 1.0
        for _ in range(MOST_HALVINGS):
            tried = [volt - share * change for volt, change in zip(volts, step, strict=True)]
            residual, jacobian = _balance(network, matrix, injected, tried)
            if _norm(residual) <= size:
                break
            share /= 2
        volts = tried
        if max(map(abs, step), default=0.0) < CLOSE_V and _norm(residual) < BALANCED_A:
            return tuple(volts)
    raise NotSolved(f"the currents of {network} did not balance in {MOST_STEPS} steps")


def diode_current(volts: float, ohm: float) -> tuple[float, float]:
    """Return the current in amperes and the differential conductance in siemens of a diode with series resistance."""
    series = SERIES_OHM + ohm
    junction = volts if volts <= 0 else min(volts, SLOPE_V * math.log1p(volts / (series * SATURATION_A)))
    for _ in range(MOST_STEPS):  # Newton's method from above the root of a convex function: it never overshoots
        grown = SATURATION_A * math.exp(junction / SLOPE_V)
        step = (junction + series * (grown - SATURATION_A) - volts) / (1 + series * grown / SLOPE_V)
        junction -= step
        if abs(step) < CLOSE_V / 1000:
            break
    grown = SATURATION_A * math.exp(junction / SLOPE_V)
    slope = grown / SLOPE_V
    return grown - SATURATION_A, slope / (1 + series * slope)


def solve_linear(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Return the solution of linear equations, by Gaussian elimination with partial pivoting; overwrites its arguments.

    Args:
        matrix: the coefficients.
        right: the right-hand sides; this list is overwritten with the solution and returned.
    """
    size = len(right)
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(matrix[row][column]))
        matrix[column], matrix[pivot] = matrix[pivot], matrix[column]
        right[column], right[pivot] = right[pivot], right[column]
        top = matrix[column]
        for row in range(column + 1, size):
            below = matrix[row]
            factor = below[column] / top[column]
            if factor:
                for at in range(column, size):
                    below[at] -= factor * top[at]
                right[row] -= factor * right[column]
    for row in reversed(range(size)):
        known = sum(matrix[row][at] * right[at] for at in range(row + 1, size))
        right[row] = (right[row] - known) / matrix[row][row]
    return right


def _linear_part(network: ElectricalNetwork) -> tuple[list[list[float]], list[float]]:
    """Return the conductance matrix of a network without its diodes, and the source current into each node."""
    matrix = [[0.0] * network.nodes for _ in range(network.nodes)]
    injected = [0.0] * network.nodes
    for node in range(network.nodes):
        matrix[node][node] = LEAK_S
    for node, ohm, volts in network.sources:
        matrix[node][node] += 1 / ohm
        injected[node] += volts / ohm
    for one, other, ohm in network.resistors:
        _join(matrix, one, other, 1 / ohm)
    return matrix, injected


def _join(matrix: list[list[float]], one: int, other: int, siemens: float) -> None:
    matrix[one][one] += siemens
    matrix[other][other] += siemens
    matrix[one][other] -= siemens
    matrix[other][one] -= siemens


def _balance(
    network: ElectricalNetwork, matrix: list[list[float]], injected: list[float], volts: list[float]
) -> tuple[list[float], list[list[float]]]:
    """Return the residual current out of each node, and the Jacobian matrix by the node voltages.

    Args:
        network: the network.
        matrix: the conductance matrix without diodes.
        injected: the current injected into each node by sources.
        volts: the voltage of each node.
    """
    jacobian = [row.copy() for row in matrix]
    residual = [
        sum(siemens * volt for siemens, volt in zip(row, volts, strict=True)) - current
        for row, current in zip(matrix, injected, strict=True)
    ]
    for anode, cathode, ohm in network.diodes:
        amperes, siemens = diode_current(volts[anode] - volts[cathode], ohm)
        residual[anode] += amperes
        residual[cathode] -= amperes
        _join(jacobian, anode, cathode, siemens)
    return residual, jacobian


def _norm(values: list[float]) -> float:
    return math.sqrt(sum(value * value for value in values))
