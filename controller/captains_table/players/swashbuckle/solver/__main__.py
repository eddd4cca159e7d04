"""The command `make tables`: solves Swashbuckle and writes the tables into the package; this takes half an hour."""

import os
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from captains_table.players.swashbuckle.sheet_values import (
    FOLDER,
    RAIDS,
    SPREAD,
    SWASHBUCKLE_FILE,
    SWASHBUCKLE_VOLUNTARY,
    LowerHalf,
    SheetValues,
    UpperHalf,
    lower_halves,
    upper_halves,
)
from captains_table.players.swashbuckle.solver.compressing import TERMS, packed
from captains_table.players.swashbuckle.solver.sheets import SheetSolver
from captains_table.players.swashbuckle.solver.turns import variances

NAMES = {False: SWASHBUCKLE_FILE, True: SWASHBUCKLE_VOLUNTARY}
EMPTY = UpperHalf(0, 0), LowerHalf(0, 3)
EVERY_PERCENT = 10
SPREAD_TERMS = 16  # an average error of a hundredth is precise enough for variances


def _make_table(*, voluntary: bool) -> list[str]:
    """Solve one variant, write its table, and return a list with one report line."""
    solver = SheetSolver(voluntary=voluntary)
    solver.solve(progress=_progress(NAMES[voluntary]))
    return [_write(NAMES[voluntary], solver.matrix(), TERMS)]


def make_raids() -> list[str]:
    """Solve the variant with raids, write tables of means and of variances, and return a report line for each table."""
    solver = SheetSolver(voluntary=False, raids=1, spread=True)
    solver.solve(progress=_progress(RAIDS))
    matrix = solver.matrix()
    return [_write(RAIDS, matrix.real, TERMS), _write(SPREAD, variances(matrix), SPREAD_TERMS)]


def _write(name: str, matrix: NDArray[np.float64], terms: int) -> str:
    """Write a table, and return a report line."""
    upper, lower = EMPTY
    exact = float(matrix[lower_halves()[lower], upper_halves()[upper]])
    data = packed(matrix, exact, terms)
    folder = Path(__file__).parent.parent / FOLDER
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(data)
    by_table = SheetValues(data).of_halves(upper, lower)
    return (
        f"{name}: {matrix.size:,} sheets, of an empty one exactly {exact:.6f}, by the table {by_table:.4f}; "
        f"{len(data):,} bytes"
    )


def _progress(name: str) -> Callable[[float], None]:
    reported = 0

    def report(share: float) -> None:
        nonlocal reported
        if share * 100 >= reported + EVERY_PERCENT:
            reported = int(share * 100)
            sys.stderr.write(f"{name}: {reported} %\n")

    return report


def main() -> None:
    """Make all tables in parallel; RAIDS and SPREAD together take three times as long as any other table."""
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        making = [pool.submit(make_raids), *(pool.submit(_make_table, voluntary=voluntary) for voluntary in NAMES)]
        for each in making:
            print(*each.result(), sep="\n", flush=True)


if __name__ == "__main__":
    main()
