"""The option `fen` of games that may begin from any position."""

from collections.abc import Callable
from typing import TypeVar

from captains_table.games.contract import BadOption

MOST_SHOWN = 120
P = TypeVar("P")


def first_position(fen: str, parse: Callable[[str], P], usual: P) -> P:
    """Return the position that an option names, the usual one where it names none.

    Args:
        fen: the option.
        parse: reads a position; raises ValueError.
        usual: the position most matches begin from.

    Raises:
        BadOption: it is no position.
    """
    try:
        return parse(fen) if fen else usual
    except ValueError as error:
        raise BadOption(f"fen={fen[:MOST_SHOWN]}: {error}", "fen") from error
