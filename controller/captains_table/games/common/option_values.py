"""What several games read of their options: the values that a class declares, and the option `fen`."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import msgspec

from captains_table.games.contract import BadOption, GameOption

MOST_SHOWN = 120
T = TypeVar("T")


def as_declared(kind: type[T], declared: Sequence[GameOption], chosen: Mapping[str, str], /, **others: object) -> T:
    """Return options as values of a class, whose fields bear their names and say which type each has.

    Args:
        kind: the class; options that it has no field for are left out.
        declared: the game's options.
        chosen: the value of each, as `read_options` returns them.
        others: values that the game has read itself.
    """
    bounded = (option.name for option in declared if option.bounds is not None and chosen[option.name].isdecimal())
    numbers = {name: int(chosen[name]) for name in bounded}
    return msgspec.convert({**chosen, **numbers, **others}, kind, strict=False)


def first_position(fen: str, parse: Callable[[str], T], usual: T) -> T:
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
