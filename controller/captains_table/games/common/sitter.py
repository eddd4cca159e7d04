"""A computer on a seat, as commands, journals and tapes write it: who it is, and at which level it plays."""

from typing import Final

from msgspec import Struct

from captains_table.games.contract import BadOption

SEPARATOR: Final = ":"  # between who plays and its level
LONGEST_LEVEL: Final = 9


class NoSuchOpponent(BadOption):
    """No computer of this game is called so, or plays at this level."""


class Sitter(Struct, frozen=True):
    """A computer on a seat: who it is and at which level it plays, written `aether:3`."""

    key: str
    level: int

    def __str__(self) -> str:
        return f"{self.key}{SEPARATOR}{self.level}"

    @property
    def title(self) -> str:
        """What it is called at a table."""
        return self.key.capitalize()

    @property
    def words(self) -> str:
        """What it is remembered as: with its level."""
        return f"{self.title} (level {self.level})"

    @classmethod
    def parsed(cls, words: str) -> "Sitter":
        """Return the computer that words such as `aether:3` mean, of whatever game; raises NoSuchOpponent."""
        key, separator, level = words.partition(SEPARATOR)
        is_level = level.isascii() and level.isdecimal() and len(level) <= LONGEST_LEVEL
        if not separator or not key.isprintable() or not key.strip() or not is_level:
            raise NoSuchOpponent(f"{words!r} is no computer: expected its name and level, such as aether:3")
        return cls(key, int(level))
