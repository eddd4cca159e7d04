"""Advice to a player: the best answer to a game's question, its expected value, and the reason in words."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from captains_table.games.contract import Action


@dataclass(frozen=True, slots=True)
class Advice:
    """The answer that a computer recommends.

    Attributes:
        action: the answer; `None` where it is a move on the board, which the players make themselves.
        words: the answer in a few words that fit a small screen.
        why: the reason: what the answer is worth, and by which measure.
        expected: its expected value by that measure, in points.
    """

    action: Action | None
    words: str
    why: str
    expected: float


def dice_showing(kept: Iterable[int], faces: Sequence[int | None], among: Iterable[int]) -> tuple[int, ...]:
    """Return the 1-based numbers of dice that show the given faces, a different die for each face.

    Args:
        kept: the faces.
        faces: what every die shows.
        among: the dice to choose from, 1-based.
    """
    free, chosen = list(among), []
    for face in kept:
        die = next(die for die in free if faces[die - 1] == face)
        free.remove(die)
        chosen.append(die)
    return tuple(sorted(chosen))


def keep_words(kept: Sequence[int]) -> str:
    """Return in words which faces to keep."""
    return "Keep " + " ".join(str(face) for face in sorted(kept)) if kept else "Throw them all"


StateAdviser = Callable[[Any], Advice | None]
