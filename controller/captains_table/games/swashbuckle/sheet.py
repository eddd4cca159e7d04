"""A player's score sheet: its sixteen boxes, the points of dice in each box, bonuses, losses and totals.

Also finds the open boxes in which the dice score, best first, and makes and reads the option ids of boxes.

Source: docs/rules/swashbuckle.md, "Sheet", W3 to W7, N2 and N5.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations_with_replacement
from typing import Final

from msgspec import Struct

from captains_table.phrases import say

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
    "ones": say("Ones"),
    "twos": say("Twos"),
    "threes": say("Threes"),
    "fours": say("Fours"),
    "fives": say("Fives"),
    "sixes": say("Sixes"),
    "three-alike": say("3 alike"),
    "four-alike": say("4 alike"),
    "aces-high": say("Aces high"),
    "full-boat": say("Full boat"),
    "succession-4": say("Succession of 4"),
    "succession-5": say("Succession of 5"),
    "pieces-of-8": say("Pieces of 8"),
    "flotsam": say("Flotsam"),
    PIRACY: say("Piracy"),
    SWASHBUCKLE: say("Swashbuckle"),
}
DICE_COUNT: Final = 5
CURSED_DICE: Final = 4
FULL_BOAT: Final = 25
SWASHBUCKLE_POINTS: Final = 50
SWASHBUCKLE_ON_PIRACY: Final = 40
MOST_PIRACY: Final = 36
EIGHT: Final = 8
FOUR: Final = 4
BLIMEY_FROM: Final = 68
BLIMEY: Final = 45
SMOOTH_SAILING: Final = 10
BONUS: Final = 50
HORNSWAGGLE: Final = 15
PIRACY_RANK: Final = 17.5  # the expected sum of five dice: sorts piracy among boxes whose points are known
SCORE: Final = "score-"
SCUTTLE: Final = "scuttle-"


@dataclass(frozen=True, slots=True)
class Values:
    """The points of the boxes whose points can be chosen by options.

    If `aces_high` is `None`, the box `aces-high` counts the sum of the dice.
    """

    aces_high: int | None = 45
    succession_4: int = 30
    succession_5: int = 40
    pieces_of_8: int = 45


PRINTED: Final = Values()


def box_title(box: str) -> str:
    """Return the title of a box on the sheet."""
    return TITLES[box]


def longest_run(faces: Sequence[int]) -> int:
    """Return the length of the longest run of consecutive faces among the dice, in any order."""
    there = set(faces)
    return max(next(length for length in range(1, 7) if face + length not in there) for face in there)


def is_five_alike(faces: Sequence[int]) -> bool:
    """Return whether five dice show the same face, which is a swashbuckle; false for four dice under a curse (W7)."""
    return len(faces) == DICE_COUNT and len(set(faces)) == 1


def is_for_piracy(faces: Sequence[int]) -> bool:
    """Return whether the dice allow the box `piracy`: five in a row."""
    return longest_run(faces) >= DICE_COUNT


def box_points(box: str, faces: Sequence[int], values: Values = PRINTED) -> int:  # noqa: C901, PLR0911 - one table, one line each
    """Return the points of the dice in a box; 0 if the dice do not fit the box.

    The box `piracy` always gives 0 here, since its points come from a further throw (`piracy_points`).

    Args:
        box: one of `BOXES`.
        faces: five faces, or four under a curse; then the box `four-alike` counts double (W7).
        values: the points of the boxes whose points are set by options.
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
            return values.succession_5 if longest_run(faces) >= DICE_COUNT else 0
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
    """Return the points of the piracy throw of all five dice: their sum, or 40 if all are alike (W6)."""
    return SWASHBUCKLE_ON_PIRACY if is_five_alike(faces) else sum(faces)


@cache
def maximum(box: str, values: Values = PRINTED) -> int:
    """Return the maximum score of a box; a repeated swashbuckle may score the maximum (W5).

    The maximum is the highest score that dice can give in the box, except for piracy, where the rules set it to 36.
    """
    if box == PIRACY:
        return MOST_PIRACY
    return max(box_points(box, faces, values) for faces in combinations_with_replacement(range(1, 7), DICE_COUNT))


