"""The throw for the box piracy: all five dice once more, with the hornswaggle if it is left.

Source: docs/rules/swashbuckle.md W6.
"""

from captains_table.games.swashbuckle.sheet import HORNSWAGGLE
from captains_table.players.swashbuckle.sheet_layout import HORNSWAGGLE_LEFT, SCUTTLED
from captains_table.players.swashbuckle.sheet_turn import piracy_throws
from captains_table.players.swashbuckle.solver.turns import ValueArray


def piracy_value(after: ValueArray, *, marks: bool) -> ValueArray:
    """Return the value of scoring piracy before its throw.

    Args:
        after: values of the sheets with piracy filled, by upper half and flags.
        marks: whether the box `swashbuckle` is filled, so that five alike may earn a bonus mark.
    """
    value = after.copy()
    for flags in range(after.shape[1]):
        throws = piracy_throws(marks=marks and not flags & SCUTTLED)
        if flags & HORNSWAGGLE_LEFT:
            left, spent = after[:, flags], after[:, flags - HORNSWAGGLE_LEFT] - HORNSWAGGLE
            value[:, flags] = 0
            for share, standing, again in throws:
                best = left + standing
                if again - HORNSWAGGLE > standing:  # a spent hornswaggle is never worth more than one that is left
                    best = best.clip(min=spent + again)
                value[:, flags] += share * best
        else:
            value[:, flags] += sum(share * standing for share, standing, _ in throws)
    return value
