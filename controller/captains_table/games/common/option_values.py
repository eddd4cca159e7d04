"""Parses a game's options: converts their values to the types of a class, and reads the option `fen` (a position)."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import msgspec

from captains_table.games.contract import BadOption, GameOption
from captains_table.phrases import message_of, say

MOST_SHOWN = 120
T = TypeVar("T")


def as_declared(kind: type[T], declared: Sequence[GameOption], chosen: Mapping[str, str], /, **others: object) -> T:
    """Return an instance of a class whose fields have the values of the options with the same names.

    Each value is converted to the type of its field.

    Args:
        kind: the class; options for which it has no field are ignored.
        declared: the game's options.
        chosen: the value of each option, as `read_options` returns it.
        others: the values of the fields that the game has parsed itself, by field name; they take precedence.
    """
    bounded = (option.name for option in declared if option.bounds is not None and chosen[option.name].isdecimal())
    numbers = {name: int(chosen[name]) for name in bounded}
    return msgspec.convert({**chosen, **numbers, **others}, kind, strict=False)


def first_position(fen: str, parse: Callable[[str], T], usual: T) -> T:
    """Return the starting position that the option `fen` gives; the usual position if the option is empty.

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
        raise BadOption(say("fen={fen}: {fault}", fen[:MOST_SHOWN], message_of(error)), "fen") from error
