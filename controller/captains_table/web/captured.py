"""The captured pieces next to the board, grouped by side, and the material lead that they give."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from captains_table.games.common.pieces import is_white

_VALUES = {"q": 9, "+r": 7, "r": 5, "c": 5, "+b": 5, "b": 3, "n": 3, "g": 3, "p": 1}
"""The value of each kind of piece, in the order in which the captured pieces are shown."""


@dataclass(frozen=True, slots=True)
class CapturedPieces:
    """The captured pieces of one side.

    Attributes:
        name: the side that lost the pieces, `White` or `Black`.
        other: the opposing side.
        pieces: maps each FEN letter to the number of pieces, the most valuable letter first.
        ahead: the material lead of `other` from all captures, in points; 0 if `other` does not lead.
    """

    name: str
    other: str
    pieces: Mapping[str, int]
    ahead: int


def sides_of(beside: Iterable[str]) -> list[CapturedPieces]:
    """Return the captured pieces of each side that lost any, White first."""
    counts = Counter(beside)
    letters = sorted(counts, key=_rank)
    white = {letter: counts[letter] for letter in letters if is_white(letter)}
    black = {letter: counts[letter] for letter in letters if not is_white(letter)}
    lead = _material(black) - _material(white)
    sides = (("White", "Black", white, -lead), ("Black", "White", black, lead))
    return [CapturedPieces(name, other, lost, max(0, ahead)) for name, other, lost, ahead in sides if lost]


def _rank(letter: str) -> tuple[int, int, str]:
    kinds = [*_VALUES, letter.lower()]  # a kind without a value comes last
    return kinds.index(letter.lower()), len(letter), letter


def _material(counts: dict[str, int]) -> int:
    """Return the total value of pieces, where a pawn counts 1; pieces without a value in `_VALUES` count 0."""
    return sum(_VALUES.get(letter.lower(), 0) * count for letter, count in counts.items())
