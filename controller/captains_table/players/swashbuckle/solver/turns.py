"""The values of a turn's throws for many Swashbuckle sheets at once: arrays with a row for each multiset of five dice.

Only additions, products and maxima of single numbers are used, so that every machine computes the same bits. The value
of a sheet is a mean, or a complex number: the real part is the mean, and the imaginary part is the mean square, used
for the variance. Both kinds of value are averaged in the same way, and NumPy compares complex numbers by their real
part. Therefore the same code works for both kinds, provided that points are added by `gaining`.

The module also computes the value of choosing the box piracy, before its throw.
"""

from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from captains_table.games.swashbuckle.sheet import HORNSWAGGLE
from captains_table.players.common.hold_solver import dice_multisets
from captains_table.players.swashbuckle.sheet_turn import piracy_standing, piracy_throws
from captains_table.players.swashbuckle.sheet_values import HORNSWAGGLE_LEFT, SCUTTLED

ValueArray = NDArray[Any]
SOLVER_DICE: Final = 5
SIXTH: Final = 1 / 6


def gaining(values: ValueArray, points: float, square: float | None = None) -> ValueArray:
    """Return the values after adding points.

    Args:
        values: expected numbers of points; in a complex value, the imaginary part is the expected square.
        points: the points to add, or their expected number.
        square: the expected square of the points to add; by default the square of `points`.
    """
    if not np.iscomplexobj(values):
        return values + points
    means = values.real
    return np.asarray(
        means + points + 1j * (values.imag + 2 * points * means + (points * points if square is None else square))
    )


def variances(values: ValueArray) -> NDArray[np.float64]:
    """Return the variances, given complex numbers with the mean as real part and the mean square as imaginary part."""
    return np.asarray(np.maximum(0.0, values.imag - values.real**2))


def add_throw(rows: ValueArray) -> None:
    """Fill in the expected values of keeping fewer than five dice and throwing the other dice once.

    Args:
        rows: a row of values for each multiset in `dice_multisets(5).all`. The rows of five dice must contain their
            values; the other rows are overwritten.
    """
    one_more = dice_multisets(SOLVER_DICE).one_more
    for index in range(len(one_more) - 1, -1, -1):
        row, (one, two, *others) = rows[index], one_more[index]
        np.add(rows[one], rows[two], out=row)
        for other in others:
            np.add(row, rows[other], out=row)
        np.multiply(row, SIXTH, out=row)


def keep_best(rows: ValueArray) -> None:
    """Replace each multiset's row by the values of keeping the best subset of its dice, which may be all dice.

    The best subset is chosen for each sheet separately.
    """
    one_less = dice_multisets(SOLVER_DICE).one_less
    for index in range(1, len(one_less)):
        row = rows[index]
        for less in one_less[index]:
            np.maximum(row, rows[less], out=row)


def before_turn(without: ValueArray, with_hornswaggle: ValueArray) -> tuple[ValueArray, ValueArray]:
    """Return the values of a turn before its first throw, computed from the values after its last throw.

    The given arrays are overwritten.

    Args:
        without: the values after the last throw with the hornswaggle spent; one row for each multiset of dice.
        with_hornswaggle: the values after the last throw with the hornswaggle left; the hornswaggle allows one more
            throw and costs HORNSWAGGLE points.

    Returns:
        The values with the hornswaggle spent, and with it left.
    """
    full = dice_multisets(SOLVER_DICE).first_full
    add_throw(without)
    keep_best(without)
    with_hornswaggle[full:] = np.maximum(with_hornswaggle[full:], gaining(without[full:], -HORNSWAGGLE))
    add_throw(with_hornswaggle)
    keep_best(with_hornswaggle)
    for rows in (without, with_hornswaggle):
        add_throw(rows)
        keep_best(rows)
        add_throw(rows)
    return without[0], with_hornswaggle[0]


class _PiracyThrow(NamedTuple):
    """A throw for the box piracy.

    Attributes:
        share: the probability of the throw.
        standing: the points of the throw.
        again: the mean of the points after one more throw.
        again_square: the mean square of the points after one more throw.
    """

    share: float
    standing: float
    again: float
    again_square: float


def piracy_value(after: ValueArray, *, marks: bool, raids: int = 0) -> ValueArray:
    """Return the value of choosing the box piracy, before its throw.

    Args:
        after: the values of the sheets with piracy filled, with axes for upper half and flags.
        marks: whether the box `swashbuckle` is filled, so that five alike may earn a bonus mark.
        raids: how many additional times the points count.
    """
    value = after.copy()
    for flags in range(after.shape[1]):
        throws = _throws(marks=marks and not flags & SCUTTLED, raids=raids)
        if flags & HORNSWAGGLE_LEFT:
            left, spent = after[:, flags], gaining(after[:, flags - HORNSWAGGLE_LEFT], -HORNSWAGGLE)
            value[:, flags] = 0
            for throw in throws:
                best = gaining(left, throw.standing)
                if throw.again - HORNSWAGGLE > throw.standing:  # a spent hornswaggle is never worth more than one left
                    best = np.maximum(best, gaining(spent, throw.again, throw.again_square))
                value[:, flags] += throw.share * best
        else:
            mean = sum(throw.share * throw.standing for throw in throws)
            square = sum(throw.share * throw.standing**2 for throw in throws)
            value[:, flags] = gaining(value[:, flags], mean, square)
    return value


@cache
def _throws(*, marks: bool, raids: int) -> tuple[_PiracyThrow, ...]:
    rows = dice_multisets(SOLVER_DICE)
    both = np.zeros((len(rows.all), 1), dtype=np.complex128)
    both[rows.first_full :, 0] = [points + 1j * points**2 for points in piracy_standing(marks=marks, raids=raids)]
    add_throw(both)
    keep_best(both)
    squares = both[rows.first_full :, 0].imag
    throws = piracy_throws(marks=marks, raids=raids)
    return tuple(_PiracyThrow(*throw, float(square)) for throw, square in zip(throws, squares, strict=True))
