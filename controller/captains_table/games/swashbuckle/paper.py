"""The sheets written out: as rows for paper and page, and as plain values for a tape's final object."""

from typing import Final

from captains_table.games.contract import RowKind, SheetRow
from captains_table.games.swashbuckle.boxes import BOXES, LOWER, UPPER, title_of
from captains_table.games.swashbuckle.sheet import Sheet
from captains_table.games.swashbuckle.state import State

MINUS: Final = "\N{MINUS SIGN}"


def values(state: State, seat: int) -> dict[str, object]:
    """Return a sheet by its boxes' ids (null while open), and what is not a box."""
    sheet = state.sheets[seat]
    return {
        **dict(zip(BOXES, sheet.filled, strict=True)),
        "subtotal": sheet.subtotal,
        "blimey-bonus": sheet.blimey,
        "smooth-sailing": sheet.smooth_sailing,
        "swashbuckle-bonus": sheet.bonus,
        "hornswaggle": sheet.hornswaggle,
        "pillaged": sheet.pillaged or 0,
        "curse": None if sheet.cursed is None else state.seats[sheet.cursed],
        "nest": sheet.nest,
        "bilge": sheet.bilge,
        "total": sheet.total,
    }


def rows(state: State) -> tuple[SheetRow, ...]:
    """Return all sheets side by side, in the order they are printed."""
    sheets = state.sheets
    victims = ["" if sheet.cursed is None else state.called(sheet.cursed) for sheet in sheets]
    return (
        *(_box(box, sheets) for box in UPPER),
        _row("Subtotal", [str(sheet.subtotal) for sheet in sheets], RowKind.NOTE),
        _row("Blimey bonus", [_plus(sheet.blimey) for sheet in sheets], RowKind.NOTE),
        _row("Crow's nest tally", [str(sheet.nest) for sheet in sheets], RowKind.SUM),
        *(_box(box, sheets) for box in LOWER),
        _row("Smooth sailing", [_plus(sheet.smooth_sailing) for sheet in sheets], RowKind.NOTE),
        _row("Swashbuckle bonus", [_plus(sheet.bonus) for sheet in sheets], RowKind.NOTE),
        _row("Hornswaggle", [_minus(sheet.hornswaggle) for sheet in sheets], RowKind.NOTE),
        _row("Pillaged", [_minus(sheet.pillaged or 0) for sheet in sheets], RowKind.NOTE),
        _row("Curse", victims, RowKind.NOTE),
        _row("Bilge tally", [_signed(sheet.bilge) for sheet in sheets], RowKind.SUM),
        _row("Total plunder", [_signed(sheet.total) for sheet in sheets], RowKind.SUM),
    )


def _box(box: str, sheets: tuple[Sheet, ...]) -> SheetRow:
    return _row(title_of(box), ["" if sheet[box] is None else str(sheet[box]) for sheet in sheets], RowKind.BOX)


def _row(title: str, cells: list[str], kind: RowKind) -> SheetRow:
    return SheetRow(title, tuple(cells), kind)


def _plus(points: int) -> str:
    return str(points) if points else ""


def _minus(points: int) -> str:
    return f"{MINUS}{points}" if points else ""


def _signed(points: int) -> str:
    return f"{MINUS}{-points}" if points < 0 else str(points)
