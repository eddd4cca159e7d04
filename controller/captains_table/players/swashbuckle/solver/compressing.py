"""Compresses a matrix of sheet values to a low-rank approximation in 16-bit integers: the file for `sheet_values`.

Each step finds the entry with the greatest error and corrects its whole row and column (adaptive cross approximation).
"""

import struct
from binascii import crc32
from typing import Final

import numpy as np
from numpy.typing import NDArray

from captains_table.players.swashbuckle.sheet_values import HEADER, MAGIC

MOST: Final = 32767
TERMS: Final = 96

Single = NDArray[np.float32]


def crosses(matrix: NDArray[np.float64], terms: int = TERMS) -> tuple[Single, Single]:
    """Return columns and rows, `terms` of each, whose products add up to approximately the matrix."""
    rest = matrix.astype(np.float32)
    product = np.empty_like(rest)
    columns, rows = [], []
    for _ in range(terms):
        np.abs(rest, out=product)
        row, column = divmod(int(product.argmax()), rest.shape[1])
        columns.append(rest[:, column].copy())
        rows.append(rest[row] / rest[row, column])
        np.multiply(columns[-1][:, None], rows[-1][None, :], out=product)
        np.subtract(rest, product, out=rest)
    return np.stack(columns, axis=1), np.stack(rows, axis=1)


def packed(matrix: NDArray[np.float64], optimum: float, count: int = TERMS) -> bytes:
    """Return the contents of a table file.

    Args:
        matrix: the values of the sheets, with a row for each lower half of a sheet, and a column for each upper half.
        optimum: the exact value of an empty sheet.
        count: the number of terms of the low-rank approximation.
    """
    lower, upper = crosses(matrix, count)
    steps, numbers = [], []
    for terms in (upper, lower):
        step = np.abs(terms).max(axis=0) / np.float32(MOST)
        steps.append(step.astype("<f4").tobytes())
        numbers.append(np.rint(terms / step).astype("<i2").tobytes())
    body = struct.pack("<d", optimum) + b"".join(steps + numbers)
    lowers, uppers = matrix.shape
    header = HEADER.pack(MAGIC, count, uppers, lowers, crc32(body), optimum)
    return header + body[struct.calcsize("<d") :]
