"""Boxes as answers: what they are called in ids and on displays, with their column where there are several (N5).

Source: docs/rules/swashbuckle.md, "At the table".
"""

from collections.abc import Sequence
from typing import Final

from captains_table.games.common.dice import roman
from captains_table.games.swashbuckle.boxes import title_of
from captains_table.games.swashbuckle.sheet import Sheet

SCORE: Final = "score-"
SCUTTLE: Final = "scuttle-"


def cell_id(kind: str, box: str, column: int, columns: Sequence[Sheet]) -> str:
    """Return the id of filling a box: `score-ones`; with several columns the column follows, from 1: `score-ones-2`."""
    return f"{kind}{box}" if len(columns) == 1 else f"{kind}{box}-{column + 1}"


def read_cell(id_: str, columns: Sequence[Sheet]) -> tuple[str, int]:
    """Return the box and the column, from 0, that an offered id fills."""
    box = id_.partition("-")[2]
    if len(columns) == 1:
        return box, 0
    box, _, number = box.rpartition("-")
    return box, int(number) - 1


def cell_title(box: str, column: int, columns: Sequence[Sheet]) -> str:
    """Return what a box is called: `Ones`; with several columns their number stands before it: `II Ones`."""
    return title_of(box) if len(columns) == 1 else f"{roman(column + 1)} {title_of(box)}"
