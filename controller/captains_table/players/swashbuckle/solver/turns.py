"""What a turn's throws add to many Swashbuckle sheets at once: arrays with a row for each multiset of five dice.

Only additions, products and maxima of single numbers are used, so that every machine gets the same bits.
"""

from typing import Final

import numpy as np

from captains_table.games.swashbuckle.sheet import HORNSWAGGLE
from captains_table.players.common.hold_solver import dice_multisets
from captains_table.players.swashbuckle.solver.moments import ValueArray, gaining

DICE: Final = 5
SIXTH: Final = 1 / 6


def add_throw(rows: ValueArray) -> None:
    """Fill the rows of smaller multisets: kept, and the other dice thrown once.

    Args:
        rows: one for each of `dice_multisets(5).all`; those of full multisets are given.
    """
    one_more = dice_multisets(DICE).one_more
    for index in range(len(one_more) - 1, -1, -1):
        row, (one, two, *others) = rows[index], one_more[index]
        np.add(rows[one], rows[two], out=row)
        for other in others:
            np.add(row, rows[other], out=row)
        np.multiply(row, SIXTH, out=row)


def keep_best(rows: ValueArray) -> None:
    """Replace each multiset's row by that of the best of its dice to keep."""
    one_less = dice_multisets(DICE).one_less
    for index in range(1, len(one_less)):
        row = rows[index]
        for less in one_less[index]:
            np.maximum(row, rows[less], out=row)


def before_turn(without: ValueArray, with_hornswaggle: ValueArray) -> tuple[ValueArray, ValueArray]:
    """Return what a turn is worth before its first throw; the arrays are used up.

    Args:
        without: rows of the final dice's value where the hornswaggle is spent.
        with_hornswaggle: the same where it is left: one more throw for 15 points.

    Returns:
        The values with the hornswaggle spent, and with it left.
    """
    full = dice_multisets(DICE).first_full
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
