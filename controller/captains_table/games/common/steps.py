"""What games of several steps a turn wait for, as far as it is the same in each."""

from dataclasses import dataclass

from captains_table.games.contract import Result


@dataclass(frozen=True, slots=True)
class Throwing:
    """These dice must fall; `at_once`: the player has just chosen so."""

    dice: tuple[int, ...]
    at_once: bool = False


@dataclass(frozen=True, slots=True)
class Finished:
    """The match is over."""

    result: Result
