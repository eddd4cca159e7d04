"""What throwing the Legend die is worth once the best move under each face is known.

Permissions are nested, value <= die (L8), so the best moves are a running maximum: under a die of d the best among
pieces of value d or less. The die may be thrown three times; at the first two it scores, at the third not (L9).

Source: docs/rules/legend.md L5 - L9.
"""

from collections.abc import Sequence
from typing import Final

CARGO: Final = 7721004643 / 1451188224  # the best expected cargo of a turn
TREASURE: Final = 7.0  # two dice, on average
KING_CAPTURE: Final = 5.0
KING_VALUE: Final = 5.0  # in a settlement
UNKNOWN: Final = -1e9  # less than any value


def best_of_turn(scored: Sequence[float], unscored: Sequence[float], lowest: int, forfeited: float) -> float:
    """Return what a turn is worth before its first throw of the Legend die.

    Args:
        scored: at 1 to 6, the best move that such a die permits, with what it scores; bounds from below give a bound
            from below.
        unscored: the same where the move scores nothing.
        lowest: the least value of a piece that can move; 7 if none can.
        forfeited: what a forfeited move is worth (L8).
    """
    third = after_third(unscored, lowest, forfeited)
    return after_throws(scored, lowest, after_throws(scored, lowest, third))


def after_third(unscored: Sequence[float], lowest: int, forfeited: float) -> float:
    """Return what the third throw is worth: the piece moves, the die scores nothing."""
    return (sum(unscored[lowest:7]) + (lowest - 1) * forfeited) / 6


def after_throws(scored: Sequence[float], lowest: int, otherwise: float) -> float:
    """Return what an earlier throw is worth, where throwing again is worth `otherwise`.

    Where no permitted piece can move the die is thrown again (L8).
    """
    total = (lowest - 1) * otherwise
    for die in range(lowest, 7):
        total += scored[die] if scored[die] > otherwise else otherwise
    return total / 6
