"""What dice games share: how dice are waited for, named, checked and thrown again."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from msgspec import Struct

from captains_table.games.contract import IllegalAction

ROMAN = ("I", "II", "III", "IV", "V", "VI")
SHIP, CAPTAIN, CREW = 6, 5, 4
CREW_WORDS = {SHIP: "ship", CAPTAIN: "captain", CREW: "crew"}
PARTY: Final = range(1, 33)  # how many may play with dice alone (docs/rules/ship-captain-crew.md S7)


class Throwing(Struct, frozen=True):
    """What is waited for in a turn: these dice must fall; `at_once`: the player has just chosen so."""

    dice: tuple[int, ...]
    at_once: bool = False


def roman(face: int) -> str:
    """Return a face in roman numerals."""
    return ROMAN[face - 1]


def throws_in_words(count: int) -> str:
    """Return how many throws those are."""
    return "1 throw" if count == 1 else f"{count} throws"


def check_faces(faces: Sequence[int], count: int) -> None:
    """Raise IllegalAction unless these are `count` faces from 1 to 6."""
    if len(faces) != count or not all(1 <= face <= 6 for face in faces):  # noqa: PLR2004
        raise IllegalAction(f"{list(faces)} fell: expected {count} faces from 1 to 6")


def lying(before: Sequence[int | None], dice: Iterable[int], faces: Iterable[int]) -> tuple[int | None, ...]:
    """Return all dice as they lie when some of them have fallen.

    Args:
        before: the faces of all dice before; `None` where not thrown.
        dice: numbers of the dice that fell, 1-based.
        faces: how those fell, in the same order.
    """
    fallen = dict(zip(dice, faces, strict=True))
    return tuple(fallen.get(die, face) for die, face in enumerate(before, start=1))


def thrown_dice(kept: Iterable[int], throwable: Sequence[int], count: int) -> tuple[int, ...]:
    """Return the dice that fall when `kept` stay; dice that cannot be thrown need not be named.

    Args:
        kept: numbers of the dice that stay, 1-based.
        throwable: numbers of the dice that may be thrown.
        count: how many dice lie on the table.

    Raises:
        IllegalAction: a number is no die, or no die would fall.
    """
    kept = list(kept)
    if len(set(kept)) != len(kept) or not all(1 <= die <= count for die in kept):
        raise IllegalAction(f"keep {kept}: expected different dice from 1 to {count}")
    falling = tuple(die for die in throwable if die not in kept)
    if not falling:
        raise IllegalAction(f"keep {kept}: expected at least one of the dice {list(throwable)} to fall")
    return falling


def has_crew(faces: Iterable[int | None]) -> bool:
    """Return whether ship, captain and crew (6, 5 and 4) are all among these faces."""
    return {SHIP, CAPTAIN, CREW} <= set(faces)


def cargo(faces: Sequence[int | None]) -> int:
    """Return the two dice beside ship, captain and crew, or 0 without them (docs/rules/legend.md L6).

    Args:
        faces: the five cargo dice; `None` where not thrown.
    """
    thrown = [face for face in faces if face is not None]
    return sum(thrown) - (SHIP + CAPTAIN + CREW) if has_crew(thrown) else 0


def crew_words(aboard: Collection[int], cargo: int) -> str:
    """Return who is aboard, by their faces, and the cargo once all are.

    Args:
        aboard: which of the faces 6, 5 and 4 count.
        cargo: what the other dice add up to.
    """
    names = [name for name, face in (("ship", SHIP), ("captain", CAPTAIN), ("crew", CREW)) if face in aboard]
    return ", ".join(names) + (f"; cargo {cargo}" if len(names) == len((SHIP, CAPTAIN, CREW)) else "")


def worth_keeping(throws_left: int) -> int:
    """Return from which face on a single die is better kept than thrown: above what the throws left bring on average.

    With one throw left that is 3.5; with two 4.25, since the first of them may be kept in turn.
    """
    average = 3.5
    for _ in range(throws_left - 1):
        average = sum(max(face, average) for face in range(1, 7)) / 6
    return int(average) + 1


def crew_in_order(faces: Sequence[int | None]) -> tuple[int, ...]:
    """Return the 1-based numbers of one 6, one 5 and one 4 among the faces, as far as they are there."""
    return tuple(sorted(faces.index(face) + 1 for face in (SHIP, CAPTAIN, CREW) if face in faces))


def cargo_dice(faces: Sequence[int | None]) -> tuple[int, ...]:
    """Return the 1-based numbers of the dice beside one 6, one 5 and one 4; none while one of those is missing."""
    crew = crew_in_order(faces)
    return tuple(die for die in range(1, len(faces) + 1) if die not in crew) if has_crew(faces) else ()


def first_missing(faces: Sequence[int | None]) -> int | None:
    """Return the face that is missing first: the ship's before the captain's, and his before the crew's."""
    return next((face for face in CREW_WORDS if face not in faces), None)


def missing_words(face: int) -> str:
    """Return what it means that a ship, captain or crew is missing."""
    return f"No {CREW_WORDS[face]}, no cargo"


def order_words(faces: Sequence[int | None], decided: Sequence[str]) -> str:
    """Return what a throw for the start came to: its sum, and what that decided."""
    total = sum(face or 0 for face in faces)
    return ": ".join([str(total), *decided]) if decided else f"{total} for the start"
