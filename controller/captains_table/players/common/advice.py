"""Advice to a player: the best answer to a game's question, its expected value, and the reason for it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from captains_table.games.contract import Action


@dataclass(frozen=True, slots=True)
class Advice:
    """The answer that a computer recommends.

    Attributes:
        action: the answer; `None` for a move on the board, which the players make themselves.
        words: the answer in a few words that fit a small screen.
        why: the reason, which is the answer's value and how that value is measured.
        expected: the answer's expected value by that measure, in points.
    """

    action: Action | None
    words: str
    why: str
    expected: float


def dice_showing(kept: Iterable[int], faces: Sequence[int | None], among: Iterable[int]) -> tuple[int, ...]:
    """Return the numbers of dice, from 1, that show the given faces, with a different die for each face.

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
    """Return which faces to keep, in words, or that all dice are to be thrown."""
    return "Keep " + " ".join(str(face) for face in sorted(kept)) if kept else "Throw them all"


StateAdviser = Callable[[Any], Advice | None]
