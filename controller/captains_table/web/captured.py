"""The captured pieces next to the board, grouped by side, and the material lead that they give."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from captains_table.games.common.pieces import is_white

_VALUES = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9, "c": 5, "g": 3, "+b": 5, "+r": 7}
_ORDER = ("q", "+r", "r", "c", "+b", "b", "n", "g", "p")


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
    white = {letter: count for letter, count in counts.items() if is_white(letter)}
    black = {letter: count for letter, count in counts.items() if not is_white(letter)}
    lead = _material(black) - _material(white)
    sides = (_side("White", "Black", white, -lead), _side("Black", "White", black, lead))
    return [side for side in sides if side.pieces]


def _side(name: str, other: str, counts: dict[str, int], ahead: int) -> CapturedPieces:
    letters = sorted(counts, key=lambda letter: (_rank(letter), len(letter), letter))
    return CapturedPieces(name, other, {letter: counts[letter] for letter in letters}, max(0, ahead))


def _rank(letter: str) -> int:
    kind = letter.lower()
    return _ORDER.index(kind) if kind in _ORDER else len(_ORDER)


def _material(counts: dict[str, int]) -> int:
    """Return the total value of pieces, where a pawn counts 1; pieces without a value in `_VALUES` count 0."""
    return sum(_VALUES.get(letter.lower(), 0) * count for letter, count in counts.items())
