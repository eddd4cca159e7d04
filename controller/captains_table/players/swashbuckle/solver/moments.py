"""Values of sheets as means alone, or as complex numbers of a mean and a mean square, from which the spread follows.

Both are averaged alike, and of two complex numbers NumPy holds that for the larger whose real part, the mean, is. So
whatever solves for means solves for both, if points are added by `gaining`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

ValueArray = NDArray[Any]


def gaining(values: ValueArray, points: float, square: float | None = None) -> ValueArray:
    """Return the values with points added.

    Args:
        values: real, or complex where the mean square counts too.
        points: how many, or how many on average.
        square: the mean square of the points; that of a certain number by default.
    """
    if not np.iscomplexobj(values):
        return values + points
    means = values.real
    return np.asarray(
        means + points + 1j * (values.imag + 2 * points * means + (points * points if square is None else square))
    )


def variances(values: ValueArray) -> NDArray[np.float64]:
    """Return the variances of complex values."""
    return np.asarray(np.maximum(0.0, values.imag - values.real**2))
