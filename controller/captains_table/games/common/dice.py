"""Rules and texts that the games with dice share: throws, dice that stay, ship, captain, crew, cargo, and who begins.

A function tells which faces a sensible player keeps.
"""

from collections.abc import Collection, Iterable, Sequence
from functools import reduce
from typing import Final

from msgspec import Struct

from captains_table.games.contract import Die, IllegalAction, Slot
from captains_table.phrases import listed, noun, say, several

ROMAN = ("I", "II", "III", "IV", "V", "VI")
SHIP, CAPTAIN, CREW = 6, 5, 4
CREW_WORDS = {SHIP: noun("ship"), CAPTAIN: noun("captain"), CREW: noun("crew")}
PARTY: Final = range(1, 33)  # how many may play with dice alone (docs/rules/ship-captain-crew.md S7)


class ThrowStep(Struct, frozen=True):
    """The step of a turn in which some dice must be thrown.

    Attributes:
        dice: the numbers of the dice to throw, 1-based.
        at_once: whether the dice are thrown without waiting for the roll button.
    """

    dice: tuple[int, ...]
    at_once: bool = False


def roman(face: int) -> str:
    """Return a face from 1 to 6 in roman numerals."""
    return ROMAN[face - 1]


def face_words(dice: Iterable[Die]) -> list[str]:
    """Return the face of each die in words, "-" for a die without a face."""
    return ["-" if die.face is None else roman(die.face) if die.kind == "roman" else str(die.face) for die in dice]


def throws_in_words(count: int) -> str:
    """Return a number of throws in words: `1 throw`, `2 throws`."""
    return several(count, "{n} throw", "{n} throws")


def check_faces(faces: Sequence[int], count: int) -> None:
    """Raise IllegalAction unless there are `count` faces, each from 1 to 6."""
    if len(faces) != count or not all(1 <= face <= 6 for face in faces):  # noqa: PLR2004
        raise IllegalAction(say("{faces} fell: expected {count} faces from 1 to 6", str(list(faces)), count))


def lying(before: Sequence[int | None], dice: Iterable[int], faces: Iterable[int]) -> tuple[int | None, ...]:
    """Return the faces of all dice after a throw of some of them.

    Args:
        before: the faces of all dice before the throw; `None` for a die that was not thrown yet.
        dice: the numbers of the thrown dice, 1-based.
        faces: their new faces, in the same order.
    """
    fallen = dict(zip(dice, faces, strict=True))
    return tuple(fallen.get(die, face) for die, face in enumerate(before, start=1))


def thrown_dice(kept: Iterable[int], throwable: Sequence[int], count: int) -> tuple[int, ...]:
    """Return the dice to throw: those of `throwable` that are not in `kept`.

    Args:
        kept: the numbers of the dice that stay, 1-based; dice that may not be thrown can be left out.
        throwable: the numbers of the dice that may be thrown.
        count: the number of dice on the table.

    Raises:
        IllegalAction: a number in `kept` is not that of a die, or occurs twice, or no die would be thrown.
    """
    kept = list(kept)
    if len(set(kept)) != len(kept) or not all(1 <= die <= count for die in kept):
        raise IllegalAction(say("keep {dice}: expected different dice from 1 to {count}", str(kept), count))
    falling = tuple(die for die in throwable if die not in kept)
    if not falling:
        loose = str(list(throwable))
        raise IllegalAction(say("keep {dice}: expected at least one of the dice {loose} to fall", str(kept), loose))
    return falling


def crew_places(faces: Sequence[int | None]) -> tuple[Slot, ...]:
    """Return the places for ship, captain and crew, each with the first die that shows its face; no die is fixed."""
    dice = {face: die for die, face in reversed(list(enumerate(faces, 1)))}
    return tuple(Slot(name, face, dice.get(face), fixed=False) for face, name in CREW_WORDS.items())


def has_crew(faces: Iterable[int | None]) -> bool:
    """Return whether ship, captain and crew (6, 5 and 4) are all among these faces."""
    return {SHIP, CAPTAIN, CREW} <= set(faces)


def cargo(faces: Sequence[int | None]) -> int:
    """Return the cargo: the sum of the two dice other than ship, captain and crew (docs/rules/legend.md L6).

    Args:
        faces: the faces of the five dice; `None` for a die that was not thrown yet.

    Returns:
        The cargo; 0 if ship, captain or crew is missing.
    """
    thrown = [face for face in faces if face is not None]
    return sum(thrown) - (SHIP + CAPTAIN + CREW) if has_crew(thrown) else 0


def crew_words(aboard: Collection[int], cargo: int) -> str:
    """Return in words which of ship, captain and crew were thrown; the cargo is added if all three were.

    Args:
        aboard: the faces thrown so far that count: 6 for the ship, 5 for the captain, 4 for the crew.
        cargo: the sum of the other two dice.
    """
    names = listed([name for face, name in CREW_WORDS.items() if face in aboard], ",")
    return say("{berths}; cargo {cargo}", names, cargo) if has_crew(aboard) else names


def worth_keeping(throws_left: int) -> int:
    """Return the lowest face at which keeping a single die is better than throwing it again.

    This is the lowest face above the expected value of the remaining throws: 3.5 if one throw is left, and 4.25 if two
    throws are left, since the player may keep the first of the two.
    """
    average = 3.5
    for _ in range(throws_left - 1):
        average = sum(max(face, average) for face in range(1, 7)) / 6
    return int(average) + 1


def crew_in_order(faces: Sequence[int | None]) -> tuple[int, ...]:
    """Return the numbers (1-based, ascending) of the first 6, the first 5 and the first 4 among the dice.

    If no die shows one of these faces, its number is left out.
    """
    return tuple(sorted(faces.index(face) + 1 for face in (SHIP, CAPTAIN, CREW) if face in faces))


def cargo_dice(faces: Sequence[int | None]) -> tuple[int, ...]:
    """Return the numbers (1-based) of the cargo dice: all dice except one 6, one 5 and one 4.

    Empty if any of these three faces is missing, since the cargo dice are not known until then.
    """
    crew = crew_in_order(faces)
    return tuple(die for die in range(1, len(faces) + 1) if die not in crew) if has_crew(faces) else ()


def first_missing(faces: Sequence[int | None]) -> int | None:
    """Return the first face of 6, 5 and 4 (ship, captain, crew) that is missing; `None` if none is missing."""
    return next((face for face in CREW_WORDS if face not in faces), None)


def missing_words(face: int) -> str:
    """Return the result of a turn in which a face (6, 5 or 4) is missing, in words such as `No ship, no cargo`."""
    return say("No {berth}, no cargo", CREW_WORDS[face])


def order_words(faces: Sequence[int | None], decided: Sequence[str]) -> str:
    """Return a text about the result of a throw to decide who begins.

    Args:
        faces: the faces thrown; the text begins with their sum.
        decided: sentences that say what the throw decided; empty if nothing is decided yet.
    """
    total = sum(face or 0 for face in faces)
    if not decided:
        return say("{sum} for the start", total)
    return reduce(lambda before, words: say("{before}: {words}", before, words), decided, str(total))
