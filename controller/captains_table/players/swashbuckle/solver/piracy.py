"""The throw for the box piracy: all five dice once more, with the hornswaggle if it is left.

Source: docs/rules/swashbuckle.md W6.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from captains_table.games.swashbuckle.sheet import HORNSWAGGLE
from captains_table.players.common.hold_solver import dice_multisets
from captains_table.players.swashbuckle.sheet_layout import HORNSWAGGLE_LEFT, SCUTTLED
from captains_table.players.swashbuckle.sheet_turn import piracy_standing, piracy_throws
from captains_table.players.swashbuckle.solver.moments import ValueArray, gaining
from captains_table.players.swashbuckle.solver.turns import DICE, add_throw, keep_best


class Throw(NamedTuple):
    """A throw for piracy: its chance, its points, what one more throw brings on average, and that one's mean square."""

    share: float
    standing: float
    again: float
    again_square: float


def piracy_value(after: ValueArray, *, marks: bool, raids: int = 0) -> ValueArray:
    """Return the value of scoring piracy before its throw.

    Args:
        after: values of the sheets with piracy filled, by upper half and flags.
        marks: whether the box `swashbuckle` is filled, so that five alike may earn a bonus mark.
        raids: how often the points count once more.
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
def _throws(*, marks: bool, raids: int) -> tuple[Throw, ...]:
    rows = dice_multisets(DICE)
    both = np.zeros((len(rows.all), 1), dtype=np.complex128)
    both[rows.first_full :, 0] = [points + 1j * points**2 for points in piracy_standing(marks=marks, raids=raids)]
    add_throw(both)
    keep_best(both)
    squares = both[rows.first_full :, 0].imag
    throws = piracy_throws(marks=marks, raids=raids)
    return tuple(Throw(*throw, float(square)) for throw, square in zip(throws, squares, strict=True))
