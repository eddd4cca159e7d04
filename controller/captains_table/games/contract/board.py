"""The board as games see it: squares by file and rank, and how many of them a game needs."""

from dataclasses import dataclass
from typing import NamedTuple


class Square(NamedTuple):
    """A square as zero-based file and rank, printed a1 ... i8."""

    file: int
    rank: int

    def __str__(self) -> str:
        return f"{chr(ord('a') + self.file)}{self.rank + 1}"


def parse_square(name: str) -> Square:
    """Return the square of a name such as `e4`.

    Raises:
        ValueError: the name is not a letter followed by a number.
    """
    if len(name) < 2 or not "a" <= name[0] <= "z" or not name[1:].isdecimal() or name[1] == "0":  # noqa: PLR2004
        raise ValueError(f"{name!r} is not a square: expected a letter and a number, such as e4")
    return Square(ord(name[0]) - ord("a"), int(name[1:]) - 1)


@dataclass(frozen=True, slots=True)
class Shape:
    """How many files and ranks of switches a game needs."""

    files: int
    ranks: int

    def __str__(self) -> str:
        return f"{self.files} files and {self.ranks} ranks"

    def __contains__(self, square: object) -> bool:
        return isinstance(square, Square) and 0 <= square.file < self.files and 0 <= square.rank < self.ranks

    def square_at(self, number: int) -> Square:
        """Return the square of a number that counts rank by rank from a1, from 0."""
        rank, file = divmod(number, self.files)
        return Square(file, rank)

    def squares(self) -> list[Square]:
        """Return every square, rank by rank from a1."""
        return [Square(file, rank) for rank in range(self.ranks) for file in range(self.files)]
