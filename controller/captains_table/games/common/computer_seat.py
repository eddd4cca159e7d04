"""A computer player on a seat: its name and level, and their notation and texts.

The notation, such as `aether:3`, is used in commands, journals and tapes; the texts, such as `Aether (level 3)`, in
records and exports. What displays show is in `games.registry`.
"""

from collections.abc import Collection
from itertools import chain, count
from typing import Final

from msgspec import Struct

from captains_table.games.contract import BadOption
from captains_table.phrases import say

SEPARATOR: Final = ":"  # between who plays and its level
LONGEST_LEVEL: Final = 9


class NoSuchOpponent(BadOption):
    """A text for a computer player cannot be read, or names a player or a level that the game does not have."""


class ComputerSeat(Struct, frozen=True):
    """A computer player on a seat: the player's key and level; `str` gives both, such as `aether:3`."""

    key: str
    level: int

    def __str__(self) -> str:
        return f"{self.key}{SEPARATOR}{self.level}"

    @property
    def title(self) -> str:
        """The computer's name without its level, such as `Aether`."""
        return self.key.capitalize()

    @property
    def words(self) -> str:
        """The computer's name in records, with the level: `Aether (level 3)`."""
        return f"{self.title} (level {self.level})"

    @classmethod
    def parsed(cls, words: str) -> "ComputerSeat":
        """Parse a text such as `aether:3`; whether any game has such a computer player is not checked.

        Raises:
            NoSuchOpponent: the text is not a name, a colon and a level of at most nine digits.
        """
        key, separator, level = words.partition(SEPARATOR)
        is_level = level.isascii() and level.isdecimal() and len(level) <= LONGEST_LEVEL
        if not separator or not key.isprintable() or not key.strip() or not is_level:
            text = say("{words} is no computer: expected its name and level, such as aether:3", repr(words))
            raise NoSuchOpponent(text)
        return cls(key, int(level))


def free_name(title: str, taken: Collection[str]) -> str:
    """Return a name for a computer's seat: its title, or, if that name is taken, *Aether 2* and so on."""
    names = chain([title], (f"{title} {number}" for number in count(2)))
    return next(name for name in names if name not in taken)
