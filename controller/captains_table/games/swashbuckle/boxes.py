"""The sixteen boxes of the sheet: what some dice score in each (docs/rules/swashbuckle.md, "Sheet")."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

UPPER: Final = ("ones", "twos", "threes", "fours", "fives", "sixes")
PIRACY: Final = "piracy"
SWASHBUCKLE: Final = "swashbuckle"
LOWER: Final = (
    "three-alike",
    "four-alike",
    "aces-high",
    "full-boat",
    "succession-4",
    "succession-5",
    "pieces-of-8",
    "flotsam",
    PIRACY,
    SWASHBUCKLE,
)
BOXES: Final = UPPER + LOWER
HARDEST_FIRST: Final = (
    SWASHBUCKLE,
    "aces-high",
    "four-alike",
    "succession-5",
    PIRACY,
    "full-boat",
    "pieces-of-8",
    "succession-4",
    "three-alike",
    *UPPER,
    "flotsam",
)
TITLES: Final = {
    "three-alike": "3 alike",
    "four-alike": "4 alike",
    "aces-high": "Aces high",
    "full-boat": "Full boat",
    "succession-4": "Succession of 4",
    "succession-5": "Succession of 5",
    "pieces-of-8": "Pieces of 8",
}

DICE: Final = 5
CURSED_DICE: Final = 4
FULL_BOAT: Final = 25
SWASHBUCKLE_POINTS: Final = 50
SWASHBUCKLE_ON_PIRACY: Final = 40
MOST_PIRACY: Final = 36
MOST_SUM: Final = 30
EIGHT: Final = 8
FOUR: Final = 4


@dataclass(frozen=True, slots=True)
class Values:
    """The point values that the source does not print.

    `aces_high` of None counts the sum of the dice.
    """

    aces_high: int | None = 45
    succession_4: int = 30
    succession_5: int = 40
    pieces_of_8: int = 45


PRINTED: Final = Values()


def title_of(box: str) -> str:
    """Return what a box is called on the sheet."""
    return TITLES.get(box, box.capitalize())


def longest_run(faces: Sequence[int]) -> int:
    """Return how many faces in a row there are, at most."""
    there = set(faces)
    return max(next(length for length in range(1, 7) if face + length not in there) for face in there)


def is_five_alike(faces: Sequence[int]) -> bool:
    """Return whether these are five dice with one face: a swashbuckle; four cursed dice never are (W7)."""
    return len(faces) == DICE and len(set(faces)) == 1


def is_for_piracy(faces: Sequence[int]) -> bool:
    """Return whether these dice open the box `piracy`: five in a row."""
    return longest_run(faces) >= DICE


def points(box: str, faces: Sequence[int], values: Values = PRINTED) -> int:  # noqa: C901, PLR0911 - one table, one line each
    """Return what the dice score in a box as they lie, 0 where they miss what it needs.

    Piracy scores nothing as the dice lie: its points are thrown for (`piracy_points`).

    Args:
        box: one of `BOXES`.
        faces: five faces, or four under a curse, which doubles four alike (W7).
        values: the points the source does not print.
    """
    total, counts = sum(faces), Counter(faces)
    alike = max(counts.values())
    match box:
        case "three-alike":
            return total if alike >= 3 else 0  # noqa: PLR2004
        case "four-alike":
            score = total if alike >= FOUR else 0
            return 2 * score if len(faces) == CURSED_DICE else score
        case "aces-high":
            score = total if values.aces_high is None else values.aces_high
            return score if counts[1] >= FOUR else 0
        case "full-boat":
            return FULL_BOAT if sorted(counts.values()) == [2, 3] else 0
        case "succession-4":
            return values.succession_4 if longest_run(faces) >= FOUR else 0
        case "succession-5":
            return values.succession_5 if longest_run(faces) >= DICE else 0
        case "pieces-of-8":
            return values.pieces_of_8 if total == EIGHT else 0
        case "flotsam":
            return total
        case "piracy":
            return 0
        case "swashbuckle":
            return SWASHBUCKLE_POINTS if is_five_alike(faces) else 0
        case _:
            face = 1 + UPPER.index(box)
            return face * counts[face]


def piracy_points(faces: Sequence[int]) -> int:
    """Return what the throw of all five dice for piracy scores: their sum, 40 if they are alike (W6)."""
    return SWASHBUCKLE_ON_PIRACY if is_five_alike(faces) else sum(faces)


def maximum(box: str, values: Values = PRINTED) -> int:  # noqa: PLR0911 - one table, one line each
    """Return the most a box can hold, which a swashbuckle thrown again may fill in anywhere (W5)."""
    match box:
        case "aces-high":
            return 10 if values.aces_high is None else values.aces_high  # 1-1-1-1-6
        case "full-boat":
            return FULL_BOAT
        case "succession-4":
            return values.succession_4
        case "succession-5":
            return values.succession_5
        case "pieces-of-8":
            return values.pieces_of_8
        case "piracy":
            return MOST_PIRACY
        case "swashbuckle":
            return SWASHBUCKLE_POINTS
        case "three-alike" | "four-alike" | "flotsam":
            return MOST_SUM
        case _:
            return DICE * (1 + UPPER.index(box))
