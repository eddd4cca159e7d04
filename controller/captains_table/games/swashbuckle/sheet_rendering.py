"""Renders score sheets: as rows for displays, and as JSON values for the state at the end of a tape (a recording).

Source: docs/rules/swashbuckle.md.
"""

from collections.abc import Sequence
from typing import Final

from captains_table.games.contract import RowKind, SheetRow
from captains_table.games.swashbuckle.sheet import BOXES, LOWER, UPPER, Sheet, box_title
from captains_table.games.swashbuckle.state import State
from captains_table.phrases import noun, say

MINUS: Final = "\N{MINUS SIGN}"
NEST, BILGE, TOTAL = map(str, (noun("nest"), noun("bilge"), noun("total")))
"""The names of tallies: keys, which are translated where they are shown."""


def values(state: State, seat: int) -> object:
    """Return a player's sheet as a JSON object: the points of each box (null if it is open), bonuses, losses and sums.

    If the player has several columns, return a list with such an object for each column (N5).
    """
    columns = [_values(state, sheet) for sheet in state.columns_of(seat)]
    return columns[0] if len(columns) == 1 else columns


def _values(state: State, sheet: Sheet) -> dict[str, object]:
    penalties = {"penalties": sheet.penalties} if state.options.penalty else {}
    return {
        **dict(zip(BOXES, sheet.filled, strict=True)),
        "subtotal": sheet.subtotal,
        "blimey-bonus": sheet.blimey,
        "smooth-sailing": sheet.smooth_sailing,
        "swashbuckle-bonus": sheet.bonus,
        "hornswaggle": sheet.hornswaggle,
        "pillaged": sheet.pillaged or 0,
        "curse": None if sheet.cursed is None else state.seats[sheet.cursed],
        **penalties,
        "nest": sheet.nest,
        "bilge": sheet.bilge,
        "total": sheet.total,
    }


def sheet_tallies(columns: Sequence[Sheet]) -> dict[str, int]:
    """Return a player's crow's nest tally, bilge tally and total plunder, summed over all columns (N5)."""
    nest, bilge = sum(sheet.nest for sheet in columns), sum(sheet.bilge for sheet in columns)
    return {NEST: nest, BILGE: bilge, TOTAL: nest + bilge}


def sheet_rows(state: State) -> tuple[SheetRow, ...]:
    """Return the rows of the score sheet, with the cells of all players side by side.

    With several columns for each player, a further row shows the sum of each column (N5).
    """
    sheets = state.sheets
    victims = ["" if sheet.cursed is None else state.called(sheet.cursed) for sheet in sheets]
    penalties = [_row(say("Penalties"), [_minus(sheet.penalties) for sheet in sheets], RowKind.NOTE)]
    totals = [_row(say("Total plunder"), [_signed(state.total(seat)) for seat in range(len(state.seats))], RowKind.SUM)]
    if state.options.columns > 1:
        totals.insert(0, _row(say("Column's plunder"), [_signed(sheet.total) for sheet in sheets], RowKind.SUM))
    return (
        *(_box(box, sheets) for box in UPPER),
        _row(say("Subtotal"), [str(sheet.subtotal) for sheet in sheets], RowKind.NOTE),
        _row(say("Blimey bonus"), [_plus(sheet.blimey) for sheet in sheets], RowKind.NOTE),
        _row(say("Crow's nest tally"), [str(sheet.nest) for sheet in sheets], RowKind.SUM),
        *(_box(box, sheets) for box in LOWER),
        _row(say("Smooth sailing"), [_plus(sheet.smooth_sailing) for sheet in sheets], RowKind.NOTE),
        _row(say("Swashbuckle bonus"), [_plus(sheet.bonus) for sheet in sheets], RowKind.NOTE),
        _row(say("Hornswaggle"), [_minus(sheet.hornswaggle) for sheet in sheets], RowKind.NOTE),
        _row(say("Pillaged"), [_minus(sheet.pillaged or 0) for sheet in sheets], RowKind.NOTE),
        *(penalties if state.options.penalty else ()),
        _row(say("Curse"), victims, RowKind.NOTE),
        _row(say("Bilge tally"), [_signed(sheet.bilge) for sheet in sheets], RowKind.SUM),
        *totals,
    )


def _box(box: str, sheets: tuple[Sheet, ...]) -> SheetRow:
    return _row(box_title(box), ["" if sheet[box] is None else str(sheet[box]) for sheet in sheets], RowKind.BOX)


def _row(title: str, cells: list[str], kind: RowKind) -> SheetRow:
    return SheetRow(title, tuple(cells), kind)


def _plus(points: int) -> str:
    return str(points) if points else ""


def _minus(points: int) -> str:
    return f"{MINUS}{points}" if points else ""


def _signed(points: int) -> str:
    return f"{MINUS}{-points}" if points < 0 else str(points)
