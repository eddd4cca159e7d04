"""Advice to a player: the best answer to a game's question, its expected value, and the reason for it.

Helpers for advisers find the dice that show given faces, and put advice to keep dice into words.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from captains_table.games.contract import Action


@dataclass(frozen=True, slots=True)
class Advice:
    """The answer that a computer recommends.

    Attributes:
        action: the answer; `None` for the advice to move on the board, without saying which move to make.
        words: the answer in a few words that fit a small screen.
        why: the reason: the answer's value, and what the value measures.
        expected: the answer's expected value by that measure, in points (in Captain's Chess in pawns).
    """

    action: Action | None
    words: str
    why: str
    expected: float


def dice_showing(kept: Iterable[int], faces: Sequence[int | None], among: Iterable[int]) -> tuple[int, ...]:
    """Find one die for each face to keep, and return the numbers of the dice, counted from 1.

    Args:
        kept: the faces to find.
        faces: the face that each die shows.
        among: the numbers of the dice to choose from, counted from 1; they must show all these faces.
    """
    free, chosen = list(among), []
    for face in kept:
        die = next(die for die in free if faces[die - 1] == face)
        free.remove(die)
        chosen.append(die)
    return tuple(sorted(chosen))


def keep_words(kept: Sequence[int]) -> str:
    """Return the advice in words: which faces to keep, or to throw all dice if no face is kept."""
    return "Keep " + " ".join(str(face) for face in sorted(kept)) if kept else "Throw them all"


StateAdviser = Callable[[Any], Advice | None]
