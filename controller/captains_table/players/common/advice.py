"""Advice to a player: the best answer to a game's question, its expected value, and the reason for it.

Helpers for advisers find the dice that show given faces, and put advice to keep dice and expected numbers into words.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from captains_table.games.contract import Action
from captains_table.phrases import say, several

_HALF: Final = 0.5


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


def about(value: float, beside: float | None = None) -> str:
    """Return an expected number in round words, such as "about 4".

    If it would read like the number beside it, return "a little more" or "a little less" instead.
    """
    words = say("about {number}", round(value)) if abs(value) >= _HALF else say("less than 1")
    if beside is None or words != about(beside):
        return words
    return say("a little more") if value > beside else say("a little less")


def lead_in_words(value: float, *, in_pawns: bool = False) -> str:
    """Return by how much a player leads in round words, such as "about 2 pawns ahead"."""
    number, is_ahead = round(abs(value)), value > 0
    if abs(value) < _HALF:
        return say("about level")
    if not in_pawns:
        return say("about {number} ahead", number) if is_ahead else say("about {number} behind", number)
    if is_ahead:
        return several(number, "about {n} pawn ahead", "about {n} pawns ahead")
    return several(number, "about {n} pawn behind", "about {n} pawns behind")


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
    return say("Keep {faces}", faces_kept(kept)) if kept else say("Throw them all")


def faces_kept(kept: Sequence[int]) -> str:
    """Return the faces that are kept, in their order."""
    return " ".join(str(face) for face in sorted(kept))


StateAdviser = Callable[[Any], Advice | None]
