"""The score sheet as pages draw it: its column heads and the cells of its rows."""

from collections.abc import Sequence
from dataclasses import dataclass

from captains_table.games.common.dice import roman
from captains_table.games.contract import Prospect, SheetRow
from captains_table.phrases import say
from captains_table.table.model.view import View


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a column of the score sheet.

    Attributes:
        seat: the seat to which the column belongs.
        number: the column's number within its seat, in Roman numerals; empty if each seat has a single column.
    """

    seat: int
    number: str = ""


@dataclass(frozen=True, slots=True)
class SheetCell:
    """A cell of the score sheet.

    Attributes:
        seat: the seat whose sheet the cell belongs to.
        words: the content of the cell.
        span: how many columns the cell is wide.
        prospect: the preview of the score that could be entered here now; `None` if the cell has no preview.
        label: the cell's row and column for screen readers.
    """

    seat: int
    words: str
    span: int = 1
    prospect: Prospect | None = None
    label: str = ""


def sheet_columns(view: View) -> int:
    """Return how many columns of the score sheet each seat has, at least 1."""
    most = max((len(row.cells) for row in view.sheet), default=0)
    return max(1, most // max(1, len(view.seats)))


def sheet_heads(view: View, seats: Sequence[int]) -> list[Head]:
    """Return the column heads of some seats, in the given order of the seats."""
    count = sheet_columns(view)
    return [Head(seat, roman(column + 1) if count > 1 else "") for seat in seats for column in range(count)]


def sheet_cells(view: View, row: SheetRow, seats: Sequence[int]) -> list[SheetCell]:
    """Return the cells of a row for some seats; a seat's only cell in the row spans all columns of the seat."""
    count = sheet_columns(view)
    if len(row.cells) == len(view.seats):
        found = {prospect.seat: prospect for prospect in row.prospects}
        return [SheetCell(seat, row.cells[seat], count, found.get(seat), row.title) for seat in seats]
    by_place = {(prospect.seat, prospect.column): prospect for prospect in row.prospects}
    return [
        SheetCell(
            seat,
            row.cells[seat * count + column],
            prospect=by_place.get((seat, column)),
            label=say("{row}, column {number}", row.title, column + 1),
        )
        for seat in seats
        for column in range(count)
    ]
