"""Parses a game's options: converts them to a typed class, and reads the option `fen` of games with a board."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import msgspec

from captains_table.games.contract import BadOption, GameOption

MOST_SHOWN = 120
T = TypeVar("T")


def as_declared(kind: type[T], declared: Sequence[GameOption], chosen: Mapping[str, str], /, **others: object) -> T:
    """Return a game's options as an instance of a class, each converted to the type of the field with its name.

    Args:
        kind: the class; options without a field in it are ignored.
        declared: the game's options.
        chosen: the value of each option, as `read_options` returns them.
        others: the values of the fields that the game has parsed itself; they replace the chosen values.
    """
    bounded = (option.name for option in declared if option.bounds is not None and chosen[option.name].isdecimal())
    numbers = {name: int(chosen[name]) for name in bounded}
    return msgspec.convert({**chosen, **numbers, **others}, kind, strict=False)


def first_position(fen: str, parse: Callable[[str], T], usual: T) -> T:
    """Return the starting position given by the option `fen`, or the usual position if the option is empty.

    Args:
        fen: the option's value.
        parse: the function that parses a position; it raises ValueError if the text is not a valid position.
        usual: the game's usual starting position.

    Raises:
        BadOption: the value is not a valid position.
    """
    try:
        return parse(fen) if fen else usual
    except ValueError as error:
        raise BadOption(f"fen={fen[:MOST_SHOWN]}: {error}", "fen") from error
