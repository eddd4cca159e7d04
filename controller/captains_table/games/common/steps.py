"""What games of several steps a turn wait for, as far as it is the same in each."""

from msgspec import Struct

from captains_table.games.contract import Result


class Throwing(Struct, frozen=True):
    """These dice must fall; `at_once`: the player has just chosen so."""

    dice: tuple[int, ...]
    at_once: bool = False


class Finished(Struct, frozen=True):
    """The match is over."""

    result: Result
