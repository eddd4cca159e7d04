"""Advice: the best answer to what a game asks, what it is worth, and why, in words."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from captains_table.games.contract import Action


@dataclass(frozen=True, slots=True)
class Advice:
    """What to answer.

    Attributes:
        action: the answer itself; `None` where it is a move on the board, which is the player's own business.
        words: a few words that fit a small screen.
        why: what it is worth and by which measure.
        expected: its value by that measure, in points.
    """

    action: Action | None
    words: str
    why: str
    expected: float


def dice_showing(kept: Iterable[int], faces: Sequence[int | None], among: Iterable[int]) -> tuple[int, ...]:
    """Return the 1-based numbers of dice that show the kept faces, each die once.

    Args:
        kept: faces.
        faces: of all dice as they lie.
        among: the dice that may be meant, 1-based.
    """
    free, chosen = list(among), []
    for face in kept:
        die = next(die for die in free if faces[die - 1] == face)
        free.remove(die)
        chosen.append(die)
    return tuple(sorted(chosen))


def keep_words(kept: Sequence[int]) -> str:
    """Return which faces stay, in words."""
    return "Keep " + " ".join(str(face) for face in sorted(kept)) if kept else "Throw them all"


Adviser = Callable[[Any], Advice | None]
