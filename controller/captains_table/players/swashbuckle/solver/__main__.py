"""`make tables`: solves Swashbuckle and writes the tables that the adviser reads into the package, in a few minutes."""

import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from captains_table.players.swashbuckle.sheet_layout import LowerHalf, UpperHalf, lower_halves, upper_halves
from captains_table.players.swashbuckle.sheet_values import SheetValues
from captains_table.players.swashbuckle.solver.compressing import packed
from captains_table.players.swashbuckle.solver.sheets import SheetSolver

FOLDER = Path(__file__).parent.parent / "tables"
NAMES = {False: "swashbuckle.values", True: "swashbuckle-voluntary.values"}
EMPTY = UpperHalf(0, 0), LowerHalf(0, 3)
EVERY_PERCENT = 10


def make(*, voluntary: bool) -> str:
    """Solve one variant, write its table, and return a line about it."""
    began = time.monotonic()
    solver = SheetSolver(voluntary=voluntary)
    solver.solve(progress=_progress(NAMES[voluntary]))
    matrix = solver.matrix()
    upper, lower = EMPTY
    optimum = float(matrix[lower_halves()[lower], upper_halves()[upper]])
    data = packed(matrix, optimum)
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / NAMES[voluntary]).write_bytes(data)
    table = SheetValues(data)
    took = time.monotonic() - began
    return (
        f"{NAMES[voluntary]}: {matrix.size:,} sheets, exact optimum {optimum:.6f}, "
        f"by the table {table.of_halves(upper, lower):.4f}; {len(data):,} bytes, {took:.0f} s"
    )


def _progress(name: str) -> Callable[[float], None]:
    told = 0

    def report(share: float) -> None:
        nonlocal told
        if share * 100 >= told + EVERY_PERCENT:
            told = int(share * 100)
            sys.stderr.write(f"{name}: {told} %\n")

    return report


def main() -> None:
    """Make both tables, side by side."""
    with ProcessPoolExecutor(len(NAMES)) as pool:
        for line in [pool.submit(make, voluntary=voluntary) for voluntary in NAMES]:
            print(line.result(), flush=True)


if __name__ == "__main__":
    main()