@dataclass(frozen=True, slots=True)
class Sheet:
    """A player's score sheet, or one column of it if the player has several.

    Attributes:
        filled: the points in each of `BOXES`; `None` for an open box, 0 for a scuttled one.
        marks: the number of swashbuckle bonuses (W5).
        hornswaggled: whether the extra throw was used (W4).
        pillaged: the points lost by a raid; `None` while the sheet has not been raided (W6).
        cursed: the seat that this player cursed; `None` while the curse is unused (W7).
        penalties: the points lost by accepted penalties (N2).
    """

    filled: tuple[int | None, ...] = (None,) * len(BOXES)
    marks: int = 0
    hornswaggled: bool = False
    pillaged: int | None = None
    cursed: int | None = None
    penalties: int = 0

    def __getitem__(self, box: str) -> int | None:
        return self.filled[BOXES.index(box)]

    def open_boxes(self) -> tuple[str, ...]:
        """Return the boxes that are not filled yet, in the sheet's order."""
        return tuple(box for box, filled in zip(BOXES, self.filled, strict=True) if filled is None)

    def with_box(self, box: str, score: int) -> "Sheet":
        """Return the sheet with an open box filled."""
        place = BOXES.index(box)
        return replace(self, filled=(*self.filled[:place], score, *self.filled[place + 1 :]))

    @property
    def is_full(self) -> bool:
        """Whether all sixteen boxes are filled."""
        return None not in self.filled

    @property
    def scored_swashbuckle(self) -> bool:
        """Whether the box `swashbuckle` has points, so that further swashbuckles earn a bonus (W5)."""
        return bool(self[SWASHBUCKLE])

    @property
    def subtotal(self) -> int:
        """The sum of the upper boxes, ones to sixes."""
        return sum(filter(None, self.filled[: len(UPPER)]))

    @property
    def blimey(self) -> int:
        """The blimey bonus: 45 points if the subtotal is at least 68, else 0."""
        return BLIMEY if self.subtotal >= BLIMEY_FROM else 0

    @property
    def smooth_sailing(self) -> int:
        """The bonus of 10 points for a full sheet in which no box has 0 points; else 0."""
        return SMOOTH_SAILING if self.is_full and 0 not in self.filled else 0

    @property
    def bonus(self) -> int:
        """The points of all swashbuckle bonuses."""
        return BONUS * self.marks

    @property
    def hornswaggle(self) -> int:
        """The cost of the extra throw; 0 if it was not used."""
        return HORNSWAGGLE if self.hornswaggled else 0

    @property
    def nest(self) -> int:
        """The crow's nest tally: the subtotal and the blimey bonus."""
        return self.subtotal + self.blimey

    @property
    def bilge(self) -> int:
        """The bilge tally: the lower boxes and all bonuses but blimey, less all losses; may be negative."""
        lower = sum(filter(None, self.filled[len(UPPER) :]))
        taken = self.hornswaggle + (self.pillaged or 0) + self.penalties
        return lower + self.smooth_sailing + self.bonus - taken

    @property
    def total(self) -> int:
        """The total plunder, the sum of both tallies."""
        return self.nest + self.bilge


class Scoring(Struct, frozen=True):
    """An open box in which the dice can score now.

    Attributes:
        box: the box.
        points: the points that the dice give in the box; 0 if `to_be_thrown`.
        to_be_thrown: whether the points come from a further throw, as in piracy. False even for piracy if the
            dice are five alike, box `swashbuckle` was scored already, and any open box gets its maximum (W5).
        column: the box's column, from 0 (N5).
    """

    box: str
    points: int
    to_be_thrown: bool = False
    column: int = 0

    @property
    def words(self) -> str:
        """The points as a text, or `throw for it` if they come from a further throw."""
        return say("throw for it") if self.to_be_thrown else str(self.points)


def earns_bonus(sheet: Sheet, faces: Sequence[int]) -> bool:
    """Return whether the dice earn a swashbuckle bonus: five alike, and the box `swashbuckle` has points (W5)."""
    return sheet.scored_swashbuckle and is_five_alike(faces)


def scoring_cells(columns: Sequence[Sheet], faces: Sequence[int], values: Values = PRINTED) -> tuple[Scoring, ...]:
    """Return the open boxes in which the dice score, sorted by points, the most first.

    Boxes with equal points are sorted by difficulty, the hardest first. Piracy that must still be thrown for is sorted
    as if it had 17.5 points. If a repeated swashbuckle scores in no box, every open box is returned with its maximum
    (W5). Empty if a box has to be scuttled (W3).

    Args:
        columns: all columns of a player; usually one (N5).
        faces: the faces of the dice.
        values: the points that the rules leave open.
    """
    scorings = [
        Scoring(box, score, column=column)
        for column, box in open_cells(columns)
        if box != PIRACY and (score := box_points(box, faces, values))
    ]
    if is_for_piracy(faces):
        scorings += [
            Scoring(box, 0, to_be_thrown=True, column=column) for column, box in open_cells(columns) if box == PIRACY
        ]
    if not scorings and any(earns_bonus(sheet, faces) for sheet in columns):
        scorings = [Scoring(box, maximum(box, values), column=column) for column, box in open_cells(columns)]
    return tuple(sorted(scorings, key=_rank))


def open_cells(columns: Sequence[Sheet]) -> list[tuple[int, str]]:
    """Return the column (from 0) and the box of every open cell, column by column in the sheet's order."""
    return [(column, box) for column, sheet in enumerate(columns) for box in sheet.open_boxes()]


def _rank(scoring: Scoring) -> tuple[float, int, int]:
    value = PIRACY_RANK if scoring.to_be_thrown else scoring.points
    return -value, HARDEST_FIRST.index(scoring.box), scoring.column


def cell_id(kind: str, box: str, column: int, columns: Sequence[Sheet]) -> str:
    """Return the id of the option to fill a box, such as `score-ones`.

    With several columns, the id ends with the column's number from 1: `score-ones-2` for the second column.

    Args:
        kind: `SCORE` or `SCUTTLE`.
        box: one of `BOXES`.
        column: the box's column, from 0.
        columns: all columns of the player.
    """
    return f"{kind}{box}" if len(columns) == 1 else f"{kind}{box}-{column + 1}"


def read_cell(id_: str, columns: Sequence[Sheet]) -> tuple[str, int]:
    """Return the box and the column (from 0) of an option id made by `cell_id`."""
    box = id_.partition("-")[2]
    if len(columns) == 1:
        return box, 0
    box, _, number = box.rpartition("-")
    return box, int(number) - 1
